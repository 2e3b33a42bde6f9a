//! The command line as a contract: helps, formats of the output, order of the settings.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{archive, check_file, lopper, repository, run};

/// The helps in `tests/help`; the program's own is `lopper.txt`. `LOPPER_UPDATE=1` writes them anew.
const HELPS: [&str; 26] = [
    "lopper",
    "demo",
    "ingest",
    "search",
    "extract",
    "eval pruning",
    "eval retrieval",
    "compare",
    "tree",
    "serve",
    "mcp",
    "stats",
    "rebuild",
    "compact",
    "delete",
    "takedowns",
    "takedowns lift",
    "verify",
    "repair",
    "backup",
    "backup restore",
    "bench",
    "bench load",
    "migrate",
    "worker",
    "merge-counts",
];

#[test]
fn helps_are_as_written() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = HELPS.iter().filter_map(|name| {
        let command = name.split(' ').filter(|word| *word != "lopper");
        let arguments: Vec<&str> = command.chain(["--help"]).collect();
        let help = run(folder.path(), arguments).success();
        check_file(&repository("tests/help").join(format!("{}.txt", name.replace(' ', "-"))), &help).err()
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A folder with `data` made of archives of `tests/archives`.
fn ingested(archives: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<_> = archives.iter().map(|name| archive(name)).collect();
    let output = lopper(folder.path()).args(["ingest", "--data", "data"]).args(paths).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    folder
}

const IANA: &str = "webrecorder-warcio__example-iana.org-chunked.warc";
const MIXED: &str = "derived__chatnoir-cc-filtered.warc.gz";

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON object a line")).collect()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn has_keys(value: &Value, expected: &[&str]) {
    let missing: Vec<_> = expected.iter().filter(|key| value.get(key).is_none_or(Value::is_null)).collect();
    assert!(missing.is_empty(), "{missing:?} are missing: {:?}", keys(value));
}

#[test]
fn the_bench_accounts_for_all_stages_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let text = run(folder.path(), ["bench", "ingest", "--format", "json", archive(MIXED).to_str().unwrap()]).success();
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["stages"]["pages"], report["whole"]["pages"]);
    let stages: Vec<&str> =
        report["stages"]["stages"].as_array().unwrap().iter().map(|row| row["stage"].as_str().unwrap()).collect();
    let names = [
        "read",
        "decode",
        "parse",
        "tree",
        "judge",
        "weigh",
        "prune",
        "blocks",
        "documents",
        "index",
        "store",
        "engine threads",
    ];
    assert_eq!(stages, names);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn the_demo_answers_its_questions() {
    let folder = tempfile::tempdir().unwrap();
    let text = run(folder.path(), ["demo", "--once"]).success();
    let (report, answers) = text.split_once("$ lopper search").expect("queries are shown");
    assert!(report.contains("Pages            29") && report.contains("Failed            0"), "{report}");
    let answers: Vec<&str> = answers.split("$ lopper search").collect();
    let firsts = ["/moderation-policy", "/cookies-policy", "/linked-data", "/blog/open-data-vision-leeds"];
    assert_eq!(answers.len(), firsts.len());
    for (answer, first) in answers.iter().zip(firsts) {
        let best = answer.lines().skip_while(|line| !line.starts_with("1. ")).nth(1).unwrap_or_default();
        assert!(best.contains(&format!("http://data.gov.uk{first} · 2014-03-25")), "{first} is not first in\n{answer}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "the demo leaves nothing behind");
}

#[test]
fn the_worked_example_of_ranking_is_what_the_program_says() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), ["demo", "--once", "--data", "demo-data"]).success();
    let said = run(folder.path(), ["search", "--data", "demo-data", "--explain", "deleting cookies"]).success();
    let reference = fs::read_to_string(repository("docs/RANKING.md")).unwrap();
    let example = reference.split("\n## ").find(|section| section.starts_with("One query")).unwrap();
    let blocks = example.split("```").skip(1).step_by(2).flat_map(str::lines);
    let lines: Vec<&str> = blocks.filter(|line| line.starts_with("  ")).collect();
    assert!(lines.len() > 20, "{lines:?}");
    for line in lines {
        let begin = line.trim_end_matches('…');
        assert!(said.lines().any(|line| line.starts_with(begin)), "{line} is not in\n{said}");
    }
}

