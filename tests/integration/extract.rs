//! `lopper extract`: forms of the output, and pages that are not as they should be.

use std::io::Write;

use serde_json::Value;

use crate::support::{folder, run};

const PAGE: &str = "<title>The mill</title><main><h1>The mill</h1><p>The mill by the river was built in 1890 and has been grinding \
    the corn of three villages ever since, as its <a href=miller.html>miller</a> tells all who care to ask him.</p>\
    <p>Its wheel turns twelve times in a minute when the water is high, and in dry summers not at all, so that the corn has to wait.</p>\
    <img src=wheel.png alt='The wheel'><table><tr><th>Year<th>Sacks<tr><td>1890<td>1,200<tr><td>1900<td>1,900</table>\
    <p>After the war a second stone was laid, and since then the mill has ground twice as much corn as before.</p></main>";

#[test]
fn links_and_images_are_as_written_absolute_or_left_out() {
    let folder = folder(&[("mill.html", PAGE.as_bytes())]);
    let markdown = |flags: &[&str]| {
        let arguments = ["extract", "--format", "markdown", "mill.html"].iter().chain(flags).copied();
        run(folder.path(), arguments.collect::<Vec<_>>()).success()
    };
    let written = markdown(&[]);
    assert!(written.contains("[miller](miller.html)") && written.contains("![The wheel](wheel.png)"), "{written}");
    let absolute = markdown(&["--url", "https://e.org/a/mill"]);
    assert!(absolute.contains("[miller](https://e.org/a/miller.html)"), "{absolute}");
    assert!(absolute.contains("![The wheel](https://e.org/a/wheel.png)"), "{absolute}");
    let bare = markdown(&["--links", "drop", "--images", "drop"]);
    assert!(bare.contains("its miller tells") && !bare.contains("]("), "{bare}");
}

#[test]
fn a_page_without_content_is_told() {
    let folder = folder(&[
        ("a.html", b"<title>Mill</title><script>write()</script>"),
        ("b.html", b" \n"),
        ("c.html", PAGE.as_bytes()),
    ]);
    let extracted = run(folder.path(), ["extract", "a.html", "b.html", "c.html"]);
    let told: Vec<&str> = extracted.err.lines().collect();
    assert_eq!((extracted.code, told.len()), (Some(0), 2), "{}", extracted.err);
    assert!(told[0].contains("a.html") && told[0].contains("no content was found on the page"), "{}", told[0]);
    assert!(told[1].contains("b.html") && told[1].contains("empty body"), "{}", told[1]);
}

#[test]
fn json_has_blocks_with_their_types() {
    let folder = folder(&[("mill.html", PAGE.as_bytes())]);
    let json = run(folder.path(), ["extract", "--format", "json", "mill.html"]).success();
    let page: Value = serde_json::from_str(&json).unwrap();
    let types: Vec<&str> = page["content"].as_array().unwrap().iter().filter_map(|b| b["type"].as_str()).collect();
    assert_eq!(types, ["heading", "paragraph", "paragraph", "paragraph", "table", "paragraph"]);
    assert_eq!(page["content"][4]["head_rows"], 1);
    assert!(page["text"].is_null() && page["title"] == "The mill");
}

#[test]
fn tei_is_a_document() {
    let folder = folder(&[("mill.html", PAGE.as_bytes())]);
    let tei = run(folder.path(), ["extract", "--format", "tei", "mill.html"]).success();
    assert!(tei.starts_with("<TEI xmlns=\"http://www.tei-c.org/ns/1.0\">"), "{tei}");
    for part in [
        "<titleStmt><title>The mill</title></titleStmt>",
        "<ab type=\"head\" subtype=\"h1\">The mill</ab>",
        "<ref target=\"miller.html\">miller</ref>",
        "<graphic url=\"wheel.png\"><desc>The wheel</desc></graphic>",
        "<row role=\"label\"><cell role=\"label\">Year</cell><cell role=\"label\">Sacks</cell></row>",
    ] {
        assert!(tei.contains(part), "{part} is not in {tei}");
    }
}

