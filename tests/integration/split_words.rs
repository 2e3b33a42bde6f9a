//! Words of a query that are written apart or together otherwise than in the collection.

use serde_json::json;

use crate::support::{folder, run};

#[test]
fn words_are_joined_and_parted_as_the_collection_has_them() {
    let page = |name: &str, text: &str| format!("<html lang=en><title>{name}</title><h1>{name}</h1><p>{text}");
    let heat = page("Heat", "A thermostat saves heat in every room, so that nobody has to turn the valve.");
    let rules = page("Rules", "The borrow checker compares scopes, and the miller looks for a smart borrow of flour.");
    let files = [("heat.html", heat.as_bytes()), ("rules.html", rules.as_bytes())];
    let folder = folder(&files);
    run(folder.path(), ["ingest", "--data", "data", "."]).success();
    let answer = |query: &str| run(folder.path(), ["search", "--data", "data", "--format", "json", "--", query]).json();
    let told = |query: &str| answer(query)["notes"][0]["correction"].clone();
    let correction = |given: &str, suggested: &str| json!({"position_bytes": 0, "given": given, "suggested": suggested, "applied": true});
    assert_eq!(told("thermo stat"), correction("thermo stat", "thermostat"));
    assert_eq!(answer("thermo stat")["pages"][0]["title"], "Heat");
    assert_eq!(told("BorrowChecker"), correction("BorrowChecker", "Borrow Checker"));
    assert_eq!(answer("BorrowChecker")["pages"][0]["title"], "Rules");
    for query in ["borrow checker", "smart borrow", "every room", "thermo Stat"] {
        let notes = answer(query)["notes"].to_string();
        assert!(!notes.contains("\"given\":\"thermo stat\"") && !notes.contains("borrow"), "{query}: {notes}");
    }
}
