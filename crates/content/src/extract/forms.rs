//! Pages to sign in, to register or to write to somebody: what is filled in is what they are for.
//!
//! The model learnt from pages of text. Of a page with a form it knows nothing, or it keeps the line or two that stand beside the
//! form. There the form is the content, with what stands close around it: its title, its notes, the links below its button.

use std::ops::Range;

use super::cut::Cut;
use super::methods::PageView;
use super::repeated::WordedRuns;
use crate::cst::{ContentStructureTree, NodeId, NodeKind, RunId};
use crate::dom::{AttributeName, ClassNames, Dom, DomId, Tag, classes};

/// Probability of the likeliest run, from which what is kept of a page stays beside its form.
const LIKELIEST_MIN: f32 = 0.6;

/// Expected F1 of the best cut, below which a page may be for its form.
const EXPECTED_F1_MIN: f32 = 0.4;

/// Words of a page, and how many of them are kept, at most, for it to be for its form, whatever is expected.
const SHORT_WORDS_MAX: f32 = 450.0;
const KEPT_WORDS_MAX: f32 = 60.0;

/// Fields of a form at least: fewer are a search, or an address to send news to.
const FIELDS_MIN: u32 = 2;

/// Words of a form at least.
const WORDS_MIN: f32 = 3.0;

/// Share of the page's words that a form has at most where they are more than these: beyond, it is around the whole page (ASP.NET).
const SHARE_MAX: f32 = 0.7;
const SHARE_WORDS_MIN: f32 = 100.0;

/// What is called so, in one of the parts of a name, is for comments on the page, or hidden until somebody asks for it.
const BESIDE: &ClassNames = classes![
    "comment",
    "comments",
    "commentform",
    "respond",
    "modal",
    "offcanvas",
    "popup",
    "popover",
    "dropdown",
    "lightbox",
];

/// Elements around a form whose names are read, at most.
const NAMED_DEPTH_MAX: usize = 6;

/// An element around a form goes with it up to this many times the form's words, and some more.
const AROUND_TIMES: f32 = 2.0;
const AROUND_WORDS: f32 = 20.0;

/// A form to fill in, with its fields and words.
struct Form {
    item: NodeId,
    fields: u32,
    words: f32,
}

/// Keeps the forms of a page that is for them, by run; `probability` is that of each unit, by which `cut` was made. Tells whether it did.
/// O(nodes).
pub(super) fn keep_forms(
    page: &PageView<'_>,
    units: WordedRuns<'_>,
    probability: &[f32],
    cut: Cut,
    kept: &mut [bool],
) -> bool {
    let words: f32 = units.words.iter().sum();
    let is_unknown = probability.iter().all(|one| *one < LIKELIEST_MIN);
    let units_kept = units.runs.iter().zip(units.words).filter(|(run, _)| kept[**run]);
    let of_kept: f32 = units_kept.map(|(_, words)| words).sum();
    let is_short = words <= SHORT_WORDS_MAX && of_kept <= KEPT_WORDS_MAX;
    let is_for_form = is_short || is_unknown && cut.expected_f1 < EXPECTED_F1_MIN;
    if !is_for_form {
        return false;
    }
    let forms = forms(page.dom, page.tree, units, words);
    if !forms.is_empty() && is_unknown {
        kept.fill(false);
    }
    for form in &forms {
        keep_own(page.tree, with_surroundings(page.tree, units, form), kept);
    }
    !forms.is_empty()
}

/// The forms that a page may be for, in document order: those in its own part that have half as many fields as the largest or more.
fn forms(dom: &Dom, tree: &ContentStructureTree, units: WordedRuns<'_>, page_words: f32) -> Vec<Form> {
    let items = tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem && tree.tag(*id) == Tag::Form);
    let own = items.filter(|item| !is_beside(dom, tree, *item));
    let all = own.filter_map(|item| {
        let fields = fields(dom, tree.source(item)?);
        Some(Form { item, fields, words: words_within(units, tree.runs_within(item)) })
    });
    let is_whole = |words: f32| words > SHARE_WORDS_MIN && words > page_words * SHARE_MAX;
    let is_one = |form: &Form| form.fields >= FIELDS_MIN && form.words >= WORDS_MIN && !is_whole(form.words);
    let mut forms: Vec<Form> = all.filter(is_one).collect();
    let most = forms.iter().map(|form| form.fields).max().unwrap_or(0);
    forms.retain(|form| form.fields * 2 >= most);
    forms
}

/// Whether a form is in what is the same on all pages of a site, in a dialog, or for comments on the page.
fn is_beside(dom: &Dom, tree: &ContentStructureTree, form: NodeId) -> bool {
    let names = [AttributeName::Id, AttributeName::Class, AttributeName::Name];
    let is_named = |id| names.iter().filter_map(|name| dom.attribute(id, *name)).any(|name| BESIDE.are_parts_of(name));
    let around = std::iter::once(form).chain(tree.ancestors(form)).take_while(|id| tree.tag(*id) != Tag::Body);
    tree.ancestors(form).any(|id| matches!(tree.tag(id), Tag::Nav | Tag::Header | Tag::Footer))
        || around.take(NAMED_DEPTH_MAX).filter_map(|id| tree.source(id)).any(is_named)
}

/// How much is typed into a form: passwords and texts of many lines count for two, a search and what is chosen or ticked for nothing.
fn fields(dom: &Dom, form: DomId) -> u32 {
    let typed = |field| match dom.tag(field) {
        Some(Tag::Textarea) => 2,
        Some(Tag::Input) => typed_into(dom, field),
        _ => 0,
    };
    dom.descendants(form).map(typed).sum()
}

