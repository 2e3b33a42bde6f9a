//! What every engine must do: one suite, for all that [`engines`](crate::engines) of the test binary gives. The first is what the others are held
//! against; what an engine says that it cannot do is not asked of it.

use std::collections::BTreeMap;

use lopper_index::engine::{TermPattern, TermScope};
use lopper_index::{
    Basis, BlockDocument, BlockQuery, BlockSearcher, Budget, Feature, FocusReason, NoLinks, Order, PageDocument,
    Pointer, QueryNote, Ranked, Ranking, RankingWeights, TextField,
};
use proptest::prelude::*;

use crate::engines::{Tested, all};
use crate::naive::agreement::agreement;
use crate::support::{block, page_id};

/// All engines with the same pages, committed.
fn all_with(pages: &[(PageDocument, Vec<BlockDocument>)]) -> Vec<(Tested, BlockSearcher)> {
    let with = |mut tested: Tested| {
        tested.add(pages);
        let searcher = tested.commit("test");
        (tested, searcher)
    };
    all().into_iter().map(with).collect()
}

fn page(number: u32, title: &str, bodies: &[&str]) -> (PageDocument, Vec<BlockDocument>) {
    let blocks = bodies.iter().enumerate().map(|(ordinal, body)| BlockDocument {
        title: title.to_owned(),
        heading_path: vec![title.to_owned(), format!("Part {ordinal}")],
        names: vec![format!("part-{ordinal}")],
        captured_at: Some(1_199_145_600 + i64::from(number) * 86_400 * 200),
        page_type: if number.is_multiple_of(2) { "forum" } else { "article" }.to_owned(),
        norm: (body.split(' ').count() as f32).sqrt(),
        ..block(number, ordinal as u32, "en", body)
    });
    let blocks: Vec<BlockDocument> = blocks.collect();
    let url = blocks[0].url.clone();
    let document = PageDocument {
        page_id: page_id(number),
        title: title.to_owned(),
        description: format!("All about {title}"),
        url,
        language: "en".into(),
        link_key: 1000 + u64::from(number),
    };
    (document, blocks)
}

fn mills() -> Vec<(PageDocument, Vec<BlockDocument>)> {
    let mut pages = vec![
        page(1, "Windmills", &["A windmill grinds grain with linen sails.", "The miller turns the cap into the wind."]),
        page(2, "Watermills", &["A water-mill grinds grain with a wheel.", "Grain and flour, flour and grain."]),
        page(3, "Baking", &["Flour is baked into bread.", "Rye bread is dark, and bread of wheat is light."]),
        page(4, "Sails", &["Linen sails are cut by hand.\nThey turn in the wind.", "The café of the miller's wife."]),
    ];
    // The first block of baking links to the mills, and the mills' second block has a name of its own.
    pages[2].1[0].pointers = vec![
        Pointer { key: 1001, text: "windmill".to_owned() },
        Pointer { key: 77, text: "where flour comes from".to_owned() },
    ];
    pages[1].1[1].link_keys = vec![77];
    pages
}

fn names(searcher: &BlockSearcher, query: &str) -> Vec<String> {
    let ranked = searcher.search(&BlockQuery::new(query, 100)).unwrap();
    ranked.blocks.into_iter().map(|block| block.document.block_id).collect()
}

#[test]
fn an_empty_engine_finds_nothing() {
    for (tested, searcher) in all_with(&[]) {
        for query in ["mill", "\"a mill\"", "-mill", "site:example.org", "mil*", ""] {
            let ranked = searcher.search(&BlockQuery::new(query, 10)).unwrap();
            assert_eq!((ranked.total, ranked.blocks.len()), (0, 0), "{} {query}", tested.name);
        }
        assert_eq!((searcher.count(), searcher.languages().unwrap().len()), (0, 0));
    }
}

#[test]
fn what_is_committed_is_seen_with_its_checkpoint_and_nothing_else() {
    for mut tested in all() {
        let name = tested.name;
        let before = tested.commit("one");
        tested.add(&mills());
        assert_eq!((names(&before, "flour").len(), tested.searcher().count()), (0, 0), "{name}");
        assert_eq!(tested.writer.checkpoint().unwrap().as_deref(), Some("one"), "{name}");
        let after = tested.commit("two");
        assert_eq!(tested.writer.checkpoint().unwrap().as_deref(), Some("two"), "{name}");
        assert_eq!((after.count(), names(&after, "flour").len()), (8, 2), "{name}");
    }
}

