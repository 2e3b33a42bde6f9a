use lopper_analysis::Language;

use super::super::pieces::word_count;
use super::*;
use crate::cst::{self, Profile};
use crate::dom;
use crate::limits::Limits;
use crate::prune::{BlockEvidence, PruneRule, QueryVector, prune};
use crate::weigh::{WeighParams, Weigher};

fn blocks(html: &str) -> Vec<MainBlock> {
    let limits = Limits::default();
    let tree = cst::build(&dom::parse(html, &limits), Profile::Modern, &limits);
    let mut weigher = Weigher::new();
    let weighted = weigher.weigh_alone(tree, Language::from_code("en"), WeighParams::default());
    let query = QueryVector::new(&mut weigher, &weighted, "mill");
    cut(&prune(weighted, query, PruneRule::Everything, BlockEvidence::default()), None, BlockParams::default())
}

#[test]
fn a_block_is_a_passage_under_its_headings() {
    let html = "<main id=m><header><h1>Mills</h1><p>by Ann</p></header><h2>Wind</h2><p>Sails <a href=/s>turn</a>.</p>
        <p>More.</p><h2>Water</h2><p>Wheels.</p></main><p>Outside</p>";
    let blocks = blocks(html);
    let texts: Vec<_> = blocks.iter().map(|block| block.text.as_str()).collect();
    assert_eq!(texts, ["Mills\nby Ann", "Wind\nSails turn.\nMore.", "Water\nWheels.", "Outside"]);
    assert_eq!(blocks[1].heading_path, ["Mills", "Wind"]);
    assert_eq!(blocks[1].lead, "Wind");
    assert_eq!(blocks[1].link_text, "turn");
    assert_eq!(blocks[1].anchor.as_deref(), Some("m"));
    assert_eq!(blocks[1].css_path, "#m > h2:nth-child(2)");
    assert_eq!(blocks[1].path, "0.1:0");
}

#[test]
fn a_heading_that_ends_its_container_heads_what_comes_after() {
    let of = |before: &str| {
        let html =
            format!("<main><div>{before}<h1>Class Mill</h1></div><div><h2>Methods</h2><p>turn()</p></div></main>");
        blocks(&html).pop().unwrap().heading_path
    };
    assert_eq!(of("<div>Module power.base</div><div>Package power.base.mills.wind</div>"), ["Class Mill", "Methods"]);
    assert_eq!(of(&"<p>A section of its own, with text. </p>".repeat(10)), ["Methods"]);
    let card = |name: &str| format!("<div><p>What the {name} mill says of itself, at length.</p><h3>{name}</h3></div>");
    let cards = blocks(&format!("<main><div>{}{}</div></main>", card("First"), card("Second")));
    assert!(cards.iter().all(|block| !(block.text.contains("the Second") && block.heading_path == ["First"])));
}

#[test]
fn a_list_of_headings_alone_is_cut_and_has_none_of_them_above_it() {
    let contents = "<dt><a href=#s>What is said of mills</a><dt><a href=#t>Who turns them all day</a>".repeat(35);
    let blocks =
        blocks(&format!("<main><h1>Mills</h1><div><dl>{contents}</dl></div><h2>Wind</h2><p>Sails.</p></main>"));
    assert_eq!(blocks.len(), 3, "of 350 words and a section");
    assert!(blocks.iter().all(|block| block.text.split_whitespace().count() <= 200));
    assert!(blocks[..2].iter().all(|block| block.heading_path == ["Mills"]));
    assert_eq!(blocks[2].heading_path, ["Mills", "Wind"]);
}

#[test]
fn links_of_headings_to_themselves_are_no_text() {
    let html = "<main><h2 id=w>Wind<a href=#w>¶</a></h2><p>Sails <a href=/s>turn</a>, see <a href=/t>#</a> there.</p>
        <h2>C#</h2><p>Notes <a href=#n>§</a></p><p><a href=#x>#</a></p></main>";
    let blocks = blocks(html);
    let texts: Vec<_> = blocks.iter().map(|block| block.text.as_str()).collect();
    assert_eq!(texts, ["Wind\nSails turn, see # there.", "C#\nNotes\n#"]);
    assert_eq!(blocks[0].link_text, "turn");
    let described = "<dl><dt id=t>turn(wind)<a href=#t>\u{f0c1}</a><dd>Turns it.</dl>";
    assert_eq!(super::tests::blocks(described)[0].text, "turn(wind)\nTurns it.");
    for sign in ["§", "◆&nbsp;"] {
        let before = super::tests::blocks(&format!("<h2 id=w><a href=#w>{sign}</a>Wind</h2><p>It blows.</p>"));
        assert_eq!(
            (before[0].text.as_str(), before[0].heading_path.as_slice()),
            ("Wind\nIt blows.", &["Wind".to_owned()][..])
        );
    }
}

