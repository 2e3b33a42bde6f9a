use super::*;
use crate::cst::raised::RAISED;
use crate::cst::{APART, BlockPaths, SEAMS};
use crate::dom;

fn tree(html: &str, profile: Profile) -> ContentStructureTree {
    build(&dom::parse(html, &Limits::default()), profile, &Limits::default())
}

fn outline(tree: &ContentStructureTree) -> Vec<String> {
    let depth = |id| tree.ancestors(id).count() - 1;
    let line = |id| format!("{}{:?} {} {}", "  ".repeat(depth(id)), tree.kind(id), tree.tag(id).name(), tree.text(id));
    tree.ids().filter(|id| tree.kind(*id) != NodeKind::Element).map(line).map(|l| l.trim_end().to_owned()).collect()
}

/// The page of the paper's figure 2; its dots are filled with one cell.
const FIGURE_2: &str = r##"<body><div id = "wrapper"><a href="#">link</a> <img src="i.png"><span>text</span></div>
    <img src="j.png"><a href="#">link</a><table><tr><td>cell</td></tr></table><span>text</span></body>"##;

#[test]
fn figure_3_is_built_from_figure_2() {
    let expected = [
        "HtmlItem body",
        "  HtmlItem div",
        "    Link a link",
        "    Image img",
        "    Text span text",
        "  Image img",
        "  Link a link",
        "  HtmlItem table",
        "    Text td cell",
        "  Text span text",
    ];
    assert_eq!(outline(&tree(FIGURE_2, Profile::Paper)), expected);
}

#[test]
fn every_item_begins_with_its_element_node() {
    let tree = tree(FIGURE_2, Profile::Modern);
    for item in tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem) {
        assert_eq!(tree.kind(tree.element(item)), NodeKind::Element);
        assert_eq!(tree.children(item).next(), Some(tree.element(item)));
    }
}

#[test]
fn runs_are_cut_at_blocks_and_words_are_not_glued() {
    let html = "<p>One <b>bo</b>ld<br>two</p><ul><li>a<li>b</ul><a href=x>l1</a><a href=y>l2</a><td>c1<td>c2";
    let tree = tree(html, Profile::Modern);
    let runs: Vec<_> = tree.runs().iter().map(|run| tree.run_text(run)).collect();
    assert_eq!(runs, ["One bold\ntwo", "a", "b", "l1 l2c1c2"]);
    assert_eq!(tree.visible_text(), "One bold\ntwo\na\nb\nl1 l2c1c2");
}

#[test]
fn a_link_around_blocks_is_a_link_node_in_each() {
    let tree = tree("<a href=/p><h3>Head</h3><div>Body</div></a>", Profile::Modern);
    let links: Vec<_> = tree.ids().filter(|id| tree.kind(*id) == NodeKind::Link).collect();
    let texts: Vec<_> = links.iter().map(|id| tree.text(*id)).collect();
    assert_eq!(texts, ["Head", "Body"]);
    assert!(links.iter().all(|id| tree.attribute_text(tree.link(*id).unwrap().href) == "/p"));
}

#[test]
fn empty_blocks_leave_no_node_and_paths_name_every_element() {
    let html = "<div></div><main><span><div> </div><div>first</div><div id=x>second</div></span></main>";
    let tree = tree(html, Profile::Modern);
    let paths: Vec<_> = tree.runs().iter().map(|run| tree.css_path(run.item)).collect();
    let first = "body > main:nth-child(2) > span:nth-child(1) > div:nth-child(2)";
    assert_eq!(paths, [first, "#x"]);
    let places = BlockPaths::new(&tree);
    let blocks: Vec<_> = tree.runs().iter().map(|run| places.path(&tree, run.item)).collect();
    assert_eq!(blocks, ["0.0", "0.1"]);
}

#[test]
fn preformatted_text_keeps_its_lines() {
    let tree = tree("<pre>fn main() {\n    x();\n}\n</pre><p>a\n b</p>", Profile::Modern);
    assert_eq!(tree.visible_text(), "fn main() {\n    x();\n}\na b");
}

