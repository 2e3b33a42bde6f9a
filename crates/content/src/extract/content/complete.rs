//! Structure that is kept whole: a table without some of its cells, or code without some of its lines, is another one.
//!
//! Methods decide about runs. Here what they kept is completed, and nothing is taken away but by the last two:
//!
//! 1. A table of data of which more than a quarter is kept, or nothing but its first row, is kept whole, and so are code
//!    and quotations of which more than half is kept; lists of definitions too, and terms with their definitions
//!    ([`definitions`](super::definitions)).
//! 2. Code, also in tabs, tables with heads and formulas are kept when the text before and behind them is. Buttons and
//!    titles [beside code](super::beside_code) do not part it from the text, nor do titles of [DocBook](super::docbook).
//! 3. Code and lists that the text around them calls for are kept ([`called_for`](super::called_for)).
//! 4. A heading is kept when what it heads is: what comes next, or half of its section. So are the summary of details, the title of a note
//!    and the caption of code.
//! 5. A figure is kept when the text before and behind it is, or most of the text of the element that holds it. An image alone is kept
//!    beside kept text of the same element ([`figures`](super::figures)).
//! 6. A heading goes when all that it heads was links, and none of these is kept.
//! 7. Pictures without words go that lead to the pages before and after.

use std::collections::HashSet;

use super::super::steps::{are_pictures_of_steps, is_table_of_steps};
use super::anchors::opens_tab;
use super::aria::{GridRole, grid_role};
use super::beside_code::beside_code;
use super::called_for::keep_called_for;
use super::definitions::keep_definitions;
use super::docbook::title_before;
use super::figures::keep_figures;
use super::formula::is_marked;
use super::furniture::{is_summary_table, is_title};
use super::headings::keep_headings;
use super::runs::{Neighbours, kept_share};
use super::table::TableShape;
use super::tabs::is_label_list;
use crate::cst::{ContentStructureTree, NodeId, NodeKind, RunId};
use crate::dom::{ClassNames, Dom, DomId, Tag, classes};

/// Share of a table's text above which it is kept whole.
const TABLE_SHARE: f64 = 0.25;

/// Bytes of the text of rows that are kept for the sake of the first row.
const ROWS_BYTES_MAX: usize = 4000;

/// The same as [`TABLE_SHARE`] for code and quotations.
const BLOCK_SHARE: f64 = 0.5;

/// Class names by which generators say what is a page's own text: the head of a module (odoc), the message of a commit (cgit), the
/// declarations and descriptions of members (Dokka, pkg.go.dev), the references of a text (TeX4ht, HeVeA).
const OWN_TEXTS: &ClassNames = classes![
    "odoc-preamble",
    "commit-subject",
    "commit-msg",
    "platform-hinted",
    "divergent-group",
    "sourceset-dependent-content",
    "sourceset-depenent-content",
    "documentation-constants",
    "documentation-variables",
    "documentation-function",
    "documentation-type",
    "thebibliography",
];

/// `kept`, by run, completed. O(nodes · depth): what nests is looked at once for each level.
pub(super) fn completed(dom: &Dom, tree: &ContentStructureTree, kept: &[bool]) -> Vec<bool> {
    let mut kept = kept.to_vec();
    kept.resize(tree.runs().len(), false);
    let solid = complete_elements(dom, tree, &mut kept);
    keep_between(dom, tree, &solid, &mut kept);
    keep_headings(dom, tree, &mut kept);
    keep_figures(tree, &mut kept);
    keep_titles(dom, tree, &mut kept);
    drop_heads_and_steps(dom, tree, &mut kept);
    kept
}

/// Completes tables, code, quotations, definitions and the texts that generators call their own. Gives what is solid, by run: code, tables
/// with heads, headings and labels of tabs, which stay where the text before and behind them does.
fn complete_elements(dom: &Dom, tree: &ContentStructureTree, kept: &mut [bool]) -> Vec<bool> {
    let mut solid = vec![false; kept.len()];
    let has_content = kept.contains(&true);
    for item in tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem) {
        let is_own_text = || has_content && tree.has_class(dom, item, OWN_TEXTS);
        match tree.tag(item) {
            Tag::Pre => {
                complete(tree, item, BLOCK_SHARE, kept);
                fill_with_title(dom, tree, item, &mut solid);
            }
            Tag::Blockquote => complete(tree, item, BLOCK_SHARE, kept),
            Tag::Dl if !is_own_text() => keep_definitions(tree, item, kept),
            tag @ Tag::Div if tree.source(item).is_some_and(|division| is_table(dom, division, tag)) => {
                complete(tree, item, TABLE_SHARE, kept);
            }
            Tag::Table => {
                let has_heads = complete_table(dom, tree, item, kept);
                if has_heads {
                    fill_with_title(dom, tree, item, &mut solid);
                }
            }
            Tag::Header | Tag::Div | Tag::Section | Tag::Dl if is_own_text() => {
                kept[tree.runs_within(item)].fill(true);
            }
            // With whose words they are.
            Tag::Div if tree.has_class(dom, item, classes!["quoteblock"]) => complete(tree, item, BLOCK_SHARE, kept),
            Tag::Div | Tag::P if tree.source(item).is_some_and(|element| is_marked(dom, element)) => {
                solid[tree.runs_within(item)].fill(true);
            }
            tag if tag.heading_level().is_some() => solid[tree.runs_within(item)].fill(true),
            _ if tree.source(item).is_some_and(|element| is_label_list(dom, element)) => {
                solid[tree.runs_within(item)].fill(true);
            }
            _ => {}
        }
    }
    for (run, solid) in solid.iter_mut().enumerate() {
        *solid = *solid || opens_tab(tree.run_text(&tree.runs()[run]));
    }
    solid
}