#[test]
fn an_ingest_ends_with_its_report() {
    let folder = tempfile::tempdir().unwrap();
    let path = archive("archivesunleashed-aut__issue-493.warc");
    let output = lopper(folder.path()).args(["ingest", "--data", "data"]).arg(path).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let expected = [
        "Archives          1",
        "Records          32",
        "Pages             4  (4 new, 0 replaced)",
        "Skipped          28",
        "                  2  the archive's own description",
        "                 15  request",
        "                  1  HTTP status is not 200",
        "                 10  not HTML",
        "Failed            0",
        "Search them: lopper search --data data QUERY",
    ];
    for line in expected {
        assert!(text.lines().any(|found| found == line), "no line {line:?} in:\n{text}");
    }
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "no bar and no control codes where there is no terminal");
}

#[test]
fn a_search_for_people() {
    let folder = ingested(&[IANA]);
    let text = run(folder.path(), ["search", "--data", "data", "root", "zone", "management"]).success();
    let line = |number: usize| text.lines().nth(number).unwrap_or_default();
    assert!(line(0).starts_with("1. Internet Assigned Numbers Authority"), "{text}");
    assert!(line(1).trim_start().starts_with("http://www.iana.org/ · 20"), "{text}");
    assert!(
        line(2).contains("[score ") && line(2).contains("similarity 0.") && line(2).contains("Domain Names"),
        "{text}"
    );
    assert!(text.contains("http://www.iana.org/#home-panel-domains:~:text=Domain%20Names,"), "{text}");
    assert!(!text.contains('\u{1b}'), "no colours where there is no terminal");
}

#[test]
fn a_search_as_json() {
    let folder = ingested(&[IANA, MIXED]);
    let answer = run(folder.path(), ["search", "--data", "data", "-k", "2", "--format", "json", "domain"]).json();
    has_keys(&answer, &["query", "total_blocks", "notes", "pages", "duration_ms"]);
    let pages = answer["pages"].as_array().unwrap();
    assert!((1..=2).contains(&pages.len()), "{answer}");
    for page in pages {
        has_keys(page, &["page_id", "url", "host", "title", "language", "captured_at", "score", "blocks"]);
        let block = &page["blocks"][0];
        has_keys(
            block,
            &["block_id", "ordinal", "score", "similarity", "heading_path", "lead", "snippet", "text", "locator"],
        );
        has_keys(&block["snippet"], &["text", "highlights"]);
        has_keys(&block["locator"], &["url", "css_path", "block_path"]);
        assert!(page["score"].as_f64() >= block["score"].as_f64(), "a page's other blocks add to its best");
        marks_are_the_query(block);
    }
}

#[test]
fn a_query_that_cannot_be_understood_is_wrong_usage() {
    let folder = ingested(&[IANA]);
    let run = |arguments: &[&str]| run(folder.path(), [&["search", "--data", "data"], arguments].concat());
    let wrong = run(&["domain", "date:may"]);
    assert_eq!((wrong.code, wrong.out.as_str()), (Some(2), ""));
    assert!(
        wrong.err.starts_with("lopper: cannot understand the query: `may` is no date; write date:2008"),
        "{wrong:?}"
    );
    assert!(wrong.err.trim_end().ends_with("(at byte 12 of the query)"), "{wrong:?}");
    let right = run(&["--", "-root", "site:iana.org", "dommain"]).success();
    assert!(right.starts_with("note: nothing has “dommain”; searched for “domain” instead"), "{right}");
}

