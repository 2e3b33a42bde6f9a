//! Readers' comments, which are left out of the content where they stand behind it.
//!
//! 1. *Sections of comments* are told by what the page calls the element that holds them: `id=comments`, `class=comment-list`,
//!    `disqus_thread`, and so on in other languages. Makers of sites agree on that far more than on anything else, so it holds on pages of
//!    a make that no model has seen.
//! 2. A run is a comment besides where the comments' forest says so.
//! 3. Of what is not kept in a section, the texts are comments as well: what has some words that are mostly no links. So they can be kept
//!    on demand.
//! 4. Comments are left out where content stands before them. Where nothing does, and on pages of forums, the comments are the content, or a
//!    part of it.
//! 5. On pages of products readers' reviews are comments, by the names of sections alone: `id=customer-reviews`.

use std::ops::Range;

use super::PageView;
use super::features::PageInfo;
use super::features::hints::{MAY_HOLD_COMMENTS, of_value};
use super::headed::is_named_by_heading;
use super::repeated::WordedRuns;
use crate::cst::{ContentStructureTree, NodeId, NodeKind, RunId};
use crate::dom::{AttributeName, Dom, DomId, Tag};

/// Above this probability a unit is a comment.
pub(super) const COMMENT_MIN: f32 = 0.5;

/// Fewest kept words before comments that they are comments on.
const CONTENT_WORDS_MIN: f32 = 30.0;

/// Fewest words of a text that is a comment by its place; less are names, dates, buttons.
const COMMENT_WORDS_MIN: f32 = 5.0;

/// Share of such a text that may be links.
const COMMENT_LINKS_MAX: f64 = 0.5;

/// Bytes of a class or id that are read.
const VALUE_BYTES_MAX: usize = 240;

/// What words of a section's name begin with.
const BEGINNINGS: [&str; 9] =
    ["comment", "kommentar", "comentario", "commenti", "commento", "komentar", "reactie", "disqus", "usercomment"];

/// Words that begin so and mean something else.
const OTHERS: [&str; 4] = ["commentary", "commentaries", "commentator", "commentators"];

/// Makers of forums.
const FORUM_MAKERS: [&str; 3] = ["discourse", "phpbb", "vbulletin"];

/// What words of a forum's address begin with.
const FORUM_WORDS: [&str; 9] =
    ["forum", "thread", "topic", "question", "discussion", "viewtopic", "showthread", "community", "discuss"];

/// Hosts whose pages readers write.
const FORUM_HOSTS: [&str; 4] = ["news.ycombinator.com", "lobste.rs", "tildes.net", "lemmy.world"];

/// What words of the name of a section of reviews begin with.
const REVIEWS: [&str; 6] = ["review", "customerreview", "productreview", "bewertung", "rezension", "bvreview"];

/// What stands before the number at the end of the address of a report, and the programs that show one (Bugzilla, Debian).
const REPORTS: [&str; 9] = ["issue", "issues", "ticket", "tickets", "bug", "bugs", "pull", "pulls", "merge_requests"];
const REPORT_PROGRAMS: [&str; 2] = ["show_bug.cgi", "bugreport.cgi"];

/// Words beside these in names of what is no section: a number or a link, the page's state, the content of which comments are a part, and
/// what a program's source says of itself (TypeDoc's `tsd-comment`).
const BESIDE: [&str; 32] = [
    "tsd",
    "doc",
    "code",
    "source",
    "count",
    "counts",
    "link",
    "links",
    "number",
    "num",
    "off",
    "closed",
    "no",
    "has",
    "allow",
    "open",
    "status",
    "with",
    "bubble",
    "icon",
    "button",
    "single",
    "page",
    "article",
    "content",
    "main",
    "without",
    "policy",
    "review",
    "reviews",
    "testimonial",
    "testimonials",
];

