//! Answers over a real collection: that parts of an answer make a whole, and explanations add up.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;
use std::fs;
use std::sync::{Arc, LazyLock};

use lopper_archive::page::PageId;
use lopper_collection::DataFolder;
use lopper_collection::ingest::{IngestOptions, Silent, ingest, ingest_page};
use lopper_collection::search::{
    BlockHit, Collapse, Documents, KeptReason, QueryPruning, SearchEngine, SearchError, SearchRequest, SearchResponse,
};
use lopper_content::limits::Limits;
use lopper_content::pipeline::ExtractParams;
use lopper_content::prune::PruneRule;
use lopper_index::{FocusReason, Order, QueryNote, Ranking};
use tempfile::TempDir;

use crate::support::page;

/// Pages with a mill on them: more than are ranked by all evidence, so that the last ones follow by BM25.
const MILLS: usize = 430;

const WORDS: [&str; 12] =
    ["water", "wind", "corn", "river", "stone", "wheel", "grain", "sail", "miller", "bread", "village", "oak"];

struct Site {
    engine: SearchEngine,
    _data: TempDir,
}

static SITE: LazyLock<Site> = LazyLock::new(|| Site::with(&pages()));

impl Site {
    fn with(records: &str) -> Self {
        let data = tempfile::tempdir().unwrap();
        let archive = data.path().join("pages.warc");
        fs::write(&archive, records).unwrap();
        let collection = DataFolder::open_to_write(&data.path().join("data"), ExtractParams::default()).unwrap();
        ingest(&collection, &[archive], &IngestOptions::default(), &mut Silent).unwrap();
        Self { engine: SearchEngine::new(Arc::new(collection)).unwrap(), _data: data }
    }

    fn search(&self, request: &SearchRequest) -> SearchResponse {
        self.engine.search(request).unwrap()
    }
}

fn record(url: &str, date: &str, html: &str) -> String {
    let body = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{html}");
    let length = body.len();
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: {date}\r\n\
         WARC-Record-ID: <urn:uuid:1>\r\nContent-Type: application/http; msgtype=response\r\n\
         Content-Length: {length}\r\n\r\n{body}\r\n\r\n"
    )
}

/// Pages in which words stand more or less often, of many hosts and years; then captures of one page, and two alike.
fn pages() -> String {
    let mut records = String::new();
    for page in 0..MILLS {
        let words: Vec<&str> = (0..3 + page % 7).map(|place| WORDS[(page * 7 + place * place) % WORDS.len()]).collect();
        let html = format!(
            "<html lang=en><title>Page {page}</title><main><h1>A {} place</h1><p>The mill number {page} has {}.</p></main>",
            WORDS[page % WORDS.len()],
            words.join(" and ")
        );
        let url = format!("http://h{}.example/{page}", page % 15);
        records += &record(&url, &format!("{}-01-02T03:04:05Z", 2000 + page % 13), &html);
    }
    for year in 2001..=2003 {
        let html = format!("<title>Heron</title><p>One heron stood in the reeds of {year}, and looked at the water.");
        records += &record("http://birds.example/heron", &format!("{year}-05-06T00:00:00Z"), &html);
    }
    let story = (0..60).fold(String::new(), |mut story, word| {
        let _ = write!(story, "word{word} of the stork ");
        story
    });
    for host in ["a", "b"] {
        let html = format!("<title>Stork</title><p>{story} {host}.");
        records += &record(&format!("http://{host}.example/stork"), "2010-01-01T00:00:00Z", &html);
    }
    records += &record("http://layout.example/", "2011-01-01T00:00:00Z", LAYOUT);
    records
}

const LAYOUT: &str = "<html lang=en><title>Crafts of the valley</title>\
    <div><h2>Pottery</h2><p>Pots are turned on a disc and fired in a kiln for a day and a night.</p></div>\
    <div><h2>Weaving</h2><p>The loom stands in the attic; cloth of wool and flax is woven on it.</p></div>\
    <div><h2>Smithy</h2><p>Iron is heated in the forge, and the anvil rings over the valley.</p></div>";

fn request(query: &str) -> SearchRequest {
    SearchRequest::new(query)
}

fn urls(response: &SearchResponse) -> Vec<String> {
    response.pages.iter().map(|page| page.url.clone()).collect()
}