#[test]
fn a_snapshot_stays_as_it_is() {
    for (mut tested, searcher) in all_with(&mills()) {
        let ranked = searcher
            .rank(&BlockQuery::new("flour", 10), &NoLinks, &RankingWeights::default(), &Budget::unlimited())
            .unwrap();
        let snapshot = tested.engine.snapshot().unwrap();
        tested.writer.delete_page(&page_id(2)).unwrap();
        tested.writer.delete_page(&page_id(3)).unwrap();
        let searcher = tested.commit("less");
        assert_eq!(names(&searcher, "flour"), [""; 0], "{}", tested.name);
        assert_eq!((snapshot.blocks().unwrap(), tested.engine.snapshot().unwrap().blocks().unwrap()), (8, 4));
        let fetched = ranked.found.iter().map(|found| ranked.fetch(found).unwrap().body);
        assert!(fetched.into_iter().all(|body| body.to_lowercase().contains("flour")), "{}", tested.name);
        assert_eq!(ranked.facets().unwrap().host.values[0].blocks, 2);
    }
}

#[test]
fn a_page_is_replaced_by_deleting_and_adding_it() {
    for (mut tested, _) in all_with(&mills()) {
        tested.writer.delete_page(&page_id(3)).unwrap();
        tested.add(&[page(3, "Baking", &["Cakes alone."])]);
        let searcher = tested.commit("replaced");
        assert_eq!(names(&searcher, "bread"), [""; 0], "{}", tested.name);
        assert_eq!(names(&searcher, "cakes"), [format!("{}:0", page_id(3))], "{}", tested.name);
        assert_eq!(searcher.documents_by_page().unwrap()[&page_id(3)], 2, "{}", tested.name);
    }
}

#[test]
fn blocks_come_back_as_they_were() {
    let pages = mills();
    for (tested, searcher) in all_with(&pages) {
        let snapshot = tested.engine.snapshot().unwrap();
        for (page, blocks) in &pages {
            let without_pointers = blocks.iter().map(|block| BlockDocument { pointers: Vec::new(), ..block.clone() });
            let expected: Vec<BlockDocument> = without_pointers.collect();
            assert_eq!(searcher.blocks_of_page(&page.page_id).unwrap(), expected, "{}", tested.name);
            let handle = snapshot.find(&expected[0].block_id).unwrap().unwrap();
            assert_eq!(snapshot.fetch(handle).unwrap(), expected[0]);
            let beside = |block, distance| {
                let found = snapshot.beside(block, distance).unwrap().filter(|found| found.page_id == page.page_id);
                found.map(|found| found.block_id)
            };
            let second = snapshot.find(&expected[1].block_id).unwrap().unwrap();
            assert_eq!(beside(handle, 1).as_ref(), Some(&expected[1].block_id), "{}", tested.name);
            assert_eq!(beside(second, -1).as_ref(), Some(&expected[0].block_id), "{}", tested.name);
            for (block, distance) in [(handle, 2), (handle, -1), (second, -2), (second, i32::MIN), (second, i32::MAX)] {
                assert_eq!(beside(block, distance), None, "{}", tested.name);
            }
        }
        assert_eq!(snapshot.find("nowhere").unwrap(), None);
        let documents: BTreeMap<String, u64> = (1..=4).map(|number| (page_id(number), 3)).collect();
        assert_eq!(searcher.documents_by_page().unwrap(), documents);
    }
}

#[test]
fn facts_frequencies_and_terms_are_those_of_the_blocks() {
    let engines = all_with(&mills());
    let (first, others) = engines.split_first().unwrap();
    for other in others {
        facts_are_alike(&first.0, &other.0);
    }
}

fn facts_are_alike(first: &Tested, other: &Tested) {
    let (a, b) = (first.engine.snapshot().unwrap(), other.engine.snapshot().unwrap());
    assert_eq!(a.facts(), b.facts(), "{}", other.name);
    let exact = ["flour".to_owned(), "nothing".to_owned()];
    for field in [TextField::All, TextField::Title, TextField::Headings, TextField::Url] {
        let all = |snapshot: &dyn lopper_index::engine::BlockSnapshot, pattern| {
            snapshot.terms(field, pattern, TermScope::Whole, &mut 1000).unwrap()
        };
        for pattern in [
            TermPattern::Prefix(""),
            TermPattern::Prefix("wa"),
            TermPattern::Near { term: "bred", distance: 1 },
            TermPattern::Near { term: "sial", distance: 2 },
            TermPattern::AnyOf(&exact),
        ] {
            if other.engine.capabilities().has_term_patterns {
                assert_eq!(all(&*a, pattern), all(&*b, pattern), "{field:?} {pattern:?}");
            }
        }
        for (term, blocks) in all(&*a, TermPattern::Prefix("")) {
            assert_eq!(a.document_frequency(field, &term).unwrap(), blocks, "{field:?} {term}");
            assert_eq!(b.document_frequency(field, &term).unwrap(), blocks, "{field:?} {term}");
        }
    }
}

