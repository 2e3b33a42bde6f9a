//! Options of commands in queries: a hyphen that belongs to the word.

use crate::support::{folder, run};

#[test]
fn options_of_commands_are_found_and_told_from_exclusions() {
    let page = |name: &str, text: &str| format!("<html lang=en><title>{name}</title><h1>{name}</h1><p>{text}");
    let find =
        page("find", "With -mtime the time of a change counts, with -name the name of a file, whatever its name is.");
    let grep = page("grep", "With -v the lines that do not match are shown, the matches are left out.");
    let version = page("version", "With -V the version of grep is shown, and nothing else is done by it.");
    let others: Vec<String> = (0..12)
        .map(|number| page(&format!("names {number}"), "The name of a mill is the name of its river."))
        .collect();
    let named: Vec<String> = (0..12).map(|number| format!("n{number}.html")).collect();
    let mut files =
        vec![("find.html", find.as_bytes()), ("grep.html", grep.as_bytes()), ("version.html", version.as_bytes())];
    files.extend(named.iter().map(String::as_str).zip(others.iter().map(String::as_bytes)));
    let folder = folder(&files);
    run(folder.path(), ["ingest", "--data", "data", "."]).success();
    let answer = |query: &str| run(folder.path(), ["search", "--data", "data", "--format", "json", "--", query]).json();
    let first = |query: &str| answer(query)["pages"][0]["title"].as_str().unwrap_or("").to_owned();
    assert_eq!((first("shown -v"), first("shown -V")), ("grep".to_owned(), "version".to_owned()));
    assert_eq!((first("find -mtime"), first("-mtime")), ("find".to_owned(), "find".to_owned()));
    assert_eq!(answer("find -mtime")["notes"], serde_json::json!([]));
    let excluded = answer("mill -name");
    assert_eq!(excluded["notes"], serde_json::json!([{"excluded": {"position_bytes": 6, "word": "name"}}]));
    assert_eq!(excluded["pages"].as_array().map(Vec::len), Some(0), "all pages of mills have the word");
    let beside = serde_json::json!([{"option": {"position_bytes": 6, "word": "name"}}]);
    assert_eq!((first("file -name"), &answer("file -name")["notes"]), ("find".to_owned(), &beside));
    assert_eq!(first("\"-name\" file"), "find");
    assert_eq!(answer("shown -grep")["notes"], serde_json::json!([]), "no block has that as an option");
}