/// All parts of an answer, each of `step` pages, one after the other.
fn walk(request: &SearchRequest, step: usize) -> Vec<SearchResponse> {
    let mut parts: Vec<SearchResponse> = Vec::new();
    let mut offset = Some(0);
    while let Some(at) = offset {
        let part = SITE.search(&SearchRequest { pages: step, offset: at, ..request.clone() });
        offset = part.next_offset;
        assert!(parts.len() * step <= 2 * MILLS, "the answer has no end");
        parts.push(part);
    }
    parts
}

/// The same by cursors, whose parts are those by offsets.
#[test]
fn cursors_lead_through_the_same_pages() {
    for sort in [Order::Relevance, Order::Date] {
        let request = SearchRequest { sort, ..request("mill corn") };
        let expected: Vec<String> = walk(&request, 7).iter().flat_map(urls).collect();
        let (mut visited, mut cursor) = (Vec::new(), None);
        loop {
            let part = SITE.search(&SearchRequest { pages: 7, cursor, ..request.clone() });
            assert_eq!(part.offset, visited.len());
            visited.extend(urls(&part));
            cursor = part.next_cursor;
            assert_eq!(cursor.is_some(), part.next_offset.is_some());
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(visited, expected);
    }
}

#[test]
fn what_is_committed_between_two_parts_shifts_nothing_behind_a_cursor() {
    let site = Site::with(&pages());
    let request = SearchRequest { sort: Order::Date, pages: 4, ..request("mill") };
    let expected: Vec<String> = urls(&site.search(&SearchRequest { pages: 8, ..request.clone() }));
    let first = site.search(&request);
    let (cursor, offset) = (first.next_cursor, first.next_offset.unwrap());
    for number in 0..3 {
        let mut newer = page(&format!("http://new.example/{number}"), "<title>New</title><p>The newest mill of all.");
        newer.captured_at = Some(1_700_000_000 + number);
        newer.id = PageId::of(&newer.url, newer.captured_at);
        ingest_page(site.engine.collection(), &newer, &Limits::default()).unwrap();
    }
    site.engine.reload().unwrap();
    let second = site.search(&SearchRequest { cursor, ..request.clone() });
    assert_eq!((urls(&second), second.offset), (expected[4..].to_vec(), 7));
    let shifted = site.search(&SearchRequest { offset, ..request.clone() });
    assert_eq!(urls(&shifted)[0], expected[1], "an offset repeats pages");
    let other = SearchRequest { cursor, ..SearchRequest { query: "corn".to_owned(), ..request } };
    let refused = site.engine.search(&other).unwrap_err();
    assert!(refused.to_string().contains("of another search"), "{refused}");
}

#[track_caller]
fn visits_every_page_once(request: &SearchRequest, step: usize) {
    let parts = walk(request, step);
    let visited: Vec<String> = parts.iter().flat_map(urls).collect();
    let distinct: HashSet<&String> = visited.iter().collect();
    assert_eq!((visited.len(), distinct.len()), (MILLS, MILLS), "{request:?}");
    let scores: Vec<f32> = parts.iter().flat_map(|part| &part.pages).map(|page| page.score).collect();
    assert!(request.sort == Order::Date || scores.is_sorted_by(|a, b| a >= b), "{request:?}: {scores:?}");
}

#[test]
fn paging_visits_every_page_exactly_once() {
    visits_every_page_once(&request("mill corn"), 3);
    for ranking in [Ranking::Blend, Ranking::Bm25, Ranking::Cosine] {
        for sort in [Order::Relevance, Order::Date] {
            for documents in [Documents::Max, Documents::Sum(2), Documents::Blend] {
                visits_every_page_once(&SearchRequest { ranking, sort, documents, ..request("mill corn") }, 97);
            }
        }
    }
    visits_every_page_once(&SearchRequest { collapse: Collapse::None, ..request("+mill corn") }, 61);
    visits_every_page_once(&request("title:page"), 61);
}

#[test]
fn parts_of_an_answer_are_of_one_ranking() {
    let whole = SITE.search(&SearchRequest { pages: 400, ..request("mill water wheel") });
    let parts = walk(&request("mill water wheel"), 50);
    let paged: Vec<String> = parts.iter().flat_map(urls).take(400).collect();
    assert_eq!(urls(&whole), paged);
    assert!(parts.iter().all(|part| part.total_is_exact && part.total_blocks == whole.total_blocks));
}

#[test]
fn the_newest_come_first() {
    let found = SITE.search(&SearchRequest { sort: Order::Date, pages: 100, ..request("mill") });
    let dates: Vec<_> = found.pages.iter().map(|page| page.captured_at.clone()).collect();
    assert!(dates.is_sorted_by(|a, b| a >= b), "{dates:?}");
}

#[test]
fn the_newest_of_what_answers_come_before_newer_mentions() {
    let answer = |year: u32| {
        let html = "<html lang=en><title>Grinding corn</title><main><h1>Grinding corn</h1><p>Grinding corn between two stones.</p></main>";
        record(&format!("http://a.example/{year}"), &format!("{year}-01-01T00:00:00Z"), html)
    };
    let filler = "Many other things stand here about the weather and the sea. ".repeat(20);
    let mention =
        format!("<html lang=en><title>Sea</title><main><h1>Sea</h1><p>{filler} Nobody saw any corn.</p></main>");
    let mention = record("http://b.example/", "2020-01-01T00:00:00Z", &mention);
    let site = Site::with(&[answer(2001), mention, answer(2010)].concat());
    let asked = SearchRequest { collapse: Collapse::None, ..request("grinding corn") };
    let newest = site.search(&SearchRequest { sort: Order::Date, ..asked.clone() });
    assert_eq!(urls(&newest), ["http://a.example/2010", "http://a.example/2001", "http://b.example/"]);
    assert_eq!(newest.coverage, None, "the first one need not be the best");
    assert!(site.search(&asked).coverage.is_some());
}

#[test]
fn an_absent_word_without_blanks_is_told_as_it_was_written() {
    let page = "<html lang=ja><title>水車</title><p>水車は川のそばに立ち、今も粉をひいている。古い水車の話を聞く。</p>";
    let site = Site::with(&record("http://a.example/", "2020-01-01T00:00:00Z", page));
    let told = |query: &str| site.search(&request(query)).notes;
    let absent = |word: &str| [QueryNote::AbsentWords { words: vec![word.to_owned()] }];
    assert_eq!(told("富士山麓"), absent("富士山麓"));
    assert_eq!(told("水車 富士山"), absent("富士山"));
}

/// The stem `keep` of `keeper` is French: an English page with "keep" does not answer.
#[test]
fn stems_find_pages_of_their_own_languages() {
    let filler = "Corn and flour and bread of all kinds stand here, and much more that is said of them.";
    let french = "Le moulin tourne le jour et la nuit pour tous ceux du village, et nous le gardons pour qui en veut.";
    let page = |language: &str, words: &str| format!("<html lang={language}><title>Page</title><p>{words}</p>");
    let records: String = [
        ("http://a.example/", page("en", &format!("They keep the mill. {filler}"))),
        ("http://b.example/", page("fr", french)),
        ("http://c.example/", page("en", &format!("The keeper of the mill. {filler}"))),
    ]
    .iter()
    .map(|(url, html)| record(url, "2020-01-01T00:00:00Z", html))
    .collect();
    let site = Site::with(&records);
    assert_eq!(urls(&site.search(&request("keeper"))), ["http://c.example/"]);
}

/// A German manual that is translated in part: the block that is not is stemmed, found and told as English.
#[test]
fn a_block_has_its_own_language_where_that_is_plain() {
    let filler =
        "Das Korn wird in der Mühle gemahlen, und alle aus dem Dorf holen sich dort ihr Mehl, wenn es ihnen fehlt.";
    let english =
        "The keeper of the libraries has copied all of the pages that are not translated, and these are kept for you.";
    let html = format!(
        "<html lang=de><title>Mühlen</title><h2>Die Mühle</h2><p>{filler} {filler} {filler} {filler} {filler} Die Häuser stehen am Fluss.</p>\
         <h2>Bücher</h2><p>{english}</p>"
    );
    let site = Site::with(&record("http://a.example/", "2020-01-01T00:00:00Z", &html));
    let of = |query: &str| {
        let response = site.search(&SearchRequest { facets: true, explain: true, ..request(query) });
        let languages: Vec<(String, Option<String>)> = response
            .pages
            .iter()
            .flat_map(|page| page.blocks.iter().map(|block| (page.language.clone(), block.block_language.clone())))
            .collect();
        (languages, response)
    };
    let (german, english) = (("de".to_owned(), None), ("de".to_owned(), Some("en".to_owned())));
    assert_eq!(of("library copy").0, std::slice::from_ref(&english), "by English stems");
    assert_eq!(of("Haus").0, std::slice::from_ref(&german), "by German ones");
    assert_eq!(of("lang:en").0, std::slice::from_ref(&english));
    assert_eq!(of("lang:de").0, std::slice::from_ref(&german));
    let facets = of("mill OR Mühle OR libraries").1.facets.unwrap();
    let counts: Vec<(&str, u64)> = facets.language.values.iter().map(|one| (one.value.as_str(), one.blocks)).collect();
    assert_eq!(counts, [("de", 1), ("en", 1)]);
    // The page counts by the stems of both.
    for query in ["library copy", "Haus"] {
        let (_, response) = of(query);
        let parts = &response.pages[0].blocks[0].explanation.as_ref().unwrap().parts;
        assert!(parts.iter().any(|part| part.name == "page"), "{query} {parts:?}");
    }
}

/// What is too short to tell is in the language that its element declares; what plainly is in another is that.
#[test]
fn a_block_is_in_the_language_that_its_element_declares() {
    let filler = "They keep the copies of all of the pages that would otherwise be lost to those who come after them.";
    let html = format!(
        "<html lang=en><title>Mills</title><h2>Mills</h2><p>{filler} {filler}</p><div lang=fr-CA><h2>Moulin</h2><p>Il tourne.</p></div>\
         <section lang=de><h2>Libraries</h2><p>{filler}</p></section>"
    );
    let site = Site::with(&record("http://a.example/", "2020-01-01T00:00:00Z", &html));
    let of = |query: &str| {
        let response = site.search(&request(query));
        let blocks = response.pages.iter().flat_map(|page| &page.blocks);
        blocks.map(|block| block.block_language.clone()).collect::<Vec<_>>()
    };
    assert_eq!(of("moulin"), [Some("fr".to_owned())]);
    assert_eq!(of("lang:fr").len(), 1);
    assert_eq!(of("libraries"), [None]);
    assert!(of("lang:de").is_empty());
}

#[test]
fn absent_words_are_told_and_lower_the_coverage() {
    let of = |query: &str| SITE.search(&request(query));
    let (known, absent) = (of("heron reeds"), of("heron kubernetes ingress"));
    let coverage = |response: &SearchResponse| response.coverage.unwrap();
    assert!(coverage(&known) > 0.5 && coverage(&absent) < coverage(&known) / 2.0, "{known:?} {absent:?}");
    assert!(known.notes.is_empty(), "{:?}", known.notes);
    assert_eq!(absent.notes, [QueryNote::AbsentWords { words: vec!["kubernetes".to_owned(), "ingress".to_owned()] }]);
    assert!(absent.pages[0].blocks[0].missing_words.is_empty(), "what nothing has is told once");
    let mixed = of("heron sail");
    let missing: Vec<&[String]> = mixed.pages.iter().map(|page| &page.blocks[0].missing_words[..]).collect();
    // What nearly all blocks have says nothing by not being there.
    assert!(missing[0].is_empty() && missing[1..].iter().all(|missing| missing == &["heron"]), "{missing:?}");
    let refused = SITE.search(&SearchRequest { coverage_min: coverage(&known), ..request("heron kubernetes ingress") });
    assert!(refused.pages.is_empty() && refused.next_offset.is_none() && refused.coverage == absent.coverage);
    let kept = SITE.search(&SearchRequest { coverage_min: coverage(&known), ..request("heron reeds") });
    assert_eq!(urls(&kept), urls(&known));
    for coverage_min in [-0.1, 1.1, f32::NAN] {
        let error = SITE.engine.search(&SearchRequest { coverage_min, ..request("heron") }).unwrap_err();
        assert!(matches!(error, SearchError::NoShare { .. }), "{error}");
    }
}

#[test]
fn a_word_whose_stem_only_other_languages_have_is_absent() {
    // Languages are told apart by their words from fifty blocks on.
    let records = (0..60).flat_map(|number| {
        let flags = format!(
            "<html lang=en><main><p>Ship {number} has a tri colour flag on the mast, and so have they all.</p></main>"
        );
        let mills = format!(
            "<html lang=eu><main><p>Haizeak {number} errota zaharren hegalak mugitzen ditu egunero.</p></main>"
        );
        [("flags", flags), ("mills", mills)]
            .map(|(name, html)| record(&format!("http://w.example/{name}/{number}"), "2001-01-01T00:00:00Z", &html))
    });
    let site = Site::with(&records.collect::<Vec<_>>().concat());
    let found = site.search(&request("tritone flag"));
    assert_eq!(found.notes, [QueryNote::AbsentWords { words: vec!["tritone".to_owned()] }]);
    assert_eq!(site.search(&request("tri colour flag")).notes, []);
}

#[test]
fn no_more_pages_are_shown_than_blocks_match() {
    let pointing =
        "<html lang=en><title>Winds</title><main><p>The zephyr blows from <a href=/b>here</a> to there.</p></main>";
    let pointed = "<html lang=en><title>Air</title><meta name=description content='Of the zephyr'><main><p>It moves in the spring.</p></main>";
    let records = [("http://w.example/a", pointing), ("http://w.example/b", pointed)]
        .map(|(url, html)| record(url, "2001-01-01T00:00:00Z", html));
    let found = Site::with(&records.concat()).search(&request("zephyr"));
    assert_eq!((urls(&found).len(), found.total_blocks), (2, 2), "one has the word, one is pointed to: {found:?}");
}

fn sum(parts: impl Iterator<Item = f32>) -> f32 {
    parts.map(f64::from).sum::<f64>() as f32
}

#[test]
fn explanations_add_up_to_the_scores() {
    let queries = ["mill", "mill corn \"water and\"", "wind* site:h3.example", "heron reeds", "title:page bread -oak"];
    for query in queries {
        for ranking in [Ranking::Blend, Ranking::Bm25, Ranking::Cosine] {
            for documents in [Documents::Max, Documents::Sum(3), Documents::Blend] {
                let wanted = SearchRequest { ranking, documents, explain: true, pages: 7, ..request(query) };
                for offset in [0, 395] {
                    adds_up(&SITE.search(&SearchRequest { offset, ..wanted.clone() }));
                }
            }
        }
    }
}

#[track_caller]
fn adds_up(response: &SearchResponse) {
    let words = &response.explanation.as_ref().unwrap().words;
    for page in &response.pages {
        let aggregation = page.explanation.as_ref().unwrap();
        assert!((sum(aggregation.blocks.iter().map(|block| block.contribution)) - page.score).abs() <= f32::EPSILON);
        for block in &page.blocks {
            let explanation = block.explanation.as_ref().unwrap();
            let contributions = explanation.parts.iter().map(|part| part.contribution);
            assert_eq!(sum(contributions).to_bits(), block.score.to_bits(), "{explanation:?}");
            assert!(explanation.parts.iter().all(|part| {
                (part.value * part.weight - part.contribution).abs() <= f32::EPSILON * part.contribution.abs()
            }));
            assert!(explanation.fields.iter().all(|field| field.counts.len() == words.len()));
            assert!(explanation.survival.iter().all(|floor| floor.own.kept), "{explanation:?}");
            assert!(explanation.survival.len() > 1);
        }
    }
}

#[test]
fn facets_count_all_that_matches() {
    let found = SITE.search(&SearchRequest { facets: true, pages: 1, ..request("mill") });
    let facets = found.facets.unwrap();
    assert!(facets.is_exact && found.total_is_exact);
    assert_eq!((facets.host.values.len(), facets.host.values_total, facets.year.values_total), (10, 15, 13));
    for facet in [&facets.host, &facets.year, &facets.language] {
        let shown: u64 = facet.values.iter().map(|value| value.blocks).sum();
        assert_eq!(shown + facet.other_blocks, found.total_blocks);
    }
    for value in &facets.host.values {
        let within = SITE.search(&request(&format!("mill site:{}", value.value)));
        assert_eq!(within.total_blocks, value.blocks, "{}", value.value);
    }
}

#[test]
fn captures_of_a_page_are_one_hit() {
    let found = SITE.search(&request("heron"));
    assert_eq!((found.pages.len(), found.total_blocks), (1, 3));
    let captures = &found.pages[0].captures;
    assert_eq!((captures.count, captures.blocks.len()), (2, 2));
    let all = SITE.search(&SearchRequest { collapse: Collapse::None, ..request("heron") });
    assert!(all.pages.len() == 3 && all.pages.iter().all(|page| page.captures.is_empty()));
}

#[test]
fn near_identical_blocks_are_one_hit() {
    let found = |collapse| SITE.search(&SearchRequest { collapse, ..request("stork word7") });
    let (apart, together) = (found(Collapse::Captures), found(Collapse::Similar));
    assert_eq!((apart.pages.len(), together.pages.len()), (2, 1));
    assert_eq!(together.pages[0].similar.count, 1);
    assert_eq!(together.pages[0].similar.blocks[0].url, apart.pages[1].url);
}

#[test]
fn more_like_a_block_are_others_with_its_words() {
    let first = SITE.search(&request("mill sail"));
    let block = &first.pages[0].blocks[0];
    let like = SearchRequest { like: Some(block.block_id.clone()), pages: 400, ..request("") };
    let found = SITE.search(&like);
    let blocks: Vec<&BlockHit> = found.pages.iter().flat_map(|page| &page.blocks).collect();
    assert!(!blocks.is_empty() && blocks.iter().all(|other| other.block_id != block.block_id));
    assert!(
        found.total_blocks >= SITE.search(&request("mill")).total_blocks - 1,
        "words as frequent as `the` find more"
    );
    assert!(blocks[0].text.contains("sail"), "{}", blocks[0].text);
    let within = SITE.search(&SearchRequest { query: "site:h4.example".to_owned(), ..like });
    assert!(within.pages.iter().all(|page| page.host == "h4.example") && !within.pages.is_empty());
    let unknown = SITE.engine.search(&SearchRequest { like: Some("no such".to_owned()), ..request("") });
    assert!(matches!(unknown, Err(SearchError::UnknownBlock { .. })));
}

#[test]
fn pages_are_pruned_by_the_query() {
    let pruned = |query: &str, rule| {
        let found = SITE.search(&SearchRequest { prune: Some(QueryPruning::Tree(rule)), ..request(query) });
        found.pages.into_iter().next().unwrap().pruned.unwrap()
    };
    let paper = pruned("loom wool site:layout.example", PruneRule::Paper);
    assert_eq!((paper.words.as_str(), paper.blocks.len(), paper.eliminated), ("loom wool", 1, 2));
    assert!(paper.blocks[0].text.contains("woven") && paper.blocks[0].similarity > 0.1 && paper.dropped_words > 10);
    let other = pruned("anvil forge", PruneRule::Paper);
    assert!(other.blocks[0].text.contains("anvil"), "{other:?}");
    let all = pruned("anvil forge", PruneRule::Everything);
    assert_eq!((all.eliminated, all.dropped_words), (0, 0));
    let ordinals: Vec<u32> = all.blocks.iter().map(|block| block.ordinal).collect();
    assert!(ordinals.is_sorted() && all.blocks.iter().any(|block| block.text.contains("kiln")));
}

#[test]
fn pages_are_focused_on_the_query() {
    let search = |query: &str| SITE.search(&SearchRequest { prune: Some(QueryPruning::Focus), ..request(query) });
    for page in search("anvil forge").pages {
        let pruned = page.pruned.unwrap();
        assert_eq!((pruned.rule.as_str(), pruned.words.as_str()), ("focus", "anvil forge"));
        let best = pruned.blocks.iter().map(|block| block.similarity).fold(0.0, f32::max);
        let has_words = |text: &str| text.to_lowercase().contains("anvil") || text.to_lowercase().contains("forge");
        assert!(pruned.blocks.iter().any(|block| has_words(&block.text)), "{pruned:?}");
        for block in &pruned.blocks {
            let expected = match block.similarity {
                share if share <= 0.0 => FocusReason::Beside,
                share if share >= best / 2.0 => FocusReason::Answers,
                _ => FocusReason::HasWords,
            };
            assert_eq!(block.reason_code, KeptReason::Focus(expected), "{block:?}");
        }
    }
    let page = search("anvil forge").pages.remove(0).page_id.parse().unwrap();
    let other = SITE.engine.prune_page("loom wool", page, QueryPruning::Focus).unwrap().unwrap();
    assert_eq!(other.words, "loom wool");
    let unknown = "0".repeat(32).parse().unwrap();
    for pruning in [QueryPruning::Focus, QueryPruning::Tree(PruneRule::Balanced)] {
        assert_eq!(SITE.engine.prune_page("loom", unknown, pruning).unwrap(), None);
    }
}

/// A query, the page that has what it asks for, and another that has only its words or parts of them. In quotes only the first is found.
const SIGNS: [(&str, &str, &str); 19] = [
    (".NET", "The .NET runtime is a framework.", "The net is for fishing."),
    ("C++", "C++ has templates.", "C has structs."),
    ("C#", "C# has properties.", "C has structs."),
    ("#include", "Write #include at the top.", "Prices include taxes."),
    ("--no-install-recommends", "apt-get takes --no-install-recommends.", "No install that he recommends to us."),
    ("std::vec", "Use std::vec for lists.", "A vec is made by the std."),
    ("AH00558", "The server says AH00558.", "The server says AH00559."),
    ("__init__", "Python calls object.__init__ after __new__.", "Then init your project."),
    ("$PATH", "Add it to your $PATH first.", "A path leads through the woods."),
    ("a/b", "Choose a/b testing.", "First b, then a letter."),
    ("3.11.2", "Version 3.11.2 is out.", "Version 3.11.4 and 2 of 3."),
    ("os.path.join", "Call os.path.join twice.", "The path of the os, join us."),
    ("東京都庁", "東京都庁は新宿にある。", "京都は古い都市です。東京もある。"),
    ("森林公園", "森林公園を歩く。", "公園は広い。森林も。"),
    ("中华人民共和国", "中华人民共和国成立于一九四九年。", "人民公园在城市中心。"),
    ("ประเทศไทย", "ประเทศไทยมีประชากรมาก", "ประเทศจีนใหญ่"),
    ("thanh pho ho chi minh", "Thành phố Hồ Chí Minh có nhiều xe máy.", "The thanh, a pho soup."),
    ("mangle_dupe_cols", "The flag mangle_dupe_cols is old.", "To mangle cols."),
    ("ERR_SSL", "It fails with ERR_SSL today.", "To err is human."),
];

#[test]
fn names_with_signs_and_words_without_spaces_are_found_exactly() {
    for (query, right, other) in SIGNS {
        let html = |text: &str| format!("<html><title>Page</title><main><h1>Text</h1><p>{text}</p></main></html>");
        let time = "2001-01-02T03:04:05Z";
        let records = [("other", other), ("right", right)];
        let records = records.map(|(host, text)| record(&format!("http://{host}.example/"), time, &html(text)));
        let site = Site::with(&records.concat());
        let hosts = |query: &str| -> Vec<String> {
            site.search(&request(query)).pages.into_iter().map(|page| page.host).collect()
        };
        assert_eq!(hosts(query).first().map(String::as_str), Some("right.example"), "{query}");
        assert_eq!(hosts(&format!("\"{query}\"")), ["right.example"], "{query}");
    }
}

#[test]
fn the_similarity_is_that_of_the_words_alone() {
    let similarity = |query: &str| {
        let found = SITE.search(&SearchRequest { pages: 3, ..request(query) });
        found.pages[0].blocks[0].similarity
    };
    let plain = similarity("heron reeds");
    assert!(plain > 0.3, "{plain}");
    for query in ["heron reeds site:birds.example", "heron reeds -mill", "herron reeds", "lang:en OR (heron reeds)"] {
        let other = similarity(query);
        assert!((plain - other).abs() < 0.02, "{query}: {other}, not {plain}");
    }
}

#[test]
fn a_run_has_few_blocks_of_a_page() {
    let wanted = SearchRequest { blocks_per_page: 1, pages: 420, ..request("mill river") };
    let run = SITE.engine.run(&wanted, &lopper_index::RankingWeights::default()).unwrap();
    let mut of_page: BTreeMap<&str, usize> = BTreeMap::new();
    for block in &run {
        *of_page.entry(&block.document.page_id).or_default() += 1;
    }
    assert_eq!(run.len(), 420);
    assert!(of_page.values().all(|count| *count == 1));
    assert!(run.is_sorted_by(|a, b| a.score >= b.score));
}

/// Pages of one host with these bodies.
fn site_of(bodies: &[&str]) -> Site {
    let html = |body: &str| format!("<html lang=en><title>Page</title><main>{body}</main></html>");
    let records = bodies
        .iter()
        .zip(1..)
        .map(|(body, page)| record(&format!("http://made.example/{page}"), "2001-01-02T03:04:05Z", &html(body)));
    Site::with(&records.collect::<String>())
}

/// All that is shown of an answer's blocks.
fn shown_of(answer: &SearchResponse) -> Vec<String> {
    let shown = |block: &BlockHit| {
        let headings = block.heading_path.join("\n");
        [&headings, &block.lead, &block.text, &block.passage, &block.snippet.text].map(String::clone)
    };
    answer.pages.iter().flat_map(|page| &page.blocks).flat_map(shown).collect()
}

/// A query, the HTML that it is about, and what is shown of it.
const TOUCHING: [(&str, &str, &str); 4] = [
    ("prefix str", "<strong>prefix</strong><span class=classifier>str, optional</span>", "prefix str, optional"),
    (
        "mangle_dupe_cols bool",
        "<strong>mangle_dupe_cols</strong><span class=classifier>bool, default True</span>",
        "mangle_dupe_cols bool, default True",
    ),
    ("16 km", "<span>16 km</span><span>420 m</span>", "16 km 420 m"),
    ("420 m", "<span class=far>16 km</span><span class=high>420 m</span>", "16 km 420 m"),
];

#[test]
fn words_that_touch_in_the_html_alone_are_found_and_shown_apart() {
    for (query, html, expected) in TOUCHING {
        let right = format!("<h1>Reference</h1><dl><dt>{html}</dt><dd>What it is and does.</dd></dl>");
        let site = site_of(&["<h1>Other</h1><p>Nothing of that kind stands on this page.</p>", &right]);
        for query in [query.to_owned(), format!("\"{query}\""), query.replace(' ', "")] {
            let answer = site.search(&request(&query));
            assert_eq!(urls(&answer).first().map(String::as_str), Some("http://made.example/2"), "{query}");
            assert!(shown_of(&answer).iter().any(|shown| shown.contains(expected)), "{query}: {answer:?}");
        }
    }
}

#[test]
fn permalink_signs_are_in_nothing_that_is_shown() {
    let site = site_of(&["<h1>Manual<a class=headerlink href=#manual title='Link to this heading'>¶</a></h1>\
         <h2 id=setup>Setup<a class=headerlink href=#setup>¶</a></h2><p>Unpack the lantern first, see § 5.</p>\
         <dl><dt id=wick>wick(length)<a class=headerlink href=#wick>¶</a></dt><dd>Trims the lantern.</dd></dl>\
         <h3 id=oil>Oil <a href=#oil>#</a></h3><p>Fill the lantern.</p>"]);
    let answer = site.search(&request("lantern setup wick oil manual"));
    let shown = shown_of(&answer);
    assert!(shown.iter().any(|text| text.contains("wick(length)")) && shown.iter().any(|text| text.contains("Setup")));
    assert!(shown.iter().any(|text| text.contains("§ 5")), "a sign in a sentence stays: {shown:?}");
    assert!(!shown.iter().any(|text| text.contains(['¶', '#'])), "{shown:?}");
}

/// A whole question finds the page that its few telling words find.
#[test]
fn small_words_of_a_question_do_not_outweigh_its_telling_ones() {
    let others =
        (0..20).map(|day| format!("<h1>Day {day}</h1><p>How do I wait in a queue, and what do I do in a day?"));
    let others: Vec<String> = others.collect();
    let mut bodies = vec![
        "<h1>How do I begin</h1><p>How do I do this in a day? How I do it is how you do it in a week, in a column.</p>",
        "<h1>Labels</h1><p>With rename each column of the pandas frame gets another label.</p>",
        "<h1>Zoo</h1><p>In a zoo the pandas do what I do in a day.</p>",
    ];
    bodies.extend(others.iter().map(String::as_str));
    let site = site_of(&bodies);
    for query in ["rename column pandas", "how do I rename a column in pandas"] {
        let answer = site.search(&request(query));
        assert_eq!(urls(&answer).first().map(String::as_str), Some("http://made.example/2"), "{query}");
    }
}

/// Where questions are rare, the words that they begin with are too; they do not say what is asked.
#[test]
fn a_question_finds_what_it_asks_not_what_asks_the_same_way() {
    let others: Vec<String> = (0..30)
        .map(|page| format!("<h1>Function {page}</h1><p>Gives the value {page} of each column, in rows.</p>"))
        .collect();
    let mut bodies = vec![
        "<h1>How do I select a subset</h1><ul><li>How do I select a column in a frame?</li><li>How do I filter rows in it?\
         </li><li>How do I read it?</li></ul>",
        "<h1>rename</h1><p>Rename the column of a frame: gives another label to it, and leaves the rows alone.</p>",
    ];
    bodies.extend(others.iter().map(String::as_str));
    let site = site_of(&bodies);
    for query in ["rename column", "how do I rename a column", "How can I rename a column?"] {
        let answer = site.search(&request(query));
        assert_eq!(urls(&answer).first().map(String::as_str), Some("http://made.example/2"), "{query}");
    }
    // They are not told as missing, nor put right where nothing has them.
    let answer = site.search(&request("what is the rename for"));
    assert!(answer.notes.iter().all(|note| !note.to_string().contains("what")), "{:?}", answer.notes);
}

/// A heading that is the whole question stands before a text that has its words more often.
#[test]
fn a_long_question_is_found_where_it_is_asked() {
    let question = "why does the pump of the old mill stop turning when the river is frozen";
    let asked = format!("<h1>Questions</h1><h2>{question}?</h2><p>The wheel is locked by ice, and must be freed.</p>");
    let texts = "<h1>The old mill</h1><p>The old mill has a pump. The pump stops turning when the mill stops, and the river does \
                 not stop: the frozen river is why the old pump of the mill is turning when frozen.</p>";
    let site = site_of(&[texts, &asked]);
    let answer = site.search(&request(question));
    assert_eq!(urls(&answer).first().map(String::as_str), Some("http://made.example/2"));
}