#[test]
fn links_that_say_that_they_lead_to_headings_are_no_text() {
    let text = |before: &str| blocks(&format!("{before}<p>Sails turn.</p>")).remove(0).text;
    let beside = "<div><h2 id=w>Wind</h2><a href=#w>Section titled “Wind”</a></div>";
    assert_eq!([beside, "<h2 id=w>Wind <a href=#w>Link to this</a></h2>"].map(text), ["Wind\nSails turn."; 2]);
    assert_eq!(text("<h2><a href=/w>Permalink</a></h2>"), "Permalink\nSails turn.", "to another page");
}

#[test]
fn notes_in_their_signs_are_words_of_their_own() {
    let html = "<p>It turns<sup class=fn>66<span class=fn-text>As mills do.</span></sup>, see x<sup>2</sup>.";
    assert_eq!(blocks(html)[0].text, "It turns 66 As mills do., see x2.");
}

#[test]
fn elements_say_what_language_a_block_is_in() {
    let html = "<body lang=en><main><h1>Mills</h1><p>They turn.</p><div lang=de-AT><h2>Mühlen</h2><p>Sie drehen sich.</p>
        <h2>Code</h2><pre lang=cs>x = y</pre></div><h2>Both</h2><p lang=fr>Ils tournent.</p><h2>None</h2><pre lang=pl>x";
    let found: Vec<_> = blocks(html).iter().map(|block| block.language).collect();
    assert_eq!(found, [None, Some("de"), Some("de"), None, None]);
    let deep = blocks("<div lang=de><div lang=en></div><p lang=''><b>Mühlen</b></p></div><p lang=zxx>x</p>");
    assert_eq!(deep[0].language, None, "two of them in a passage");
}

#[test]
fn links_to_edit_a_section_are_no_text() {
    let edit = "<span class=mw-editsection><span>[</span><a href=/e><span>edit</span></a><span>]</span></span>";
    let of_now = format!("<div class=mw-heading><h2>Wind</h2>{edit}</div><p>It blows.</p>");
    let of_before = format!("<h2><span class=mw-headline>Wind</span>{edit}</h2><p>It blows.</p>");
    for html in [of_now, of_before] {
        let blocks = blocks(&format!("<main>{html}</main>"));
        let texts: Vec<_> = blocks.iter().map(|block| (block.text.as_str(), &block.heading_path[..])).collect();
        assert_eq!(texts, [("Wind\nIt blows.", &["Wind".to_owned()][..])], "{html}");
        assert_eq!((blocks[0].link_text.as_str(), blocks[0].links.len()), ("", 0), "{html}");
    }
    let alone = format!("<main><h2><div>Wind</div>{edit}</h2><p>It blows.</p></main>");
    assert_eq!(blocks(&alone)[0].heading_path, ["Wind"]);
    let code =
        "<main><p>Run:</p><pre><button>cargo install lopper</button></pre><pre>make<button>Copy</button></pre></main>";
    assert_eq!(blocks(code)[0].text, "Run:\ncargo install lopper\nmake");
    let asked = "<main><h3><div><div><div><button>Returns?</button></div></div></div></h3><p>By post.</p></main>";
    assert!(blocks(asked)[0].text.contains("Returns?"));
}

#[test]
fn names_of_places_stand_with_what_they_name() {
    let html = "<main><h1>Mills</h1><p>They turn.</p><div id=sails><a href=#sails>[sails]</a></div><h2>Sails</h2>
        <div id=linen><a href=#linen>[linen]</a></div><p>Linen.</p><div id=d><p>Wood.</p><p><a href=#d>[d]</a></p></div>
        <h2>Wind</h2><p>West.</p></main>";
    let blocks = blocks(html);
    let texts: Vec<_> = blocks.iter().map(|block| block.text.as_str()).collect();
    assert_eq!(texts, ["Mills\nThey turn.", "[sails]\nSails\n[linen]\nLinen.\nWood.\n[d]", "Wind\nWest."]);
    assert_eq!(
        (blocks[1].lead.as_str(), blocks[1].names.as_slice()),
        ("Sails", &["sails".into(), "linen".into(), "d".into()][..])
    );
}

