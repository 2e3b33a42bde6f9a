//! What bad input gets: an exit code and a message that says what, where and what to do. Never a panic.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use lopper_collection::DataFolder;
use lopper_content::pipeline::ExtractParams;
use tempfile::TempDir;

use crate::containers;
use crate::support::{Run, archive, folder, lopper, run};

const PAGE: &[u8] =
    b"<!doctype html><html lang=en><title>Mills</title><h1>Mills</h1><p>Old mills grind slowly but well.</p>";

/// A folder whose `data` holds one page.
fn folder_with_data(files: &[(&str, &[u8])]) -> TempDir {
    let folder = folder(files);
    fs::write(folder.path().join("page.html"), PAGE).unwrap();
    run(folder.path(), ["ingest", "--data", "data", "page.html"]).success();
    folder
}

/// What a folder of pages has beside them is no page and no failure.
#[test]
fn other_files_of_a_folder_are_no_pages() {
    let xhtml = b"<?xml version='1.0'?>\n<html xmlns='http://www.w3.org/1999/xhtml'><title>Weirs</title><p>Weirs hold the water.</p></html>";
    let image = b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\n\xff\xfe\0R\nCREATOR: XV Version 3.10a  Rev: 12/29/94  Quality = 75, Smoothing = 0\n";
    let folder = folder(&[
        ("site/a.html", PAGE),
        (
            "site/refs.xml",
            b"<div element='book' href='a.html'><ttl>Old mills</ttl><div><ttl>Grinding</ttl></div></div>",
        ),
        ("site/weirs.xml", xhtml),
        (
            "site/style.xsl",
            b"<?xml version='1.0'?><xsl:stylesheet><xsl:template><html><p>Mills</p></html></xsl:template>",
        ),
        ("site/mill.jpg", image),
    ]);
    let told = run(folder.path(), ["ingest", "--data", "data", "site"]).success();
    has(
        &told,
        &["Archives          4", "(2 new, 0 replaced)", "Skipped           2", "not HTML", "Failed            0"],
    );
    assert!(!told.contains("Remarks"), "{told}");
}

fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no {part:?} in:\n{text}");
    }
    assert!(!text.contains("panicked"), "{text}");
}

/// The run failed with exit code 1 and one message that has all `parts`.
fn fails(run: &Run, parts: &[&str]) {
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.err.starts_with("lopper: "), "{run:?}");
    has(&run.err, parts);
}

/// The run ended with exit code 2 and a message of the command line's that has all `parts`.
fn is_wrong_usage(run: &Run, parts: &[&str]) {
    assert_eq!(run.code, Some(2), "{run:?}");
    has(&run.err, parts);
}

/// The closing report of an ingest that went through, with these parts.
fn reports(run: Run, parts: &[&str]) {
    assert_eq!(run.err, "", "{run:?}");
    has(&run.success(), parts);
}

// Paths and archives

#[test]
fn a_missing_file() {
    let folder = folder(&[]);
    let ingest = run(folder.path(), ["ingest", "--data", "data", "gone.warc.gz"]);
    fails(&ingest, &["gone.warc.gz does not exist", "give the path of an archive, an HTML file or a folder of them"]);
    assert!(!folder.path().join("data").exists(), "no data folder is made for nothing");
    fails(&run(folder.path(), ["tree", "gone.html"]), &["cannot read gone.html", "No such file"]);
    let queries = ["search", "--data", "data", "--format", "run", "--queries", "gone.jsonl"];
    fails(&run(folder_with_data(&[]).path(), queries), &["cannot read the query file gone.jsonl", "No such file"]);
}

