//! The few words of a page that may tell its type, as hashes: what it says it is, its address, its title, its labels.

use super::TypedPage;
use super::address::Address;
use super::markup::Markup;
use super::texts::is_short;

/// Words of each kind that are looked at.
const WORDS_MAX: usize = 24;

/// Bytes of a word or name that may tell something.
const WORD_BYTES_MAX: usize = 32;

/// Labels that are looked at.
const LABELS_MAX: usize = 2000;

/// How often a label must stand on the page to count as repeated, and as repeated often.
const REPEATED: [usize; 2] = [3, 8];

/// Hyphens from which on an address's last part is the page's title.
const TITLE_HYPHENS: usize = 3;

/// The hashes of a page's words, ascending, each once.
pub(super) fn hashes(page: &TypedPage<'_>, markup: &Markup<'_>) -> Vec<u32> {
    let mut hashes = Vec::with_capacity(512);
    put_labels(&mut hashes, page);
    put_declared(&mut hashes, page, markup);
    put_address(&mut hashes, page.url);
    let title = words(&page.metadata.title).take(WORDS_MAX);
    hashes.extend(title.map(|word| hash(b't', word)));
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

/// The text's words; not those too long to be one.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty() && word.len() <= WORD_BYTES_MAX)
}

/// `og:type`, types of structured data, maker, classes of the whole page.
fn put_declared(hashes: &mut Vec<u32>, page: &TypedPage<'_>, markup: &Markup<'_>) {
    let metadata = page.metadata;
    hashes.push(hash(b'o', &metadata.kind));
    hashes.extend(metadata.structured.types.iter().map(|name| hash(b'j', name)));
    hashes.extend(words(markup.generator).take(1).map(|word| hash(b'g', word)));
    for classes in markup.classes {
        hashes.extend(classes.split_ascii_whitespace().take(WORDS_MAX).map(|class| hash(b'b', class)));
    }
}

fn put_address(hashes: &mut Vec<u32>, url: &str) {
    let address = Address::of(url);
    hashes.extend(address.subdomain.split('.').map(|label| hash(b'h', label)));
    if let Some((last, others)) = address.segments.split_last() {
        hashes.extend(others.iter().map(|part| hash(b'u', part)));
        if last.matches(['-', '_']).count() < TITLE_HYPHENS {
            hashes.extend(words(last).map(|word| hash(b'l', word)));
        }
    }
    hashes.extend(address.segments.first().map(|part| hash(b'f', part)));
}

/// Labels, their first words, and which of them are repeated.
fn put_labels(hashes: &mut Vec<u32>, page: &TypedPage<'_>) {
    let texts = page.tree.runs().iter().map(|run| page.tree.run_text(run));
    for text in texts.filter(|text| is_short(text)).take(LABELS_MAX) {
        hashes.push(hash(b'r', text));
        if let Some((first, _)) = text.split_once(' ') {
            hashes.push(hash(b'w', first));
        }
    }
    hashes.sort_unstable();
    let mut repeated = Vec::new();
    for same in hashes.chunk_by(|a, b| a == b) {
        let levels = REPEATED.iter().zip(1_u32..).filter(|(least, _)| same.len() >= **least);
        repeated.extend(levels.map(|(_, level)| same[0] ^ (level << 30)));
    }
    hashes.append(&mut repeated);
}

/// FNV-1a over a kind and a text in lower case, with every number as one `0` and every stretch of blanks as one.
fn hash(kind: u8, text: &str) -> u32 {
    let mut hash = step(0x811c_9dc5, kind);
    let mut last = 0;
    for byte in text.bytes() {
        let byte = match byte {
            b'0'..=b'9' => b'0',
            b'\t'..=b'\r' | b' ' => b' ',
            other => other.to_ascii_lowercase(),
        };
        if byte != last || !matches!(byte, b'0' | b' ') {
            hash = step(hash, byte);
        }
        last = byte;
    }
    hash
}

fn step(hash: u32, byte: u8) -> u32 {
    (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_case_and_spacing_do_not_count() {
        assert_eq!(hash(b'r', "12 Comments"), hash(b'r', "7  comments"));
        assert_ne!(hash(b'r', "comments"), hash(b't', "comments"));
        assert_ne!(hash(b'r', "aa"), hash(b'r', "a"));
    }
}
