//! Who may know what, checked on the sources; and that documents lead where they say.

use std::fs;
use std::path::{Path, PathBuf};

use lopper_archive::FailureCode;

use crate::support::{names_in, repository};

/// Words of code, the places under which each may stand, and the folders that are looked at.
const BORDERS: [(&str, &[&str], &[&str]); 11] = [
    ("actix_web", &["src/http"], &["src"]),
    ("clap", &["src/cli"], &["src"]),
    ("anyhow", &["src/cli", "src/main.rs"], &["src"]),
    ("rmcp", &["src/mcp", "src/http/api/mcp.rs"], &["src"]),
    ("object_store", &["crates/objects"], &["src", "crates", "index", "migrations"]),
    ("reqwest", &["crates/objects"], &["src", "crates", "index", "migrations"]),
    ("tantivy", &["index/src/embedded"], &["src", "crates", "index/src", "migrations"]),
    ("sled", &["crates/store/src/database.rs", "migrations/src"], &["src", "crates", "index/src", "migrations"]),
    ("html5ever", &["crates/content/src/dom"], &["src", "crates", "index/src", "migrations"]),
    ("markup5ever", &["crates/content/src/dom"], &["src", "crates", "index/src", "migrations"]),
    ("async", &["src/http", "src/mcp", "crates/objects"], &["src", "crates", "index", "migrations"]),
];

/// Lines of a source file before its tests.
const LINES_MAX: usize = 450;

/// Longer files, and why they are one.
const LONG_FILES: [(&str, &str); 0] = [];

/// All files below the folders that end so, by their paths in the repository.
fn files(folders: &[&str], ending: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Vec<String> = folders.iter().map(|folder| (*folder).to_owned()).collect();
    while let Some(folder) = open.pop() {
        // What npm brings for the browser tests is not ours.
        for name in names_in(&repository(&folder)).into_iter().filter(|name| name != "node_modules") {
            let path = format!("{folder}/{name}");
            if repository(&path).is_dir() {
                open.push(path);
            } else if name.ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn read(path: &str) -> String {
    fs::read_to_string(repository(path)).unwrap()
}

/// Whether `line` is code that has `word` as a path's first part, in a `use`, or as a keyword.
fn uses(line: &str, word: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = &code[at + word.len()..];
        let begins = before.is_none_or(|c| !is_word(c) && !"\"`-/:.".contains(c));
        begins
            && (after.starts_with("::")
                || after.starts_with(';')
                || after.starts_with(" fn ")
                || after.starts_with(" move"))
    })
}

#[test]
fn borders_hold() {
    let mut crossings = Vec::new();
    for (word, allowed, looked_at) in BORDERS {
        for path in files(looked_at, ".rs") {
            let is_allowed = allowed.iter().any(|place| path == *place || path.starts_with(&format!("{place}/")));
            let text = if is_allowed { String::new() } else { read(&path) };
            let lines = text.lines().enumerate().filter(|(_, line)| uses(line, word));
            crossings.extend(lines.map(|(number, line)| format!("{path}:{}: {word}: {}", number + 1, line.trim())));
        }
    }
    assert!(crossings.is_empty(), "these may not know that:\n{}", crossings.join("\n"));
}

/// What each crate is built on by `docs/ARCHITECTURE.md`, against its `Cargo.toml`; "all of the above" is not counted up.
#[test]
fn the_table_of_crates_is_that_of_the_manifests() {
    let text = read("docs/ARCHITECTURE.md");
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `lopper-"));
    let mut checked = 0;
    for row in rows.filter(|row| !row.contains("all of the above") && !row.contains("tests/")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let (folder, told) = (cells[1].trim_matches('`'), cells[3]);
        let mut told: Vec<&str> = told.split(", ").filter(|name| !name.is_empty()).collect();
        let manifest = read(&format!("{folder}/Cargo.toml"));
        let own = manifest.split("[dev-dependencies]").next().unwrap_or_default();
        let dependencies = own.split("[dependencies]").nth(1).unwrap_or_default();
        let named = |line: &str| line.strip_prefix("lopper-")?.split(['.', ' ', '=']).next().map(str::to_owned);
        let mut found: Vec<String> = dependencies.lines().filter_map(named).collect();
        told.sort_unstable();
        found.sort();
        assert_eq!(told, found, "{folder}");
        checked += 1;
    }
    assert!(checked >= 10, "{checked}");
}

/// The codes of failures that `docs/INGEST.md` lists, against those there are.
#[test]
fn the_table_of_failure_codes_is_whole() {
    let text = read("docs/INGEST.md");
    let rows = text.lines().skip_while(|line| *line != "| code | |").skip(2).take_while(|line| line.starts_with('|'));
    let mut told: Vec<&str> =
        rows.flat_map(|row| row.split('|').nth(1).unwrap().split('`').skip(1).step_by(2)).collect();
    let mut codes = FailureCode::ALL.map(FailureCode::as_str);
    told.sort_unstable();
    codes.sort_unstable();
    assert_eq!(told, codes);
}

/// What is not escaped is written in one file, where it can be looked at.
#[test]
fn markup_is_escaped() {
    let unescaped = files(&["src"], ".rs").into_iter().filter(|path| read(path).contains("PreEscaped"));
    assert_eq!(unescaped.collect::<Vec<_>>(), ["src/markup.rs"]);
}

