use super::*;
use lopper_analysis::TermForm;

fn shown<'a>(block: &'a BlockDocument, query: &str) -> &'a str {
    let mut analyzer = Analyzer::new();
    let terms = QueryTerms::of_text(&mut analyzer, query, Language::from_code("en"));
    let found = FoundWords::new(&mut analyzer, &block.body, block.language, &terms);
    let words = query.split(' ').count();
    let Answer { range, .. } = passage(&mut analyzer, block, &terms, &found, &vec![1.0; words]);
    &block.body[range]
}

#[test]
fn words_are_counted_alike_in_all_scripts() {
    for text in ["", " ", "a", " a\u{b}b \t\n c ", "one two  three", "\u{1c}x y"] {
        assert_eq!(word_count(text), text.split_whitespace().count(), "{text:?}");
        let wide = format!("{text} \u{a0}é\u{2003}ü");
        assert_eq!(word_count(&wide), word_count(text) + 2, "{wide:?}");
    }
}

#[test]
fn the_lines_that_hold_the_words() {
    let filler = "word ".repeat(40);
    let body = format!("About wind\n{filler}\nSails of linen turn {filler}\n{filler}");
    let block = BlockDocument {
        lead: "About wind".to_owned(),
        heading_path: vec!["Mills".to_owned()],
        body,
        language: "en".into(),
        ..BlockDocument::default()
    };
    assert!(shown(&block, "linen sails").starts_with("Sails") && shown(&block, "linen sails").lines().count() == 1);
    assert_eq!(shown(&block, "wind"), block.body, "the first line is about it");
    assert_eq!(shown(&block, "water"), block.body, "nothing is found");
    assert!(shown(&block, "wind linen sails").starts_with("About"), "all words, wherever they stand");
    let short = BlockDocument { body: "a sail\nb\nc".to_owned(), language: "en".into(), ..BlockDocument::default() };
    assert_eq!(shown(&short, "sail"), short.body);
}

#[test]
fn a_definition_is_shown_with_its_name() {
    let filler = "word ".repeat(40);
    let definition = BlockDocument {
        heading_path: vec!["Mills".to_owned(), "mill.grind(grain, stones=2)".to_owned()],
        lead: "mill.grind(grain, stones=2)".to_owned(),
        body: format!("mill.grind(grain, stones=2)\nGrinds it.\n{filler}\nOf linen sails {filler}\n{filler}"),
        names: vec!["mill.grind".to_owned()],
        language: "en".into(),
        ..BlockDocument::default()
    };
    let answer = shown(&definition, "linen sails");
    assert!(answer.starts_with("mill.grind(") && answer.lines().count() == 4, "{answer}");
    let named = |heading: &str, name: &str| BlockDocument {
        heading_path: vec![heading.to_owned()],
        lead: heading.to_owned(),
        names: vec![name.to_owned()],
        ..definition.clone()
    };
    for (heading, name) in [("Grinding of grain", "grinding-of-grain"), ("Grinding", "grinding"), ("grind", "g")] {
        assert!(shown(&named(heading, name), "linen sails").starts_with("Of linen"), "{heading}");
    }
    assert!(shown(&named("-g, --grind", "g"), "linen sails").starts_with("mill.grind("), "an option");
    let part = BlockDocument { lead: "Grinds it.".to_owned(), ..definition.clone() };
    assert!(shown(&part, "linen sails").starts_with("Of linen"), "it does not begin with the name");
}

#[test]
fn words_that_a_block_lacks_are_told() {
    let block = BlockDocument {
        title: "Windmills".to_owned(),
        heading_path: vec!["Sails".to_owned(), "Cloth".to_owned()],
        body: "Linen turns.".to_owned(),
        language: "en".into(),
        ..BlockDocument::default()
    };
    let mut analyzer = Analyzer::new();
    let terms = QueryTerms::of_text(&mut analyzer, "windmill sail water linen stone", block.language);
    let found = FoundWords::new(&mut analyzer, &block.body, block.language, &terms);
    assert_eq!(passage(&mut analyzer, &block, &terms, &found, &[1.0; 5]).missing, [2, 4]);
    // A word that hardly counts beside others says nothing by not being there.
    assert_eq!(passage(&mut analyzer, &block, &terms, &found, &[1.0, 1.0, 0.3, 1.0, 0.6]).missing, [4]);
    let stone = QueryTerms::of_text(&mut analyzer, "stones", block.language);
    let passage = Passage { missing: vec![0], following: "A stone.".to_owned(), ..Passage::default() };
    let found = passage.found_beside(&stone, |text| words_in(&mut analyzer, text, block.language, &stone));
    assert!(found.missing.is_empty(), "it is shown beside the block");
}

#[test]
fn words_that_share_a_place_are_found() {
    let block = BlockDocument { body: "Lines of C++.".to_owned(), language: "en".into(), ..Default::default() };
    let mut analyzer = Analyzer::new();
    let form = |term: &str| TermForm { term: term.to_owned(), languages: Vec::new(), factor: 1.0 };
    let words = [form("line"), form("line"), form("c"), form("\u{2}c++"), form("mill")];
    let terms = QueryTerms::of_words(words.iter().map(std::slice::from_ref));
    let found = FoundWords::new(&mut analyzer, &block.body, block.language, &terms);
    assert_eq!(passage(&mut analyzer, &block, &terms, &found, &[1.0; 5]).missing, [4]);
}