/// Queries of all kinds, in all rankings and orders.
const QUERIES: [&str; 36] = [
    "mill",
    "grain flour",
    "the miller's wind",
    "water-mill",
    "watermill",
    "cafe",
    "linen sails turn",
    "bread of rye",
    "nothing like this",
    "brad",
    "flower",
    "wndmill",
    "mil*",
    "win* sail*",
    "\"grinds grain\"",
    "\"grain grinds\"~2",
    "\"flour grain\"~3",
    "\"flour and flour\"",
    "+flour -bread",
    "flour AND grain",
    "flour OR sails",
    "NOT flour",
    "(bread OR grain) AND NOT dark",
    "title:windmills",
    "title:\"watermills\" grain",
    "heading:part flour",
    "heading:(sails OR baking)",
    "inurl:example",
    "inurl:2 grain",
    "site:example.org flour",
    "site:example.org/3",
    "site:other.net flour",
    "lang:en linen",
    "lang:de linen",
    "date:2008 grain",
    "type:forum -grain",
];

/// Those of them that are mended, or looked up by their beginnings.
const PATTERNS: [&str; 5] = ["brad", "flower", "wndmill", "mil*", "win* sail*"];

#[test]
fn engines_answer_alike() {
    let engines = all_with(&mills());
    for text in QUERIES {
        for ranking in [Ranking::Blend, Ranking::Bm25, Ranking::Cosine] {
            for order in [Order::Relevance, Order::Date] {
                check_alike(&engines, &BlockQuery { ranking, order, ..BlockQuery::new(text, 20) });
            }
        }
    }
}

/// Where a collection has two languages, words weigh by the query's and blocks in it come first.
#[test]
fn engines_tell_the_language_of_a_query_alike() {
    let of_language = |number: u32, code: &str, body: &str| {
        let (mut document, mut blocks) = page(number, "Mills", &[body]);
        document.language = code.into();
        for block in &mut blocks {
            block.language = code.into();
        }
        (document, blocks)
    };
    let english = (0..60).map(|number| of_language(number, "en", "The miller of the mill grinds grain and flour"));
    let italian = (60..120).map(|number| of_language(number, "it", "il mugnaio di questo mulino come macina il grano"));
    let names = [of_language(120, "it", "come di linosa"), of_language(121, "en", "linosa of the come di il")];
    let engines = all_with(&english.chain(italian).chain(names).collect::<Vec<_>>());
    for text in ["come macina il linosa", "the linosa of the mill", "linosa", "mulini", "il come di questo"] {
        check_alike(&engines, &BlockQuery::new(text, 20));
    }
    let first = |text: &str| ranked(&engines[0].1, &BlockQuery::new(text, 20)).found[0].page_order;
    assert_ne!(first("come di linosa"), first("linosa of the"));
}