#[test]
fn lists_of_names_of_places_are_bounded() {
    let names: Vec<String> = (0..1000).map(|n| format!("<div id=n{n}><a href=#n{n}>[n{n}]</a></div>")).collect();
    let blocks = blocks(&format!("<main>{}<p>The end.</main>", names.concat()));
    assert!(blocks.iter().all(|block| word_count(&block.text) <= 260), "{}", blocks.len());
    assert_eq!(blocks.iter().map(|block| word_count(&block.text)).sum::<usize>(), 1002);
}

#[test]
fn a_block_knows_the_places_in_it_and_the_name_nearest_above() {
    let html = "<main id=m><h2><span id=wind>Wind</span><a id=w2></a></h2><p>It <a name=blows>blows</a>.</p><ul>
        <li>Sails</ul><div id=empty></div><a name=water></a><h2>Water</h2><p>Wheels.</p><h2>None</h2><p>Hand.</p>
        <pre><a id=line-1></a>1</pre></main>";
    let blocks = blocks(&html.replace("It ", &"It ".repeat(70)).replace("Sails", &"Sails ".repeat(150)));
    let texts: Vec<_> = blocks.iter().map(|block| block.text.split(' ').next().unwrap()).collect();
    assert_eq!(texts, ["Wind\nIt", "Sails", "Water\nWheels.", "None\nHand.\n1"]);
    let of = |part: fn(&MainBlock) -> String| blocks.iter().map(part).collect::<Vec<_>>();
    assert_eq!(of(|block| block.anchor.clone().unwrap()), ["wind", "wind", "empty", "m"]);
    assert_eq!(of(|block| block.names.join(" ")), ["m", "", "", ""]);
    assert_eq!(of(|block| block.places.join(" ")), ["wind w2 blows", "", "empty water", ""]);
}

#[test]
fn buttons_in_code_are_no_text_and_its_variants_have_lines() {
    let html = "<h1>Mill</h1><pre><code class=language-js>grind()</code><code class=language-py>grind(1)</code> <button>copy</button></pre>
        <p>a<code>b</code><code>c</code></p>";
    assert_eq!(blocks(html)[0].text, "Mill\ngrind()\ngrind(1)\nabc");
}

