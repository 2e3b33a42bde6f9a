//! The content codings of a body, undone.

use std::borrow::Cow;
use std::io::{self, Read};

use brotli_decompressor::Decompressor;
use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use lopper_content::limits::Limits;

use super::sniff;

/// Codings of one body that are undone; nobody applies more.
const CODINGS_MAX: usize = 4;

/// Decoded bytes below which a ratio says nothing.
const RATIO_FREE_BYTES: usize = 1 << 20;

/// Bytes decoded at once.
const STEP_BYTES: usize = 32 << 10;

/// Base 2 logarithm of the window that a zstd frame may ask for: 16 MiB, twice what HTTP allows.
const ZSTD_WINDOW_LOG_MAX: u32 = 24;

/// Why a body has no text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    /// It decodes to more than a limit.
    TooLarge,
    /// It is not in this coding, or damaged from its first bytes on, and it is no text as it is either.
    Undecodable { coding: String },
}

/// The body decodes to more than a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TooLarge;

impl From<TooLarge> for Fault {
    fn from(TooLarge: TooLarge) -> Self {
        Self::TooLarge
    }
}

/// A body without its codings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Undone<'a> {
    pub(super) body: Cow<'a, [u8]>,
    /// The coding that ends too early or is damaged, so that the body is not whole.
    pub(super) damaged: Option<String>,
}

/// Undoes `codings`, the last applied first.
///
/// A coding that is unknown, or that a body of text does not have, is passed over; of a body that is cut off or damaged,
/// what precedes the damage is kept.
///
/// # Errors
///
/// [`Fault`] when the body is too large, or when what is left is neither decoded to its end nor text.
pub(super) fn undo<'a>(body: Cow<'a, [u8]>, codings: &[String], limits: &Limits) -> Result<Undone<'a>, Fault> {
    let max = largest(body.len(), limits);
    let is_there = !body.trim_ascii().is_empty();
    let mut body = body;
    let (mut failed, mut damaged) = (None, None);
    let codings = codings.iter().map(String::as_str).filter(|coding| !is_no_coding(coding));
    // Some servers send compressed pages without saying so.
    for declared in codings.rev().take(CODINGS_MAX).map(Some).chain([None]) {
        let coding = declared.unwrap_or("gzip");
        match decode(coding, &body, max)? {
            Some(decoded) => {
                damaged = damaged.or((!decoded.is_whole).then_some(coding));
                failed = failed.or(damaged);
                body = Cow::Owned(decoded.bytes);
            }
            None => failed = failed.or(declared),
        }
    }
    match failed {
        Some(coding) if is_there && (body.is_empty() || sniff::is_binary(&body)) => {
            Err(Fault::Undecodable { coding: coding.to_owned() })
        }
        _ => Ok(Undone { body, damaged: damaged.map(str::to_owned) }),
    }
}

/// Names that stand for no coding.
fn is_no_coding(coding: &str) -> bool {
    matches!(coding, "identity" | "none" | "utf-8" | "utf8")
}

/// Undoes one coding; `None` if `body` does not have it, or if it is unknown.
fn decode(coding: &str, body: &[u8], max: usize) -> Result<Option<Decoded>, TooLarge> {
    match coding {
        "gzip" | "x-gzip" => gzip(body, max),
        "deflate" => deflate(body, max),
        "br" => brotli(body, max),
        "zstd" => zstd(body, max),
        _ => Ok(None),
    }
}

/// The largest that a body of `encoded` bytes may decode to.
fn largest(encoded: usize, limits: &Limits) -> usize {
    encoded.saturating_mul(limits.body_ratio_max).max(RATIO_FREE_BYTES).min(limits.body_bytes_max)
}

fn gzip(body: &[u8], max: usize) -> Result<Option<Decoded>, TooLarge> {
    if !body.starts_with(&[0x1f, 0x8b, 0x08]) {
        return Ok(None);
    }
    read_some(MultiGzDecoder::new(body), max).map(Some)
}

/// `deflate` is zlib by the standard, and bare deflate with some servers.
fn deflate(body: &[u8], max: usize) -> Result<Option<Decoded>, TooLarge> {
    if let [method, flags, ..] = *body
        && method & 0x0f == 8
        && (u16::from(method) << 8 | u16::from(flags)) % 31 == 0
    {
        let decoded = read_some(ZlibDecoder::new(body), max)?;
        if !decoded.bytes.is_empty() {
            return Ok(Some(decoded));
        }
    }
    read_some(DeflateDecoder::new(body), max).map(|decoded| decoded.unless_text(body))
}

fn brotli(body: &[u8], max: usize) -> Result<Option<Decoded>, TooLarge> {
    read_some(Decompressor::new(body, STEP_BYTES), max).map(|decoded| decoded.unless_text(body))
}

fn zstd(body: &[u8], max: usize) -> Result<Option<Decoded>, TooLarge> {
    let is_frame = matches!(body, [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..]);
    match zstd::stream::read::Decoder::with_buffer(body) {
        Ok(mut decoder) if is_frame => {
            if decoder.window_log_max(ZSTD_WINDOW_LOG_MAX).is_err() {
                return Ok(None);
            }
            read_some(decoder, max).map(Some)
        }
        _ => Ok(None),
    }
}

/// What a decoder gave before its end or its failure.
struct Decoded {
    bytes: Vec<u8>,
    is_whole: bool,
}

