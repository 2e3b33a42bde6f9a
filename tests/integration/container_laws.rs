//! Laws of all containers: compressions and outer files change nothing, damage costs what is damaged, bombs fail, nothing panics
//! and nothing hangs.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use lopper_archive::page::{self, PageOutcome};
use lopper_archive::{ArchiveError, ArchiveRecord, Listing, Payload, RecordKind};
use lopper_content::limits::Limits;

use crate::containers::*;
use crate::support::{Run, archives, lopper, repository, run};

type Item = Result<ArchiveRecord, String>;

fn read_within(bytes: Vec<u8>, name: &str, limits: &Limits) -> Vec<Item> {
    let len = bytes.len();
    let source = std::io::Cursor::new(bytes);
    let mut reader = match lopper_archive::open_source(source, Some(len as u64), Path::new(name), limits) {
        Ok(reader) => reader,
        Err(error) => return vec![Err(told(&error))],
    };
    let items: Vec<Item> = std::iter::from_fn(|| reader.next_record())
        .map(|item| item.map_err(|error| told(&error)))
        .take(len * 2 + 100)
        .collect();
    assert!(items.len() < len * 2 + 100, "{name}: the reader does not end");
    items
}

/// An error with its cause.
fn told(error: &ArchiveError) -> String {
    let source = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
    format!("{error}: {source}")
}

fn read(bytes: Vec<u8>) -> Vec<Item> {
    read_within(bytes, "x", &Limits::default())
}

/// The pages' texts, in order.
fn pages(items: &[Item]) -> Vec<String> {
    let decoded = items.iter().flatten().map(|record| page::decode(record.clone(), &Limits::default()));
    decoded
        .filter_map(|outcome| if let Ok(PageOutcome::Page(page)) = outcome { Some(page.html) } else { None })
        .collect()
}

fn errors(items: &[Item]) -> Vec<&String> {
    items.iter().filter_map(|item| item.as_ref().err()).collect()
}

fn records(count: usize) -> Vec<Vec<u8>> {
    (0..count).map(page_record).collect()
}

/// The same records in all compressions.
fn compressed(records: &[Vec<u8>]) -> Vec<(&'static str, Vec<u8>)> {
    let whole = records.concat();
    let each = |compress: fn(&[u8]) -> Vec<u8>| records.iter().flat_map(|record| compress(record)).collect::<Vec<u8>>();
    let dictionary =
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/ has a few words of its own".repeat(20);
    vec![
        ("plain", whole.clone()),
        ("gzip", gzip(&whole)),
        ("gzip each", each(gzip)),
        ("zstd", zstd(&whole)),
        ("zstd each", each(zstd)),
        ("zstd with dictionary", zstd_with_dictionary(records, &dictionary, false)),
        ("zstd with compressed dictionary", zstd_with_dictionary(records, &dictionary, true)),
        ("lz4", lz4(&whole)),
        ("lz4 each", each(lz4)),
        ("bzip2", bzip2(&whole)),
        ("bzip2 each", each(bzip2)),
        ("xz", xz(&whole)),
        ("xz each", each(xz)),
    ]
}

#[test]
fn compressions_change_nothing() {
    let records = records(5);
    let expected = pages(&read(records.concat()));
    assert_eq!(expected.len(), 5);
    for (name, bytes) in compressed(&records) {
        let items = read(bytes);
        assert_eq!((pages(&items), errors(&items)), (expected.clone(), vec![]), "{name}");
        assert!(items.iter().flatten().all(|record| record.remark.is_none()), "{name}");
    }
    let expected = pages(&read(arc(3)));
    assert_eq!(
        (expected.len(), pages(&read(gzip(&arc(3)))), pages(&read(zstd(&arc(3))))),
        (3, expected.clone(), expected)
    );
}

#[test]
fn outer_files_change_nothing() {
    let warc = gzip(&records(3).concat());
    let html = b"<!doctype html><title>Bare</title><p>A bare page.".to_vec();
    let files = [("a/data.warc.gz", warc), ("b/page.html", html), ("c/style.css", b"p { }".to_vec())];
    for (name, bytes) in [
        ("tar", tar(&files)),
        ("tar.gz", gzip(&tar(&files))),
        ("tar.zst", zstd(&tar(&files))),
        ("zip", zip(&files, false)),
        ("deflated zip", zip(&files, true)),
        ("zip.gz", gzip(&zip(&files, true))),
        ("zip in tar", tar(&[("outer.zip", zip(&files, true))])),
    ] {
        let items = read(bytes);
        assert_eq!((pages(&items).len(), items.len(), errors(&items)), (4, 5, vec![]), "{name}");
        let record = items[3].as_ref().unwrap();
        assert!(record.archive.ends_with("b/page.html") && record.archive.starts_with("x"), "{name} {record:?}");
        assert!(record.url.ends_with("/b/page.html"), "{name} {record:?}");
        let ordinals: Vec<u64> = items.iter().flatten().map(|record| record.ordinal).collect();
        assert_eq!(ordinals, [0, 1, 2, 3, 4], "{name}");
    }
}

