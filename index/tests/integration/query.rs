//! The query language on an index: fields, lists, prefixes, spelling.

use lopper_index::{
    BlockDocument, BlockQuery, Budget, Correction, PREFIX_TERMS_MAX, QueryNote, RankedBlocks, SearchError,
};

use crate::support::{TestIndex, block, page_id};

fn search(test: &TestIndex, text: &str) -> RankedBlocks {
    test.searcher().search(&BlockQuery::new(text, 1000)).unwrap()
}

/// Numbers of the pages found, in the order of the ranking.
fn pages(test: &TestIndex, text: &str) -> Vec<u64> {
    let blocks = search(test, text).blocks;
    blocks.iter().map(|block| u64::from_str_radix(&block.document.page_id[..16], 16).unwrap()).collect()
}

fn sorted(test: &TestIndex, text: &str) -> Vec<u64> {
    let mut pages = pages(test, text);
    pages.sort_unstable();
    pages
}

/// Mills on three hosts.
fn mills() -> TestIndex {
    let at = |page: u32, host: &str, path: &str, year: i64, body: &str| BlockDocument {
        url: format!("http://{host}/{path}"),
        host: host.to_owned(),
        captured_at: Some((year - 1970) * 31_556_952 + 10_000_000),
        ..block(page, 0, "en", body)
    };
    TestIndex::of(&[
        BlockDocument {
            title: "Old mills".to_owned(),
            heading_path: vec!["The water mill".to_owned(), "Wheels turning".to_owned()],
            page_type: "article".to_owned(),
            ..at(1, "museum.example", "mills/water_wheels", 2008, "The restored mill grinds corn again.")
        },
        at(2, "www.museum.example", "tickets", 2010, "Tickets for the mill and the organization of tours."),
        BlockDocument {
            language: "de".into(),
            page_type: "forum".to_owned(),
            ..at(3, "forum.museum.example", "t/17", 2012, "Die Mühlen am Bach mahlen; mill heißt Mühle.")
        },
        at(4, "other.example", "mills", 2009, "Wind turns the mill, corn waits."),
    ])
}

#[test]
fn fields_restrict() {
    let test = mills();
    for (text, expected) in [
        ("mill site:museum.example", &[1, 2, 3][..]),
        ("mill site:www.museum.example", &[2]),
        ("mill site:museum.example/mills", &[1]),
        ("mill site:museum.example/mill", &[]),
        ("mill -site:museum.example", &[4]),
        ("site:example", &[1, 2, 3, 4]),
        ("corn lang:de", &[]),
        ("mill lang:de", &[3]),
        ("mill lang:(de OR fr)", &[3]),
        ("type:article corn", &[1]),
        ("title:mill", &[1]),
        ("title:\"old mill\"", &[1]),
        ("title:\"mill old\"", &[]),
        ("heading:\"water mill wheel\"", &[]),
        ("heading:(wheel AND turn)", &[1]),
        ("heading:water -title:old", &[]),
        ("inurl:mills", &[1, 4]),
        ("inurl:water_wheels", &[1]),
        ("inurl:wheel*", &[1]),
        ("mill date:2009..2010", &[2, 4]),
        ("mill date:..2008", &[1]),
        ("mill date:2011..", &[3]),
        ("mill date:2012 OR (corn AND site:other.example)", &[3, 4]),
    ] {
        assert_eq!(sorted(&test, text), expected, "{text}");
    }
}