#[test]
fn a_search_has_options() {
    let folder = ingested(&[IANA, MIXED]);
    let search = |arguments: &[&str]| run(folder.path(), [&["search", "--data", "data"], arguments].concat());
    let text = search(&["--explain", "--facets", "--prune", "paper", "-k", "1", "domain", "names"]).success();
    for part in [
        "ranking blend",
        "word ",
        "part ",
        "bm25f",
        "in body",
        "body: kept",
        "by blend = ",
        "host      ",
        "pruned by the query (paper)",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert!(text.contains("--offset 1 goes on"), "{text}");
    let json = |arguments: &[&str]| search(&[&["--format", "json", "-k", "1"], arguments].concat()).json();
    let (max, sum) = (json(&["--documents", "max", "domain"]), json(&["--documents", "sum:3", "domain"]));
    assert_eq!(max["pages"][0]["score"], max["pages"][0]["blocks"][0]["score"]);
    assert!(sum["pages"][0]["score"].as_f64() >= max["pages"][0]["score"].as_f64());
    let block = max["pages"][0]["blocks"][0]["block_id"].as_str().unwrap();
    let like = json(&["--like", block]);
    assert_ne!(like["pages"][0]["blocks"][0]["block_id"], *block);
    assert_eq!(search(&["--like", "none"]).code, Some(1));
    for wrong in [["--ranking", "best"], ["--documents", "sum:0"], ["--sort", "size"], ["--collapse", "all"]] {
        assert_eq!(search(&[wrong[0], wrong[1], "domain"]).code, Some(2), "{wrong:?}");
    }
    let run = ["--format", "run", "-k", "9", "--blocks-per-page", "1", "domain"];
    let line = lines(&search(&run).success()).remove(0);
    let pages: Vec<&Value> = line["results"].as_array().unwrap().iter().map(|result| &result["page_id"]).collect();
    let distinct: std::collections::HashSet<String> = pages.iter().map(ToString::to_string).collect();
    assert_eq!(distinct.len(), pages.len());
}

/// What is marked in the snippet is the query's word.
fn marks_are_the_query(block: &Value) {
    let text = block["snippet"]["text"].as_str().unwrap();
    for mark in block["snippet"]["highlights"].as_array().unwrap() {
        let place = |end: &str| mark[end].as_u64().unwrap() as usize;
        let marked = &text[place("start")..place("end")];
        assert!(marked.to_lowercase().starts_with("domain"), "{marked:?} in {text:?}");
    }
}

#[test]
fn a_run_is_a_line_a_query() {
    let folder = ingested(&[IANA, MIXED]);
    let queries = "{\"qid\":\"q7\",\"query\":\"domain names\",\"note\":\"other fields are passed over\"}\n\n\
                   {\"qid\":\"q1\",\"query\":\"hovenier\"}\n{\"qid\":\"none\",\"query\":\"?!\"}\n\
                   {\"qid\":\"bad\",\"query\":\"+a (b\"}\n";
    fs::write(folder.path().join("queries.jsonl"), queries).unwrap();
    let arguments = ["search", "--data", "data", "-k", "3", "--queries", "queries.jsonl", "--format", "run"];
    let answers = lines(&run(folder.path(), arguments).success());
    let ids: Vec<_> = answers.iter().map(|answer| answer["qid"].as_str().unwrap()).collect();
    assert_eq!(ids, ["q7", "q1", "none", "bad"], "in the order of the file");
    assert!(answers[2..].iter().all(|answer| answer["results"] == Value::Array(Vec::new())));
    for answer in &answers[..2] {
        let results = answer["results"].as_array().unwrap();
        let pages: BTreeSet<&str> = results.iter().map(|result| result["page_id"].as_str().unwrap()).collect();
        assert!((1..=3).contains(&pages.len()), "{answer}");
        for result in results {
            has_keys(result, &["url", "score", "block_text"]);
        }
        let scores: Vec<f64> = results.iter().map(|result| result["score"].as_f64().unwrap()).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    }
    let one = lines(&run(folder.path(), ["search", "--data", "data", "--format", "run", "hovenier"]).success());
    assert_eq!(one[0]["results"][0], answers[1]["results"][0]);
}

#[test]
fn statistics_as_json() {
    let folder = ingested(&[IANA, MIXED]);
    let stats = run(folder.path(), ["stats", "--data", "data", "--format", "json"]).json();
    has_keys(&stats, &["pages", "blocks", "hosts", "bytes", "data_version", "sums", "records", "bodies"]);
    assert_eq!(
        (&stats["pages"], &stats["hosts"], &stats["data_version"]),
        (&7.into(), &6.into(), &4.into()),
        "{stats}"
    );
    assert!(stats["blocks"].as_u64().unwrap() > 10 && stats["bytes"].as_u64().unwrap() > 100_000, "{stats}");
    let text = run(folder.path(), ["stats", "--data", "data"]).success();
    assert!(text.contains("Pages         7") && text.contains("Data folder   data (version 4)"), "{text}");
}

#[test]
fn nearly_alike_pages_are_grouped_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let words = |from: usize| (from..from + 300).map(|word| format!("word{word}")).collect::<Vec<_>>().join(" ");
    let pages = [("a", words(0)), ("b", words(0) + " today"), ("c", words(1000))];
    for (name, text) in &pages {
        fs::write(folder.path().join(format!("{name}.html")), format!("<title>{name}</title><p>{text}</p>")).unwrap();
    }
    run(folder.path(), ["ingest", "--data", "data", "a.html", "b.html", "c.html"]).success();
    let stats = run(folder.path(), ["stats", "--data", "data", "--near-duplicates", "--format", "json"]).json();
    let near = &stats["near_duplicates"];
    assert_eq!((&near["pages"], &near["groups"], &near["largest"][0]["pages"]), (&2.into(), &1.into(), &2.into()));
    let urls = near["largest"][0]["urls"].to_string();
    assert!(urls.contains("a.html") && urls.contains("b.html"), "{urls}");
    let text = run(folder.path(), ["stats", "--data", "data", "--near-duplicates"]).success();
    assert!(text.contains("Nearly alike  2 pages in 1 groups"), "{text}");
}