/// Marks the runs of code or of a table, and those of the title before it.
fn fill_with_title(dom: &Dom, tree: &ContentStructureTree, item: NodeId, solid: &mut [bool]) {
    solid[tree.runs_within(item)].fill(true);
    solid[title_before(dom, tree, item)].fill(true);
}

/// Completes a table of data. Tells whether it has heads, so that it stays where the text around it does.
fn complete_table(dom: &Dom, tree: &ContentStructureTree, item: NodeId, kept: &mut [bool]) -> bool {
    let Some(shape) = tree.source(item).map(|table| TableShape::of(dom, table)) else { return false };
    if !shape.belongs_together() || shape.holds_tables() {
        return false;
    }
    complete(tree, item, TABLE_SHARE, kept);
    keep_rows_below_first(tree, item, kept);
    keep_captioned(dom, tree, item, kept);
    shape.has_heads() && !is_table_of_steps(dom, tree, item)
}

/// Keeps what stands between kept texts: solid runs and what is beside code, and what the text around calls for.
fn keep_between(dom: &Dom, tree: &ContentStructureTree, solid: &[bool], kept: &mut [bool]) {
    let beside = beside_code(dom, tree);
    let may_stand_between = |run: RunId| solid[run] || beside[run];
    bridge(tree, may_stand_between, |run| !beside[run], kept);
    keep_called_for(dom, tree, &beside, &Neighbours::among(tree, |run| !beside[run]), kept);
    // Lists that are whole now stand before code.
    bridge(tree, may_stand_between, |run| solid[run], kept);
}

/// Keeps the summaries of details and the titles of notes.
fn keep_titles(dom: &Dom, tree: &ContentStructureTree, kept: &mut [bool]) {
    let mut titled = HashSet::new();
    for item in tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem) {
        let is_title = || tree.source(item).is_some_and(|element| is_title(dom, element));
        let may_be = matches!(tree.tag(item), Tag::P | Tag::Div);
        if tree.tag(item) == Tag::Summary || may_be && is_title() {
            keep_title(tree, item, &mut titled, kept);
        }
    }
}

/// Takes out headings of nothing but links that went, and pictures that lead to the pages before and after.
fn drop_heads_and_steps(dom: &Dom, tree: &ContentStructureTree, kept: &mut [bool]) {
    for head in tree.heads_of_nothing(|run| kept[run]) {
        kept[head] = false;
    }
    for (is_kept, run) in kept.iter_mut().zip(tree.runs()).filter(|(is_kept, _)| **is_kept) {
        *is_kept = !are_pictures_of_steps(dom, tree, run);
    }
}

/// Keeps a table whole of which only its first row is kept, unless it is long: heads alone say nothing.
fn keep_rows_below_first(tree: &ContentStructureTree, table: NodeId, kept: &mut [bool]) {
    let is_row = |id: &NodeId| tree.tag(*id) == Tag::Tr && tree.kind(*id) == NodeKind::HtmlItem;
    let Some(row) = (table.0..tree.subtree_end(table).0).map(NodeId).find(is_row) else { return };
    let (first, runs) = (tree.runs_within(row), tree.runs_within(table));
    let others = first.end..runs.end;
    let is_text_kept = |run: RunId| kept[run] && !tree.runs()[run].text.is_empty();
    let is_first_alone = first.clone().any(is_text_kept) && !others.clone().any(is_text_kept);
    let bytes: usize = others.map(|run| tree.runs()[run].text.len()).sum();
    if is_first_alone && (1..=ROWS_BYTES_MAX).contains(&bytes) {
        kept[runs].fill(true);
    }
}