#[test]
fn files_within_files_are_bounded() {
    let mut bytes = tar(&[("page.html", b"<p>deep".to_vec())]);
    for _ in 0..10 {
        bytes = tar(&[("inner.tar", bytes)]);
    }
    let items = read(bytes);
    assert_eq!(items.len(), 1);
    assert!(errors(&items)[0].contains("files within files"), "{items:?}");
}

#[test]
fn wacz_pages_have_their_titles() {
    let items = read(wacz(gzip(&records(2).concat())));
    assert!(errors(&items)[0].contains("other.wacz is not in this file; fetch it"), "{items:?}");
    let listings: Vec<_> = items.iter().flatten().map(|record| record.listing.clone().unwrap()).collect();
    assert_eq!(listings, [Listing::Page { title: Some("The first".to_owned()) }, Listing::NotListed]);
    let record = items[1].as_ref().unwrap();
    assert_eq!(record.archive, Path::new("x/archive/data.warc.gz"));
}

/// Lists count within their own file; a record without a time has that of the list.
#[test]
fn a_wacz_of_waczs_has_the_lists_of_each() {
    let list = "{\"url\":\"http://a.example/1#top\",\"title\":7,\"ts\":\"2008-04-30T20:48:25Z\"}\nno json\n";
    let inner = wacz(gzip(&records(2).concat()));
    let listed: &[(&str, Vec<u8>)] = &[
        ("datapackage.json", b"{}".to_vec()),
        ("pages/pages.jsonl", list.as_bytes().to_vec()),
        ("archive/x.warc", records(2).concat()),
    ];
    let files = [("datapackage.json", b"{}".to_vec()), ("one.wacz", inner), ("two.wacz", zip(listed, false))];
    let items = read(zip(&files, false));
    assert_eq!(errors(&items).len(), 1, "what one.wacz names and does not hold");
    let found: Vec<_> =
        items.iter().flatten().map(|record| (record.listing.clone().unwrap(), record.captured_at)).collect();
    let page = |title: Option<&str>| Listing::Page { title: title.map(str::to_owned) };
    let first = [(page(Some("The first")), None), (Listing::NotListed, None)];
    let second = [(Listing::NotListed, None), (page(None), Some(1_209_588_505))];
    assert_eq!(found, [first, second].concat());
}

#[test]
fn zim_entries_are_read() {
    for compressed in [false, true] {
        let items = read(zim(&["<p>One page.", "<p>Another page."], compressed));
        assert_eq!((items.len(), errors(&items)), (4, vec![]), "{items:?}");
        assert_eq!(pages(&items), ["<p>One page.", "<p>Another page."]);
        assert!(items.iter().flatten().any(|record| record.kind == RecordKind::Redirect));
    }
}

#[test]
fn a_zim_without_its_media_types_is_told_and_read() {
    let whole = [b"text/html\0image/png\0\0", &[b'x'; 4][..]].concat();
    assert_eq!(errors(&read(zim_of_types(&["<p>One page."], true, &whole))), Vec::<&String>::new());
    for list in [&b"\0ext/html\0image/png\0\0"[..], b"te\xf8t/html\0image/png\0\0", b"text/html\0\0mage/png\0\0"] {
        let items = read(zim_of_types(&["<p>One page.", "<p>Another page."], true, list));
        assert_eq!(pages(&items), ["<p>One page.", "<p>Another page."], "{items:?}");
        assert_eq!(errors(&items).len(), 1, "{items:?}");
        assert!(errors(&items)[0].contains("at byte 80: the list of media types is damaged"), "{items:?}");
    }
}

