//! Queries that would stop others: each is bounded by work, counted in postings, and says so where it was cut short.

use std::time::Duration;

use lopper_index::{
    BlockDocument, BlockQuery, BlockSearcher, Budget, NoLinks, Order, QUERY_PHRASE_WORDS_MAX, QueryLimits, QueryNote,
    Ranked, Ranking, RankingWeights,
};

use crate::support::{TestIndex, block};

/// Blocks of the tests' index.
const BLOCKS: u32 = 3000;

/// Words that many blocks have, each in another share of them.
const WORDS: [&str; 6] = ["the", "of", "mill", "sail", "linen", "post"];

fn index() -> TestIndex {
    let blocks: Vec<BlockDocument> = (0..BLOCKS)
        .map(|number| {
            let held = WORDS.iter().enumerate().filter(|(place, _)| number % (*place as u32 + 1) == 0);
            let words: Vec<&str> = held.map(|(_, word)| *word).collect();
            let text =
                format!("{} {}", words.join(" the "), joined((0..8).map(|at| format!("{}{at} ", letters(number)))));
            block(number, 0, "en", &text)
        })
        .collect();
    TestIndex::of(&blocks)
}

/// A word of its own for each number, with all first letters.
fn letters(number: u32) -> String {
    (0..3).map(|place| char::from(b'a' + (number / 26_u32.pow(place) % 26) as u8)).collect()
}

fn joined(texts: impl Iterator<Item = String>) -> String {
    texts.collect::<Vec<_>>().concat()
}

fn rank(searcher: &BlockSearcher, query: &BlockQuery, budget: &Budget) -> Ranked {
    searcher.rank(query, &NoLinks, &RankingWeights::default(), budget).unwrap()
}

/// Queries, each with the postings that it may read for a block of the collection.
fn hostile() -> Vec<(&'static str, u64, BlockQuery)> {
    let query = |text: String| BlockQuery { apart: true, ..BlockQuery::new(&text, 10) };
    let phrase = |words: usize| format!("\"{}\"", "the ".repeat(words));
    let sloppy = joined((0..63).map(|at| format!("\"the {} the\"~50 ", WORDS[at % WORDS.len()])));
    let excluded = joined((0..60).map(|at| format!("-\"of the {} the\"~{} ", WORDS[at % WORDS.len()], at % 50)));
    let prefixes = joined(('a'..='z').map(|letter| format!("{letter}* ")));
    let required = joined(WORDS.iter().cycle().take(1000).map(|word| format!("+{word} ")));
    let many = joined((0..1400).map(|number| format!("{}0 ", letters(number))));
    vec![
        ("a phrase of one word 1,990 times", 30, query(phrase(1990))),
        ("63 phrases with slop", 100, query(sloppy)),
        ("60 exclusions of phrases", 700, query(format!("the {excluded}"))),
        ("all prefixes", 250, query(prefixes.clone())),
        ("all prefixes, the newest first", 250, BlockQuery { order: Order::Date, ..query(prefixes) }),
        ("1,000 required words", 20, query(required)),
        ("1,400 words", 1, BlockQuery { ranking: Ranking::Bm25, ..query(many) }),
    ]
}

/// Each reads at most so many postings for a block of the collection.
#[test]
fn work_is_bounded_by_the_collection() {
    let index = index();
    let searcher = index.searcher();
    for (name, work_a_block, query) in hostile() {
        let budget = Budget::unlimited();
        let ranked = rank(&searcher, &query, &budget);
        assert!(!ranked.is_cut_short, "{name}");
        let work = budget.work();
        assert!(work > 0 && work <= work_a_block * u64::from(BLOCKS), "{name}: {work}");
    }
}

/// What a query may still do when its budget is spent: the steps between two looks at it, and counting words in the candidates.
#[test]
fn a_spent_budget_ends_the_query() {
    const LIMIT: u64 = 20_000;
    const SLACK: u64 = 40_000;
    let index = index();
    let searcher = index.searcher();
    for (name, _, query) in hostile() {
        let whole = Budget::unlimited();
        rank(&searcher, &query, &whole);
        let budget = Budget::new(QueryLimits { duration_max: None, work_max: LIMIT });
        let ranked = rank(&searcher, &query, &budget);
        assert_eq!(ranked.is_cut_short, whole.work() > LIMIT, "{name}: {}", whole.work());
        assert!(!ranked.is_cut_short || !ranked.total_is_exact, "{name}");
        assert!(budget.work() <= LIMIT + SLACK, "{name}: {}", budget.work());
    }
}

/// What a query that was cut short has found is right as far as it goes: nothing that is excluded, nothing that does not match.
#[test]
fn what_is_found_before_the_end_is_right() {
    let index = index();
    let searcher = index.searcher();
    let mut partial = 0;
    for text in ["+the -mill", "\"mill the sail\"", "+sail -\"the linen\"", "the of", "+post lang:en"] {
        for order in [Order::Relevance, Order::Date] {
            let query = BlockQuery { order, ..BlockQuery::new(text, 5000) };
            let all = rank(&searcher, &query, &Budget::unlimited());
            let matching: Vec<u64> = all.found.iter().map(|found| found.handle.number()).collect();
            let steps = (1..60).map(|step| step * 1024);
            for work_max in [0, 1].into_iter().chain(steps) {
                let budget = Budget::new(QueryLimits { duration_max: None, work_max });
                let some = rank(&searcher, &query, &budget);
                assert!(some.found.iter().all(|found| matching.contains(&found.handle.number())), "{text} {work_max}");
                assert!(some.total <= all.total || !all.total_is_exact, "{text} {work_max}");
                partial +=
                    usize::from(some.is_cut_short && !some.found.is_empty() && some.found.len() < matching.len());
            }
        }
    }
    assert!(partial > 5, "{partial}");
}

#[test]
fn a_late_or_cancelled_query_ends_at_once() {
    let index = index();
    let query = &hostile()[1].2;
    let late = Budget::new(QueryLimits { duration_max: Some(Duration::ZERO), ..QueryLimits::default() });
    let cancelled = Budget::unlimited();
    cancelled.cancel();
    for budget in [late, cancelled] {
        let ranked = rank(&index.searcher(), query, &budget);
        assert!(ranked.is_cut_short && budget.work() < 40_000, "{}", budget.work());
    }
}

#[test]
fn long_phrases_are_cut_and_say_so() {
    let words: Vec<String> = (0..QUERY_PHRASE_WORDS_MAX + 3).map(|word| format!("w{}", letters(word as u32))).collect();
    let test = TestIndex::of(&[block(1, 0, "en", &words.join(" ")), block(2, 0, "en", &words[..20].join(" "))]);
    let found = test.searcher().search(&BlockQuery::new(format!("\"{}\"", words.join(" ")), 5)).unwrap();
    assert_eq!((found.total, &found.notes[..]), (1, &[QueryNote::PhraseCut { position_bytes: 1, left_out: 3 }][..]));
    let found = test.searcher().search(&BlockQuery::new(format!("\"{}\"", words[..50].join(" ")), 5)).unwrap();
    assert_eq!((found.total, &found.notes[..]), (1, &[][..]));
}