#[test]
fn a_path_into_a_file() {
    let folder = folder(&[]);
    let outer = archive("harvard-lil-scoop__example.com.wacz");
    let inner = |name: &str| outer.join(name).to_string_lossy().into_owned();
    let ingest = run(folder.path(), ["ingest", "--data", "data", &inner("archive/example.warc.gz")]);
    assert_eq!(ingest.code, Some(1), "{ingest:?}");
    has(&ingest.out, &["leads into a file, which is taken in as a whole", "example.com.wacz"]);
    let nothing = run(folder.path(), ["archives", &inner("archive/nothing")]);
    assert!(
        nothing.err.contains("nothing has no records") || nothing.out.contains("nothing has no records"),
        "{nothing:?}"
    );
}

#[test]
fn files_with_nothing_in_them() {
    let folder = folder(&[("nothing", b""), ("nothing.warc", b"")]);
    let ingest = run(folder.path(), ["ingest", "--data", "data", "nothing"]);
    assert_eq!(ingest.code, Some(1), "{ingest:?}");
    has(&ingest.out, &["Failed            1", "nothing is empty"]);
    let ingest = run(folder.path(), ["ingest", "--data", "data", "nothing.warc"]).success();
    has(&ingest, &["Records           0"]);
    assert!(!ingest.contains("Search them"), "there is nothing to search: {ingest}");
}

/// What cannot be read costs itself, unless it is all that was asked for.
#[cfg(unix)]
#[test]
fn folders_that_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder(&[("pages/a.html", PAGE), ("pages/closed/b.html", PAGE), ("pages/c.html", PAGE)]);
    let closed = folder.path().join("pages/closed");
    let allow = |mode| fs::set_permissions(&closed, fs::Permissions::from_mode(mode)).unwrap();
    allow(0o000);
    if fs::read_dir(&closed).is_err() {
        let ingest = run(folder.path(), ["ingest", "--data", "data", "pages"]);
        assert_eq!(ingest.code, Some(1), "{ingest:?}");
        // By its whole path, as the ledger has it.
        has(&ingest.out, &["2 new", "Failed            1", "cannot read ", "/pages/closed: Permission denied"]);
        let ingest = run(folder.path(), ["ingest", "--data", "data", "pages/closed"]);
        fails(&ingest, &["cannot read pages/closed: Permission denied"]);
    } else {
        eprintln!("skipped: this user may read everything");
    }
    allow(0o755);
}

#[test]
fn a_folder_without_pages() {
    let folder = folder(&[("archives/notes.txt", b"nothing here")]);
    let ingest = run(folder.path(), ["ingest", "--data", "data", "archives"]);
    fails(&ingest, &["no archive or HTML file in the folder archives", "give a folder that holds some"]);
    assert!(!folder.path().join("data").exists(), "no data folder is made for nothing");
}

#[test]
fn a_file_of_another_kind() {
    let folder = folder(&[("notes.txt", b"nothing here"), ("page.html", PAGE)]);
    let ingest = run(folder.path(), ["ingest", "--data", "data", "notes.txt", "page.html"]);
    assert_eq!(ingest.code, Some(1), "an unreadable file is told by the exit code: {ingest:?}");
    has(
        &ingest.out,
        &[
            "Pages             1",
            "Failed            1",
            "notes.txt is neither an HTML file nor an archive of a known kind",
        ],
    );
    fails(
        &run(folder.path(), ["tree", "notes.txt"]),
        &["notes.txt is neither an HTML file nor an archive of a known kind"],
    );
}

#[test]
fn a_truncated_gzip_member() {
    let whole = fs::read(archive("iipc-jwarc__cc.warc.gz")).unwrap();
    let folder = folder(&[("cut.warc.gz", &whole[..3000])]);
    // One item: the page, up to the damage.
    let parts = ["Records           1", "Pages             1", "Failed            0"];
    reports(run(folder.path(), ["ingest", "--data", "data", "cut.warc.gz"]), &parts);
}