/// A message of parts within parts, the page in the innermost.
fn nested_mhtml(levels: usize) -> Vec<u8> {
    let head = |level| format!("Content-Type: multipart/related; boundary=\"b{level}-\"\r\n\r\n--b{level}-\r\n");
    let page = "Content-Type: text/html\r\nContent-Location: http://a.example/\r\n\r\n<p>Deep.\r\n";
    let (heads, ends): (Vec<_>, Vec<_>) =
        (0..levels).map(|level| (head(level), format!("--b{}---\r\n", levels - 1 - level))).unzip();
    ["MIME-Version: 1.0\r\n", &heads.concat(), page, &ends.concat()].concat().into_bytes()
}

#[test]
fn parts_within_parts_are_read_or_told() {
    for levels in [1, 9, 50, 64] {
        let items = read(nested_mhtml(levels));
        assert_eq!((pages(&items), errors(&items)), (vec!["<p>Deep.".to_owned()], vec![]), "{levels}");
    }
    let items = read(nested_mhtml(66));
    assert_eq!((pages(&items).len(), errors(&items).len()), (0, 1), "{items:?}");
    assert!(errors(&items)[0].contains("more than 64 levels"), "{items:?}");
}

#[test]
fn half_a_pair_of_surrogates_costs_a_character() {
    let line = r#"{"url":"http://a.example/1","html":"<p>One \ud83d and \ud83d\ude00"}"#;
    assert_eq!(pages(&read(line.as_bytes().to_vec())), ["<p>One \u{fffd} and \u{1f600}"]);
    let har = r#"{"log":{"entries":[{"request":{"url":"http://a.example/1"},"response":{"status":200,
        "content":{"mimeType":"text/html","text":"<p>Cut \ude00 off"}}}]}}"#;
    let items = read(har.as_bytes().to_vec());
    assert_eq!((pages(&items), errors(&items)), (vec!["<p>Cut \u{fffd} off".to_owned()], vec![]));
}

#[test]
fn lines_of_json_are_pages() {
    let lines = "{\"url\":\"http://a.example/1\",\"html\":\"<p>One\",\"date\":\"2008-04-30T20:48:25Z\"}\n\nno json\n\
                 {\"html\":\"<p>Two\",\"url\":\"http://a.example/2\",\"more\":[1]}";
    for bytes in [lines.as_bytes().to_vec(), gzip(lines.as_bytes())] {
        let items = read(bytes);
        assert_eq!((pages(&items), errors(&items).len()), (vec!["<p>One".to_owned(), "<p>Two".to_owned()], 1));
        assert_eq!(items[0].as_ref().unwrap().captured_at, Some(1_209_588_505));
    }
}

#[test]
fn revisits_say_what_they_refer_to() {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    let record = format!(
        "WARC/1.1\r\nWARC-Type: revisit\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: {}\r\n\
         WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n\
         WARC-Payload-Digest: sha1:ABC\r\nWARC-Refers-To-Target-URI: <http://b.example/>\r\n\
         WARC-Refers-To-Date: 2008-04-30T20:48:25Z\r\nWARC-Refers-To: <urn:uuid:1>\r\n\r\n{head}\r\n\r\n",
        head.len()
    );
    let record = read(record.into_bytes()).remove(0).unwrap();
    let revisit = record.revisit.unwrap();
    assert_eq!((record.kind, record.payload_digest.as_deref()), (RecordKind::Revisit, Some("sha1:ABC")));
    assert!(revisit.profile.unwrap().ends_with("identical-payload-digest"));
    assert_eq!(revisit.refers_to_url.as_deref(), Some("http://b.example/"));
    assert_eq!((revisit.refers_to_date, revisit.refers_to_id.as_deref()), (Some(1_209_588_505), Some("<urn:uuid:1>")));
    assert_eq!(revisit.http_head, head.as_bytes());
}

/// What is no page by its own head is not held, however large it is.
#[test]
fn large_records_without_pages_are_passed_over() {
    let message = [b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n".to_vec(), vec![b'v'; 300_000]].concat();
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\nContent-Length: {}\r\n\r\n",
        message.len()
    );
    let bytes = [head.into_bytes(), message, b"\r\n\r\n".to_vec(), page_record(1)].concat();
    let limits = Limits { payload_bytes_max: 1000, ..Limits::default() };
    for bytes in [bytes.clone(), gzip(&bytes)] {
        let items = read_within(bytes, "x", &limits);
        assert_eq!((items.len(), errors(&items)), (2, vec![]));
        let Payload::Http(message) = &items[0].as_ref().unwrap().payload else { panic!("an HTTP message") };
        assert!(message.len() < 100);
    }
}

// Damage

