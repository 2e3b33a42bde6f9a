//! Titles of DocBook's tables and examples, which stand in a paragraph before what they head, in an element for both.

use std::ops::Range;

use crate::cst::{ContentStructureTree, NodeId, RunId};
use crate::dom::{ClassNames, Dom, Tag, classes};

/// What is around a title and what it heads.
const AROUND: &ClassNames = classes!["table", "example"];

/// Elements around a table or code that are looked at for that.
const LEVELS_MAX: usize = 2;

/// The runs of the title of a table or of code; none where it has none.
pub(super) fn title_before(dom: &Dom, tree: &ContentStructureTree, item: NodeId) -> Range<RunId> {
    let start = tree.runs_within(item).start;
    let mut around = tree.ancestors(item).skip(1).take(LEVELS_MAX);
    let titled = around.find(|id| tree.tag(*id) == Tag::Div && tree.has_class(dom, *id, AROUND));
    let title = titled.and_then(|around| tree.child_items(around).find(|id| tree.tag(*id) == Tag::P));
    let runs =
        title.filter(|title| tree.has_class(dom, *title, classes!["title"])).map(|title| tree.runs_within(title));
    runs.filter(|runs| runs.end == start).unwrap_or(start..start)
}

#[cfg(test)]
mod tests {
    use crate::extract::testing::written;

    #[test]
    fn a_title_does_not_part_a_table_or_code_from_the_text() {
        let page = |name: &str, body: &str| {
            let title = "<p class=title><b>Table 1. Mills</b>";
            let titled = format!("<div class={name}>{title}<div class={name}-contents>{body}</div></div>");
            written(&format!("<div><p>kept before{titled}<p>kept behind</div>"))
        };
        let table = "<table><tr><th>Mill<th>Sails<tr><td>Old<td>4</table>";
        let markdown = "**Table 1. Mills**\n\n| Mill | Sails |\n| --- | --- |\n| Old | 4 |\n";
        assert!(page("table", table).contains(markdown), "{}", page("table", table));
        assert!(!page("box", table).contains("Sails"), "a paragraph of another element parts it");
        let code = page("example", "<pre>turn()</pre>");
        assert!(code.contains("**Table 1. Mills**\n\n```\nturn()\n```\n"), "{code}");
    }
}