#[test]
fn a_page_that_is_cut_off() {
    let words: Vec<String> = (0..5000_u32).map(|word| format!("w{:x}", word.wrapping_mul(0x9e37_79b9))).collect();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    write!(gzip, "<title>Cut</title><p>{}", words.join(" ")).unwrap();
    let whole = gzip.finish().unwrap();
    let folder = folder(&[("cut.html.gz", &whole[..whole.len() / 2])]);
    let fault = "cut.html.gz at byte 0: the compressed data is cut off or damaged";
    let extract = run(folder.path(), ["extract", "cut.html.gz"]);
    assert_eq!((extract.code, extract.err.matches("cut.html.gz").count()), (Some(0), 1), "{}", extract.err);
    has(&extract.err, &[&format!("lopper: {fault}")]);
    has(&extract.out, &["w9e3779b9 "]);
    let ingest = run(folder.path(), ["ingest", "--data", "data", "cut.html.gz"]).success();
    has(&ingest, &["Pages             1", "Remarks           1", fault]);
    assert_eq!(ingest.matches("cut.html.gz").count(), 1, "{ingest}");
}

/// Beyond each limit that costs a page its end.
#[test]
fn a_page_that_a_limit_cuts_short() {
    let html = format!("<title>Long</title><p>The long page begins.{}", "<p>Another line of it.".repeat(200));
    for (limit, max) in [("nodes_max", 100), ("html_bytes_max", 1000), ("text_bytes_max", 500)] {
        let settings = format!("[limits]\n{limit} = {max}\n");
        let folder = folder(&[("lopper.toml", settings.as_bytes()), ("long.html", html.as_bytes())]);
        let told = format!("the page is cut short by `{limit}` of [limits] in the settings; what follows is missing");
        let extract = run(folder.path(), ["extract", "--format", "json", "long.html"]);
        has(&extract.err, &["long.html: ", &told]);
        has(&extract.success(), &["Another line of it.", &format!(r#""cut_short":"{limit}""#)]);
        has(&run(folder.path(), ["tree", "long.html"]).err, &[&told]);
        let ingest = run(folder.path(), ["ingest", "--data", "data", "long.html"]).success();
        has(&ingest, &["Pages             1", "Remarks           1", &told]);
    }
}

/// An error of standard output says what was to be written.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_standard_output() {
    let folder = folder_with_data(&[("page.html", PAGE)]);
    for (command, what) in [
        (&["extract", "page.html"][..], "the extracted pages"),
        (&["extract", "--format", "jsonl", "page.html"], "the extracted pages"),
        (&["tree", "page.html"], "the tree"),
        (&["compare", "page.html"], "the comparison"),
        (&["search", "--data", "data", "word"], "the answer"),
        (&["stats", "--data", "data"], "the figures"),
        (&["migrate", "--data", "data"], "the steps done"),
    ] {
        let full = fs::File::create("/dev/full").unwrap();
        let output = lopper(folder.path()).args(command).stdout(full).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command:?}: {said}");
        has(&said, &[&format!("lopper: cannot write {what} to standard output: No space left on device")]);
    }
}

fn record(body: &str) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://e.example/x\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{body}\r\n\r\n",
        body.len()
    )
}

#[test]
fn a_record_without_http_headers() {
    let two = record("no headers, no page") + &record("<html><p>A bare page of the first protocol.</html>");
    let folder = folder(&[("bare.warc", two.as_bytes())]);
    let parts =
        ["Pages             1", "Failed            1", "bare.warc at byte 0: http://e.example/x: no HTTP headers"];
    reports(run(folder.path(), ["ingest", "--data", "data", "bare.warc"]), &parts);
}