#[test]
fn a_truncated_stream_loses_its_end_alone() {
    let records = records(6);
    let lines: Vec<u8> =
        (0..6).flat_map(|n| format!("{{\"url\":\"u{n}\",\"html\":\"<p>{n}\"}}\n").into_bytes()).collect();
    let page = |n: usize| format!("<!doctype html><p>{n}").into_bytes();
    let names: Vec<String> = (0..6).map(|n| format!("{n}.html")).collect();
    let files: Vec<(&str, Vec<u8>)> = names.iter().enumerate().map(|(n, name)| (name.as_str(), page(n))).collect();
    let mut archives = compressed(&records);
    archives.retain(|(name, _)| *name != "bzip2");
    archives.extend([("ndjson", lines), ("tar", tar(&files)), ("zip", zip(&files, false)), ("arc", arc(6))]);
    for (name, bytes) in archives {
        let whole = pages(&read(bytes.clone()));
        for cut in (0..bytes.len()).step_by(bytes.len() / 40 + 1) {
            let found = pages(&read(bytes[..cut].to_vec()));
            let sound = &found[..found.len().saturating_sub(1)];
            assert!(whole.starts_with(sound), "{name} cut at {cut}");
        }
    }
}

#[test]
fn a_damaged_file_costs_itself() {
    let records = records(6);
    let page = |n: usize| format!("<!doctype html><p>Page {n} with a few words").into_bytes();
    let names: Vec<String> = (0..6).map(|n| format!("{n}.html")).collect();
    let files: Vec<(&str, Vec<u8>)> = names.iter().enumerate().map(|(n, name)| (name.as_str(), page(n))).collect();
    let each = |compress: fn(&[u8]) -> Vec<u8>| records.iter().flat_map(|record| compress(record)).collect::<Vec<u8>>();
    for (name, bytes) in [
        ("gzip", each(gzip)),
        ("zstd", each(zstd)),
        ("lz4", each(lz4)),
        ("tar", tar(&files)),
        ("zip", zip(&files, true)),
    ] {
        let whole = pages(&read(bytes.clone()));
        for at in (20..bytes.len()).step_by(bytes.len() / 60 + 1) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x55;
            let found = pages(&read(damaged));
            let kept = whole.iter().filter(|page| found.contains(page)).count();
            assert!(kept + 2 >= whole.len(), "{name} damaged at {at}: {kept} of {}", whole.len());
        }
    }
}

/// A generator of numbers, the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, max: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % max.max(1)
    }
}

/// Every sample, cut and with bytes flipped: no panic, an end, and that soon.
#[test]
fn damaged_samples_end_soon() {
    let mut numbers = Numbers(7);
    let folder = repository("tests/archives");
    let made = [("x.zim", zim(&["<p>One.", "<p>Two."], true)), ("x.wacz", wacz(gzip(&records(2).concat())))];
    let samples = archives().into_iter().map(|name| (fs::read(folder.join(&name)).unwrap(), name));
    let samples = samples.chain(made.map(|(name, bytes)| (bytes, name.to_owned())));
    for (bytes, name) in samples.filter(|(bytes, _)| bytes.len() < 100_000) {
        let started = Instant::now();
        for round in 0..8 {
            let mut bytes = bytes.clone();
            if round % 2 == 0 {
                bytes.truncate(numbers.below(bytes.len()));
            }
            for _ in 0..numbers.below(6) {
                let at = numbers.below(bytes.len());
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << numbers.below(8);
                }
            }
            pages(&read_within(bytes, &name, &Limits::default()));
        }
        assert!(started.elapsed() < Duration::from_secs(30), "{name}: {:?}", started.elapsed());
    }
}

// Bombs

fn zeros(len: u64) -> impl Read {
    std::io::repeat(0).take(len)
}

#[test]
fn bombs_fail_clearly() {
    let limits = Limits { payload_bytes_max: 1 << 20, ..Limits::default() };
    let mut html = b"<!doctype html><p>".to_vec();
    zeros(8 << 20).read_to_end(&mut html).unwrap();
    for (name, bytes) in [
        ("html.gz", gzip(&html)),
        ("zip", zip(&[("bomb.html", html.clone())], true)),
        ("tar.gz", gzip(&tar(&[("bomb.html", html.clone())]))),
    ] {
        let items = read_within(bytes, "x", &limits);
        assert_eq!(items.len(), 1, "{name}");
        assert!(errors(&items)[0].contains("larger than 1048576 bytes"), "{name}: {items:?}");
    }
    let bomb = zstd::stream::encode_all(zeros(400 << 20), 1).unwrap();
    let bytes = [zstd(&page_record(0)), bomb, zstd(&page_record(1))].concat();
    let items = read(bytes);
    assert_eq!(pages(&items).len(), 2, "what is around the bomb is read");
    assert!(errors(&items).iter().any(|error| error.contains("times its size")), "{:?}", errors(&items));
}

