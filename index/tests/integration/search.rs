//! What queries find, and in which order.

use lopper_index::{
    BlockDocument, BlockQuery, Budget, Facet, Feature, FocusReason, Found, KeptBlock, LinkCounts, NoLinks, Order,
    PageDocument, Pointer, QUERY_BYTES_MAX, QUERY_PHRASE_WORDS_MAX, QUERY_TERMS_MAX, QueryNote, RankedBlocks,
    RankingWeights, SearchError,
};
use proptest::prelude::*;

use crate::support::{TestIndex, block, page_id};

fn ids(ranked: &RankedBlocks) -> Vec<&str> {
    ranked.blocks.iter().map(|block| block.document.block_id.as_str()).collect()
}

#[test]
fn every_searched_part_finds_its_block() {
    let full = BlockDocument {
        title: "Alpha".to_owned(),
        heading_path: vec!["Bravo".to_owned(), "Charlie".to_owned()],
        lead: "Delta".to_owned(),
        link_text: "Hotel".to_owned(),
        image_text: "Foxtrot".to_owned(),
        ..block(1, 0, "en", "Echo echoes.")
    };
    let test = TestIndex::of(&[full, block(2, 0, "en", "Other")]);
    let searcher = test.searcher();
    for word in ["alpha", "BRAVO", "charlie", "delta", "echoing", "foxtrot"] {
        let ranked = searcher.search(&BlockQuery::new(word, 5)).unwrap();
        assert_eq!((ranked.total, ranked.blocks.len()), (1, 1), "{word}");
    }
    assert_eq!(searcher.search(&BlockQuery::new("hotel", 5)).unwrap().total, 0);
}

/// The English stem "walk" is another word in a Swedish block.
#[test]
fn a_stem_counts_in_its_own_language_only() {
    let stem = |code: &str| {
        let mut stems = Vec::new();
        let language = lopper_analysis::Language::from_code(code);
        lopper_analysis::Analyzer::new().analyze("walking", language, |token| stems.push(token.term.to_owned()));
        stems.remove(0)
    };
    assert_eq!((stem("en").as_str(), stem("sv").as_str()), ("walk", "walking"));
    let test = TestIndex::of(&[
        block(1, 0, "en", "we walk"),
        block(2, 0, "sv", "ett walk"),
        block(3, 0, "sv", "nordic walking"),
    ]);
    let ranked = test.searcher().search(&BlockQuery::new("walking", 5)).unwrap();
    let mut found: Vec<&str> = ranked.blocks.iter().map(|block| block.document.page_id.as_str()).collect();
    found.sort_unstable();
    assert_eq!(found, [page_id(1), page_id(3)]);
}

#[test]
fn rarer_and_more_words_rank_higher() {
    let test = TestIndex::of(&[
        block(1, 0, "en", "the common word here"),
        block(2, 0, "en", "the common rare word"),
        block(3, 0, "en", "the common word there"),
    ]);
    let ranked = test.searcher().search(&BlockQuery::new("common rare", 10)).unwrap();
    assert_eq!(ranked.total, 3);
    assert_eq!(ranked.blocks[0].document.page_id, page_id(2));
    assert!(ranked.blocks.is_sorted_by(|a, b| a.score >= b.score));
    assert!(ranked.notes.is_empty());
}

#[test]
fn a_block_that_defines_one_thing_ranks_before_its_like() {
    let named = |ordinal: u32, lead: &str, names: &[&str]| BlockDocument {
        heading_path: vec!["Options".to_owned(), "recursive".to_owned()],
        lead: lead.to_owned(),
        names: names.iter().map(|name| (*name).to_owned()).collect(),
        ..block(1, ordinal, "en", "Copies directories with all that is in them.")
    };
    let blocks = [
        named(0, "recursive", &[]),
        named(1, "recursive", &["files", "options"]),
        named(2, "recursive", &["r"]),
        named(3, "Comment by Ann", &["r"]),
    ];
    let test = TestIndex::of(&blocks);
    let ranked = test.searcher().search(&BlockQuery::new("copy directories", 4)).unwrap();
    let expected = [2, 1, 0, 3].map(|ordinal| format!("{}:{ordinal}", page_id(1)));
    assert_eq!(ids(&ranked), expected, "one name, two names, none, and no term");
}