/// An acronym counts in the fields of words alone and in links' texts as a word does, in all engines.
#[test]
fn engines_count_acronyms_alike() {
    let of = |number: u32, name: &str| {
        let (mut document, mut blocks) =
            page(number, &format!("{name} handbook"), &["The maker of one MILL and one UPS."]);
        document.description = format!("About any {name}");
        blocks[0].names = vec![name.to_owned()];
        blocks[0].heading_path.push(format!("Of the {name}"));
        blocks[0].lead = format!("What an {name} is");
        blocks[0].link_keys = vec![u64::from(number)];
        (document, blocks)
    };
    let mut pages =
        vec![of(1, "UPS"), of(2, "MILL"), page(3, "Start", &["A UPS of a maker, a MILL of a maker; set it up."])];
    let pointer = |key, text: &str| Pointer { key, text: text.to_owned() };
    pages[2].1[0].pointers = vec![pointer(1, "the UPS"), pointer(2, "the MILL")];
    let engines = all_with(&pages);
    for text in ["UPS maker", "MILL maker", "\"UPS\"", "+UPS handbook", "ups maker", "title:UPS", "set -UPS"] {
        for ranking in [Ranking::Blend, Ranking::Bm25] {
            check_alike(&engines, &BlockQuery { ranking, ..BlockQuery::new(text, 20) });
        }
    }
    for (tested, searcher) in &engines {
        // The features of the block on the page that is named so, and of the one on the other page.
        let values = |text: &str, named: u32| {
            let found = searcher.search(&BlockQuery::new(text, 20)).unwrap().blocks;
            [named, 3 - named].map(|number| {
                let block = found.iter().find(|block| block.document.page_id == page_id(number));
                let features = block.unwrap().features.unwrap();
                [Feature::PageName, Feature::Description, Feature::Title, Feature::Names, Feature::Anchors]
                    .map(|feature| features.of(feature))
            })
        };
        let [named, other] = values("UPS maker", 1);
        let is_more = named.iter().zip(&other).map(|(named, other)| named > other);
        assert_eq!(is_more.collect::<Vec<_>>(), [true; 5], "{}: {named:?} {other:?}", tested.name);
        let [word, _] = values("MILL maker", 2);
        let is_alike = |(a, b): (&f32, &f32)| (a - b).abs() < 0.1 * b.max(1.0);
        assert!(named.iter().zip(&word).all(is_alike), "{}: {named:?} {word:?}", tested.name);
    }
}

/// Holds the answers of all engines against that of the first.
fn check_alike(engines: &[(Tested, BlockSearcher)], query: &BlockQuery) {
    let (first, others) = engines.split_first().unwrap();
    for (tested, other) in others {
        let can = tested.engine.capabilities();
        if !can.has_term_patterns && PATTERNS.contains(&query.text.as_str()) {
            continue;
        }
        if can.has_global_frequencies {
            check_same(&first.1, other, query);
        } else {
            check_features(tested.name, &first.1, other, query);
        }
    }
}

fn ranked(searcher: &BlockSearcher, query: &BlockQuery) -> Ranked {
    searcher.rank(query, &NoLinks, &RankingWeights::default(), &Budget::unlimited()).unwrap()
}

/// What is ranked by features is the same; the engine's own scores are its own.
fn check_features(name: &str, a: &BlockSearcher, b: &BlockSearcher, query: &BlockQuery) {
    let (of_a, of_b) = (ranked(a, query), ranked(b, query));
    assert_eq!((of_a.total, of_a.head), (of_b.total, of_b.head), "{name} {query:?}");
    assert_eq!((&of_a.query, &of_a.words), (&of_b.query, &of_b.words), "{name} {query:?}");
    let names = |ranked: &Ranked| -> Vec<String> {
        let mut names: Vec<String> = ranked.found.iter().map(|found| ranked.fetch(found).unwrap().block_id).collect();
        names.sort();
        names
    };
    assert_eq!(names(&of_a), names(&of_b), "{name} {query:?}");
    if of_a.total > 0 {
        assert_eq!(of_a.facets().unwrap(), of_b.facets().unwrap(), "{name} {query:?}");
    }
    let by_features = |ranked: &Ranked| -> Vec<(String, f32)> {
        let found = ranked.found.iter().filter(|found| matches!(found.basis, Basis::Features(_)));
        found.map(|found| (ranked.fetch(found).unwrap().block_id, found.score)).collect()
    };
    let (by_a, by_b) = (by_features(&of_a), by_features(&of_b));
    assert_eq!(by_a.len(), by_b.len(), "{name} {query:?}");
    for (a, b) in by_a.iter().zip(&by_b) {
        assert!(a.0 == b.0 && (a.1 - b.1).abs() <= 1e-4 * a.1.abs().max(1.0), "{name} {query:?}: {a:?} {b:?}");
    }
}