#[test]
fn a_title_without_an_end_does_not_swallow_the_page() {
    let page = PAGE.replace("</title>", "\n");
    let folder = folder(&[("mill.html", page.as_bytes())]);
    let json = run(folder.path(), ["extract", "--format", "jsonl", "mill.html"]).success();
    let page: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(page["title"], "The mill");
    assert!(page["text"].as_str().unwrap().contains("twelve times"), "{json}");
}

#[test]
fn a_file_that_is_named_html_is_read_whatever_it_begins_with() {
    let start = format!("<shop-frame>\n<!-- \u{1} {} -->\n", "not a word of content ".repeat(1000));
    let folder = folder(&[("mill.html", format!("{start}{PAGE}").as_bytes())]);
    assert!(run(folder.path(), ["extract", "mill.html"]).success().contains("twelve times"));
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(format!("{start}{PAGE}").as_bytes()).unwrap();
    let folder =
        crate::support::folder(&[("mill.html.gz", &packed.finish().unwrap()), ("other.html", PAGE.as_bytes())]);
    let both = run(folder.path(), ["extract", "."]).success();
    assert_eq!(both.matches("twelve times").count(), 2, "{both}");
}

#[test]
fn the_folder_of_a_file_does_not_count() {
    let folder = folder(&[("mill.html", PAGE.as_bytes()), ("tag/2024/login/mill.html", PAGE.as_bytes())]);
    let blocks = |path: &str| run(folder.path(), ["extract", "--format", "jsonl", "--blocks", path]).success();
    let scores = |json: &str| {
        let page: Value = serde_json::from_str(json).unwrap();
        (page["blocks"].clone(), page["page_type"].clone())
    };
    assert_eq!(scores(&blocks("mill.html")), scores(&blocks("tag/2024/login/mill.html")));
}

#[test]
fn an_address_that_the_page_names_counts_for_a_file() {
    let address = "https://e.org/a/mill";
    for named in [format!("<link rel=canonical href={address}>"), format!("<meta property=og:url content={address}>")] {
        let folder = folder(&[("mill.html", format!("{named}{PAGE}").as_bytes())]);
        let extract = |flags: &[&str]| {
            let arguments = ["extract", "mill.html"].iter().chain(flags).copied();
            run(folder.path(), arguments.collect::<Vec<_>>()).success()
        };
        assert!(extract(&["--format", "markdown"]).contains("[miller](https://e.org/a/miller.html)"), "{named}");
        let other = extract(&["--format", "markdown", "--url", "https://other.org/"]);
        assert!(other.contains("[miller](https://other.org/miller.html)"), "what is given goes before: {other}");
        let scores = |flags: &[&str]| {
            let page: Value =
                serde_json::from_str(&extract(&[&["--format", "jsonl", "--blocks"], flags].concat())).unwrap();
            page["blocks"].clone()
        };
        assert_eq!(scores(&[]), scores(&["--url", address]), "the model sees the same");
    }
}

#[test]
fn a_file_a_page_is_written() {
    let folder = folder(&[("site/a/mill.html", PAGE.as_bytes()), ("site/b.htm", PAGE.as_bytes())]);
    run(folder.path(), ["extract", "--format", "markdown", "--output-dir", "texts", "site"]).success();
    let written = |name: &str| std::fs::read_to_string(folder.path().join("texts").join(name)).unwrap();
    assert!(written("a/mill.md").starts_with("# The mill") && written("b.md") == written("a/mill.md"));
    let onto_itself =
        run(folder.path(), ["extract", "--format", "html", "--output-dir", "site", "site/a", "site/b.htm"]);
    assert_eq!(onto_itself.code, Some(0), "{}", onto_itself.err);
    let source = std::fs::read_to_string(folder.path().join("site/a/mill.html")).unwrap();
    let onto_itself = run(folder.path(), ["extract", "--format", "html", "--output-dir", "site/a", "site/a"]);
    assert!(
        onto_itself.code == Some(1) && onto_itself.err.contains("one of the files that are read"),
        "{onto_itself:?}"
    );
    assert_eq!(std::fs::read_to_string(folder.path().join("site/a/mill.html")).unwrap(), source);
    let refused = run(folder.path(), ["extract", "--blocks", "site"]);
    assert_eq!((refused.code, refused.err.contains("--format jsonl")), (Some(2), true), "{}", refused.err);
}