/// Takes out of `kept`, by run, the comments on what is kept before them. They become comments in `comment`, by run; `units` are the runs
/// with words. O(nodes).
pub(super) fn leave_out(
    page: &PageView<'_>,
    info: &PageInfo,
    units: WordedRuns<'_>,
    comment: &mut [f32],
    kept: &mut [bool],
) {
    let kind = kind_of(info);
    if kind == Kind::Readers {
        return;
    }
    let sections = sections(page, kind);
    let mut sections = sections.iter().peekable();
    let mut before = 0.0;
    for (run, words) in units.runs.iter().zip(units.words) {
        while sections.next_if(|section| section.end <= *run).is_some() {}
        let is_within = sections.peek().is_some_and(|section| section.contains(run));
        let is_comment = is_within || kind == Kind::Other && comment[*run] > COMMENT_MIN;
        if kept[*run] && !is_comment {
            before += words;
        } else if is_comment && before >= CONTENT_WORDS_MIN && (kept[*run] || is_text(page.tree, *run, *words)) {
            kept[*run] = false;
            comment[*run] = 1.0;
        }
    }
}

/// Whether a run in a section is a comment, not what stands around it.
fn is_text(tree: &ContentStructureTree, run: RunId, words: f32) -> bool {
    let run = &tree.runs()[run];
    words >= COMMENT_WORDS_MIN && (tree.linked_bytes(run) as f64) < run.text.len() as f64 * COMMENT_LINKS_MAX
}

/// What a page is, for what readers say on it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A forum, of which readers write the content, or an article about products, which may be a review.
    Readers,
    /// A product, on which there are reviews.
    Product,
    /// Anything else, on which there are comments.
    Other,
}

/// What a page is, by its address, maker and data.
fn kind_of(info: &PageInfo) -> Kind {
    let has_type = |name: &str| info.structured.has_type(name);
    let address = info.url.split_once("://").map_or(info.url.as_str(), |(_, rest)| rest);
    let address = address.split(['?', '#']).next().unwrap_or("");
    let is_of_forum = |word: &str| FORUM_WORDS.iter().any(|start| begins_with(word, start));
    let is_forum = has_type("forum")
        || info.is_made_by(&FORUM_MAKERS)
        || address.split(['/', '.', '-', '_']).any(is_of_forum)
        || address.split('/').next().is_some_and(|host| is_host_of_forum(&host.to_ascii_lowercase()))
        || address.split('/').any(|part| part == "comments")
        || is_of_report(address);
    match (is_forum, has_type("product"), has_type("article")) {
        (true, _, _) | (false, true, true) => Kind::Readers,
        (false, true, false) => Kind::Product,
        (false, false, _) => Kind::Other,
    }
}

/// Whether an address is that of a report in a tracker of bugs, which those who answer write: `/issues/17`, `/browse/MILL-17` (Jira), `/T17`
/// right behind the host (Phabricator).
fn is_of_report(address: &str) -> bool {
    let mut parts = address.trim_end_matches('/').rsplit('/');
    let last = parts.next().unwrap_or("");
    let before = parts.next().unwrap_or("");
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|sign| sign.is_ascii_digit());
    let is_key = || {
        last.rsplit_once('-').is_some_and(|(project, number)| {
            is_number(number) && project.starts_with(|sign: char| sign.is_ascii_uppercase())
        })
    };
    let mut is_task = || last.strip_prefix(['T', 'D']).is_some_and(is_number) && parts.next().is_none();
    REPORT_PROGRAMS.contains(&last)
        || (is_number(last) && REPORTS.contains(&before))
        || (before == "browse" && is_key())
        || (!before.is_empty() && is_task())
}

fn is_host_of_forum(host: &str) -> bool {
    host.contains("forum") || FORUM_HOSTS.contains(&host)
}

/// The runs of each section of comments, or of a product's reviews, in their order; none is within another.
fn sections(page: &PageView<'_>, kind: Kind) -> Vec<Range<RunId>> {
    let (dom, tree) = (page.dom, page.tree);
    let called = Called::new(page, if kind == Kind::Product { is_review } else { is_comment });
    let mut sections: Vec<Range<RunId>> = Vec::new();
    let mut end = NodeId(0);
    for item in tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem) {
        if item < end || matches!(tree.tag(item), Tag::Body | Tag::Main | Tag::Pre | Tag::Code | Tag::A) {
            continue;
        }
        let Some(element) = tree.source(item).filter(|element| called.holds_comments(*element)) else {
            continue;
        };
        let is_content = if kind == Kind::Product { holds_facts(dom, element) } else { is_chapter(&called, element) };
        if !is_content {
            sections.push(tree.runs_within(item));
        }
        // What is in one that stays was looked at with it.
        end = tree.subtree_end(item);
    }
    sections
}