/// What is declared as HTML and is none is passed over; what cannot be decoded has failed. Neither is indexed as text.
#[test]
fn bodies_that_are_no_text() {
    let response = |headers: &str, body: &[u8]| {
        let message =
            [format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{headers}\r\n").as_bytes(), body].concat();
        let head = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://e.example/x\r\n\
                    Content-Type: application/http; msgtype=response\r\n";
        [format!("{head}Content-Length: {}\r\n\r\n", message.len()).as_bytes(), &message, b"\r\n\r\n"].concat()
    };
    let noise: Vec<u8> = (0..4000_u32).map(|at| (at.wrapping_mul(0x9e37_79b9) >> 13) as u8).collect();
    let mut gzip = containers::gzip(PAGE);
    gzip[3] = 0xff;
    let warc = [
        response("", b"%PDF-1.4\n1 0 obj << /Length 44 >> stream"),
        response("", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
        response("Content-Encoding: br\r\n", &noise),
        response("Content-Encoding: sdch\r\n", &noise),
        response("Content-Encoding: gzip\r\n", &gzip),
        response("Content-Encoding: gzip\r\n", PAGE),
    ];
    let folder = folder(&[("bodies.warc", &warc.concat())]);
    let parts = ["Pages             1", "Skipped           2", "2  not HTML", "Failed            3"];
    let ingest = run(folder.path(), ["ingest", "--data", "data", "bodies.warc"]);
    has(&ingest.out, &["http://e.example/x: the body cannot be decoded: it is neither gzip nor text"]);
    reports(ingest, &parts);
    let listed = run(folder.path(), ["ingest", "report", "--data", "data", "--state", "failed"]).success();
    assert_eq!(listed.matches("body_undecodable").count(), 3, "{listed}");
}

#[test]
fn a_page_of_no_bytes() {
    let folder = folder(&[("empty.html", b"")]);
    reports(run(folder.path(), ["ingest", "--data", "data", "empty.html"]), &["Skipped           1", "1  empty body"]);
    fails(&run(folder.path(), ["tree", "empty.html"]), &["no page in empty.html: empty body"]);
}

#[test]
fn a_page_that_only_sends_on() {
    let html = "<title>mill</title><meta http-equiv=Refresh content='0; url=mills.html#mill'><p>It is at mills.";
    let folder = folder(&[("mill.html", html.as_bytes())]);
    let reported = ["Skipped           1", "1  a page that only leads to another"];
    reports(run(folder.path(), ["ingest", "--data", "data", "mill.html"]), &reported);
    fails(&run(folder.path(), ["tree", "mill.html"]), &["no page in mill.html: a page that only leads to another"]);
    let extracted = run(folder.path(), ["extract", "mill.html"]);
    assert!(extracted.err.contains("a page that only leads to another"), "{}", extracted.err);
}

#[test]
fn ten_thousand_nested_blocks() {
    let html = format!("<title>Deep</title>{}the deepest word{}", "<div>".repeat(10_000), "</div>".repeat(10_000));
    let folder = folder(&[("deep.html", html.as_bytes())]);
    reports(
        run(folder.path(), ["ingest", "--data", "data", "deep.html"]),
        &["Pages             1", "Failed            0"],
    );
    let found = run(folder.path(), ["search", "--data", "data", "deepest"]).success();
    has(&found, &["the deepest word"]);
    let tree = run(folder.path(), ["tree", "deep.html"]).success();
    assert!(tree.lines().count() < 600, "the depth is bounded");
    has(&tree, &["the deepest word"]);
}

#[test]
fn ten_thousand_self_closing_blocks() {
    // HTML knows no self-closing tags: each of these opens a block. Found by the fuzzer, as `<ms/>Xu></u>` again and again.
    let html = format!("<title>Deep</title>{}the deepest word{}", "<div/>".repeat(10_000), "</u>".repeat(10_000));
    let folder = folder(&[("deep.html", html.as_bytes())]);
    let tree = run(folder.path(), ["tree", "deep.html"]).success();
    assert!(tree.lines().count() < 600, "the depth is bounded");
    has(&tree, &["the deepest word"]);
    has(&run(folder.path(), ["extract", "deep.html"]).success(), &["the deepest word"]);
}

#[test]
fn pages_in_a_wrong_charset() {
    // What is declared goes, as in browsers, unless the bytes belie it; one that has no meaning in it is shown as such and breaks nothing.
    let utf_8_in_name = b"<!doctype html><meta charset=utf-8><title>caf\xe9</title><p>Le caf\xe9 co\xfbte deux euros.";
    let windows_1252_in_name =
        "<!doctype html><meta charset=windows-1252><title>café</title><p>Le café coûte deux euros.".as_bytes();
    let one_byte =
        b"<!doctype html><meta charset=utf-8><title>Caf\xc3\xa9</title><p>Le caf\xe9 fran\xc3\xa7ais: deux euros.";
    let folder = folder(&[("a.html", utf_8_in_name), ("b.html", windows_1252_in_name), ("c.html", one_byte)]);
    reports(
        run(folder.path(), ["ingest", "--data", "data", "a.html", "b.html", "c.html"]),
        &["Pages             3", "Failed            0"],
    );
    has(&run(folder.path(), ["tree", "a.html"]).success(), &["Le café coûte deux euros."]);
    has(&run(folder.path(), ["tree", "b.html"]).success(), &["Le café coûte deux euros."]);
    has(&run(folder.path(), ["tree", "c.html"]).success(), &["Le caf\u{fffd} français: deux euros."]);
    let found = run(folder.path(), ["search", "--data", "data", "--format", "json", "euros"]).json();
    assert_eq!(found["total_blocks"], 3, "{found}");
}

// Queries

fn answer(folder: &TempDir, query: &str) -> serde_json::Value {
    run(folder.path(), ["search", "--data", "data", "--format", "json", "--", query]).json()
}

#[test]
fn a_query_of_only_punctuation() {
    let folder = folder_with_data(&[]);
    for query in ["?!", "...", "\"\"", "\"", "-- *", "", "💡"] {
        let answer = answer(&folder, query);
        assert_eq!(
            (&answer["total_blocks"], &answer["notes"]),
            (&0.into(), &serde_json::json!(["no_words"])),
            "{query:?}"
        );
    }
    let text = run(folder.path(), ["search", "--data", "data", "?!"]).success();
    has(&text, &["note: the query has no word to search for", "Nothing found. Try fewer or other words"]);
}

#[test]
fn a_query_of_ten_thousand_characters() {
    let folder = folder_with_data(&[]);
    let one_word = answer(&folder, &"x".repeat(10_000));
    assert_eq!(one_word["notes"], serde_json::json!(["no_words"]));
    let the_same = answer(&folder, &"mills ".repeat(1667)[..10_000]);
    assert_eq!((&the_same["total_blocks"], &the_same["notes"]), (&1.into(), &serde_json::json!([])));
    let many: String = (0..2000).flat_map(|number| ['w', char::from_u32(0x4e00 + number).unwrap(), ' ']).collect();
    let text = run(folder.path(), ["search", "--data", "data", &format!("mills {many}")[..10_000]]).success();
    has(&text, &["note: the query has more than 256 different words", "Old mills grind slowly"]);
    // Byte 10,000 is in the middle of a letter.
    let cut = run(folder.path(), ["search", "--data", "data", &"é ".repeat(10_000)]).success();
    has(&cut, &["note: the query is longer than 10000 bytes; its last 20002 were ignored"]);
}

#[test]
fn a_query_file_with_a_bad_line() {
    let folder = folder_with_data(&[("q.jsonl", b"{\"qid\":\"1\",\"query\":\"mills\"}\n\nmills\n")]);
    let search = run(folder.path(), ["search", "--data", "data", "--format", "run", "--queries", "q.jsonl"]);
    fails(&search, &["q.jsonl line 3 is not {\"qid\", \"query\"}"]);
}

// Data folders

#[test]
fn a_data_folder_in_use() {
    let folder = folder_with_data(&[]);
    let _held = DataFolder::open_to_write(&folder.path().join("data"), ExtractParams::default()).unwrap();
    for command in
        ["ingest --data data page.html", "compact --data data", "verify --mend --data data", "rebuild --data data"]
    {
        let run = run(folder.path(), command.split(' '));
        fails(&run, &["data is in use by another lopper", "wait until it has finished or stop it"]);
    }
}

#[cfg(unix)]
#[test]
fn a_data_folder_that_may_not_be_written() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder_with_data(&[]);
    let lock = folder.path().join("data/lock");
    fs::set_permissions(&lock, fs::Permissions::from_mode(0o444)).unwrap();
    if fs::File::options().write(true).open(&lock).is_err() {
        run(folder.path(), ["search", "--data", "data", "mills"]).success();
        let parts = ["cannot write in data: run this as the user who owns the folder", "Permission denied"];
        fails(&run(folder.path(), ["compact", "--data", "data"]), &parts);
    } else {
        eprintln!("skipped: this user may write everywhere");
    }
}

#[test]
fn a_data_folder_that_is_not_there() {
    let folder = folder(&[]);
    for command in ["search x", "stats", "verify --mend", "rebuild", "rebuild --from bodies", "compact"] {
        let arguments: Vec<&str> = command.split(' ').chain(["--data", "data"]).collect();
        fails(
            &run(folder.path(), arguments),
            &["there is no data in data", "run `lopper ingest --data data PATH` first"],
        );
        assert!(!folder.path().join("data").exists(), "{command} makes no folder");
    }
}

fn set_version(folder: &TempDir, version: &str) {
    fs::write(folder.path().join("data/LOPPER"), format!("{version}\nA data folder\n")).unwrap();
}

#[test]
fn a_data_folder_of_a_newer_version() {
    let folder = folder_with_data(&[]);
    set_version(&folder, "999");
    for command in [&["search", "--data", "data", "x"][..], &["ingest", "--data", "data", "page.html"]] {
        let parts = ["data has data version 999, this lopper knows up to", "use a newer lopper"];
        fails(&run(folder.path(), command), &parts);
    }
    set_version(&folder, "none");
    let parts = ["data/LOPPER does not begin with a data version", "choose another one with --data"];
    fails(&run(folder.path(), ["search", "--data", "data", "x"]), &parts);
}

#[test]
fn a_folder_that_is_not_ours() {
    let folder = folder(&[("data/diary.txt", b"mine"), ("page.html", PAGE), ("file", b"")]);
    for command in [&["search", "--data", "data", "x"][..], &["ingest", "--data", "data", "page.html"]] {
        let parts = [
            "data holds other files and is not a lopper data folder",
            "name with --data the one that `lopper ingest` wrote, or an empty or new one",
        ];
        fails(&run(folder.path(), command), &parts);
    }
    assert_eq!(crate::support::names_in(&folder.path().join("data")), ["diary.txt"], "nothing is written into it");
    let parts = ["file is not a folder", "choose another place for the data with --data"];
    fails(&run(folder.path(), ["ingest", "--data", "file", "page.html"]), &parts);
}

#[test]
fn a_data_folder_without_its_index() {
    let folder = folder_with_data(&[]);
    fs::remove_dir_all(folder.path().join("data/index")).unwrap();
    let parts = ["the index in data is gone", "`lopper rebuild --data data` makes it anew from the stored trees"];
    fails(&run(folder.path(), ["search", "--data", "data", "mills"]), &parts);
}

#[test]
fn a_damaged_index() {
    let folder = folder_with_data(&[]);
    let index = folder.path().join("data/index");
    let names = crate::support::names_in(&index);
    let terms = names
        .iter()
        .find(|name| Path::new(name).extension().is_some_and(|ending| ending == "term"))
        .expect("the index has a file of terms");
    let whole = fs::read(index.join(terms)).unwrap();
    fs::write(index.join(terms), &whole[..whole.len() / 2]).unwrap();
    let parts = [
        "the block index in data/index is damaged",
        "`lopper rebuild --data data` makes it anew from the stored trees",
    ];
    fails(&run(folder.path(), ["search", "--data", "data", "mills"]), &parts);
    fs::write(index.join("meta.json"), b"").unwrap();
    fails(&run(folder.path(), ["search", "--data", "data", "mills"]), &parts);
    fs::remove_dir_all(&index).unwrap();
    run(folder.path(), ["ingest", "--data", "data", "page.html"]).success();
    has(&run(folder.path(), ["search", "--data", "data", "mills"]).success(), &["Old mills grind slowly"]);
}

// Settings and flags

#[test]
fn an_unknown_setting() {
    let folder = folder(&[("lopper.toml", b"[limits]\ndepth_mx = 3\n"), ("other.toml", b"dta = 'x'\n")]);
    let found = run(folder.path(), ["stats"]);
    fails(
        &found,
        &["the configuration file lopper.toml is not usable", "line 2", "unknown field `depth_mx`", "`depth_max`"],
    );
    let named = run(folder.path(), ["--config", "other.toml", "stats"]);
    fails(&named, &["the configuration file other.toml is not usable", "line 1", "unknown field `dta`", "`data`"]);
    let missing = run(folder.path(), ["--config", "gone.toml", "stats"]);
    fails(&missing, &["cannot read the configuration file gone.toml", "No such file"]);
}

#[test]
fn wrong_flags() {
    let folder = folder(&[]);
    let cases: [(&[&str], &[&str]); 10] = [
        (&[], &["Usage: lopper [OPTIONS] <COMMAND>", "Exit codes"]),
        (&["serch"], &["unrecognized subcommand 'serch'", "search"]),
        (&["search", "--bogus", "x"], &["unexpected argument '--bogus'", "Usage: lopper search"]),
        (&["search"], &["<QUERY>"]),
        (&["search", "--limit", "0", "x"], &["invalid value '0' for '--pages <N>'"]),
        (&["search", "-k", "0", "x"], &["invalid value '0' for '--pages <N>'", "1..=1000"]),
        (&["search", "--queries", "q", "--format", "json"], &["--queries needs --format run"]),
        (&["ingest"], &["<PATH>"]),
        (&["tree", "--profile", "old", "x"], &["no profile is called `old`: use `paper` or `modern`"]),
        (&["tree", "--prune", "relative:2", "x"], &["no rule is called `relative:2`", "a share from 0 to 1"]),
    ];
    for (arguments, parts) in cases {
        is_wrong_usage(&run(folder.path(), arguments), parts);
    }
}

// The reader of the output goes away.

#[test]
fn a_closed_pipe() {
    let html = "<p>one more paragraph of the page</p>\n".repeat(20_000);
    let folder = folder(&[("long.html", html.as_bytes())]);
    let mut child = lopper(folder.path())
        .args([Path::new("tree"), Path::new("long.html")])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("page "), "{line}");
    let output = child.wait_with_output().unwrap();
    let run = Run::from(output);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
}