#[test]
fn operators_require_and_exclude() {
    let test = mills();
    for (text, expected) in [
        ("corn tickets", &[1, 2, 4][..]),
        ("corn AND wind", &[4]),
        ("+corn wind", &[1, 4]),
        ("mill -corn", &[2, 3]),
        ("mill NOT (corn OR tickets)", &[3]),
        ("\"mill corn\"~2", &[1, 4]),
        ("\"corn mill\"~1", &[]),
        ("(corn OR tickets) AND (wind OR tour)", &[2, 4]),
        ("corn and wind", &[1, 2, 4]),
        ("-corn", &[2, 3]),
        ("-corn -tickets", &[3]),
        ("-mill", &[]),
    ] {
        let found = sorted(&test, text);
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn filters_alone_list_the_newest_first() {
    let test = mills();
    assert_eq!(pages(&test, "site:museum.example"), [3, 2, 1]);
    assert_eq!(pages(&test, "-corn"), [3, 2]);
    assert!(search(&test, "site:museum.example").blocks.iter().all(|block| block.score.abs() < f32::MIN_POSITIVE));
    assert_eq!(pages(&test, "mill site:museum.example").len(), 3);
}

#[test]
fn words_of_what_is_excluded_are_not_marked() {
    let test = mills();
    let ranked = search(&test, "wind -tickets site:other.example");
    let found = &ranked.blocks[0];
    let marked: Vec<&str> = found.highlights.body.iter().map(|range| &found.document.body[range.clone()]).collect();
    assert_eq!(marked, ["Wind"]);
}

#[test]
fn common_words_find_something() {
    let test = mills();
    assert_eq!(sorted(&test, "the"), [1, 2, 4]);
    assert_eq!(search(&test, "to be or not to be, that is the question").total, 3);
}

#[test]
fn prefixes_find_words_and_not_only_stems() {
    let test = mills();
    for (text, expected) in [
        ("gri*", &[1][..]),
        ("grindi*", &[]),
        ("orga*", &[2]),
        // "organization" has the stem "organ".
        ("organiz*", &[2]),
        ("organiza* -corn", &[2]),
        ("müh*", &[3]),
        ("MÜHL*", &[3]),
        ("title:mil*", &[1]),
        ("zzz*", &[]),
    ] {
        assert_eq!(sorted(&test, text), expected, "{text}");
    }
}

#[test]
fn a_prefix_of_many_words_is_cut_at_the_rarest() {
    let many: Vec<String> = (0..PREFIX_TERMS_MAX + 7).map(|number| format!("word{number:03}")).collect();
    let common = BlockDocument { title: "word099 wordy".to_owned(), ..block(2, 0, "en", "wordy word099") };
    let test = TestIndex::of(&[block(1, 0, "en", &many.join(" ")), common, block(3, 0, "en", "word099 wordy")]);
    let ranked = search(&test, "x word*");
    let expected = QueryNote::PrefixCut { position_bytes: 2, prefix: "word".to_owned(), left_out: 9 };
    assert_eq!(ranked.notes, [expected, QueryNote::AbsentWords { words: vec!["x".to_owned()] }]);
    assert_eq!(ranked.total, 3);
}

fn correction(position_bytes: usize, given: &str, suggested: &str, applied: bool) -> QueryNote {
    let (given, suggested) = (given.to_owned(), suggested.to_owned());
    QueryNote::Correction(Correction { position_bytes, given, suggested, applied })
}

#[test]
fn a_word_that_is_nowhere_is_searched_for_as_it_was_meant() {
    let test = TestIndex::of(&[
        block(1, 0, "en", "The moderation of comments takes place daily; moderators are organised."),
        block(2, 0, "en", "Comments on the restoration of mills, its validation, and Mr Kubernat."),
        block(3, 0, "de", "Die Häuser am Wald"),
        block(4, 0, "xx", "森林公園 xyzzy"),
    ]);
    for (text, page, note) in [
        ("mooderation", 1, correction(0, "mooderation", "moderation", true)),
        ("é Moderatoin", 1, correction(3, "Moderatoin", "moderation", true)),
        ("moderatros", 1, correction(0, "moderatros", "moderators", true)),
        ("validtion", 2, correction(0, "validtion", "validation", true)),
        ("millsits", 2, correction(0, "millsits", "mills its", true)),
        ("+restoraton", 2, correction(1, "restoraton", "restoration", true)),
        ("häusre", 3, correction(0, "häusre", "häuser", true)),
        ("title:x OR xyzy", 4, correction(11, "xyzy", "xyzzy", true)),
    ] {
        let ranked = search(&test, text);
        assert_eq!(ranked.notes[0], note, "{text}");
        assert_eq!(pages(&test, text), [page], "{text}");
        assert!(!ranked.blocks[0].highlights.body.is_empty(), "{text}");
    }
    for kept in [
        "mil",
        "zzz",
        "mooderat*",
        "-mooderation -comments",
        "mo0deration",
        "森公",
        "qwertyuiop",
        "Kubernetes",
        "restorationcomments",
        "moderate",
        "site:mooderation.org",
    ] {
        let notes = search(&test, kept).notes;
        assert!(!notes.iter().any(|note| matches!(note, QueryNote::Correction(_))), "{kept}: {notes:?}");
    }
}

#[test]
fn the_word_that_was_meant_may_be_rarer_than_another_of_its_stem() {
    let mut blocks: Vec<_> = (1..6).map(|page| block(page, 0, "en", "Flags are separated by commas.")).collect();
    blocks.extend((6..8).map(|page| block(page, 0, "en", "A comma stands between two flags.")));
    let notes = search(&TestIndex::of(&blocks), "commxa").notes;
    assert_eq!(notes, [correction(0, "commxa", "comma", true)]);
}

#[test]
fn of_several_words_that_may_be_meant_the_one_that_stands_with_the_others_is_taken() {
    let of_gold = (1..6).map(|page| block(page, 0, "en", "The price of gold rose again."));
    let of_ears = (6..8).map(|page| block(page, 0, "en", "They pierce ears at the market."));
    let test = TestIndex::of(&of_gold.chain(of_ears).collect::<Vec<_>>());
    for (text, meant) in
        [("pirce", "price"), ("pirce gold", "price"), ("pirce ears", "pierce"), ("market pirce -gold", "pierce")]
    {
        let position = text.find("pirce").unwrap();
        assert_eq!(search(&test, text).notes[0], correction(position, "pirce", meant, true), "{text}");
    }
}

#[test]
fn what_fits_nothing_else_and_capitals_are_asked_about() {
    let test = TestIndex::of(&[
        block(1, 0, "en", "The script runs before the server starts."),
        block(2, 0, "en", "A supernova is a star; the nova fades."),
        block(3, 0, "en", "Rules of hashing and of filters."),
        block(4, 0, "en", "Another nova, another star."),
        block(5, 0, "en", "Another script."),
    ]);
    for (text, position, given, meant, applied) in [
        ("scrypt server", 0, "scrypt", "script", true),
        ("scrypt hashing", 0, "scrypt", "script", false),
        ("scrypt", 0, "scrypt", "script", true),
        ("ANOVA star", 0, "ANOVA", "nova", false),
        ("ANOVA", 0, "ANOVA", "nova", false),
        ("SERVER SCRYPT", 7, "SCRYPT", "script", true),
    ] {
        let notes = search(&test, text).notes;
        assert_eq!(notes[0], correction(position, given, meant, applied), "{text}");
    }
}

#[test]
fn acronyms_are_found_as_they_are_written() {
    let test = TestIndex::of(&[
        block(1, 0, "en", "Set up the server, then look up the up time."),
        block(2, 0, "en", "A tool for one UPS of any maker, with a battery in it, which stands beside the server."),
        block(3, 0, "en", "Setting up a battery."),
        block(4, 0, "en", "Ups and downs of the lemonade, and how the shop was set up again."),
        block(5, 0, "", "An UPS without a language."),
    ]);
    let first = |text: &str| pages(&test, text)[0];
    assert_eq!(first("UPS battery"), 2);
    for written in ["UPS", "\"UPS\"", "+UPS", "+UPS server battery", "tool AND UPS"] {
        assert!(sorted(&test, written).iter().all(|page| [2, 5].contains(page)), "{written}");
    }
    assert_eq!((sorted(&test, "\"UPS\""), sorted(&test, "set -UPS")), (vec![2, 5], vec![1, 3, 4]));
    for word in ["ups", "SET UPS"] {
        assert!(sorted(&test, word).len() == 5 && first(word) != 2, "{word}");
    }
    // What no text has in capitals is looked for as any word.
    assert_eq!(sorted(&test, "\"TOOLS\""), [2]);
}

#[test]
fn two_words_are_one_as_it_is_written() {
    let test = TestIndex::of(&[
        block(1, 0, "en", "The thermostat of the room."),
        block(2, 0, "ca", "El peer del servidor; how it is."),
        block(3, 0, "en", "The peer has a status, the clock a code."),
    ]);
    let joined = |text: &str| {
        let notes = search(&test, text).notes;
        notes.iter().any(|note| matches!(note, QueryNote::Correction(correction) if correction.given.contains(' ')))
    };
    assert!(joined("thermo stat") && joined("thermo stats"));
    // Catalan has the stem `peer` for `peersatus`, which nobody wrote.
    assert!(!joined("peer satus codes"));
    assert!(!joined("how it is"));
}

#[test]
fn options_of_several_parts_are_asked_for() {
    let test = TestIndex::of(&[
        block(1, 0, "en", "-filter:v graph sets the filter of the stream."),
        block(2, 0, "en", "Another text, see other.example for more."),
        block(3, 0, "en", "Write to example.org about it, with node.js or without."),
    ]);
    assert_eq!(pages(&test, "-filter:v"), [1]);
    assert_eq!(pages(&test, "graph -filter:v"), [1]);
    assert_eq!(sorted(&test, "-zorp:v"), [1, 2, 3], "what is nowhere is excluded");
    assert_eq!(sorted(&test, "-example.org"), [1, 2], "and so is a site of the collection");
    assert_eq!(sorted(&test, "-node.js"), [1, 2], "and a name with a dot");
}

#[test]
fn options_of_the_command_that_a_query_begins_with_are_asked_for() {
    let many = (4..40).map(|page| block(page, 0, "en", "They resize what is named."));
    let test = TestIndex::of(
        &[
            block(1, 0, "en", "With convert, -resize sets the size of the image."),
            block(2, 0, "en", "To convert a text, write it anew."),
            block(3, 0, "en", "A jaguar is no car."),
        ]
        .into_iter()
        .chain(many)
        .collect::<Vec<_>>(),
    );
    assert!(pages(&test, "convert -resize 50% text.png").contains(&1));
    let told = QueryNote::Option { position_bytes: 9, word: "resize".to_owned() };
    assert_eq!(search(&test, "convert -resize").notes, [told]);
    assert!(!pages(&test, "jaguar -resize").contains(&1), "excluded");
    assert!(!pages(&test, "convert NOT resize").contains(&1), "excluded");
}

#[test]
fn words_are_completed_by_those_of_most_pages() {
    let test = TestIndex::of(&[
        block(1, 0, "en", "Moderation of comments by moderators; the moderator\u{2019}s rules."),
        block(2, 0, "en", "Moderators, and what MODERATION is. 森林公園 mod3"),
        block(3, 0, "de", "Moderatoren und Mühlen"),
    ]);
    let completed = |prefix: &str| test.searcher().words_beginning_with(prefix, 3, &Budget::unlimited()).unwrap();
    assert_eq!(completed("modera"), ["moderation", "moderators", "moderatoren"]);
    assert_eq!(completed("MÜH"), ["mühlen"]);
    assert_eq!((completed("森"), completed("mod3"), completed("zzz")), (vec![], vec!["mod3".to_owned()], vec![]));
}

#[test]
fn a_quoted_spelling_is_kept_and_asked_about() {
    let test = TestIndex::of(&[block(1, 0, "en", "The moderation of comments")]);
    let ranked = search(&test, "\"mooderation\" comments");
    assert_eq!((ranked.total, ranked.notes), (0, vec![correction(1, "mooderation", "moderation", false)]));
}

#[test]
fn quoted_words_that_nothing_has_in_a_row_are_searched_one_by_one() {
    let test = TestIndex::of(&[
        block(1, 0, "en", "The water of the river drives a mill"),
        block(2, 0, "en", "Mount the type of sail"),
        block(3, 0, "ja", "森林の中の公園"),
    ]);
    let apart = |text: &str| {
        let ranked = test.searcher().search(&BlockQuery { apart: true, ..BlockQuery::new(text, 10) }).unwrap();
        let pages: Vec<String> = ranked.blocks.into_iter().map(|block| block.document.page_id).collect();
        (pages, ranked.notes)
    };
    let (pages, notes) = apart("\"water mill\"");
    assert_eq!((pages, notes), (vec![page_id(1)], vec![QueryNote::NotInARow]));
    assert_eq!(apart("\"森林公園\"").0, [page_id(3)]);
    // Signs and fields within quotes are words of the text.
    for text in ["\"mount -o type:cifs\"", "\"mount AND (zorp\"", "\"mount -sail\"", "\"mount lang:english words\""] {
        assert_eq!(apart(text).0, [page_id(2)], "{text}");
    }
    // What is meant to the letter stays so.
    for text in ["+\"water mill\"", "-\"water mill\" zorp", "title:\"water mill\"", "\"water mill\"~1", "\"watre\""] {
        let (pages, notes) = apart(text);
        assert!(pages.is_empty() && !notes.contains(&QueryNote::NotInARow), "{text}: {notes:?}");
    }
    // A word that nothing has is asked about, and the rest of a question is answered.
    let (pages, notes) = apart("river \"watre\" mill");
    assert_eq!(pages, [page_id(1)]);
    assert_eq!(notes[0], correction(7, "watre", "water", false), "{notes:?}");
    let joined = search(&test, "\"water mill\"");
    assert_eq!((joined.total, joined.notes), (0, vec![]), "not unless it is asked for");
}

#[test]
fn a_rare_word_beside_a_frequent_one_is_asked_about() {
    let mut blocks: Vec<_> = (0..100).map(|page| block(page, 0, "en", "the archive of pages")).collect();
    blocks.push(block(100, 0, "en", "the archvie of pages"));
    let test = TestIndex::of(&blocks);
    let ranked = search(&test, "archvie");
    assert_eq!((ranked.total, ranked.notes), (1, vec![correction(0, "archvie", "archive", false)]));
    assert_eq!(search(&test, "archive").notes, []);
}

#[test]
fn a_filter_that_nothing_has_is_told() {
    let test = mills();
    let note = |position_bytes, filter: &str| QueryNote::NothingHas { position_bytes, filter: filter.to_owned() };
    assert_eq!(search(&test, "mill site:nowhere.org").notes, [note(10, "site:nowhere.org")]);
    assert_eq!(search(&test, "mill (lang:fr OR type:service)").notes, [note(11, "lang:fr"), note(22, "type:service")]);
    assert_eq!(search(&test, "mill date:1999").notes, [note(10, "date:1999")]);
    assert_eq!(search(&test, "mill date:2008").notes, []);
    let undated = TestIndex::of(&[block(0, 0, "en", "a mill of no time")]);
    assert_eq!(search(&undated, "mill date:2008").notes, [note(10, "date:2008")]);
}

#[test]
fn a_language_asked_for_is_tried_however_rare() {
    let codes = ["ar", "da", "nl", "en", "fi", "fr", "de", "el", "hu"];
    let mut blocks = Vec::new();
    for (page, code) in codes.iter().enumerate() {
        blocks.push(block(page as u32, 0, code, "x"));
        blocks.push(block(page as u32, 1, code, "y"));
    }
    blocks.push(block(50, 0, "sv", "hundarna springer"));
    let test = TestIndex::of(&blocks);
    assert_eq!(pages(&test, "hundar lang:sv"), [50]);
}

#[test]
fn a_query_that_cannot_be_understood_is_an_error_with_its_place() {
    let test = mills();
    let error = test.searcher().search(&BlockQuery::new("corn AND (mill", 5)).unwrap_err();
    let SearchError::Query(error) = error else { panic!("{error}") };
    assert_eq!(error.position_bytes, 9);
    assert_eq!(
        error.to_string(),
        "the parenthesis is not closed; add a `)`, or put it in quotes to search for the words (at byte 9 of the query)"
    );
}

/// Each repetition is looked up once, whatever it costs.
#[test]
fn long_hostile_queries_are_quick() {
    let test = mills();
    for text in
        ["a* ".repeat(3000), "zzzzzzzzz ".repeat(900), "NOT ".repeat(2500), "(a ".repeat(60), "\"a b\"~9 ".repeat(1000)]
    {
        let found = test.searcher().search(&BlockQuery::new(&text, 5));
        assert!(matches!(found, Ok(_) | Err(SearchError::Query(_))), "{found:?}");
    }
}

#[test]
fn what_a_question_begins_with_does_not_tell_which_word_was_meant() {
    let test = TestIndex::of(&[
        block(1, 0, "de", "Wie lange er often sagt, so lange sagt er es."),
        block(2, 0, "de", "Der Braten ist im Haus."),
        block(3, 0, "de", "Der Hund ist im Garten."),
    ]);
    let is_put = |text: &str| {
        let notes = search(&test, text).notes;
        notes
            .iter()
            .any(|note| matches!(note, QueryNote::Correction(meant) if meant.suggested == "often" && meant.applied))
    };
    assert!(!is_put("wie lange Braten im ofen"));
    assert!(is_put("sagt ofen"));
}
