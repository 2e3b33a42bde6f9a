//! Laws of reading archives: how the bytes arrive does not matter, damage costs only what is damaged, and nothing panics.

use std::io::{self, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use lopper_archive::page;
use lopper_archive::{ArchiveError, ArchiveRecord, Payload, RecordKind, RemarkKind};
use lopper_content::limits::Limits;
use proptest::prelude::*;

type Item = Result<ArchiveRecord, String>;

/// Gives its bytes in steps of the lengths in `steps`, again and again.
struct Dribble {
    bytes: Vec<u8>,
    at: usize,
    steps: Vec<usize>,
    turn: usize,
}

impl Read for Dribble {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.turn += 1;
        let step = self.steps[self.turn % self.steps.len()];
        let len = step.min(into.len()).min(self.bytes.len() - self.at);
        into[..len].copy_from_slice(&self.bytes[self.at..self.at + len]);
        self.at += len;
        Ok(len)
    }
}

fn read_steps(bytes: &[u8], steps: Vec<usize>, limits: &Limits) -> Vec<Item> {
    let source = Dribble { bytes: bytes.to_vec(), at: 0, steps, turn: 0 };
    let len = bytes.len() as u64;
    let mut reader = match lopper_archive::open_source(source, Some(len), Path::new("x.warc"), limits) {
        Ok(reader) => reader,
        Err(error) => return vec![Err(error.to_string())],
    };
    let items: Vec<Item> = std::iter::from_fn(|| reader.next_record())
        .map(|item| item.map_err(|error: ArchiveError| error.to_string()))
        .take(bytes.len() + 10)
        .collect();
    assert!(items.len() < bytes.len() + 10, "the reader does not end");
    assert!(reader.next_record().is_none(), "the end stays the end");
    items
}

fn read(bytes: &[u8]) -> Vec<Item> {
    read_steps(bytes, vec![usize::MAX], &Limits::default())
}

fn record_of(kind: &str, content_type: &str, block: &str, length: &str) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://a.example/{kind}\r\nContent-Type: {content_type}\r\n\
         Content-Length: {length}\r\n\r\n{block}\r\n\r\n"
    )
}

fn response_with_length(number: usize, length: impl FnOnce(usize) -> String) -> String {
    let block = block(number);
    let length = length(block.len());
    record_of("response", "application/http; msgtype=response", &block, &length)
}

fn block(number: usize) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html><p>Page {number} has a few words.</html>")
}

fn response(number: usize) -> String {
    response_with_length(number, |len| len.to_string())
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn plain_archive() -> Vec<u8> {
    let mut bytes = record_of("warcinfo", "application/warc-fields", "software: x\r\n", "13");
    for number in 0..4 {
        bytes += &response(number);
    }
    bytes += &record_of("resource", "text/html", "<p>bare</p>", "11");
    bytes.into_bytes()
}

fn gzip_archive() -> Vec<u8> {
    (0..4).flat_map(|number| gzip(response(number).as_bytes())).collect()
}

/// Letters that do not compress well.
fn noise(seed: u64) -> impl Iterator<Item = char> {
    let next =
        |state: &u64| Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407));
    std::iter::successors(Some(seed), next).map(|state| char::from(b'@' + (state >> 58) as u8))
}

fn blocks(items: &[Item]) -> Vec<String> {
    let blocks = items.iter().flatten().filter_map(|record| match &record.payload {
        Payload::Http(block) => Some(String::from_utf8(block.clone()).unwrap()),
        _ => None,
    });
    blocks.collect()
}

fn errors(items: &[Item]) -> Vec<&str> {
    items.iter().filter_map(|item| item.as_ref().err()).map(String::as_str).collect()
}

fn remarks(items: &[Item]) -> Vec<RemarkKind> {
    items.iter().flatten().filter_map(|record| record.remark.as_ref()).map(|remark| remark.kind).collect()
}

#[test]
fn sound_archives_give_their_records() {
    let items = read(&plain_archive());
    assert_eq!(errors(&items), Vec::<&str>::new());
    assert_eq!(items.len(), 6);
    assert_eq!(blocks(&items), (0..4).map(block).collect::<Vec<_>>());
    let resource = items[5].as_ref().unwrap();
    assert_eq!(resource.kind, RecordKind::Resource);
    let body = b"<p>bare</p>".to_vec();
    assert_eq!(resource.payload, Payload::Bare { content_type: Some("text/html".to_owned()), body });
}