/// Keeps a table of which the caption is kept that stands before it in an element for both, with the notes behind it
/// there (PMC).
fn keep_captioned(dom: &Dom, tree: &ContentStructureTree, table: NodeId, kept: &mut [bool]) {
    const NAMES: &ClassNames = classes!["tw", "table-wrap"];
    const LEVELS_MAX: usize = 3;
    /// Runs before the table and behind it.
    const RUNS_MAX: usize = 8;
    let own = tree.runs_within(table);
    let is_named = |id: &NodeId| tree.has_class(dom, *id, NAMES);
    let Some(around) = tree.ancestors(table).skip(1).take(LEVELS_MAX).find(is_named) else { return };
    let around = tree.runs_within(around);
    let first = around.start.max(own.start.saturating_sub(RUNS_MAX));
    if kept[first..own.start].contains(&true) {
        kept[own.start..around.end.min(own.end + RUNS_MAX)].fill(true);
    }
}

/// Whether a division is a table.
fn is_table(dom: &Dom, division: DomId, tag: Tag) -> bool {
    is_summary_table(dom, division) || grid_role(dom, division, tag) == Some(GridRole::Table)
}

/// Keeps the title of what is around it, of whose other text more than half is kept. Only the first title is one; `titled` has what had its own.
fn keep_title(tree: &ContentStructureTree, title: NodeId, titled: &mut HashSet<NodeId>, kept: &mut [bool]) {
    let around = tree.parent(title).filter(|id| *id != ContentStructureTree::ROOT && titled.insert(*id));
    let Some(around) = around else { return };
    let own = tree.runs_within(title);
    let others = tree.runs_within(around).filter(|run| !own.contains(run));
    if kept_share(tree, others, kept) > BLOCK_SHARE {
        kept[own].fill(true);
    }
}

/// Keeps all runs of an item if more than `share` of its text is kept.
fn complete(tree: &ContentStructureTree, item: NodeId, share: f64, kept: &mut [bool]) {
    let runs = tree.runs_within(item);
    let of_kept = kept_share(tree, runs.clone(), kept);
    if of_kept > share && of_kept < 1.0 {
        kept[runs].fill(true);
    }
}