#[test]
fn uses_are_told_from_mentions() {
    for code in ["use tantivy::Index;", "    let x = tantivy::doc!();", "pub use tantivy;", "fn a(b: &tantivy::Term)"] {
        assert!(uses(code, "tantivy"), "{code}");
    }
    for mention in ["// use tantivy::Index;", "//! tantivy::x", "\"tantivy::x\"", "use my_tantivy::x;", "tantivy_x::y"]
    {
        assert!(!uses(mention, "tantivy"), "{mention}");
    }
    assert!(uses("    async fn get() {", "async") && uses("spawn(async move {", "async"));
}

#[test]
fn files_are_short() {
    let length = |path: &str| read(path).lines().take_while(|line| *line != "#[cfg(test)]").count();
    let is_known = |path: &str| LONG_FILES.iter().any(|(long, _)| *long == path);
    let long: Vec<String> = files(&["src", "crates", "clients/python/src", "index/src", "migrations/src"], ".rs")
        .into_iter()
        .filter(|path| length(path) > LINES_MAX)
        .collect();
    let unknown: Vec<&String> = long.iter().filter(|path| !is_known(path)).collect();
    assert!(unknown.is_empty(), "longer than {LINES_MAX} lines before their tests: {unknown:?}");
    assert!(LONG_FILES.iter().all(|(path, _)| long.iter().any(|found| found == path)), "an exception is short again");
}

/// Every Markdown file of the repository.
fn documents() -> Vec<String> {
    let entries = names_in(&repository("."));
    let at_top = entries.iter().filter(|name| is_markdown(Path::new(name))).cloned();
    let folders: Vec<&str> =
        entries.iter().map(String::as_str).filter(|name| !name.starts_with('.') && *name != "target").collect();
    let folders: Vec<&str> = folders.into_iter().filter(|name| repository(name).is_dir()).collect();
    at_top.chain(files(&folders, ".md")).collect()
}

fn is_markdown(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "md")
}

/// The targets of the links in a document, without those in code.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        in_code ^= line.trim_start().starts_with("```");
        if !in_code {
            let prose: String = line.split('`').step_by(2).collect();
            found.extend(prose.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next()).map(str::to_owned));
            found.extend(definition(line));
        }
    }
    found
}

/// The target of a line like `[name]: target`.
fn definition(line: &str) -> Option<String> {
    let (_, target) = line.strip_prefix('[')?.split_once("]: ")?;
    target.split_whitespace().next().map(str::to_owned)
}

fn leads_nowhere(document: &str, link: &str) -> bool {
    let is_outside = ["http://", "https://", "mailto:"].iter().any(|scheme| link.starts_with(scheme));
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    if is_outside {
        return false;
    }
    let folder = Path::new(document).parent().unwrap_or(Path::new(""));
    let target: PathBuf =
        if file.is_empty() { repository(document) } else { repository(&folder.join(file).to_string_lossy()) };
    !target.exists() || (is_markdown(&target) && !anchor.is_empty() && !has_heading(&target, anchor))
}

/// Whether a document has a heading with that anchor, as GitHub makes them.
fn has_heading(document: &Path, anchor: &str) -> bool {
    let slug = |heading: &str| -> String {
        let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    let text = fs::read_to_string(document).unwrap();
    text.lines().filter(|line| line.starts_with('#')).any(|line| slug(line.trim_start_matches('#')) == anchor)
}

#[test]
fn links_lead_somewhere() {
    let mut broken = Vec::new();
    for document in documents() {
        for link in links(&read(&document)) {
            if leads_nowhere(&document, &link) {
                broken.push(format!("{document}: {link}"));
            }
        }
    }
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
}

/// Characters of a line of a document; rows of tables and addresses cannot be broken.
const DOCUMENT_CHARS_MAX: usize = 120;

#[test]
fn lines_of_documents_are_short() {
    let can_break = |line: &&str| !line.starts_with('|') && !line.contains("http");
    let long = |document: &String| {
        let text = read(document);
        let lines = text.lines().enumerate().filter(|(_, line)| can_break(line));
        let long = lines.filter(|(_, line)| line.chars().count() > DOCUMENT_CHARS_MAX);
        long.map(|(number, _)| format!("{document}:{}", number + 1)).collect::<Vec<_>>()
    };
    let found: Vec<String> = documents().iter().flat_map(long).collect();
    assert!(found.is_empty(), "lines of more than {DOCUMENT_CHARS_MAX} characters: {found:?}");
}

#[test]
fn links_are_found() {
    let text = "See [a](x.md) and [b](y.md#z \"t\"), not `[c](d)`.\n```\n[e](f)\n```\n[g]: h.md\n";
    assert_eq!(links(text), ["x.md", "y.md#z", "h.md"]);
}

#[test]
fn documents_stand_alone() {
    let outside = [concat!("/wo", "rk/"), concat!("../sha", "red")];
    let strays: Vec<String> =
        documents().into_iter().filter(|document| outside.iter().any(|place| read(document).contains(place))).collect();
    assert!(strays.is_empty(), "these name places outside of the repository: {strays:?}");
}