/// The same blocks with the same scores.
fn check_same(a: &BlockSearcher, b: &BlockSearcher, query: &BlockQuery) {
    let (of_a, of_b) = (ranked(a, query), ranked(b, query));
    let told = |ranked: &Ranked| (ranked.total, ranked.total_is_exact, ranked.head, ranked.failed_parts);
    assert_eq!(told(&of_a), told(&of_b), "{query:?}");
    assert_eq!(of_a.query, of_b.query, "{query:?}");
    assert_eq!(of_a.notes, of_b.notes, "{query:?}");
    assert_eq!(of_a.words, of_b.words, "{query:?}");
    if of_a.total > 0 {
        assert_eq!(of_a.facets().unwrap(), of_b.facets().unwrap(), "{query:?}");
    }
    assert!(agreement(a, b, query, &NoLinks).is_of_scores_too(), "{query:?}");
    let (features_a, features_b) = (features(&of_a), features(&of_b));
    assert_eq!(features_a.keys().collect::<Vec<_>>(), features_b.keys().collect::<Vec<_>>(), "{query:?}");
    for (name, parts) in features_a {
        for (a, b) in parts.iter().zip(&features_b[&name]) {
            assert!(a.0 == b.0 && (a.1 - b.1).abs() <= 1e-5 * a.1.abs().max(1.0), "{query:?} {name}: {a:?} {b:?}");
        }
    }
    let (mut in_a, mut in_b) = (Vec::new(), Vec::new());
    for found in &of_a.found {
        let same =
            of_b.found.iter().find(|other| other.page_order == found.page_order && other.ordinal == found.ordinal);
        let same = same.unwrap();
        assert_eq!(same.page_key, found.page_key);
        in_a.push(found.handle);
        in_b.push(same.handle);
    }
    assert_eq!(of_a.field_counts(&in_a).unwrap(), of_b.field_counts(&in_b).unwrap(), "{query:?}");
}

/// What every block's score is made of, by block.
fn features(ranked: &Ranked) -> BTreeMap<String, Vec<(&'static str, f32)>> {
    let parts = |found| ranked.parts(found).into_iter().map(|part| (part.name, part.value)).collect();
    ranked.found.iter().map(|found| (ranked.fetch(found).unwrap().block_id, parts(found))).collect()
}

#[test]
fn links_lead_to_what_shares_no_word() {
    let pages = mills();
    for (tested, searcher) in all_with(&pages) {
        let ranked = searcher.search(&BlockQuery::new("baked", 10)).unwrap();
        let first = &ranked.blocks[0];
        assert_eq!(first.document.block_id, format!("{}:0", page_id(3)), "{}", tested.name);
        let snapshot = tested.engine.snapshot().unwrap();
        let prepared = snapshot.prepare(&lopper_index::ResolvedQuery::default(), &Budget::unlimited()).unwrap();
        let handle = snapshot.find(&first.document.block_id).unwrap().unwrap();
        let keys: Vec<u64> = prepared.pointers(&[handle]).unwrap()[0].iter().map(|(key, _)| *key).collect();
        assert_eq!(keys, [1001, 77], "{}", tested.name);
        let targets = prepared.linked(&[], &keys, &std::collections::HashSet::new()).unwrap();
        let handles = targets.parts.iter().flat_map(|part| &part.candidates).map(|candidate| candidate.handle);
        let mut found: Vec<String> = handles.map(|handle| snapshot.fetch(handle).unwrap().block_id).collect();
        found.sort();
        assert_eq!(found, [format!("{}:0", page_id(1)), format!("{}:1", page_id(2))], "{}", tested.name);
    }
}

#[test]
fn pages_are_told_block_by_block_and_focused_alike() {
    let kept = all_with(&mills()).into_iter().map(|(tested, searcher)| {
        let query = BlockQuery::new("linen grain", 10);
        let ranked = searcher.rank(&query, &NoLinks, &RankingWeights::default(), &Budget::unlimited()).unwrap();
        let blocks: Vec<_> = ranked.found.iter().map(|found| found.handle).collect();
        let snapshot = tested.engine.snapshot().unwrap();
        let prepared = snapshot.prepare(&ranked.query, &Budget::unlimited()).unwrap();
        for (blocks_max, expected) in [(100, 6), (1, 3)] {
            let told = prepared.of_pages(&[], &blocks, blocks_max).unwrap();
            assert_eq!(told.parts.iter().map(|part| part.candidates.len()).sum::<usize>(), expected, "{}", tested.name);
        }
        let pages = ranked.focus(&NoLinks, &blocks).unwrap();
        let names = pages.iter().map(|page| {
            let name = |block: &lopper_index::KeptBlock| ranked.fetch_block(block.handle).unwrap().block_id;
            (page.kept.iter().map(|block| (name(block), block.reason)).collect::<Vec<_>>(), page.dropped_blocks)
        });
        names.collect::<Vec<_>>()
    });
    let kept: Vec<_> = kept.collect();
    let of = |page: u32, reasons: &[FocusReason], dropped: usize| {
        let blocks = reasons.iter().zip(0..).map(|(reason, place)| (format!("{}:{place}", page_id(page)), *reason));
        (blocks.collect::<Vec<_>>(), dropped)
    };
    let (answers, beside) = (FocusReason::Answers, FocusReason::Beside);
    let both = of(2, &[answers; 2], 0);
    assert_eq!(kept[0], [of(1, &[answers], 1), both.clone(), both, of(4, &[answers, beside], 0)]);
    assert!(kept.iter().all(|other| *other == kept[0]), "{kept:?}");
}