/// Where nothing stands between two runs with text that are kept but what `may_stand` there, keeps of it what `stays`.
fn bridge(
    tree: &ContentStructureTree,
    may_stand: impl Fn(RunId) -> bool,
    stays: impl Fn(RunId) -> bool,
    kept: &mut [bool],
) {
    // The last run with text that is kept, while only such ones have come since.
    let mut from: Option<RunId> = None;
    for run in 0..kept.len() {
        if tree.runs()[run].text.is_empty() {
            continue;
        }
        if kept[run] {
            let between = from.unwrap_or(run)..run;
            for (is_kept, run) in kept[between.clone()].iter_mut().zip(between) {
                *is_kept |= stays(run);
            }
            from = Some(run);
        } else if !may_stand(run) {
            from = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::extract::testing::written;

    #[test]
    fn what_a_generator_calls_the_pages_own_text_is_kept() {
        let odoc = "<header class=odoc-preamble><h1>Module <code>Mill</code></h1><p>Grinds.</header><div><p>This is kept</div>";
        assert_eq!(written(odoc), "# Module `Mill`\n\nGrinds.\n\nThis is kept\n");
        assert_eq!(written(&odoc.replace("odoc-preamble", "head")), "This is kept\n");
        let cgit = "<div class=commit-subject>The wheel</div><div class=commit-msg>It turns</div><p>This is kept";
        assert_eq!(written(cgit), "The wheel\n\nIt turns\n\nThis is kept\n");
        assert_eq!(written(&cgit.replace("is kept", "goes")), "");
        let go = "<div><h4>func Open</h4><pre>func Open()</pre><p>Opens.</div><p>This is kept";
        assert_eq!(written(&go.replace("<div>", "<div class=Documentation-function>")).matches("Open").count(), 3);
        assert_eq!(written(go), "This is kept\n");
        let tex = "<p>This is kept</p><dl class=thebibliography><dt>[1]</dt><dd>A. Weir. Mills.</dd></dl>";
        assert_eq!(written(tex), "This is kept\n\n\\[1]\n: A. Weir. Mills.\n");
    }

    #[test]
    fn headings_with_links_to_them_and_to_their_source_are_kept() {
        let html =
            "<section><div class=detail-header><a href='#turn'>Link</a><h1>turn(n)</h1><a href=/s>Source</a></div>
            <section><p>This is kept</p></section></section><p>Also kept</p>";
        assert_eq!(written(html), "# turn(n)\n\nThis is kept\n\nAlso kept\n");
    }

    #[test]
    fn lists_whose_words_stand_in_divisions_are_whole() {
        let entry = |text: &str, inner: &str| format!("<li><div class=li>{text}</div>{inner}</li>");
        let inner = format!("<ul>{}</ul>", entry("with buckets", ""));
        let list = format!("<ul>{}{}</ul>", entry("overshot wheels", &inner), entry("undershot wheels", ""));
        let html = format!("<div><p>These are kept:</p>{list}<p>More kept</p></div>");
        let whole = "These are kept:\n\n- overshot wheels\n  - with buckets\n- undershot wheels\n\nMore kept\n";
        assert_eq!(written(&html), whole);
        let cards = html.replace("<li><div class=li>over", "<li><div>A card</div><div>over");
        assert_eq!(written(&cards), "These are kept:\n\nMore kept\n");
    }

    #[test]
    fn numbered_parts_of_a_sentence_are_kept_with_it() {
        let html = "<div>It is kept that who <dl><dt>1.<dd><div>moves the weir or</div><dt>2.<dd><div>turns</div></dl> it, pays.</div>";
        assert_eq!(written(html), "It is kept that who\n\n1. moves the weir or\n2. turns\n");
        assert_eq!(written(&html.replace("1.", "v.").replace("2.", "wx")), "It is kept that who\n");
    }

    #[test]
    fn a_link_below_a_table_does_not_part_it_from_the_text() {
        let table = "<table><tr><th>Plot<th>Use<tr><td>P1<td>sheep</table><div><a href=/t>Open in a new tab</a></div>";
        let html = format!("<p>This is kept</p>{table}<p>And kept</p>");
        assert_eq!(written(&html), "This is kept\n\n| Plot | Use |\n| --- | --- |\n| P1 | sheep |\n\nAnd kept\n");
    }

    #[test]
    fn tables_stay_with_their_captions() {
        let table = "<table><tr><th>Plot<th>Use<tr><td>P1<td>sheep</table><p>From May</p>";
        let wrapped = |class: &str, caption: &str| {
            written(&format!("<section class={class}><p>{caption}</p><div>{table}</div></section><p>More<p>Other kept"))
        };
        let whole = "Plots, kept\n\n| Plot | Use |\n| --- | --- |\n| P1 | sheep |\n\nFrom May\n\nOther kept\n";
        assert_eq!(wrapped("tw", "Plots, kept"), whole);
        assert_eq!(wrapped("tw", "Plots"), "Other kept\n");
        assert_eq!(wrapped("x", "Plots, kept"), "Plots, kept\n\nOther kept\n");
    }

    #[test]
    fn buttons_and_names_beside_code_do_not_part_it_from_the_text() {
        let between = |code: &str| written(&format!("<p>This is kept</p>{code}<p>And this is kept</p>"));
        let shown = "This is kept\n\n```\nnpm init\n```\n\nAnd this is kept\n";
        for code in [
            "<pre>npm init</pre><div><button>Copy</button></div>",
            "<div><button>Copy</button></div><pre>npm init</pre>",
            "<div>gateway.yml</div><pre>npm init</pre>",
            "<div>Bash</div><pre>npm init</pre><button>Copy</button>",
        ] {
            assert_eq!(between(code), shown, "{code}");
        }
        let list = "<p>Do this (kept):</p><ul><li>one<li>two</ul><div><pre>npm init</pre></div><p>And this is kept</p>";
        assert!(written(list).contains("- two\n\n```\nnpm init"), "{}", written(list));
        let shop = "<p>This is kept</p><button>Buy</button><h3>Mill</h3><p>And this is kept</p>";
        assert_eq!(written(&format!("<div>{shop}</div>")).matches("Buy").count(), 0);
        let other = between("<div>Related</div><pre>npm init</pre><div>See also</div>");
        assert_eq!(other, "This is kept\n\nAnd this is kept\n", "other text does");
    }

    #[test]
    fn the_first_row_of_a_table_is_kept_with_the_others_or_not_at_all() {
        let rows = "<tr><td>Saxtead Green<td>1796 and 1854<tr><td>Pakenham<td>1831 and later";
        let table = format!("<p>This is kept</p><table><tr><th>Mill<th>kept{rows}</table>");
        assert!(written(&table).contains("| Mill | kept |\n| --- | --- |\n| Saxtead Green |"), "{}", written(&table));
        let long = table.replace("</table>", &"<tr><td>Saxtead Green<td>1796 and 1854".repeat(200));
        assert!(!written(&long).contains("Saxtead"), "much that was dropped");
        let below = table.replace("Saxtead Green", "kept");
        assert!(!written(&below).contains("Pakenham"), "some other row is kept");
    }

    #[test]
    fn entries_may_have_their_words_in_divisions() {
        let list = "<p>This is kept</p><ul><li>flour<li><div>butter that is kept</div></ul><p>And this is kept</p>";
        assert!(written(list).contains("- flour\n- butter"), "{}", written(list));
        let cards = list.replace("<li>flour", "<li><div>flour</div><div>Buy</div>");
        assert!(!written(&cards).contains("flour"), "what has several stands for itself");
    }
}