#[test]
fn cells_of_a_row_are_on_one_line_where_each_is_a_run() {
    let html = "<h1>Mills</h1><table><tr><th>Name<th>Use<tr><td><b>sail</b><td><p>Turns the cap.</p><tr><td>brake<td><p>Stops it.</p><p>At once.</p>
        <tr><td><td>stone<tr><td><pre>1\n2</pre><td>lines
        <tr><td>Chrome<td>✓<td>–<td>yes<tr><td>(<td>opens a group<tr><td>\\d<td>a digit</table><table><tr><td>void turn<td>(<td>int<td>times,<tr><td><td><td>int<td>speed<tr><td><td>)</table><p>End";
    let expected = "Mills\nName | Use\nsail | Turns the cap.\nbrake\nStops it.\nAt once.\nstone\n1\n2\nlines\nChrome | ✓ | – | yes\n( | opens a group\n\\d | a digit\nvoid turn ( int times,\nint speed\n)\nEnd";
    let [block] = &blocks(html)[..] else { panic!() };
    assert_eq!((block.text.as_str(), block.lead.as_str()), (expected, "Mills"));
}

#[test]
fn links_in_headings_that_are_not_read_out_are_no_text() {
    let anchors = "<span><a href=#toc aria-hidden=true>#</a> <a href=#toc-m aria-hidden=true>TOC</a></span>";
    let html = format!("<main><h2 id=m>8.92 mill{anchors}</h2><p>It <a aria-hidden=true href=/t>turns</a>.</p></main>");
    let blocks = blocks(&html);
    assert_eq!(blocks[0].heading_path, ["8.92 mill"]);
    assert_eq!(blocks[0].text, "8.92 mill\nIt turns.");
    for href in ["/x", "#x"] {
        let whole = format!("<main><h2><a aria-hidden=true href={href}>Wind</a></h2><p>West.</main>");
        assert_eq!(super::tests::blocks(&whole)[0].heading_path, ["Wind"]);
    }
}

#[test]
fn buttons_in_headings_are_no_text() {
    let html = "<main><h1>Struct <span>Mill</span> <button>Copy path</button></h1><p>It <button>turns</button></p>
        <h2><button>Sails</button></h2><p>Linen.</p><h2><span><button>Edit</button></span> Wind</h2><p>West.</p></main>";
    let blocks = blocks(html);
    let texts: Vec<_> = blocks.iter().map(|block| block.text.as_str()).collect();
    assert_eq!(texts, ["Struct Mill\nIt turns", "Sails\nLinen.", "Wind\nWest."]);
    assert_eq!(blocks[0].heading_path, ["Struct Mill"]);
}

#[test]
fn readings_part_no_words() {
    let ruby = |word, read| format!("<ruby>{word}<rp>（</rp><rt>{read}</rt><rp>）</rp></ruby>");
    let word = ruby("水車", "すいしゃ") + &ruby("小屋", "ごや");
    let found = &blocks(&format!(
        "<main><h1>{word}</h1><p>この{word}は川に<a href=x>{word}</a><ruby>mill<rt>Mühle</rt></ruby>"
    ))[0];
    assert_eq!(found.text, "水車小屋\nこの水車小屋は川に水車小屋mill\u{200a}Mühle");
    assert_eq!((found.lead.as_str(), found.heading_path.as_slice()), ("水車小屋", &["水車小屋".to_owned()][..]));
}

#[test]
fn passages_are_bounded() {
    let paragraph = format!("<p>{}</p>", "word ".repeat(70));
    let blocks = blocks(&paragraph.repeat(10));
    assert!(blocks.iter().all(|block| word_count(&block.text) <= 200), "{}", blocks.len());
    assert_eq!(blocks.len(), 5);
}

#[test]
fn entries_of_a_list_stand_together_until_they_are_long() {
    let html = "<main id=m><h1>sails</h1><dl><dt id=sails.turn>turn(wind)<dd><p>Turns them.</p><dl><dt>wind<dd>From where.<dt>Returns
        <dd>Nothing.</dl><dt id=sails.stop>stop()<dd>Stops them.<dt>Why linen?<dd>It lasts.</dl></main>";
    let blocks = blocks(html);
    let texts: Vec<_> = blocks.iter().map(|block| block.text.as_str()).collect();
    let turn = "sails\nturn(wind)\nTurns them.\nwind\nFrom where.\nReturns\nNothing.";
    assert_eq!(texts, [turn, "stop()\nStops them.", "Why linen?\nIt lasts."]);
    assert_eq!(blocks[0].heading_path, ["sails", "turn(wind)"]);
    let names: Vec<_> = blocks.iter().map(|block| block.names.join(" ")).collect();
    assert_eq!(names, ["m sails.turn", "sails.stop", ""], "what opened before does not name them");
    let long = format!("<h1>a</h1><dl>{}</dl>", format!("<dt>b<dd>{}", "word ".repeat(25)).repeat(6));
    assert_eq!(super::tests::blocks(&long).len(), 2);
}

#[test]
fn what_a_heading_swallows_is_no_heading() {
    let body = format!("<p>{}</p>", "The miller grinds the corn. ".repeat(30));
    let blocks = blocks(&format!("<h2>Mills {body}{body}<h2><p>Wind</p><p>West</p></h2><p>Sails.</p>"));
    let leads: Vec<_> = blocks.iter().map(|block| block.lead.split(' ').next().unwrap()).collect();
    assert_eq!(leads, ["Mills", "The", "Wind"]);
    assert!(blocks.iter().all(|block| block.heading_path.len() <= 2), "{blocks:?}");
}

#[test]
fn rows_are_not_cut() {
    let row = format!("<tr><td>{0}<td>{0}", "word ".repeat(20));
    let blocks = blocks(&format!("<table>{}</table>", row.repeat(7)));
    let rows: Vec<_> = blocks.iter().map(|block| block.text.lines().count()).collect();
    assert_eq!(rows, [2, 2, 2, 1]);
}

#[test]
fn parts_of_a_table_know_what_heads_its_columns() {
    let row = format!("<tr><td>{0}<td>{0}", "word ".repeat(35));
    let heads = |before: &str| -> Vec<String> {
        let table = format!("<p>Intro</p><table>{before}{}</table><h2>End</h2>", row.repeat(3));
        blocks(&table).into_iter().map(|block| block.table_head).collect()
    };
    let first = "<tr><th>Size<th colspan=2>Colour of\n sails";
    assert_eq!(heads(first), ["", "Size | Colour of sails", "Size | Colour of sails", ""]);
    let two = format!("<caption>Mills</caption><thead>{first}<tr><td>small<td>red</thead>");
    assert_eq!(heads(&two)[1..3], ["Size | Colour of sails\nsmall | red"; 2]);
    assert_eq!(heads("<tr><th>Size<td>small"), ["", "", "", ""], "a head of a row");
    let wide = format!("<tr><th>Size{}", "<th>colour".repeat(100));
    assert!(heads(&wide)[1].starts_with("Size | colour | ") && heads(&wide)[1].len() <= 400);
}

/// So many words.
fn words(count: usize) -> String {
    "word ".repeat(count)
}

#[test]
fn a_term_stands_with_its_definition() {
    for terms in ["<dt>ADD COLUMN", "<dt>ADD<dt>COLUMN", "<dt>ADD COLUMN:<dd><p>Synopsis:</p>"] {
        for before in [57, 59, 60, 70] {
            let first = format!("<dt>First<dd>{}", words(before));
            let second = format!("{terms}<dd><p>This form adds it. {}</p>", words(60));
            let found = blocks(&format!("<h1>Forms</h1><dl>{first}{second}<dt>Third<dd>{}</dl>", words(60)));
            let of_second = found.iter().find(|block| block.text.contains("This form")).unwrap();
            assert!(of_second.text.contains("ADD") && of_second.text.contains("COLUMN"), "{before}: {found:?}");
            assert!(found.iter().all(|block| word_count(&block.text) <= 200), "{before}: {found:?}");
        }
    }
}

#[test]
fn a_line_with_a_colon_stands_with_what_it_leads_to() {
    let colon = "<p>Values are, in this order:</p>";
    for list in ["<pre>a\nb</pre>", "<ul><li>a<li>b</ul>", "<dl><dt>a<dd>b</dl>", "<table><tr><td>a<td>b</table>"] {
        for before in [50, 56, 60, 194] {
            let found = blocks(&format!("<h1>Mill</h1><p>{}</p>{colon}{list}<p>{}", words(before), words(150)));
            let leading = found.iter().find(|block| block.text.contains("order:")).unwrap();
            assert!(!leading.text.ends_with("order:"), "{list} after {before}: {found:?}");
        }
    }
    let section = blocks(&format!("<h2>a</h2><p>{}</p>{colon}<h2>b</h2><p>c", words(70)));
    let leads: Vec<_> = section.iter().map(|block| block.lead.as_str()).collect();
    assert_eq!(leads, ["a", "b"], "nothing is led to in another section");
    let post = |words: &str| format!("<div><p>{words}</p><p>Posted by:</p></div>");
    let posts = blocks(&format!("<section>{0}{0}</section>", post(&words(70))));
    assert!(posts.iter().all(|block| block.text.ends_with("by:")), "a post's end belongs to it: {posts:?}");
}

#[test]
fn a_quotation_stands_with_who_says_it() {
    let lead = "As Weir puts it in a chapter that few have read:";
    for quotation in
        ["<blockquote><p>“QUOTE</p></blockquote>", "<p>“QUOTE</p>", "<ul><li>QUOTE</ul>", "<pre>QUOTE</pre>"]
    {
        for (before, quoted) in [(90, 90), (150, 150), (180, 190), (80, 380), (12, 380), (370, 20)] {
            let quotation = quotation.replace("QUOTE", &"quoted ".repeat(quoted));
            let paragraph = format!("{}end. {lead}", words(before - 1));
            let html = format!("<h1>Mill</h1><p>{}</p><p>{paragraph}</p>{quotation}<p>{}", words(70), words(70));
            let found = blocks(&html);
            let of_both = found.iter().filter(|block| block.text.contains("quoted") && block.text.contains(lead));
            assert_eq!(of_both.count(), 1, "{before}, {quoted}: {found:?}");
            assert!(found.iter().all(|block| word_count(&block.text) <= 410), "{before}, {quoted}: {found:?}");
            let whole = found.iter().any(|block| block.text.contains(&paragraph));
            assert_eq!(whole, before + 11 + quoted <= 300 || before == 12, "{before}, {quoted}: {found:?}");
            let joined: Vec<&str> = found.iter().flat_map(|block| block.text.split_whitespace()).collect();
            assert_eq!(joined.iter().filter(|word| **word == "word").count(), before + 139);
        }
    }
}

#[test]
fn parts_of_a_paragraph_have_paths_and_nodes_of_their_own() {
    let long = |link: &str| format!("{}<a href=/{link}>{link}</a>. ", words(90));
    let html =
        format!("<p>{}{}As <a href=/c>Weir</a> said of all of the mills:<p>“{}", long("a"), long("b"), words(190));
    let found = blocks(&html);
    let of: Vec<_> =
        found.iter().map(|block| (block.path.as_str(), block.link_text.as_str(), &block.lead[..7])).collect();
    assert_eq!(of, [("0:0", "a\nb", "word wo"), ("0:0+1", "Weir", "As Weir")]);
    assert_eq!(found[1].landmark, Some(0));
}

#[test]
fn speech_is_cut_before_what_is_none() {
    let said = |count: usize| format!("<p>“{}”</p>", words(30)).repeat(count);
    let found = blocks(&format!("{}<p>He went. {}</p>{}", said(7), words(70), said(8)));
    let leads: Vec<_> = found.iter().map(|block| block.lead.split(' ').next().unwrap()).collect();
    assert_eq!(leads, ["“word", "He", "“word"], "{found:?}");
    assert!(found.iter().all(|block| word_count(&block.text) <= 250));
}

#[test]
fn short_tables_stand_with_their_names_and_are_not_cut() {
    let table = "<table><tr><td>Voice<td>Bass<tr><td>Volume<td>70<tr><td>Strum<td>None</table>";
    for name in ["<p><b>Track Bass</b>", "<p>Track Bass</p>", "<div>Track Bass</div>"] {
        for before in 40..70 {
            let html = format!("<h2>Groove</h2><p>{}{}", words(before), format!("{name}{table}").repeat(20));
            let found = blocks(&html);
            let whole = |block: &&MainBlock| block.text.starts_with("Track") && block.text.ends_with("None");
            assert_eq!(found.iter().skip(1).filter(whole).count(), found.len() - 1, "{before}: {found:?}");
        }
    }
    let caption = format!("<p>{}<table><caption>Sizes</caption><tr><td>{}<tr><td>b</table>", words(70), words(70));
    let texts: Vec<_> = blocks(&caption).into_iter().map(|block| block.lead).collect();
    assert!(texts[1].starts_with("Sizes"), "{texts:?}");
}

#[test]
fn many_lines_with_colons_are_cut_as_any() {
    for line in ["<p>label:</p>", "<dl><dt>term</dl>"] {
        let found = blocks(&format!("<p>{}</p>{}", words(70), line.repeat(2_000)));
        assert!(found.iter().all(|block| word_count(&block.text) <= 260), "{line}: {}", found.len());
    }
}

#[test]
fn a_link_names_what_stands_nowhere_before() {
    let html = "<ul><li><a href=#w>1. Wind</a><li>Note</ul><h2 id=w>1. Wind</h2><p>Sails turn in the wind, as the miller knows.</p>
        <h2>1. wind:</h2><p>note <b>!</b></p><h2>Water</h2><table><tr><td>1. Wind<td>Sails turn in the rain<tr><td>Note<td>1</table>";
    let blocks = blocks(html);
    let found: Vec<_> = blocks.iter().map(|block| (block.lead.as_str(), block.landmark)).collect();
    assert_eq!(found, [("1. Wind", Some(0)), ("1. Wind", Some(1)), ("1. wind:", Some(1)), ("Water", Some(0))]);
}

#[test]
fn rows_that_begin_behind_short_ones_are_not_cut() {
    let long = format!("<tr><td>OpenDup<td><p>{}</p><p>{}</p>", words(190), words(190));
    let found = blocks(&format!("<table><tr><td>Once<td>{}{long}</table>", words(40)));
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn a_heading_that_holds_nothing_but_a_name_opens_a_block() {
    let part = |name: &str| {
        format!("<h2><a href=x.html id={name} /></h2><p>{name}() returns all.</p><dl><dt>image<dd>It.</dl>")
    };
    let found = blocks(&format!("<h1>API</h1>{}{}<h2></h2><p>More.", part("GetA"), part("GetB")));
    let texts: Vec<_> = found.iter().map(|block| block.text.as_str()).collect();
    assert_eq!(texts, ["API\nGetA() returns all.\nimage\nIt.", "GetB() returns all.\nimage\nIt.\nMore."]);
    assert_eq!(found[1].places, ["GetB"]);
}

#[test]
fn posts_and_cards_open_blocks() {
    let body = |words: usize| "word ".repeat(words);
    for (tag, around) in [("div", "section"), ("article", "main"), ("li", "ul")] {
        let page = |words: usize, posts: usize| {
            let post = |n| format!("<{tag}><p>Post {n}</p><p>{}</p></{tag}>", body(words));
            blocks(&format!("<{around}>{}</{around}>", (0..posts).map(post).collect::<String>()))
        };
        let leads = |blocks: &[MainBlock]| blocks.iter().map(|block| block.lead.clone()).collect::<Vec<_>>();
        assert_eq!(leads(&page(80, 3)), ["Post 0", "Post 1", "Post 2"], "{tag}");
        assert_eq!(leads(&page(25, 4)), ["Post 0", "Post 3"], "short ones stand together, none is cut");
        assert_eq!(leads(&page(80, 2)), ["Post 0", "Post 1"]);
    }
    let lines = format!("<ul>{}</ul>", format!("<li>{}", body(25)).repeat(8));
    assert_eq!(blocks(&lines).len(), 1, "lines of a list are no records");
}

#[test]
fn long_runs_are_cut() {
    let line = |name: &str| format!("{name} {}", "grinds the corn of the village ".repeat(20));
    let lines = ["First", "Second", "<a href=/third>Third</a>", "Fourth<img alt=wheel src=w>", "Fifth"].map(line);
    for html in [lines.join("<br>"), format!("<pre>{}</pre>", lines.join("\n\n"))] {
        let found = blocks(&format!("<h1>Mill</h1><section id=mill><p>{html}</section>"));
        let leads: Vec<&str> = found.iter().filter_map(|block| block.lead.split(' ').next()).collect();
        assert_eq!(leads, ["Mill", "Second", "Third", "Fourth", "Fifth"]);
        assert!(found.iter().all(|block| block.heading_path == ["Mill"] && word_count(&block.text) < 125));
        let with = |has: fn(&MainBlock) -> bool| found.iter().position(has);
        assert_eq!(with(|block| !block.links.is_empty()), Some(2));
        assert_eq!(with(|block| !block.image_text.is_empty()), Some(3));
        assert_eq!(found.iter().filter(|block| !block.names.is_empty()).count(), 1);
        let mut paths: Vec<&str> = found.iter().map(|block| block.path.as_str()).collect();
        paths.sort_unstable();
        paths.dedup();
        assert_eq!(paths.len(), found.len());
        let weights: f32 = found.iter().map(|block| block.weight).sum();
        let whole = blocks("<h1>Mill</h1><p>short");
        assert!(weights > 0.0 && found.iter().all(|block| block.norm > 0.0) && whole.len() == 1);
    }
}

#[test]
fn a_run_of_very_many_nodes_is_cut_in_time() {
    let found = blocks(&format!("<p>{}</p>", "<a href=/mill>old mill</a> ".repeat(60_000)));
    assert!(found.len() > 500 && found.iter().all(|block| block.link_text.split('\n').count() <= 200));
}

#[test]
fn paths_are_unique() {
    let blocks = blocks("<div>a <h2>b</h2> c <h2>d</h2> e</div>");
    let mut paths: Vec<_> = blocks.iter().map(|block| block.path.as_str()).collect();
    assert_eq!(paths, ["0:0", "0.0:0", "0.1:0"]);
    paths.dedup();
    assert_eq!(paths.len(), blocks.len());
}