/// One record whose URL no canonical form leaves as it is.
const ODD_URL: &str = "HTTP://Example.ORG:80/a/../b%7e?utm_source=x&q=1#part";

fn odd_record() -> String {
    let http = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>Odd</title><p>One heron stood in the reeds.";
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {ODD_URL}\r\nWARC-Date: 2020-02-03T04:05:06Z\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
        http.len()
    )
}

#[test]
fn the_url_is_as_the_archive_has_it() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("odd.warc"), odd_record()).unwrap();
    run(folder.path(), ["ingest", "--data", "data", "odd.warc"]).success();
    let answer = run(folder.path(), ["search", "--data", "data", "--format", "json", "heron"]).json();
    let page = &answer["pages"][0];
    assert_eq!(page["url"], ODD_URL);
    assert_eq!(page["host"], "example.org");
    assert_eq!(page["captured_at"], "2020-02-03T04:05:06Z");
    assert!(page["canonical_url"].as_str().is_some_and(|url| url.starts_with("http://example.org/b")), "{page}");
    let line = lines(&run(folder.path(), ["search", "--data", "data", "--format", "run", "heron"]).success());
    assert_eq!(line[0]["results"][0]["url"], ODD_URL);
}

// Settings

fn pages(folder: &Path, data: &str) -> u64 {
    run(folder, ["stats", "--data", data, "--format", "json"]).json()["pages"].as_u64().unwrap()
}

#[test]
fn flags_go_before_the_environment_before_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("page.html"), "<p>a page").unwrap();
    let ingest = |arguments: &[&str], environment: Option<&str>| {
        let mut command = lopper(folder);
        command.arg("ingest").args(arguments).arg("page.html");
        command.envs(environment.map(|data| ("LOPPER_DATA", data)));
        assert!(command.output().unwrap().status.success());
    };
    ingest(&[], None);
    assert_eq!(pages(folder, "lopper-data"), 1, "the default");
    fs::write(folder.join("lopper.toml"), "data = 'by-file'\n").unwrap();
    let told = run(folder, ["ingest", "page.html"]);
    assert!(told.err.contains("note: settings are taken from lopper.toml in this folder"), "{told:?}");
    assert_eq!(pages(folder, "by-file"), 1);
    ingest(&[], Some("by-environment"));
    assert_eq!(pages(folder, "by-environment"), 1);
    ingest(&["--data", "by-flag"], Some("by-environment-too"));
    assert_eq!(pages(folder, "by-flag"), 1);
    assert!(!folder.join("by-environment-too").exists());
}

#[test]
fn a_comparison_as_a_page_says_what_its_lines_say_and_fetches_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let paragraph =
        "<p>Red kites, the ones with forked tails, circle over the harbour, as they do each morning in June.</p>";
    let html = format!(
        "<nav><a href=/>Home</a></nav><article><h1>Kites &lt;script&gt;alert('1')&lt;/script&gt;</h1>{}</article>\
         <script>alert(2)</script><footer><a href=/t>\"Terms\" &amp; more</a></footer>",
        paragraph.repeat(4)
    );
    fs::write(folder.path().join("page.html"), html).unwrap();
    let page = run(folder.path(), ["compare", "--format", "html", "page.html"]).success();
    let markup = page.split("<script type=\"module\"").next().unwrap();
    for active in ["<img", "<link", " src=", " href=", "@import", "url(", "<script>", "alert(2)"] {
        assert!(!markup.contains(active), "{active} is in\n{markup}");
    }
    assert_eq!(page.matches("<script").count(), 2, "the verdicts, and our script by its nonce");
    let policy = "content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-";
    assert!(page.contains(policy) && page.contains("<iframe title=\"The archived page"), "{page}");
    assert!(page.contains("sandbox=\"allow-same-origin\" srcdoc=\"&lt;!DOCTYPE html&gt;"), "{page}");
    let lines = run(folder.path(), ["compare", "page.html"]).success();
    let runs: Vec<&str> = lines.lines().skip(2).take_while(|line| !line.is_empty()).collect();
    let verdicts = page.split("type=\"application/json\">").nth(1).unwrap().split("</script>").next().unwrap();
    let verdicts: serde_json::Value = serde_json::from_str(verdicts).unwrap();
    for (method, kept) in verdicts["methods"].as_object().unwrap() {
        let row = lines.lines().find(|line| line.get(2..).is_some_and(|row| row.starts_with(&format!("{method} "))));
        let letter = row.unwrap().chars().next().unwrap();
        let told: String =
            runs.iter().map(|run| if run.split("  ").next().unwrap().contains(letter) { '1' } else { '0' }).collect();
        assert_eq!(kept, &told, "{method}");
    }
}