/// What elements of a page are called, as far as it tells that they hold comments, or reviews.
struct Called<'a> {
    dom: &'a Dom,
    is_named: fn(&str) -> bool,
    /// Whether a value of `class` has such a name.
    of_class: Vec<bool>,
}

impl<'a> Called<'a> {
    /// `is_named` tells whether a word of a name is one of comments.
    fn new(page: &PageView<'a>, is_named: fn(&str) -> bool) -> Self {
        let has_name = |class: &str| class.split_ascii_whitespace().any(|name| names_comments(name, is_named));
        let classes = page.dom.distinct_classes().zip(page.class_hints());
        let of_class = classes.map(|(class, hints)| hints & MAY_HOLD_COMMENTS != 0 && has_name(class.text()));
        Self { dom: page.dom, is_named, of_class: of_class.collect() }
    }

    fn holds_comments(&self, element: DomId) -> bool {
        let is_id = || {
            self.dom
                .attribute(element, AttributeName::Id)
                .is_some_and(|id| of_value(id) & MAY_HOLD_COMMENTS != 0 && names_comments(id, self.is_named))
        };
        // Scaladoc's own word for what a program's source says of itself.
        let is_of_source = || self.dom.class_names(element).any(|class| class == "cmt");
        (self.of_class[self.dom.class_id(element).index()] || is_id()) && !is_of_source()
    }
}

/// Whether an element holds a table or list of facts: one that was left open holds what follows.
fn holds_facts(dom: &Dom, element: DomId) -> bool {
    dom.descendants(element).any(|id| matches!(dom.tag(id), Some(Tag::Table | Tag::Tr | Tag::Dl)))
}

/// Whether an element is a section of a document that is about comments: its id is its heading, and nothing in it is called comments.
fn is_chapter(called: &Called<'_>, element: DomId) -> bool {
    let dom = called.dom;
    let holds = |id: DomId| match dom.tag(id) {
        Some(Tag::Form | Tag::Textarea) => true,
        Some(Tag::Div | Tag::Section | Tag::Article | Tag::Ol | Tag::Ul | Tag::Li) => {
            called.holds_comments(id) && !is_named_by_heading(dom, id)
        }
        _ => false,
    };
    is_named_by_heading(dom, element) && !dom.descendants(element).skip(1).any(holds)
}

/// Whether a class or an id is one of comments.
fn names_comments(name: &str, is_named: fn(&str) -> bool) -> bool {
    let name = &name[..name.floor_char_boundary(VALUE_BYTES_MAX)];
    let mut is_found = false;
    for word in words(name) {
        let is_wanted = is_named(word);
        if !is_wanted && BESIDE.iter().any(|other| word.eq_ignore_ascii_case(other)) {
            return false;
        }
        is_found |= is_wanted;
    }
    is_found
}

fn is_comment(word: &str) -> bool {
    let ends = || word.len() > 8 && word.as_bytes()[word.len() - 8..].eq_ignore_ascii_case(b"comments");
    (BEGINNINGS.iter().any(|start| begins_with(word, start)) || ends())
        && !OTHERS.iter().any(|other| word.eq_ignore_ascii_case(other))
}

fn is_review(word: &str) -> bool {
    REVIEWS.iter().any(|start| begins_with(word, start))
}

/// Whether a word begins so, in any case.
pub(super) fn begins_with(word: impl AsRef<[u8]>, start: &str) -> bool {
    word.as_ref().get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start.as_bytes()))
}

/// The words of a name, parted by other signs than letters, and by capitals behind small letters.
fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(|sign: char| !sign.is_alphabetic()).flat_map(humps).filter(|word| !word.is_empty())
}