/// What an input counts for.
fn typed_into(dom: &Dom, input: DomId) -> u32 {
    const KINDS: [&str; 7] = ["", "text", "email", "tel", "url", "number", "date"];
    let kind = dom.attribute(input, AttributeName::Type).unwrap_or("text");
    match kind {
        _ if kind.eq_ignore_ascii_case("password") => 2,
        _ if KINDS.iter().any(|one| kind.eq_ignore_ascii_case(one)) => 1,
        _ => 0,
    }
}

/// The outermost element around a form that has little else.
fn with_surroundings(tree: &ContentStructureTree, units: WordedRuns<'_>, form: &Form) -> NodeId {
    let words_max = form.words * AROUND_TIMES + AROUND_WORDS;
    let is_close = |item: &NodeId| {
        *item != ContentStructureTree::ROOT
            && tree.tag(*item) != Tag::Body
            && words_within(units, tree.runs_within(*item)) <= words_max
    };
    tree.ancestors(form.item).take_while(is_close).last().unwrap_or(form.item)
}

/// Keeps what is in an element but not in a menu or the foot of the page.
fn keep_own(tree: &ContentStructureTree, item: NodeId, kept: &mut [bool]) {
    let within = (item.0..tree.subtree_end(item).0).map(NodeId);
    let beside =
        within.filter(|id| tree.kind(*id) == NodeKind::HtmlItem && matches!(tree.tag(*id), Tag::Nav | Tag::Footer));
    let mut next = tree.runs_within(item).start;
    for beside in beside.map(|id| tree.runs_within(id)) {
        kept[next..beside.start.max(next)].fill(true);
        next = beside.end.max(next);
    }
    kept[next..tree.runs_within(item).end.max(next)].fill(true);
}

/// Words of the runs of a range.
fn words_within(units: WordedRuns<'_>, runs: Range<RunId>) -> f32 {
    let place = |run: RunId| units.runs.partition_point(|unit| *unit < run);
    units.words[place(runs.start)..place(runs.end)].iter().sum()
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    /// What is kept of a page whose text with `plain` was kept, where the model expects that much.
    fn kept(html: &str, likeliest: f32, expected_f1: f32) -> String {
        let texts = testing::left(html, likeliest, |dom, tree, units, probability, kept| {
            let cut = Cut { taken: 1, threshold: 0.1, expected_f1 };
            keep_forms(&PageView::new(dom, tree, ""), units, probability, cut, kept);
        });
        texts.join("|")
    }

    const LOG_IN: &str = "<div><h1>Log in</h1><form><p>Name <input><p>Word <input type=PASSWORD></form></div>";

    #[test]
    fn the_form_of_a_page_that_nobody_knows_is_its_content() {
        let rest = "<p>Mill</p>".repeat(100);
        let page = |form: &str| format!("<ul><li>plain menu</ul><main>{form}</main>{rest}");
        assert_eq!(kept(&page(LOG_IN), 0.3, 0.2), "Log in|Name|Word");
        assert_eq!(kept(&page(LOG_IN), 0.6, 0.2), "plain menu", "a run is likely");
        assert_eq!(kept(&page(LOG_IN), 0.3, 0.5), "plain menu", "much is expected");
        for other in ["<form>Find <input></form>", "<form>Sort <select></select><select></select></form>"] {
            assert_eq!(kept(&page(other), 0.3, 0.2), "plain menu", "{other}");
        }
        for name in ["id=commentform", "class='post comments_form'", "class=login-Modal"] {
            assert_eq!(kept(&page(&LOG_IN.replace("<div", &format!("<div {name}"))), 0.3, 0.2), "plain menu", "{name}");
        }
        assert_eq!(kept(&format!("<header>{LOG_IN}</header><p>plain</p>{rest}"), 0.3, 0.2), "plain");
        let whole = format!("<form>{}</form>", page(&LOG_IN.replace("form>", "div>")));
        assert_eq!(kept(&whole, 0.3, 0.2), "plain menu", "all is in a form");
        let second = "<form><p>Letters <input><textarea></textarea></form>";
        let two = format!("{LOG_IN}{second}<form>One<p>Two<p>Three<p>Four<p>Five<input></form>");
        assert_eq!(kept(&page(&two), 0.3, 0.2), "Log in|Name|Word|Letters", "not the least of them");
    }

    #[test]
    fn a_short_page_with_a_form_is_for_it() {
        let page = |times: usize| format!("<p>plain news</p>{}<main>{LOG_IN}</main>", "<p>Mill</p>".repeat(times));
        assert_eq!(kept(&page(9), 0.5, 0.8), "Log in|Name|Word");
        assert_eq!(kept(&page(9), 0.7, 0.8), "plain news|Log in|Name|Word", "what is likely stays");
        assert_eq!(kept(&page(99), 0.5, 0.8), "plain news");
        let article = page(19).replace("Mill", "plain text");
        assert_eq!(kept(&article, 0.5, 0.8).matches("plain").count(), 20, "much is kept");
        assert!(!kept(&article, 0.5, 0.8).contains("Log in"));
    }

    #[test]
    fn what_stands_close_to_a_form_goes_with_it() {
        let page = |notes: usize| {
            let notes = "<p>Note</p>".repeat(notes);
            format!("{}<section>{LOG_IN}{notes}</section>", "<p>Mill</p>".repeat(20))
        };
        assert_eq!(kept(&page(3), 0.5, 0.3), "Log in|Name|Word|Note|Note|Note");
        assert_eq!(kept(&page(9), 0.5, 0.3), "Log in|Name|Word", "most of the section is something else");
        let footed = page(2).replace("</section>", "<footer>Imprint</footer></section>");
        assert_eq!(kept(&footed, 0.5, 0.3), "Log in|Name|Word|Note|Note");
    }
}