/// Found by fuzzing: each cell went through its whole table.
#[test]
fn a_table_of_many_cells() {
    let cells = format!("<table><caption>Mills</caption>{}", "<tr><td>oak<td>ash".repeat(20_000));
    let folder = folder(&[("cells.html", cells.as_bytes())]);
    let started = Instant::now();
    let text = run(folder.path(), ["extract", "--method", "full-text", "cells.html"]).success();
    assert_eq!(text.matches("oak | ash").count(), 20_000);
    assert!(started.elapsed() < Duration::from_mins(1), "{:?}", started.elapsed());
}

#[test]
fn a_port_that_is_taken_leaves_no_folder() {
    let folder = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let run = run(folder.path(), ["serve", "--data", "data", "--listen", &taken.local_addr().unwrap().to_string()]);
    fails(&run, &["is in use: stop the program that listens there", "--listen"]);
    assert!(!folder.path().join("data").exists());
}

#[test]
fn a_damaged_copy_does_not_replace_a_whole_page() {
    let html = format!(
        "<html lang=en><title>Mill</title><p>{} The heron stands last.</p>",
        "The mill grinds corn. ".repeat(200)
    );
    let body = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}");
    let head = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://e.org/\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n\
        WARC-Record-ID: <urn:uuid:1>\r\nContent-Type: application/http; msgtype=response\r\n";
    let whole = format!("{head}Content-Length: {}\r\n\r\n{body}\r\n\r\n", body.len());
    let folder = folder(&[("whole.warc", whole.as_bytes()), ("cut.warc", &whole.as_bytes()[..whole.len() - 600])]);
    let found = || run(folder.path(), ["search", "--data", "data", "heron"]).success();
    let cut = run(folder.path(), ["ingest", "--data", "data", "cut.warc"]).success();
    assert!(cut.contains("(1 new, 0 replaced)") && !found().contains("heron stands"), "{cut}");
    let whole = run(folder.path(), ["ingest", "--data", "data", "whole.warc"]).success();
    assert!(whole.contains("(0 new, 1 replaced)") && found().contains("heron stands"), "{whole}");
    let again = run(folder.path(), ["ingest", "--data", "data", "--again", "cut.warc"]);
    assert!(again.out.contains("(0 new, 0 replaced)") && again.out.contains("that is here is kept"), "{}", again.out);
    assert!(found().contains("heron stands"), "{}", found());
    let failed = run(folder.path(), ["ingest", "report", "--data", "data", "--state", "failed"]).success();
    assert!(failed.contains("damaged_copy"), "{failed}");
    // A file that a limit cuts short is whole: its shorter edition replaces it.
    let file =
        |words: usize| format!("<html lang=en><title>Long</title>{}", "<p>A line of the long page.".repeat(words));
    fs::write(folder.path().join("lopper.toml"), "[limits]\nnodes_max = 60\n").unwrap();
    for words in [300, 200] {
        fs::write(folder.path().join("long.html"), file(words)).unwrap();
        let told = run(folder.path(), ["ingest", "--data", "data", "long.html"]).success();
        assert!(told.contains(if words == 300 { "(1 new, 0 replaced)" } else { "(0 new, 1 replaced)" }), "{told}");
    }
}