#[test]
fn what_is_headed_by_a_word_says_what_it_is() {
    let under = |page: u32, heading: &str, lead: &str, body: &str| BlockDocument {
        heading_path: vec![heading.to_owned()],
        lead: lead.to_owned(),
        ..block(page, 0, "en", body)
    };
    let uses = "The millrace leads to the wheel. Clean the millrace when what is in the millrace is mud.";
    let test = TestIndex::of(&[
        under(1, "Clean the millrace", "The millrace", uses),
        under(2, "Millrace", "", "A channel that carries water to a wheel, and away from it."),
        block(3, 0, "en", "a barn"),
    ]);
    let first = |query: &str, weights: &RankingWeights| {
        let ranked = test.searcher().search_with(&BlockQuery::new(query, 3), &NoLinks, weights).unwrap();
        ranked.blocks[0].document.page_id.clone()
    };
    let built_in = RankingWeights::default();
    assert_eq!(first("what is a millrace", &built_in), page_id(2));
    assert_eq!(first("what is a millrace", &built_in.without(Feature::Definition)), page_id(1));
    assert_eq!(first("clean a millrace", &built_in), page_id(1));
}

#[test]
fn a_name_that_has_a_word_as_its_part_is_no_heading_of_what_it_is() {
    let under = |page: u32, heading: &str| BlockDocument {
        heading_path: vec![heading.to_owned()],
        ..block(page, 0, "en", "It stands in a table and names a row of another.")
    };
    let test =
        TestIndex::of(&[under(1, "ForeignKey.on_delete"), under(2, "Foreign keys"), block(3, 0, "en", "a barn")]);
    let ranked = test.searcher().search(&BlockQuery::new("what is a foreign key", 3)).unwrap();
    let definition = |page: u32| {
        let block = ranked.blocks.iter().find(|block| block.document.page_id == page_id(page)).unwrap();
        block.features.unwrap().of(Feature::Definition)
    };
    assert!(definition(1) < 0.5 * definition(2), "{} {}", definition(1), definition(2));
}

#[test]
fn ties_go_by_page_and_place_and_pages_of_results_join() {
    let mut blocks = Vec::new();
    for page in [5, 1, 9, 3] {
        for ordinal in [2, 0, 1] {
            blocks.push(block(page, ordinal, "en", "same words"));
        }
    }
    let mut test = TestIndex::new();
    for (index, block) in blocks.iter().enumerate() {
        test.writer.add(block).unwrap();
        if index % 5 == 4 {
            test.writer.commit("more than one segment").unwrap();
        }
    }
    test.writer.commit("done").unwrap();
    let searcher = test.searcher();
    let mut sorted: Vec<_> = blocks.iter().map(|block| block.block_id.as_str()).collect();
    sorted.sort_unstable();
    let all = searcher.search(&BlockQuery::new("same", 100)).unwrap();
    assert_eq!(ids(&all), sorted);
    for offset in 0..=sorted.len() {
        let query = BlockQuery { offset, ..BlockQuery::new("same", 5) };
        let ranked = searcher.search(&query).unwrap();
        assert_eq!(ids(&ranked), sorted[offset..sorted.len().min(offset + 5)]);
        assert_eq!(ranked.total, 12);
    }
    let none = searcher.search(&BlockQuery { offset: usize::MAX, ..BlockQuery::new("same", 5) }).unwrap();
    assert_eq!((none.blocks.len(), none.total), (0, 12));
    assert_eq!(searcher.search(&BlockQuery::new("same", 0)).unwrap().total, 12);
}

