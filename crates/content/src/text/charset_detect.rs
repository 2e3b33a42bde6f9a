//! The encoding of bytes for which none is declared, or one that they cannot have.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// Bytes that the detector is fed at once.
const STEP_BYTES: usize = 4 << 10;

/// Bytes beyond ASCII that are enough to tell an encoding by.
const TELLING_BYTES: usize = 2000;

/// Bytes that are looked at.
const BYTES_MAX: usize = 1 << 20;

/// One broken sequence among so many good ones still makes UTF-8.
const UTF8_GOOD_PER_BROKEN: usize = 10;

/// Fewest sequences that belie what is declared.
const BELYING_SEQUENCES: usize = 3;

/// Tells the encoding of `body`; the country of `host` decides between encodings that are alike.
pub(super) fn detect(body: &[u8], host: Option<&str>) -> &'static Encoding {
    let body = &body[..body.len().min(BYTES_MAX)];
    let ascii_len = Encoding::iso_2022_jp_ascii_valid_up_to(body);
    if ascii_len == body.len() {
        return WINDOWS_1252;
    }
    if is_mostly_utf8(body) {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    let mut telling = 0;
    for step in body[ascii_len.saturating_sub(16)..].chunks(STEP_BYTES) {
        detector.feed(step, false);
        telling += step.iter().filter(|byte| !byte.is_ascii()).count();
        if telling >= TELLING_BYTES {
            break;
        }
    }
    detector.guess(host.and_then(top_level_domain), Utf8Detection::Deny)
}

/// Whether `body` cannot be in the encoding that is declared for it: as UTF-8 it has more broken sequences than whole ones, or it is UTF-8
/// without fault, which text in another encoding is not but by chance.
pub(super) fn belies(body: &[u8], declared: &'static Encoding) -> bool {
    let body = &body[..body.len().min(BYTES_MAX)];
    let valid = match std::str::from_utf8(body) {
        Ok(text) => text,
        Err(_) if declared == UTF_8 => {
            let (good, broken) = utf8_sequences(body);
            return broken >= BELYING_SEQUENCES && broken > good;
        }
        Err(_) => return false,
    };
    let is_other = declared != UTF_8 && declared.is_ascii_compatible() && !valid.is_ascii();
    is_other && utf8_sequences(body).0 >= BELYING_SEQUENCES
}

/// Whether the bytes beyond ASCII are UTF-8, but for a few that were broken or cut off on their way.
fn is_mostly_utf8(body: &[u8]) -> bool {
    let (good, broken) = utf8_sequences(body);
    good > 0 && good >= broken * UTF8_GOOD_PER_BROKEN
}

/// Sequences beyond ASCII that are whole, and that are broken.
fn utf8_sequences(body: &[u8]) -> (usize, usize) {
    let (mut good, mut broken) = (0, 0);
    for chunk in body.utf8_chunks() {
        good += chunk.valid().bytes().filter(|&byte| byte >= 0xc0).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    (good, broken)
}

/// The last label of a host, in the form that the detector takes.
fn top_level_domain(host: &str) -> Option<&[u8]> {
    let label = host.rsplit('.').next()?;
    let is_name = !label.is_empty()
        && label.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        && label.starts_with(|first: char| first.is_ascii_lowercase());
    is_name.then_some(label.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_encodings_apart() {
        for (text, label) in [
            ("Съешь же ещё этих мягких французских булок, да выпей чаю", "windows-1251"),
            ("Съешь же ещё этих мягких французских булок, да выпей чаю", "koi8-r"),
            ("色は匂へど散りぬるを我が世誰ぞ常ならむ有為の奥山今日越えて", "shift_jis"),
            ("色は匂へど散りぬるを我が世誰ぞ常ならむ有為の奥山今日越えて", "euc-jp"),
            ("色は匂へど散りぬるを我が世誰ぞ常ならむ有為の奥山今日越えて", "iso-2022-jp"),
            ("这是一个用来检测编码的中文句子，其中有许多常用的汉字", "gbk"),
            ("Καλημέρα κόσμε, αυτή είναι μια πρόταση στα ελληνικά", "windows-1253"),
        ] {
            let encoding = Encoding::for_label(label.as_bytes()).unwrap();
            let (bytes, _, _) = encoding.encode(text);
            let found = detect(&bytes, None);
            assert_eq!(found.decode(&bytes).0, text, "{label} taken for {}", found.name());
        }
    }

    #[test]
    fn forgives_broken_utf8() {
        let mut bytes = "Grüße aus Köln, schöne Mädchen, süße Äpfel, große Öfen, fünf Häuser".as_bytes().to_vec();
        bytes.push(0xc3);
        assert_eq!(detect(&bytes, None), UTF_8);
    }

    #[test]
    fn odd_hosts_do_no_harm() {
        for host in ["", "127.0.0.1", "[::1]", "EXAMPLE.COM", "a.рф", "a.", "x.xn--p1ai"] {
            assert_eq!(detect(b"gr\xfcn", Some(host)), detect(b"gr\xfcn", None), "{host}");
        }
    }
}