#[test]
fn lower_case_versions_are_read() {
    let sound = read(&plain_archive());
    let bytes = String::from_utf8(plain_archive()).unwrap().replace("WARC/1.0", "warc/1.0").into_bytes();
    assert_eq!(read(&bytes), sound);
    let broken = [b"garbage\r\n\r\n", &bytes[..]].concat();
    let items = read(&broken);
    assert_eq!((blocks(&items), errors(&items).len()), (blocks(&sound), 1), "{items:?}");
}

#[test]
fn an_arc_line_with_an_unreadable_date_begins_a_record() {
    let sound = String::from_utf8(crate::containers::arc(3)).unwrap();
    let line = |date: &str| format!("http://a.example/1 10.0.0.1 {date} text/html");
    for date in ["2024010100000x", "9", "--"] {
        let bytes = sound.replace(&line("20240101000000"), &line(date));
        let items = read(bytes.as_bytes());
        assert_eq!((blocks(&items), errors(&items)), (blocks(&read(sound.as_bytes())), vec![]), "{date}");
        assert_eq!(remarks(&items), [RemarkKind::UnreadableDate], "{date}");
        assert_eq!(items[2].as_ref().unwrap().captured_at, None);
    }
}

#[test]
fn a_warc_date_that_is_none_is_told() {
    let dated = |date: &str| response(0).replacen("Content-Type", &format!("WARC-Date: {date}\r\nContent-Type"), 1);
    assert_eq!(remarks(&read(dated("2024-01-01T00:00:00Z").as_bytes())), []);
    assert_eq!(remarks(&read(dated("yesterday").as_bytes())), [RemarkKind::UnreadableDate]);
}

#[test]
fn offsets_are_those_of_members() {
    let items = read(&gzip_archive());
    let offsets: Vec<u64> = items.iter().flatten().map(|record| record.offset_bytes).collect();
    let mut expected = vec![0];
    for number in 0..3 {
        expected.push(expected[number] + gzip(response(number).as_bytes()).len() as u64);
    }
    assert_eq!(offsets, expected);
    let plain = read(&plain_archive());
    for record in plain.iter().flatten() {
        assert!(plain_archive()[record.offset_bytes as usize..].starts_with(b"WARC/1.0"));
    }
}

#[test]
fn lengths_that_lie_cost_no_record() {
    let lies: [fn(usize) -> String; 7] = [
        |len| (len + 10).to_string(),
        |len| (len + 400).to_string(),
        |len| (len - 10).to_string(),
        |_| "0".to_owned(),
        |_| "99999999999999".to_owned(),
        |_| "-1".to_owned(),
        |_| "nonsense".to_owned(),
    ];
    for lie in lies {
        let records = [response(0), response_with_length(1, lie), response(2), response(3)];
        let plain = read(records.concat().as_bytes());
        let one_member = read(&gzip(records.concat().as_bytes()));
        let members = read(&records.iter().flat_map(|record| gzip(record.as_bytes())).collect::<Vec<_>>());
        for (items, way) in [(plain, "plain"), (one_member, "one member"), (members, "members")] {
            let length = lie(block(1).len());
            assert_eq!(blocks(&items), (0..4).map(block).collect::<Vec<_>>(), "{length} {way}");
            assert_eq!((remarks(&items).len(), errors(&items).len()), (1, 0), "{length} {way}: {:?}", errors(&items));
        }
    }
}

#[test]
fn garbage_costs_one_error() {
    let bytes = [response(0).as_str(), "no record\r\nat all", "\r\n\r\n", &response(1)].concat();
    let items = read(bytes.as_bytes());
    assert_eq!(blocks(&items), [block(0), block(1)]);
    assert_eq!(errors(&items).len(), 1);
    assert!(errors(&items)[0].contains("no record begins here; 21 bytes"), "{:?}", errors(&items));
}