#[test]
fn a_block_can_be_left_out() {
    for (tested, searcher) in all_with(&mills()) {
        let without = Some(format!("{}:1", page_id(2)));
        let query = BlockQuery { without: without.clone(), ..BlockQuery::new("flour", 10) };
        let ranked = searcher.search(&query).unwrap();
        assert_eq!(ranked.total, 1, "{}", tested.name);
        assert!(ranked.blocks.iter().all(|block| Some(&block.document.block_id) != without.as_ref()));
    }
}

#[test]
fn a_wrong_word_is_mended_alike() {
    for (tested, searcher) in all_with(&mills()) {
        if !tested.engine.capabilities().has_term_patterns {
            continue;
        }
        let answer = searcher.search(&BlockQuery::new("granin", 10)).unwrap();
        let is_mended = |note: &QueryNote| matches!(note, QueryNote::Correction(mended) if mended.suggested == "grain");
        assert!(answer.notes.iter().any(is_mended), "{:?}", answer.notes);
    }
}

#[test]
fn words_are_alike() {
    let all = all_with(&mills());
    let engines: Vec<_> = all.iter().filter(|(tested, _)| tested.engine.capabilities().has_term_patterns).collect();
    let other = ["grain".to_owned(), "grian".to_owned(), "mills".to_owned()];
    for pattern in [
        TermPattern::Prefix("m"),
        TermPattern::Prefix(""),
        TermPattern::Near { term: "grian", distance: 1 },
        TermPattern::Near { term: "floor", distance: 2 },
        TermPattern::AnyOf(&other),
    ] {
        let words = |tested: &Tested| {
            let snapshot = tested.engine.snapshot().unwrap();
            snapshot.words(pattern, TermScope::Whole, &mut { usize::MAX }).unwrap().unwrap()
        };
        let expected = words(&engines[0].0);
        assert!(!expected.is_empty(), "{pattern:?}");
        assert!(engines.iter().all(|(tested, _)| words(tested) == expected), "{pattern:?}: {expected:?}");
        for (word, pages) in &expected {
            let found = |tested: &Tested| tested.engine.snapshot().unwrap().pages_with(word).unwrap();
            assert!(engines.iter().all(|(tested, _)| found(tested) == Some(*pages)), "{word}");
        }
    }
    let nowhere = |tested: &Tested| tested.engine.snapshot().unwrap().pages_with("nowhere").unwrap();
    assert!(engines.iter().all(|(tested, _)| nowhere(tested) == Some(0)));
}

#[test]
fn a_word_that_is_two_is_parted_alike() {
    for (tested, searcher) in all_with(&mills()) {
        let answer = searcher.search(&BlockQuery::new("linensails", 10)).unwrap();
        let is_parted = |note: &QueryNote| matches!(note, QueryNote::Correction(parted) if parted.suggested == "linen sails" && parted.applied);
        assert!(answer.notes.iter().any(is_parted), "{}: {:?}", tested.name, answer.notes);
    }
}

/// Pages of few words, so that phrases, ties and repeated words happen.
fn pages() -> impl Strategy<Value = Vec<(PageDocument, Vec<BlockDocument>)>> {
    let body = prop::collection::vec(
        prop::sample::select(vec!["mill", "mills", "sail", "corn", "the", "of", "UPS", "up"]),
        1..12,
    );
    let page_of = prop::collection::vec(body.prop_map(|words| words.join(" ")), 1..4);
    prop::collection::vec(page_of, 1..6).prop_map(|pages| {
        let numbered = (1..).zip(pages);
        let document = |(number, bodies): (u32, Vec<String>)| {
            let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
            page(number, if number % 2 == 0 { "Mills UPS" } else { "Corn" }, &bodies)
        };
        numbered.map(document).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn engines_answer_alike_on_any_pages(pages in pages()) {
        let engines = all_with(&pages);
        for text in ["mill", "the mill sail", "\"corn of\"", "\"mill sail\"~2", "corn -the", "title:mills corn", "UPS mill", "(sail OR corn) AND mill"] {
            for ranking in [Ranking::Blend, Ranking::Bm25] {
                check_alike(&engines, &BlockQuery { ranking, ..BlockQuery::new(text, 50) });
            }
        }
    }
}