#[test]
fn a_quoted_part_must_occur_word_by_word() {
    let spanning = BlockDocument {
        title: "content structure".to_owned(),
        lead: "tree".to_owned(),
        ..block(3, 0, "en", "unrelated")
    };
    let test = TestIndex::of(&[
        block(1, 0, "en", "a content structure tree here"),
        block(2, 0, "en", "the tree of content and structure"),
        spanning,
        block(4, 0, "de", "die Häuser am Wald"),
        block(5, 0, "ja", "国立森林公園"),
    ]);
    let searcher = test.searcher();
    let pages = |text: &str| -> Vec<String> {
        let ranked = searcher.search(&BlockQuery::new(text, 10)).unwrap();
        ranked.blocks.into_iter().map(|block| block.document.page_id).collect()
    };
    assert_eq!(pages(r#""content structure trees""#), [page_id(1)]);
    assert_eq!(pages(r#""content structure" tree"#).len(), 2);
    assert_eq!(pages(r#""haus am wald""#), [page_id(4)]);
    assert_eq!(pages(r#""森林公園""#), [page_id(5)]);
    assert_eq!(pages(r#""structure content""#), [""; 0]);
    assert_eq!(pages(r#""unknownword" tree"#), [""; 0]);
    assert_eq!(pages(r#""tree""#).len(), 3);
}

#[test]
fn a_word_of_another_language_does_not_gain_by_rarity() {
    // "organisation" is `organis` in English and `organisation` unstemmed; the one unstemmed block must not win by its idf.
    let mut blocks: Vec<_> = (0..20).map(|page| block(page, 0, "en", "an organisation of more words")).collect();
    blocks.push(block(20, 0, "xx", "organisation in a longer block with many more words than the others have"));
    let test = TestIndex::of(&blocks);
    let ranked = test.searcher().search(&BlockQuery::new("organisation", 30)).unwrap();
    assert_eq!(ranked.total, 21);
    assert_eq!(ranked.blocks[20].document.page_id, page_id(20));
}

#[test]
fn highlights_mark_the_forms_found() {
    let document =
        BlockDocument { lead: "Tree pruning".to_owned(), ..block(1, 0, "en", "We pruned 木 trees; Pruning helps.") };
    let test = TestIndex::of(&[document]);
    let ranked = test.searcher().search(&BlockQuery::new("prune", 1)).unwrap();
    let found = &ranked.blocks[0];
    let texts = |text: &str, ranges: &[std::ops::Range<usize>]| -> Vec<String> {
        ranges.iter().map(|range| text[range.clone()].to_owned()).collect()
    };
    assert_eq!(texts(&found.document.body, &found.highlights.body), ["pruned", "Pruning"]);
    assert_eq!(texts(&found.document.lead, &found.highlights.lead), ["pruning"]);
}

#[test]
fn queries_without_words_or_with_too_many_are_told() {
    let test = TestIndex::of(&[block(1, 0, "en", "word last")]);
    let searcher = test.searcher();
    let notes = |text: &str| searcher.search(&BlockQuery::new(text, 1)).unwrap().notes;
    for text in ["", " \n", "!?… --", "\"\"", "\"!\" \"", "\u{0}"] {
        assert_eq!(notes(text), [QueryNote::NoWords], "{text:?}");
    }
    assert_eq!(notes("word last"), []);
    let absent =
        |words: &[&str]| QueryNote::AbsentWords { words: words.iter().map(|word| (*word).to_owned()).collect() };
    assert_eq!(notes("absent"), [absent(&["absent"])]);
    assert_eq!(notes("word nowhere last -absent gone"), [absent(&["nowhere", "gone"])]);

    let many: Vec<String> = (0..QUERY_TERMS_MAX + 3).map(|number| format!("w{number}")).collect();
    let many = many.join(" ");
    assert_eq!(notes(&many)[0], QueryNote::WordsIgnored { count: 3 });
    let left_out = QUERY_TERMS_MAX - QUERY_PHRASE_WORDS_MAX;
    let phrase_notes = [QueryNote::PhraseCut { position_bytes: 1, left_out }, QueryNote::WordsIgnored { count: 3 }];
    assert_eq!(notes(&format!("\"{many}\""))[..2], phrase_notes);
    let long = format!("word {}last", "é".repeat(QUERY_BYTES_MAX / 2));
    let ranked = searcher.search(&BlockQuery::new(long, 1)).unwrap();
    assert_eq!(ranked.notes, [QueryNote::TextCut { ignored_bytes: 10 }]);
    assert_eq!(ranked.total, 1);
}

#[test]
fn an_empty_index_answers() {
    let test = TestIndex::new();
    let searcher = test.searcher();
    assert_eq!(searcher.search(&BlockQuery::new("any \"thing at all\"", 10)).unwrap().total, 0);
    assert_eq!(searcher.count(), 0);
    assert!(searcher.languages().unwrap().is_empty());
}

#[test]
fn any_query_finds_or_is_told_to_be_wrong() {
    let test = TestIndex::of(&[
        block(1, 0, "en", "some words to find and trees"),
        block(2, 0, "el", "ο άνθρωπος και το δέντρο"),
        block(3, 0, "ja", "森林公園の記録"),
        block(4, 0, "tr", "IŞIK ve ağaç"),
    ]);
    let searcher = test.searcher();
    let texts = prop_oneof![
        any::<String>(),
        "[a-zα-ω\" 森林公園.'_]{0,40}",
        "(\"|“|~2|some|words|森林| |\\.|-|\\+|\\(|\\)| AND | OR | NOT |\\*|title:|heading:|site:|lang:en|date:2008|inurl:){0,20}"
    ];
    proptest!(|(text in texts, limit in 0usize..5, offset in 0usize..5)| {
        let ranked = match searcher.search(&BlockQuery { text: text.clone(), limit, offset, ..BlockQuery::default() }) {
            Ok(ranked) => ranked,
            Err(SearchError::Query(error)) => {
                prop_assert!(text.is_char_boundary(error.position_bytes));
                return Ok(());
            }
            Err(error) => panic!("{error}"),
        };
        prop_assert!(ranked.blocks.len() <= limit);
        for block in &ranked.blocks {
            prop_assert!(block.score.is_finite() && block.score >= 0.0);
            for range in &block.highlights.body {
                prop_assert!(block.document.body.get(range.clone()).is_some());
            }
        }
    });
}

#[test]
fn a_ranking_stays_with_its_commit() {
    let mut test = TestIndex::of(&[block(1, 0, "en", "an old mill"), block(2, 0, "en", "another mill by a river")]);
    let searcher = test.searcher();
    let ranked =
        searcher.rank(&BlockQuery::new("mill", 5), &NoLinks, &RankingWeights::default(), &Budget::unlimited()).unwrap();
    test.writer.delete_page(&page_id(1)).unwrap();
    test.writer.add(&block(1, 0, "en", "a new barn")).unwrap();
    test.writer.commit("second").unwrap();
    searcher.reload().unwrap();
    let bodies: Vec<String> = ranked.found.iter().map(|found| ranked.fetch(found).unwrap().body).collect();
    assert!(bodies.iter().any(|body| body == "an old mill"), "{bodies:?}");
    assert_eq!(searcher.search(&BlockQuery::new("mill", 5)).unwrap().total, 1);
}

/// Every block of a page up to the given one is linked by many pages.
struct Linked(u64);

impl LinkCounts for Linked {
    fn pages_linking_to(&self, key: u64) -> u64 {
        if key <= self.0 { 3_000 } else { 0 }
    }
}

#[test]
fn links_decide_within_a_site_and_not_between_sites() {
    let on = |host: &str, page: u32, body: &str| BlockDocument {
        host: host.to_owned(),
        link_keys: vec![page.into()],
        ..block(page, 0, "en", body)
    };
    let blocks = [
        on(
            "manual.example",
            1,
            "the mill and its sails, its stones, its cap, its brake, its wheat, and how they are made",
        ),
        on("manual.example", 2, "the sails are turned by hand, but grinding wheat takes two stones and some wind too"),
        on("plain.example", 3, "grinding wheat in a mill"),
        on("plain.example", 4, "a barn"),
    ];
    let test = TestIndex::of(&blocks);
    let built_in = RankingWeights::default();
    let ordered = |linked: u64, weights: &RankingWeights| -> Vec<String> {
        let query = BlockQuery::new("grinding wheat mill", 5);
        let ranked = test.searcher().rank(&query, &Linked(linked), weights, &Budget::unlimited()).unwrap();
        ranked.found.iter().map(|found| ranked.fetch(found).unwrap().url).collect()
    };
    let urls = |pages: &[u32]| pages.iter().map(|page| format!("https://example.org/{page}")).collect::<Vec<_>>();
    let order = |linked| ordered(linked, &built_in);
    assert_eq!(order(0), urls(&[3, 2, 1]));
    assert_eq!(order(1), urls(&[3, 1, 2]), "of a site, what is linked first; the other site keeps its place");
    assert_eq!(order(2), urls(&[3, 2, 1]), "both are linked, and the site without links is not behind them");
    assert_ne!(ordered(2, &built_in.without(Feature::LinksElsewhere)), order(2), "as it would be otherwise");
}

#[test]
fn a_page_that_many_link_to_counts_for_it_as_far_as_it_is_about_the_query() {
    let bodies = [
        "the stone, on which everything here is built",
        "grinding wheat between stone and stone, not in a mill",
        "grinding wheat in a mill of stone",
        "a barn",
    ];
    let mut test = TestIndex::new();
    for (page, body) in (1..).zip(bodies) {
        let linked = BlockDocument { link_keys: vec![page.into()], ..block(page, 0, "en", body) };
        let document = PageDocument { page_id: page_id(page), language: "en".into(), ..PageDocument::default() };
        test.writer.add_page(&document, &[linked]).unwrap();
    }
    test.writer.commit("test").unwrap();
    let links_alone: RankingWeights =
        serde_json::from_str(r#"{"version": "links", "weights": {"links_within": 1.0}}"#).unwrap();
    let query = BlockQuery::new("grinding wheat stone mill", 5);
    let ranked = test.searcher().rank(&query, &Linked(3), &links_alone, &Budget::unlimited()).unwrap();
    let score = |page: u32| {
        let of_page = |found: &&Found| ranked.fetch(found).unwrap().url == format!("https://example.org/{page}");
        ranked.found.iter().find(of_page).unwrap().score
    };
    assert!(score(1) > 0.0 && score(1) < 0.5 * score(2), "{} {}", score(1), score(2));
    assert!((score(2) - score(3)).abs() < 1e-6, "nearly as much as the best is as good: {} {}", score(2), score(3));
}

#[test]
fn a_link_to_a_block_counts_for_the_block_by_its_headings_and_for_its_page() {
    let under = |heading: &str, page, ordinal, key, body: &str| BlockDocument {
        heading_path: vec![heading.to_owned()],
        link_keys: vec![key],
        ..block(page, ordinal, "en", body)
    };
    let part = |page, ordinal, key| under("Mill", page, ordinal, key, "grinding wheat in a mill is work for sails");
    let answer = |page, ordinal, key| under("Grinding wheat", page, ordinal, key, "grinding wheat takes two stones");
    let mut test = TestIndex::new();
    // Of the first page the part is linked to, of the second what is asked for, of the third nothing.
    for (page, keys) in [(1, [1, 9]), (2, [9, 1]), (3, [9, 9])] {
        let document = PageDocument { page_id: page_id(page), language: "en".into(), ..PageDocument::default() };
        test.writer.add_page(&document, &[part(page, 0, keys[0]), answer(page, 1, keys[1])]).unwrap();
    }
    test.writer.commit("test").unwrap();
    let query = BlockQuery::new("grinding wheat", 6);
    let ranked = test.searcher().rank(&query, &Linked(1), &RankingWeights::default(), &Budget::unlimited()).unwrap();
    let found = |page: u32, ordinal: u32| {
        let is_it = |found: &&Found| {
            let document = ranked.fetch(found).unwrap();
            (document.url, document.ordinal) == (format!("https://example.org/{page}"), ordinal)
        };
        ranked.found.iter().find(is_it).unwrap().score
    };
    assert!(found(1, 1) > found(1, 0), "its words tell which block of the page answers, not its links");
    assert!(found(1, 1) > found(3, 1), "a link to a block says that its page answers");
    assert!(found(2, 1) > found(1, 1), "a link to what is asked for says that it answers");
}

/// One block is linked by very many pages.
struct OneLinked(u64);

impl LinkCounts for OneLinked {
    fn pages_linking_to(&self, key: u64) -> u64 {
        if key == self.0 { u32::MAX.into() } else { 0 }
    }
}

/// A page of 60 blocks, of which number 50 has all of what is asked for.
#[test]
fn the_best_block_of_a_ranking_stays_when_its_page_is_focused_and_so_does_what_is_linked() {
    let filler = "other things stand here ".repeat(40);
    let mut blocks: Vec<BlockDocument> = (0..60)
        .map(|place| BlockDocument {
            content: if place == 7 { 1.0 } else { 0.5 },
            link_keys: vec![u64::from(place) + 1],
            heading_path: vec!["part ".repeat(place as usize + 1)],
            ..block(1, place, "en", &filler.replacen("other", ["linen", "other"][usize::from(place != 7)], 1))
        })
        .collect();
    blocks[50].body = "linen grain ".repeat(60);
    let page = PageDocument { page_id: page_id(1), ..PageDocument::default() };
    let mut test = TestIndex::new();
    test.writer.add_page(&page, &blocks).unwrap();
    test.writer.commit("test").unwrap();
    let kept = |weights: &RankingWeights, links: &dyn LinkCounts| -> Vec<(u32, FocusReason)> {
        let query = BlockQuery::new("linen grain", 5);
        let ranked = test.searcher().rank(&query, &NoLinks, weights, &Budget::unlimited()).unwrap();
        let pages = ranked.focus(links, &[ranked.found[0].handle]).unwrap();
        let place = |kept: &KeptBlock| (ranked.fetch_block(kept.handle).unwrap().ordinal, kept.reason);
        pages[0].kept.iter().map(place).collect()
    };
    let built_in = RankingWeights::default();
    let mut content = RankingWeights::none("content");
    content.set(Feature::Content, 1.0).unwrap();
    let answers = (50, FocusReason::Answers);
    assert_eq!(kept(&built_in, &NoLinks), [answers]);
    assert_eq!(kept(&content, &NoLinks), [(7, FocusReason::HasWords), answers]);
    assert_eq!(kept(&built_in, &OneLinked(31)), [(30, FocusReason::Linked), answers]);
}

#[test]
fn a_block_can_be_left_out_and_blocks_be_counted_by_what_they_are() {
    let blocks: Vec<_> = (0..9)
        .map(|page| BlockDocument {
            captured_at: (page > 0).then_some(i64::from(page % 3) * 366 * 86_400),
            host: format!("h{}.example", page % 2),
            ..block(page, 0, ["en", "de"][page as usize % 2], "mill")
        })
        .collect();
    let test = TestIndex::of(&blocks);
    let rank = |without: Option<&str>, order| {
        let without = without.map(str::to_owned);
        let query = BlockQuery { without, order, ..BlockQuery::new("mill", 20) };
        test.searcher().rank(&query, &NoLinks, &RankingWeights::default(), &Budget::unlimited()).unwrap()
    };
    let facets = rank(None, Order::Relevance).facets().unwrap();
    let values = |facet: &Facet| -> Vec<(String, u64)> {
        facet.values.iter().map(|value| (value.value.clone(), value.blocks)).collect()
    };
    let of = |pairs: &[(&str, u64)]| -> Vec<(String, u64)> {
        pairs.iter().map(|(value, blocks)| ((*value).to_owned(), *blocks)).collect()
    };
    assert_eq!(values(&facets.host), of(&[("h0.example", 5), ("h1.example", 4)]));
    assert_eq!(values(&facets.language), of(&[("en", 5), ("de", 4)]));
    assert_eq!(values(&facets.year), of(&[("1971", 3), ("1972", 3), ("1970", 2)]));
    for order in [Order::Relevance, Order::Date] {
        let ranked = rank(Some(&blocks[4].block_id), order);
        assert_eq!((ranked.total, ranked.found.len(), ranked.is_complete), (8, 8, true));
        let names: Vec<String> = ranked.found.iter().map(|found| ranked.fetch(found).unwrap().block_id).collect();
        assert!(!names.contains(&blocks[4].block_id));
        assert_eq!(names.last() == Some(&blocks[0].block_id), order == Order::Date, "what has no date comes last");
    }
}

#[test]
fn what_answers_points_to_ranks_before_its_like() {
    let mut blocks: Vec<BlockDocument> = (0..9).map(|page| block(page, 0, "en", "A quern is for flour.")).collect();
    blocks[7].link_keys = vec![77];
    blocks[8].link_keys = vec![88];
    let uses = block(20, 0, "en", "Grind flour by hand with a quern.");
    let pointer = |key, text: &str| Pointer { key, text: text.to_owned() };
    let pointers = vec![pointer(88, "a quern"), pointer(77, "Flour by hands")];
    blocks.push(BlockDocument { pointers, ..uses.clone() });
    let test = TestIndex::of(&blocks);
    let ranked = test.searcher().search(&BlockQuery::new("grind flour by hand", 3)).unwrap();
    assert_eq!(ids(&ranked)[..2], [uses.block_id.as_str(), &blocks[7].block_id]);
    let features = ranked.blocks[1].features.unwrap();
    assert!(features.of(Feature::Pointed) > 0.0 && features.of(Feature::Anchors) > 0.5 * features.of(Feature::Pointed));
    let features = ranked.blocks[2].features.unwrap();
    assert!(
        features.of(Feature::Pointed) > 0.0 && features.of(Feature::Anchors) == 0.0,
        "its link has none of the words"
    );
    let elsewhere = test.searcher().search(&BlockQuery::new("grind flour site:example.com", 3)).unwrap();
    assert!(elsewhere.blocks.is_empty(), "a restriction holds for what is pointed to");
}

#[test]
fn what_is_pointed_to_is_found_behind_a_thousand_better() {
    let mut test = TestIndex::new();
    for page in 0..1200 {
        test.writer.add(&block(page, 0, "en", "Hand mill. Hand mill. Hand mill.")).unwrap();
    }
    let target =
        BlockDocument { link_keys: vec![5], ..block(2000, 0, "en", &format!("quern {} hand", "filler ".repeat(99))) };
    test.writer.add(&target).unwrap();
    let source = BlockDocument {
        pointers: vec![Pointer { key: 5, text: String::new() }],
        ..block(2001, 0, "en", "A hand mill to grind with")
    };
    test.writer.add(&source).unwrap();
    test.writer.commit("test").unwrap();
    let ranked = test.searcher().search(&BlockQuery::new("hand grind", 1202)).unwrap();
    let place = |id: &str| ids(&ranked).iter().position(|found| *found == id).unwrap();
    assert_eq!(place(&source.block_id), 0);
    assert!(place(&target.block_id) < 1100, "{}", place(&target.block_id));
}

#[test]
fn a_list_of_links_leaves_to_a_page_what_it_has_by_the_link() {
    let pointer = |key, text: &str| Pointer { key, text: text.to_owned() };
    let list = BlockDocument {
        title: "Printing".to_owned(),
        heading_path: vec!["Printing".to_owned(), "Paper".to_owned()],
        link_share: 0.9,
        pointers: vec![pointer(3, "Print in order"), pointer(2, "Print envelopes: put the right side up")],
        ..block(1, 0, "en", "Print in order\nPrint envelopes: put the right side up")
    };
    let answer =
        "Most printers take one at a time. Which way is right, the manual says; try which side is printed on first.";
    let answer = BlockDocument { title: "Envelopes".to_owned(), ..block(2, 0, "en", answer) };
    let order = BlockDocument { title: "Print in order".to_owned(), ..block(3, 0, "en", "Copies come in order.") };
    let mut test = TestIndex::new();
    let others = (4..30).map(|page| block(page, 0, "en", "The door is on the right side of the house."));
    for (block, link_key) in [list, answer, order].into_iter().chain(others).zip(1..) {
        let BlockDocument { page_id, url, title, .. } = block.clone();
        let page = PageDocument { page_id, url, title, link_key, ..PageDocument::default() };
        test.writer.add_page(&page, &[block]).unwrap();
    }
    test.writer.commit("test").unwrap();
    let query = "put envelopes right side up";
    let left = |text: &str| {
        let ranked = test.searcher().search(&BlockQuery::new(text, 30)).unwrap();
        let list = ranked.blocks.iter().find(|block| block.document.title == "Printing").unwrap();
        list.features.unwrap().of(Feature::LeadsOn)
    };
    assert!(left(query) < -0.1, "{}", left(query));
    assert!(left("printing").abs() < 1e-6, "it is headed so");
}
