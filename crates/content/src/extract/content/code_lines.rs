//! Code whose lines are divisions, told by what these begin with: the numbers of lines (gitweb), or the signs of a unified diff (cgit, gitweb).

use super::code::NUMBERS;
use crate::dom::{Dom, DomId, Tag};

/// Lines before the first `@@` of a diff: the names of the files, their modes.
const HEADS_MAX: usize = 16;

/// Nodes of a line among which its first text is looked for.
const NODES_MAX: usize = 8;

/// Lines of code at least.
const LINES_MIN: usize = 3;

/// Whether an element holds nothing but lines of code. O(children).
pub(super) fn are_code(dom: &Dom, element: DomId) -> bool {
    are_numbered(dom, element) || is_diff(dom, element)
}

/// Whether all children are divisions that begin with the number of a line.
fn are_numbered(dom: &Dom, element: DomId) -> bool {
    let begins_with_number = |line: DomId| {
        dom.tag(line) == Some(Tag::Div) && dom.first_child(line).is_some_and(|id| dom.has_class(id, NUMBERS))
    };
    let mut lines = 0;
    children(dom, element).all(|line| {
        lines += 1;
        begins_with_number(line)
    }) && lines >= LINES_MIN
}

/// Whether the children are the lines of a unified diff: one begins with `@@`, and all behind it with a sign of such lines.
pub(super) fn is_diff(dom: &Dom, element: DomId) -> bool {
    let is_division = |line: &DomId| dom.tag(*line) == Some(Tag::Div);
    let is_hunk = |line: &DomId| first_text(dom, *line).is_some_and(|text| text.starts_with("@@ "));
    let mut lines = children(dom, element);
    if !lines.by_ref().take(HEADS_MAX).take_while(is_division).any(|line| is_hunk(&line)) {
        return false;
    }
    let mut behind = lines.peekable();
    behind.peek().is_some() && behind.all(|line| is_division(&line) && first_text(dom, line).is_none_or(is_of_diff))
}

fn is_of_diff(text: &str) -> bool {
    text.starts_with(['+', '-', ' ', '\u{a0}', '\\']) || text.starts_with("@@ ") || text.starts_with("diff ")
}

/// Children without white space between them.
fn children(dom: &Dom, element: DomId) -> impl Iterator<Item = DomId> + '_ {
    dom.children(element).filter(|id| !dom.is_blank(*id))
}

/// The first text in a line, as it is written.
fn first_text(dom: &Dom, line: DomId) -> Option<&str> {
    dom.descendants(line).take(NODES_MAX).find_map(|id| dom.text(id))
}

#[cfg(test)]
mod tests {
    use super::super::tests::markdown;

    #[test]
    fn lines_with_numbers_are_code() {
        let line = |number: u8, text: &str| {
            format!("<div class=pre><a id=l{number} href='#l{number}' class=linenr> {number}</a> {text}</div>\n")
        };
        let lines = line(1, "fn f() {") + &line(2, "&nbsp;&nbsp;&nbsp;&nbsp;grind()") + &line(3, "}");
        let page = format!("<div class=page_body>\n{lines}</div>");
        assert_eq!(markdown(&page), "```\nfn f() {\n    grind()\n}\n```\n", "gitweb");
        let text = markdown(&page.replace("</div>\n</div>", "</div>\n<p>It turns.</div>"));
        assert!(text.contains("It turns.") && !text.contains("```"), "{text}");
        let org = "<pre class='src src-rust'><span class=linenr>1: </span>grind()\n<span class=linenr>2: </span>  turn()\n</pre>";
        assert_eq!(markdown(org), "```rust\ngrind()\n  turn()\n```\n", "Org");
    }

    #[test]
    fn lines_of_a_diff_are_code() {
        let cgit = "<table class=diff><tr><td><div class=head>diff --git a/m b/m<br/>--- a/<a href=/m>m</a><br/>+++ b/m</div>\
            <div class=hunk>@@ -7,2 +7,2 @@ mill</div><div class=ctx> a</div><div class=del>-  b</div><div class=add>+    c</div>\
            <div class=ctx> </div></td></tr></table>";
        let diff = "```diff\ndiff --git a/m b/m\n--- a/m\n+++ b/m\n@@ -7,2 +7,2 @@ mill\n a\n-  b\n+    c\n```\n";
        assert_eq!(markdown(cgit), diff);
        let gitweb = "<div class=patch>\n<div class='diff header'>diff --git <a href=/a>a/m</a> b/m</div>\n\
            <div class='diff chunk_header'><span>@@ <a href=/o>-7,2</a> +7,2 @@</span></div>\n\
            <div class='diff ctx'>&nbsp;a</div>\n<div class='diff add'>+&nbsp;&nbsp;b</div>\n</div>";
        assert_eq!(markdown(gitweb), "```diff\ndiff --git a/m b/m\n@@ -7,2 +7,2 @@\n a\n+  b\n```\n");
        let said = "<div><div>@@ is the sign of a part.</div><div>It stands alone.</div></div>";
        assert_eq!(markdown(said), "@@ is the sign of a part.\n\nIt stands alone.\n");
    }
}