#[test]
fn damaged_members_cost_themselves() {
    let members: Vec<Vec<u8>> = (0..4).map(|number| gzip(response(number).as_bytes())).collect();
    let mut flipped = members.clone();
    let middle = flipped[1].len() / 2;
    flipped[1][middle..middle + 20].fill(0xff);
    let mut clipped = members.clone();
    clipped[1].truncate(middle);
    let mut parted = members.clone();
    parted[1].extend_from_slice(b"these bytes are of no member");
    let mut padded = members.clone();
    padded[1].extend_from_slice(&[0; 512]);
    for (name, members, faults) in
        [("flipped", &flipped, 1), ("clipped", &clipped, 1), ("parted", &parted, 1), ("padded", &padded, 0)]
    {
        let items = read(&members.concat());
        let blocks = blocks(&items);
        for number in [0, 2, 3] {
            assert!(blocks.contains(&block(number)), "{name} {number}: {:?}", errors(&items));
        }
        let found = errors(&items).len() + remarks(&items).len();
        assert_eq!(found, faults, "{name}: {:?} {:?}", errors(&items), remarks(&items));
    }
}

#[test]
fn garbage_behind_gzip_is_told_once() {
    let bytes = [gzip_archive(), b"garbage".to_vec()].concat();
    let items = read(&bytes);
    assert_eq!((items.len(), errors(&items).len()), (5, 1));
    assert!(errors(&items)[0].contains(&format!("at byte {}", gzip_archive().len())), "{:?}", errors(&items));
}

#[test]
fn what_is_too_large_is_passed_over() {
    let large = record_of("response", "application/http", &"x".repeat(100_000), "100000");
    let bytes = [response(0), large, response(1)].concat();
    let limits = Limits { payload_bytes_max: 1000, ..Limits::default() };
    for bytes in [bytes.clone().into_bytes(), gzip(bytes.as_bytes())] {
        let items = read_steps(&bytes, vec![usize::MAX], &limits);
        assert_eq!(blocks(&items), [block(0), block(1)]);
        assert_eq!(errors(&items).len(), 1);
        assert!(errors(&items)[0].contains("larger than 1000 bytes"));
    }
    let header = format!("WARC/1.0\r\nX: {}\r\n\r\n{}", "y".repeat(100_000), response(1));
    let items = read(header.as_bytes());
    assert_eq!((blocks(&items), errors(&items).len()), (vec![block(1)], 1));
}

#[test]
fn members_need_not_part_records() {
    let plain = plain_archive();
    let pieces: Vec<u8> = plain.chunks(100).flat_map(gzip).collect();
    let items = read(&pieces);
    assert_eq!((blocks(&items).len(), errors(&items).len()), (4, 0), "{:?}", errors(&items));
}

/// Each record claims more than there is and holds many others: read naively, the work grows with the square.
#[test]
fn nested_lies_stay_linear() {
    let lie = "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 500000\r\n\r\nx\r\n\r\n";
    let items = read(lie.repeat(20_000).as_bytes());
    assert_eq!(items.iter().filter(|item| item.is_ok()).count(), 20_000);
}

pub(crate) fn archives() -> impl Strategy<Value = Vec<u8>> {
    let broken = [response(0), response_with_length(1, |len| (len + 300).to_string()), response(2)].concat();
    prop_oneof![
        Just(plain_archive()),
        Just(gzip_archive()),
        Just(gzip(&plain_archive())),
        Just(broken.clone().into_bytes()),
        Just(gzip(broken.as_bytes())),
    ]
}

#[derive(Debug, Clone)]
pub(crate) enum Mutation {
    Flip(prop::sample::Index, u8),
    Truncate(prop::sample::Index),
    Remove(prop::sample::Index, usize),
    Repeat(prop::sample::Index, usize),
    Insert(prop::sample::Index, Vec<u8>),
}

