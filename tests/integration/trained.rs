//! The models are those that their training makes of today's features.
//!
//! A training takes an hour and pages that are not in the repository, so this asks for less: the features of the shipped pages are those
//! that the models were trained on. Where they differ, train again (`tools/train/README.md`), then run this with `LOPPER_TRAINED=1`.
//! It is a variable of its own, so that what writes the other expectations does not hide a change of features.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Read;

use flate2::read::MultiGzDecoder;
use lopper::eval::read_gold;
use lopper_content::extract::PageView;
use lopper_content::extract::features;
use lopper_content::limits::Limits;
use lopper_content::metadata::Metadata;
use lopper_content::page_type::{Description, TypedPage};
use lopper_content::{cst, dom};
use xxhash_rust::xxh3::xxh3_64;

use crate::support::repository;

/// A line a page: its id, and what the content's and the page type's models see of it.
const FILE: &str = "tests/quality/features.txt";

/// Digits of a feature that count: the last bits may differ by the machine's logarithms.
fn digest(values: impl Iterator<Item = f32>) -> u64 {
    let mut digits = String::new();
    for value in values {
        let _ = write!(digits, "{value:.3} ");
    }
    xxh3_64(digits.as_bytes())
}

fn line(id: &str, url: &str, html: &str) -> String {
    let limits = Limits::default();
    let dom = dom::parse(html, &limits);
    let tree = cst::build(&dom, cst::Profile::Modern, &limits);
    let features = features::compute(&PageView::new(&dom, &tree, url));
    let content = digest(features.values.iter().flat_map(|row| row[..features.width].iter().copied()));
    let metadata = Metadata::read(&dom);
    let described = Description::of(&TypedPage { url, metadata: &metadata, dom: &dom, tree: &tree });
    let words: Vec<u8> = described.words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let page_type = digest(described.numbers.iter().copied()) ^ xxh3_64(&words);
    format!("{id} {} units {content:016x} page type {page_type:016x}\n", features.runs.len())
}

#[test]
fn features_are_those_of_the_training() {
    let folder = repository("tests/quality");
    let mut found = String::new();
    for page in read_gold(&folder.join("gold.jsonl")).unwrap() {
        let mut html = String::new();
        let file = File::open(folder.join("html").join(format!("{}.html.gz", page.id))).unwrap();
        MultiGzDecoder::new(file).read_to_string(&mut html).unwrap();
        found.push_str(&line(&page.id, &page.url, &html));
    }
    if std::env::var_os("LOPPER_TRAINED").is_some() {
        std::fs::write(repository(FILE), &found).unwrap();
    }
    let trained = std::fs::read_to_string(repository(FILE)).unwrap();
    assert!(
        found == trained,
        "features of shipped pages are not those that the models were trained on: train the models again \
         (tools/train/README.md), then run this with LOPPER_TRAINED=1 to write {FILE}\n--- trained\n{trained}--- now\n{found}"
    );
}