/// What is wrong whatever the files hold ends with 2, what these do not have with 1.
#[test]
fn exit_codes_tell_wrong_usage_from_failure() {
    let folder = folder_with_data(&[("page.html", PAGE)]);
    let wrong = [
        (&["search", "--min-coverage", "2", "mill"][..], "min_coverage is 2"),
        (&["search", "--min-coverage", "0.5", "--sort", "date", "mill"], "a least coverage needs"),
        (&["search", "--offset", "99999999", "mill"], "offset is 99999999"),
        (&["search", "date:soon"], "`soon` is no date"),
        (&["delete", "--query", "date:soon"], "`soon` is no date"),
        (&["delete", "--url", "mill"], "`mill` is no URL"),
        (&["delete", "--prefix", "mill"], "`mill` is not the beginning of URLs"),
        (&["delete", "--dry-run", "--host", "a b"], "a b"),
        (&["ingest", "--site-url", "mill", "page.html"], "`mill` is no site's address"),
        (&["ingest", "--site-url", "http://e.org/", "page.html", "page.html"], "--site-url is for one PATH"),
        (&["keys", "add", "--expires", "2001-01-01", "mill"], "--expires: that day is over"),
    ];
    let failed = [
        (&["search", "--like", "mill", "mill"][..], "there is no block `mill`"),
        (&["search", "--weights", "none.json", "mill"], "cannot read the weights in none.json"),
        (&["delete", "--archive", "none.warc"], "none.warc is no archive of this collection"),
        (&["ingest", "none.warc"], "none.warc does not exist"),
        (&["takedowns", "lift", "99"], "there is no takedown 99"),
    ];
    for (code, cases) in [(2, &wrong[..]), (1, &failed)] {
        for (args, told) in cases {
            let done = lopper(folder.path()).args(*args).env("LOPPER_DATA", "data").output().unwrap();
            let done = Run::from(done);
            assert_eq!(done.code, Some(code), "{args:?}: {done:?}");
            assert!(done.err.starts_with("lopper: ") && done.err.contains(told), "{args:?}: {done:?}");
        }
    }
}