impl Decoded {
    /// For codings without a magic number: plain text may decode to a few bytes of nonsense before it fails.
    fn unless_text(self, body: &[u8]) -> Option<Self> {
        let is_credible = self.is_whole || !sniff::is_text(body);
        (is_credible && !self.bytes.is_empty()).then_some(self)
    }
}

fn read_some(mut decoder: impl Read, max: usize) -> Result<Decoded, TooLarge> {
    let mut bytes = Vec::new();
    let mut step = vec![0; STEP_BYTES];
    loop {
        match decoder.read(&mut step) {
            Ok(0) => return Ok(Decoded { bytes, is_whole: true }),
            Ok(len) if bytes.len() + len > max => return Err(TooLarge),
            Ok(len) => bytes.extend_from_slice(&step[..len]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return Ok(Decoded { bytes, is_whole: false }),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

    use super::*;

    const TEXT: &[u8] = b"<html><body><p>Some words of a page, and some more words of it.</p></body></html>";

    fn gzipped(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn zlibbed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn deflated(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn undone(body: &[u8], codings: &[&str]) -> Result<Vec<u8>, Fault> {
        let codings: Vec<String> = codings.iter().map(|&coding| coding.to_owned()).collect();
        undo(Cow::Borrowed(body), &codings, &Limits::default()).map(|undone| undone.body.into_owned())
    }

    #[test]
    fn undoes_each_coding() {
        assert_eq!(undone(&gzipped(TEXT), &["gzip"]).unwrap(), TEXT);
        assert_eq!(undone(&gzipped(TEXT), &["x-gzip"]).unwrap(), TEXT);
        assert_eq!(undone(&gzipped(TEXT), &[]).unwrap(), TEXT, "not declared");
        assert_eq!(undone(&zlibbed(TEXT), &["deflate"]).unwrap(), TEXT);
        assert_eq!(undone(&deflated(TEXT), &["deflate"]).unwrap(), TEXT);
        let zstd = zstd::stream::encode_all(TEXT, 1).unwrap();
        assert_eq!(undone(&zstd, &["zstd"]).unwrap(), TEXT);
        // "hello" as one uncompressed metablock.
        assert_eq!(undone(b"\x0b\x02\x80hello\x03", &["br"]).unwrap(), b"hello");
    }

    #[test]
    fn what_is_cut_off_is_told() {
        let whole = gzipped(&TEXT.repeat(50));
        let damaged =
            |body: &[u8]| undo(Cow::Borrowed(body), &["gzip".to_owned()], &Limits::default()).unwrap().damaged;
        assert_eq!(damaged(&whole), None);
        assert_eq!(damaged(&whole[..whole.len() - 9]).as_deref(), Some("gzip"));
        assert_eq!(damaged(TEXT), None, "not coded at all");
    }

    #[test]
    fn undoes_several_in_turn() {
        let body = zlibbed(&gzipped(TEXT));
        assert_eq!(undone(&body, &["gzip", "deflate"]).unwrap(), TEXT);
    }

    #[test]
    fn leaves_what_is_not_coded() {
        for coding in ["gzip", "deflate", "br", "zstd", "identity", "sdch"] {
            assert_eq!(undone(TEXT, &[coding]).unwrap(), TEXT, "{coding}");
            assert_eq!(undone(b"", &[coding]).unwrap(), b"", "{coding}");
        }
    }

    #[test]
    fn keeps_what_precedes_a_cut() {
        let text = TEXT.repeat(50);
        for (coding, body) in [("gzip", gzipped(&text)), ("deflate", zlibbed(&text)), ("deflate", deflated(&text))] {
            let decoded = undone(&body[..body.len() - 12], &[coding]).unwrap();
            assert!(!decoded.is_empty() && text.starts_with(&decoded), "{coding}");
        }
    }

    #[test]
    fn tells_what_cannot_be_decoded() {
        let noise: Vec<u8> = (0..4000_u32).map(|at| (at.wrapping_mul(0x9e37_79b9) >> 13) as u8).collect();
        let undecodable = |coding: &str| Err(Fault::Undecodable { coding: coding.to_owned() });
        for coding in ["gzip", "deflate", "br", "zstd", "sdch"] {
            assert_eq!(undone(&noise, &[coding]), undecodable(coding), "{coding}");
        }
        assert_eq!(undone(&noise, &["identity"]).unwrap(), noise, "nothing was declared");
        // Flags of fields that are not there, and the first block damaged.
        let mut head = gzipped(TEXT);
        head[3] = 0xff;
        let mut block = gzipped(TEXT);
        block[10] = 0xff;
        for damaged in [head, block] {
            assert_eq!(undone(&damaged, &["gzip"]), undecodable("gzip"));
            assert_eq!(undone(&damaged, &[]), undecodable("gzip"), "not declared");
        }
    }

    #[test]
    fn refuses_bombs() {
        let limits = Limits { body_ratio_max: 100, ..Limits::default() };
        let bomb = gzipped(&vec![b' '; 2 << 20]);
        assert_eq!(undo(Cow::Borrowed(&bomb), &["gzip".to_owned()], &limits), Err(Fault::TooLarge));
        let limits = Limits { body_bytes_max: 10, ..Limits::default() };
        assert_eq!(undo(Cow::Owned(gzipped(TEXT)), &["gzip".to_owned()], &limits), Err(Fault::TooLarge));
    }
}
