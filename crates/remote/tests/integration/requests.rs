//! What is sent, to the letter, in both dialects.

use lopper_engine_fake::FakeEngine;
use lopper_index::engine::{BlockEngine, BlockEngineWriter, BytesWriter};
use lopper_index::{BlockQuery, BlockSearcher, PageDocument};
use lopper_remote::{RemoteEngine, RemoteSettings};

use crate::engines::KINDS;
use crate::support::{block, page_id};

/// Numbers of batches and words that begin by chance are told apart by nothing but their places.
fn without_chance(text: &str) -> String {
    let mut words = String::new();
    let mut digits = String::new();
    for char in text.chars().chain(['\n']) {
        if char.is_ascii_digit() {
            digits.push(char);
            continue;
        }
        // Batches are the only numbers of so many digits, but for names of pages and blocks, which have letters.
        words.push_str(if (8..=15).contains(&digits.len()) { "BATCH" } else { &digits });
        digits.clear();
        words.push(char);
    }
    words
}

#[test]
fn requests_are_those_of_the_snapshots() {
    for (kind, own) in KINDS {
        let fake = FakeEngine::start(kind);
        fake.note_requests(true);
        let engine = RemoteEngine::open_or_create(RemoteSettings::new(own, fake.url(), "docs")).unwrap();
        let mut writer = engine.writer().unwrap();
        let page = PageDocument {
            page_id: page_id(1),
            title: "Mills".to_owned(),
            url: "https://example.org/1".to_owned(),
            link_key: 9,
            ..PageDocument::default()
        };
        writer.add_page(&page, &[block(1, 0, "en", "Old mills grind slowly")]).unwrap();
        writer.keep("page", "a", Some(b"kept"), None).unwrap();
        writer.commit("one").unwrap();
        engine.refresh().unwrap();
        let searcher = BlockSearcher::new(std::sync::Arc::new(engine));
        searcher.search(&BlockQuery::new("\"old mill\" site:example.org", 1)).unwrap();
        let mut requests: Vec<String> = Vec::new();
        for (method, path, body) in fake.take_requests() {
            requests.push(without_chance(&format!("{method} {path}\n{body}")));
        }
        // Those that are sent at the same time come in any order.
        requests.sort();
        requests.dedup();
        let told = requests.join("\n");
        let path = format!("{}/tests/requests/{}.txt", env!("CARGO_MANIFEST_DIR"), own.name());
        if std::env::var_os("LOPPER_UPDATE").is_some() {
            std::fs::create_dir_all(format!("{}/tests/requests", env!("CARGO_MANIFEST_DIR"))).unwrap();
            std::fs::write(&path, &told).unwrap();
        }
        let expected = std::fs::read_to_string(&path).unwrap();
        assert!(told == expected, "{path} is not what is sent (LOPPER_UPDATE=1 writes it):\n{told}");
    }
}