#[test]
fn a_stream_that_needs_a_file_is_bounded() {
    let limits = Limits { spool_bytes_max: 1000, ..Limits::default() };
    let items = read_within(zip(&[("a.html", vec![b'x'; 5000])], false), "x", &limits);
    assert!(errors(&items)[0].contains("spool_bytes_max"), "{items:?}");
}

// The program

fn ingest_from_input(folder: &Path, bytes: &[u8]) -> Run {
    let mut command = lopper(folder);
    command.args(["ingest", "--data", "data", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(bytes).unwrap();
    child.wait_with_output().unwrap().into()
}

#[test]
fn standard_input_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let out = ingest_from_input(folder.path(), &gzip(&records(3).concat())).success();
    assert!(out.contains("Pages             3"), "{out}");
    let out = ingest_from_input(folder.path(), &zip(&[("a.html", b"<p>From a zip.".to_vec())], true)).success();
    assert!(out.contains("Pages             1"), "{out}");
}

#[test]
fn archives_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.tar"), tar(&[("w.warc", records(2).concat())])).unwrap();
    let expected = "{\"files\":{\"a.tar\":{\"expected\":{\"records\":2,\"html_pages\":3}}}}";
    fs::write(folder.path().join("expected.json"), expected).unwrap();
    let counted = run(folder.path(), ["archives", "--format", "json", "a.tar"]).json();
    assert_eq!((&counted["records"], &counted["pages"], &counted["container"]), (&2.into(), &2.into(), &"tar".into()));
    let differs = run(folder.path(), ["archives", "--format", "markdown", "--expected", "expected.json", "a.tar"]);
    assert_eq!(differs.code, Some(1), "{differs:?}");
    assert!(differs.out.contains("| a.tar | tar | 2 | 2 | 3 | 2 | 0 |  |"), "{differs:?}");
    let member = run(folder.path(), ["archives", "--format", "json", "a.tar/w.warc"]).json();
    assert_eq!(member["records"], 2, "a file within a file");
}

#[test]
fn a_message_without_parts_is_a_page() {
    let message = "From: <Saved by Microsoft Internet Explorer 5>\r\nMIME-Version: 1.0\r\nContent-Type: text/html;\r\n\tcharset=\"utf-8\"\r\n\
                   Content-Transfer-Encoding: quoted-printable\r\nContent-Location: https://e.org/m\r\n\r\n<p lang=3Den>A m=\r\nill";
    let items = read(message.into());
    assert_eq!((pages(&items), errors(&items).len()), (vec!["<p lang=en>A mill".to_owned()], 0));
    let page = items[1].as_ref().unwrap();
    assert_eq!((page.url.as_str(), page.remark.is_none()), ("https://e.org/m", true));
}

#[test]
fn dates_that_cannot_be_read_are_told() {
    let line = |date: &str| format!("{{\"url\": \"http://e.org/\", \"html\": \"<p>x\", \"captured_at\": {date}}}\n");
    let entry = |date: &str| {
        format!(
            "{{\"log\": {{\"entries\": [{{\"startedDateTime\": {date}, \"request\": {{\"url\": \"http://e.org/\"}}, \
                 \"response\": {{\"status\": 200, \"content\": {{\"mimeType\": \"text/html\", \"text\": \"<p>x\"}}}}}}]}}}}"
        )
    };
    let time = |archive: String| {
        let items = read(archive.into());
        let record = items.iter().flatten().find(|record| record.kind != RecordKind::Warcinfo).unwrap().clone();
        (record.captured_at, record.remark.map(|remark| remark.message))
    };
    for date in ["\"2012-03-04T00:00:00Z\"", "1330819200", "1330819200.5", "1330819200000", "20120304000000"] {
        assert_eq!(time(line(date)), (Some(1_330_819_200), None), "{date}");
    }
    assert_eq!(time(line("null")), (None, None));
    for archive in [line("\"yesterday\""), entry("\"yesterday\""), line("true")] {
        let (captured_at, remark) = time(archive.clone());
        assert!(captured_at.is_none() && remark.is_some_and(|remark| remark.contains("cannot be read")), "{archive}");
    }
}