pub(crate) fn mutations() -> impl Strategy<Value = Vec<Mutation>> {
    let index = any::<prop::sample::Index>;
    let word = prop_oneof![
        Just(b"\nWARC/1.0\r\n".to_vec()),
        Just(vec![0x1f, 0x8b, 0x08, 0]),
        Just(b"\r\n\r\n".to_vec()),
        Just(b"Content-Length: 99".to_vec()),
        prop::collection::vec(any::<u8>(), 0..20),
    ];
    let mutation = prop_oneof![
        5 => (index(), 1..=255u8).prop_map(|(at, bits)| Mutation::Flip(at, bits)),
        1 => index().prop_map(Mutation::Truncate),
        1 => (index(), 1..50usize).prop_map(|(at, len)| Mutation::Remove(at, len)),
        1 => (index(), 1..500usize).prop_map(|(at, len)| Mutation::Repeat(at, len)),
        2 => (index(), word).prop_map(|(at, word)| Mutation::Insert(at, word)),
    ];
    prop::collection::vec(mutation, 0..8)
}

pub(crate) fn mutate(bytes: &mut Vec<u8>, mutations: &[Mutation]) {
    for mutation in mutations {
        if !bytes.is_empty() {
            apply(bytes, mutation);
        }
    }
}

fn apply(bytes: &mut Vec<u8>, mutation: &Mutation) {
    match mutation {
        Mutation::Flip(at, bits) => {
            let at = at.index(bytes.len());
            bytes[at] ^= bits;
        }
        Mutation::Truncate(at) => bytes.truncate(at.index(bytes.len())),
        Mutation::Remove(at, len) => {
            let at = at.index(bytes.len());
            bytes.drain(at..(at + len).min(bytes.len()));
        }
        Mutation::Repeat(at, len) => {
            let at = at.index(bytes.len());
            bytes.extend_from_within(at..(at + len).min(bytes.len()));
        }
        Mutation::Insert(at, word) => {
            let at = at.index(bytes.len());
            bytes.splice(at..at, word.iter().copied());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_chunking_gives_the_same_records(
        mut bytes in archives(),
        mutations in mutations(),
        steps in prop::collection::vec(1..300usize, 1..10),
    ) {
        mutate(&mut bytes, &mutations);
        let limits = Limits { payload_bytes_max: 2000, header_bytes_max: 500, ..Limits::default() };
        let whole = read_steps(&bytes, vec![usize::MAX], &limits);
        prop_assert_eq!(read_steps(&bytes, steps, &limits), whole);
    }

    /// Buffers end at certain offsets; whatever lies there is read as anywhere else.
    #[test]
    fn buffers_may_end_anywhere(before in 64_500..65_600usize, seed in any::<u64>()) {
        let padding: String = noise(seed).take(before).collect();
        let padded = [record_of("metadata", "text/plain", &padding, &before.to_string()).into_bytes(), plain_archive()].concat();
        let expected = blocks(&read(&plain_archive()));
        for bytes in [padded.clone(), gzip(&padded)] {
            let items = read(&bytes);
            prop_assert_eq!(errors(&items), Vec::<&str>::new());
            prop_assert_eq!(&blocks(&items), &expected);
        }
    }

    #[test]
    fn nothing_panics(mut bytes in archives(), mutations in mutations()) {
        mutate(&mut bytes, &mutations);
        for record in read(&bytes).into_iter().flatten() {
            if let Ok(page::PageOutcome::Page(page)) = page::decode(record, &Limits::default()) {
                lopper_content::text::language::detect(&page.html, page.content_language.as_deref());
            }
        }
    }

    #[test]
    fn any_message_decodes(
        codings in prop::collection::vec(prop::sample::select(vec!["gzip", "deflate", "br", "zstd", "chunked", "x"]), 0..3),
        charset in prop::sample::select(vec!["", "utf-8", "iso-2022-jp", "utf-16", "gb18030", "x-user-defined"]),
        magic in prop::sample::select(vec![&b""[..], b"\x1f\x8b\x08\0", b"\x28\xb5\x2f\xfd", b"\x78\x9c", b"<meta charset=", b"9\r\n"]),
        body in prop::collection::vec(any::<u8>(), 0..400),
    ) {
        let codings = codings.join(", ");
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset={charset}\r\nTransfer-Encoding: {codings}\r\n\
             Content-Encoding: {codings}\r\n\r\n"
        );
        let message = [head.as_bytes(), magic, &body].concat();
        let mut record = read(response(0).as_bytes()).remove(0).unwrap();
        record.payload = Payload::Http(message);
        let _ = page::decode(record, &Limits::default());
    }
}