#[test]
fn lines_of_wide_characters_are_joined_unless_shown() {
    for (html, expected) in [
        ("<p>一行\n二行<br>\n三行", "一行二行\n三行"),
        ("<p style='white-space: pre-line'>一\n二<b>三\n四</b></p><p>五\n六", "一 二三 四\n五六"),
        ("<p><code>一\n二</code>三\n四", "一 二三四"),
        ("<pre>一\n二</pre>", "一\n二"),
    ] {
        assert_eq!(tree(html, Profile::Modern).visible_text(), expected, "{html}");
    }
}

#[test]
fn elements_in_preformatted_text_part_no_words_and_eat_no_indentation() {
    let html = "<pre><b>for</b> x <b>in</b> <i>y</i> {\n    <b>print</b>(x);<br>  <u>z</u>\n  \n}</pre>";
    assert_eq!(tree(html, Profile::Modern).visible_text(), "for x in y {\n    print(x);\n  z\n}");
    let link = tree("<pre>a <a href=/x>b</a>\n  c</pre>", Profile::Modern);
    let texts: Vec<_> = link.ids().filter(|id| link.kind(*id).is_content()).map(|id| link.text(id)).collect();
    assert_eq!((link.visible_text(), texts), ("a b\n  c", vec!["a", "b", "c"]));
}

#[test]
fn buttons_side_by_side_are_two_words() {
    let html = "<button>Add</button><button>Save</button><a href=/x>Go</a><button>S<b>end</b></button>";
    assert_eq!(tree(html, Profile::Modern).visible_text(), "Add Save Go Send");
}

#[test]
fn words_that_inline_elements_part_are_two() {
    for (html, expected) in SEAMS.iter().copied() {
        assert_eq!(tree(html, Profile::Modern).visible_text(), expected, "{html}");
    }
}

#[test]
fn what_is_set_high_or_low_beside_words_is_apart() {
    for (html, expected) in RAISED.iter().copied() {
        assert_eq!(tree(html, Profile::Modern).visible_text().replace(APART, "|"), expected, "{html}");
    }
}

#[test]
fn what_generators_write_beside_names_is_no_text() {
    let of = |html: &str| tree(html, Profile::Modern).visible_text().to_owned();
    let class = "<td><span id=arr_0 class=arrow>&#9660;</span><span class=icona><span class=icon>C</span></span><a href=x>Mill</a>";
    assert_eq!(of(&format!("<table><tr>{class}</table>")), "Mill");
    assert_eq!(of("<h4>Sails <a class=srclink href=x>[src]</a></h4>"), "Sails");
    assert_eq!(of("<pre><a class=viewcode-back href=x>[docs]</a>class Mill:</pre>"), "class Mill:");
    assert_eq!(of("<p>turn() <span class=method-click-advice>click to toggle source</span>"), "turn()");
    let words =
        "<p><span class=arrow>left</span> <span class=icona>what was left open holds all that follows it</span>";
    let search = "<div class=SRStatus id=Loading>Loading...</div><div class=SRStatus>No Matches</div>";
    assert_eq!(of(search), "");
    let tabs = "<caption><span class=activeTableTab>All Methods</span><span class=tableTab>Static Methods</span>";
    assert_eq!(of(&format!("<table>{tabs}</caption><tr><td>turn</table>")), "All Methods\nturn");
    assert_eq!(of(words), "left what was left open holds all that follows it");
}

#[test]
fn noscript_counts_only_with_real_text() {
    let real = format!("<noscript><p>{}</p></noscript>", "thread post ".repeat(30));
    assert!(tree(&real, Profile::Modern).visible_text().starts_with("thread post"));
    assert_eq!(tree("<p>x</p><noscript>Enable scripts</noscript>", Profile::Modern).visible_text(), "x");
}

#[test]
fn a_linked_image_at_the_end_has_an_empty_text() {
    let tree = tree("<p>text</p><a href=x><img src=i></a>", Profile::Modern);
    assert!(tree.ids().filter(|id| tree.kind(*id) != NodeKind::Text).all(|id| tree.text(id).is_empty()));
    assert_eq!(tree.visible_text(), "text");
}

#[test]
fn text_is_bounded() {
    let limits = Limits { text_bytes_max: 1000, ..Limits::default() };
    let dom = dom::parse(&"<p>some words</p>".repeat(1000), &limits);
    let tree = build(&dom, Profile::Modern, &limits);
    assert!(tree.is_truncated() && tree.visible_text().len() < 1020);
    assert_eq!(tree.cut_short().unwrap().limit, "text_bytes_max");
}