#[test]
fn a_short_opening_is_shown_with_what_follows() {
    let block = |path: &[&str], body: &str, names: &[&str], ordinal| BlockDocument {
        heading_path: path.iter().map(|heading| (*heading).to_owned()).collect(),
        names: names.iter().map(|name| (*name).to_owned()).collect(),
        anchor: Some("page".to_owned()),
        body: body.to_owned(),
        ordinal,
        ..BlockDocument::default()
    };
    let first = block(&["Mill"], "Mill\nA machine.", &["page"], 0);
    let after = [block(&["Use"], "Use\nFlour.", &["use"], 1), block(&["Age"], &"old ".repeat(80), &[], 2)];
    let passage = |block: &BlockDocument, range| {
        let place_of = |place: i32| (block.ordinal as usize).checked_add_signed(place as isize - 1);
        let next = |place: i32| Ok::<_, ()>(place_of(place).and_then(|place| after.get(place)).cloned());
        Passage::of(Answer { range, is_partial: false, missing: vec![2] }, block, next).unwrap()
    };
    let whole = |block: &BlockDocument| passage(block, 0..block.body.len()).text(&block.body);
    assert!(whole(&first).starts_with("Mill\nA machine.\nUse\nFlour.\nold "), "its element goes on");
    assert_eq!(whole(&after[0]), "Use\nFlour.", "another section follows");
    let within = BlockDocument { heading_path: vec!["Age".to_owned()], ..after[0].clone() };
    assert!(whole(&within).contains("old"), "its section goes on");
    assert_eq!(passage(&first, 0..4).text(&first.body), "Mill", "the rest of the block was left out");
    assert_eq!(passage(&first, 0..4).missing, [2]);
}

#[test]
fn what_opens_a_page_is_shown_with_what_follows() {
    let block = |heading: &str, body: String, ordinal| BlockDocument {
        heading_path: vec![heading.to_owned()],
        body,
        ordinal,
        ..BlockDocument::default()
    };
    let page = |head: &str| {
        let text = "It grinds. ".repeat(20);
        [
            BlockDocument { heading_path: Vec::new(), ..block("", head.to_owned(), 0) },
            block("NAME", "NAME\nmill - grinds".to_owned(), 1),
            block("SYNOPSIS", "SYNOPSIS\nmill [grain]".to_owned(), 2),
            block("DESCRIPTION", format!("DESCRIPTION\n{text}"), 3),
            block("EXIT STATUS", "EXIT STATUS\nNone.".to_owned(), 4),
            block("SEE ALSO", "SEE ALSO\nquern".to_owned(), 5),
        ]
    };
    let shown = |page: &[BlockDocument], at: usize| {
        let answer = Answer { range: 0..page[at].body.len(), is_partial: false, missing: Vec::new() };
        let beside = |distance: i32| Ok::<_, ()>(page.get((at as i32 + distance) as usize).cloned());
        Passage::of(answer, &page[at], beside).unwrap().text(&page[at].body)
    };
    let manual = page("MILL(1)");
    assert!(shown(&manual, 1).contains("mill [grain]\nDESCRIPTION\nIt grinds."), "{}", shown(&manual, 1));
    assert!(shown(&manual, 0).contains("mill - grinds"));
    assert_eq!(shown(&manual, 4), "EXIT STATUS\nNone.", "a section within the page stands alone");
    assert_eq!(shown(&page(&"menu ".repeat(30)), 1), "NAME\nmill - grinds", "much stands before it");
}

#[test]
fn an_option_that_holds_a_part_is_shown_among_others() {
    let option = |name: &str, text: &str, ordinal| BlockDocument {
        heading_path: vec!["Mill".to_owned(), "Options".to_owned(), name.to_owned()],
        body: format!("{name}\n{text}"),
        lead: name.to_owned(),
        language: "en".into(),
        ordinal,
        ..BlockDocument::default()
    };
    let long = "word ".repeat(300);
    let page = [
        option("--long", &long, 0),
        option("--sail", "the linen", 1),
        option("--stone", "turns", 2),
        option("--wind", "blows", 3),
        BlockDocument { heading_path: vec!["Other".to_owned()], body: "elsewhere".to_owned(), ..option("", "", 4) },
    ];
    let shown = |query: &str| {
        let mut analyzer = Analyzer::new();
        let terms = QueryTerms::of_text(&mut analyzer, query, Language::from_code("en"));
        let block = &page[2];
        let found = FoundWords::new(&mut analyzer, &block.body, block.language, &terms);
        let weights = vec![1.0; query.split(' ').count()];
        let answer = passage(&mut analyzer, block, &terms, &found, &weights);
        let beside = |distance: i32| Ok::<_, ()>(page.get((2 + distance) as usize).cloned());
        Passage::of(answer, block, beside).unwrap().text(&block.body)
    };
    assert_eq!(shown("stone turns"), "--stone\nturns", "it holds all");
    let among = "--sail\nthe linen\n--stone\nturns\n--wind\nblows";
    assert_eq!(shown("which stone grinds faster"), among, "neither what is too long nor another section");
}