/// `commentList` as `comment` and `List`.
fn humps(name: &str) -> impl Iterator<Item = &str> {
    let mut rest = name;
    std::iter::from_fn(move || {
        let is_border =
            |at: usize| rest.as_bytes()[at - 1].is_ascii_lowercase() && rest.as_bytes()[at].is_ascii_uppercase();
        let end = (1..rest.len()).find(|at| is_border(*at)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        rest = behind;
        (!word.is_empty()).then_some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cst::{self, Profile};
    use crate::dom;
    use crate::limits::Limits;

    /// The texts that stay when all runs are kept, of a page with this address.
    fn left(html: &str, url: &str, comment: f32) -> Vec<String> {
        decided(html, url, comment, |_| true).0
    }

    /// The texts that stay of those that were kept, and those that are comments.
    fn decided(html: &str, url: &str, comment: f32, is_kept: impl Fn(&str) -> bool) -> (Vec<String>, Vec<String>) {
        let limits = Limits::default();
        let dom = dom::parse(html, &limits);
        let tree = cst::build(&dom, Profile::Modern, &limits);
        let text = |run: RunId| tree.run_text(&tree.runs()[run]).to_owned();
        let runs: Vec<RunId> = (0..tree.runs().len()).filter(|run| !text(*run).is_empty()).collect();
        let words: Vec<f32> = runs.iter().map(|run| text(*run).split_whitespace().count() as f32).collect();
        let said = |run: &RunId| if text(*run).starts_with("Said") { comment } else { 0.0 };
        let mut comments: Vec<f32> = (0..tree.runs().len()).map(|run| said(&run)).collect();
        let mut kept: Vec<bool> = (0..tree.runs().len()).map(|run| is_kept(&text(run))).collect();
        let former = kept.clone();
        let page = PageView::new(&dom, &tree, url);
        let units = WordedRuns { runs: &runs, words: &words };
        leave_out(&page, &PageInfo::new(&dom, url), units, &mut comments, &mut kept);
        assert!(runs.iter().all(|run| kept[*run] || !former[*run] || comments[*run] > COMMENT_MIN));
        let texts =
            |chosen: &dyn Fn(RunId) -> bool| runs.iter().filter(|run| chosen(**run)).map(|run| text(*run)).collect();
        (texts(&|run| kept[run]), texts(&|run| comments[run] > COMMENT_MIN))
    }

    fn article() -> String {
        format!("<h1>Mills</h1><p>{}</p>", "A mill grinds corn. ".repeat(10))
    }

    #[test]
    fn sections_of_comments_go_by_their_names() {
        for name in [
            "id=comments",
            "id=disqus_thread",
            "class='post-footer comment-list'",
            "class=commentsBlock",
            "class=userComments",
            "class=Leser_Kommentare",
            "id=commentaires",
        ] {
            let html = format!("{}<div {name}><h2>2 replies</h2><p>Fine!<p>Not so.</div><p>End", article());
            assert_eq!(left(&html, "", 0.0).len(), 3, "{name}");
        }
        for name in [
            "class=commentary",
            "class=has-comments",
            "class='single comments-open'",
            "class=review-comments",
            "class='tsd-comment tsd-typography'",
            "class='comment cmt'",
            "class=doc-comment",
        ] {
            let html = format!("{}<div {name}><p>Fine!</div>", article());
            assert_eq!(left(&html, "", 0.0).len(), 3, "{name}");
        }
        let code = format!("{}<pre class=comments>// Fine</pre>", article());
        assert_eq!(left(&code, "", 0.0).len(), 3);
    }

    #[test]
    fn runs_that_the_forest_calls_comments_go() {
        let html = format!("{}<p>Said Jo: fine!", article());
        assert_eq!((left(&html, "", 0.6).len(), left(&html, "", 0.4).len()), (2, 3));
    }

    #[test]
    fn texts_of_a_section_are_comments_and_what_is_around_them_is_not() {
        let links = "<p>See <a href=/all>all of the comments of this reader</a>";
        let html = format!("{}<div id=comments><p>Jo, 3 May<p>The third mill is lovely, too.{links}</div>", article());
        let is_kept = |text: &str| text.starts_with('M') || text.starts_with("A mill");
        let (kept, comments) = decided(&html, "", 0.0, is_kept);
        assert_eq!((kept.len(), &comments[..]), (2, &["The third mill is lovely, too.".to_owned()][..]));
    }

    #[test]
    fn a_chapter_about_comments_stays() {
        let page = |name: &str, inner: &str| {
            let about = format!("<section id={name}><h2>Comments</h2><p>They begin with a hash.{inner}</section>");
            left(&format!("<section id=mills><h2>Mills</h2>{}</section>{about}", article()), "", 0.0).len()
        };
        assert_eq!(page("comments", ""), 5);
        assert_eq!(page("comments", "<div class=comment>Fine!</div>"), 3);
        assert_eq!(page("comments", "<form><p>Write</form>"), 3);
        assert_eq!(page("comments-area", ""), 3);
    }

    #[test]
    fn comments_that_are_the_content_stay() {
        let comments = "<div id=comments><p>Said Jo: fine!<p>Said Al: not so.</div>";
        assert_eq!(left(&format!("<h1>Mills?</h1>{comments}"), "", 0.9).len(), 3, "nothing before them");
        let html = format!("{}{comments}", article());
        assert_eq!(left(&html, "https://example.org/mills/", 0.9).len(), 2);
        for url in
            ["https://forum.example.org/1", "https://example.org/questions/7", "https://example.org/r/a/comments/b/"]
        {
            assert_eq!(left(&html, url, 0.9).len(), 4, "{url}");
        }
        for url in [
            "https://e.org/mill/issues/17/",
            "https://e.org/ticket/3?x=1",
            "https://e.org/show_bug.cgi?id=3",
            "https://e.org/jira/browse/MILL-17",
            "https://e.org/T17",
        ] {
            assert_eq!(left(&html, url, 0.9).len(), 4, "{url}");
        }
        for url in [
            "https://e.org/issues/17/mills",
            "https://e.org/issues/",
            "https://e.org/17",
            "https://e.org/browse/mills-17",
            "https://e.org/mills/T17",
            "https://e.org/T17a",
        ] {
            assert_eq!(left(&html, url, 0.9).len(), 2, "{url}");
        }
        let maker = format!("<meta name=generator content='phpBB 3'>{html}");
        assert_eq!(left(&maker, "", 0.9).len(), 4);
        let data = r#"<script type="application/ld+json">{"@type":"QAPage"}</script>"#;
        assert_eq!(left(&format!("{data}{html}"), "", 0.9).len(), 4);
    }

    #[test]
    fn reviews_of_a_product_are_comments() {
        let product = r#"<script type="application/ld+json">{"@type":"Product"}</script>"#;
        for (name, stays) in [
            ("id=customer-reviews", 2),
            ("class=productReviews", 2),
            ("class=reviews__list", 2),
            ("class=review-content", 3),
            ("class=preview", 3),
            ("class=comments", 3),
        ] {
            let reviews = format!("<div {name}><p>The third mill is lovely, too.</div>");
            assert_eq!(left(&format!("{product}{}{reviews}", article()), "", 0.9).len(), stays, "{name}");
            assert_eq!(left(&format!("{product}{reviews}"), "", 0.9).len(), 1, "nothing before them");
            let open = format!("<div {name}><table><tr><td>Weight<td>3 kg</table>");
            assert_eq!(left(&format!("{product}{}{open}", article()), "", 0.9).len(), 4, "facts");
            let open = format!("<a {name} href=#r><div>5 stars</div><div>They grind by night, too.</div>");
            assert_eq!(left(&format!("{product}{}{open}", article()), "", 0.9).len(), 4, "a link");
        }
        let html = format!("{}<div id=reviews><p>The third mill is lovely, too.</div>", article());
        assert_eq!(left(&html, "", 0.0).len(), 3, "no product");
        let tested = r#"<script type="application/ld+json">[{"@type":"Product"},{"@type":"NewsArticle"}]</script>"#;
        assert_eq!(left(&format!("{tested}{html}"), "", 0.0).len(), 3, "an article about a product");
    }
}
