//! The quality of extraction does not fall unseen: floors on a small labelled set, pinned with the set's digest.

use std::path::PathBuf;

use lopper::eval::{evaluate, read_gold};
use lopper_content::extract::Extractor;
use lopper_content::limits::Limits;

use crate::support::repository;

/// Digest of gold and pages. A change of the set is a change of what the floors say.
const DIGEST: &str = "f799dce38468e202c3fb285861910be1";

/// Word F1 over the set that each method had when it was last looked at, less 0.005. Lowering one is a decision, told in the
/// changelog.
const FLOORS: &[(&str, f64)] = &[
    ("lopper", 0.895),
    ("cst", 0.814),
    ("bte", 0.792),
    ("bte-original", 0.735),
    ("distribution", 0.808),
    ("punctuation", 0.754),
    ("link-density", 0.753),
    ("full-text", 0.730),
];

fn folder() -> PathBuf {
    repository("tests/quality")
}

#[test]
fn the_set_is_the_one_that_the_floors_are_of() {
    let gold = std::fs::read(folder().join("gold.jsonl")).unwrap();
    let mut bytes = gold.clone();
    for page in read_gold(&folder().join("gold.jsonl")).unwrap() {
        bytes.extend(std::fs::read(folder().join("html").join(format!("{}.html.gz", page.id))).unwrap());
    }
    assert_eq!(format!("{:032x}", xxhash_rust::xxh3::xxh3_128(&bytes)), DIGEST);
}

#[test]
fn no_method_falls_below_its_floor() {
    let gold = read_gold(&folder().join("gold.jsonl")).unwrap();
    let extractors: Vec<Extractor> = FLOORS.iter().map(|(name, _)| name.parse().unwrap()).collect();
    let table = evaluate(&gold, &folder().join("html"), &extractors, &Limits::default()).unwrap();
    let got: Vec<(&str, f64)> = table.rows.iter().map(|row| (row.extractor.as_str(), row.f1.mean)).collect();
    for ((name, floor), (_, f1)) in FLOORS.iter().zip(&got) {
        assert!(f1 >= floor, "{name} has {f1:.4}, its floor is {floor}; all: {got:?}");
    }
}
