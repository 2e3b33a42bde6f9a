//! Teasers of other pages among the paragraphs of an article: `Gunman kills three`, alone in its paragraph and a link to another page of
//! the site; and what announces some at the end, of which nothing is kept: `You may also like:`.
//!
//! They stand in the same elements as the author's paragraphs and are as long, so the model is never sure of them. What the author sends the
//! reader to is announced (`The report is here:`), is in a sentence, or is on another site: that stays.

use url::Url;

use super::PageView;
use super::features::PageInfo;
use super::repeated::WordedRuns;
use crate::cst::{ContentStructureTree, NodeId, RunId};
use crate::dom::Tag;
use crate::text::url::without_www;

/// Fewest and most words of a teaser. What is shorter may be a name, what is longer a paragraph.
const WORDS_MIN: f32 = 4.0;
const WORDS_MAX: f32 = 40.0;

/// Share of its text that is links.
const LINKED_SHARE: f64 = 0.95;

/// Words that an article has beside links, and their share of its words: other pages may be lists of links.
const ARTICLE_WORDS_MIN: f32 = 150.0;
const ARTICLE_SHARE_MIN: f32 = 0.8;

/// Most teasers in a row, and on a page: what has more of them is made of them.
const ROW_MAX: usize = 3;
const PAGE_MAX: usize = 8;

/// Elements around a teaser among which there is no list, table or figure.
const LEVELS: usize = 5;

/// What labels of teasers begin with, in lower case: `Read also:`, before the link or above it.
const LABELS: [&str; 44] = [
    "read also",
    "also read",
    "read more",
    "read next",
    "see also",
    "related",
    "more on this",
    "more from",
    "you may also",
    "you might also",
    "don't miss",
    "lesen sie",
    "lies auch",
    "auch interessant",
    "das könnte",
    "mehr zum thema",
    "mehr dazu",
    "siehe auch",
    "lire aussi",
    "à lire",
    "voir aussi",
    "lea también",
    "lee también",
    "leé también",
    "vea también",
    "ver también",
    "mira también",
    "te puede interesar",
    "más información",
    "mira",
    "leggi anche",
    "leia também",
    "leia mais",
    "veja também",
    "lees ook",
    "czytaj",
    "zobacz",
    "читайте",
    "lue myös",
    "lue lisää",
    "läs också",
    "läs mer",
    "les også",
    "læs også",
];

/// Most words of a label, and of one without a colon.
const LABEL_WORDS_MAX: usize = 7;
const BARE_LABEL_WORDS_MAX: usize = 3;

/// Most words of what announces something.
const ANNOUNCEMENT_WORDS_MAX: f32 = 12.0;

/// Takes teasers out of `kept`, by run, on pages that say to be articles, and then what announces nothing at the end of any page; nothing
/// where nothing would be left. O(nodes).
pub(super) fn drop_teasers(page: &PageView<'_>, info: &PageInfo, units: WordedRuns<'_>, kept: &mut Vec<bool>) {
    if info.is_called_article() {
        let found = teasers(page.tree, info, units, kept);
        units.leave_out(kept, &found);
    }
    if let Some(last) = empty_announcement(page.tree, units, kept) {
        units.leave_out(kept, &[last]);
    }
}

/// The runs that are teasers.
fn teasers(tree: &ContentStructureTree, info: &PageInfo, units: WordedRuns<'_>, kept: &[bool]) -> Vec<RunId> {
    let of_kept: Vec<(RunId, f32)> =
        units.runs.iter().copied().zip(units.words.iter().copied()).filter(|(run, _)| kept[*run]).collect();
    let (all, plain) = of_kept.iter().fold((0.0, 0.0), |(all, plain), (run, words)| {
        (all + words, plain + words * (1.0 - linked_share(tree, *run) as f32))
    });
    if plain < ARTICLE_WORDS_MIN || plain < all * ARTICLE_SHARE_MIN {
        return Vec::new();
    }
    let own = Url::parse(&info.url).ok().filter(Url::has_host);
    let mut found = Vec::new();
    let mut before = None;
    let told = of_kept.iter().map(|unit| (unit.0, is_teaser(tree, own.as_ref(), *unit)));
    let told: Vec<(RunId, bool)> = told.collect();
    for row in told.chunk_by(|a, b| a.1 == b.1) {
        let label = before.filter(|run| is_label_above(tree, *run));
        let is_announced = label.is_none() && before.is_some_and(|run| announces(tree, run));
        if row[0].1 && !is_announced && row.len() <= ROW_MAX {
            found.extend(label.into_iter().chain(row.iter().map(|(run, _)| *run)));
        }
        before = row.last().map(|(run, _)| *run);
    }
    if found.len() <= PAGE_MAX { found } else { Vec::new() }
}

/// Whether a run with that many words is a paragraph of its own that leads to other pages of the site alone.
fn is_teaser(tree: &ContentStructureTree, own: Option<&Url>, (run, words): (RunId, f32)) -> bool {
    if !(WORDS_MIN..=WORDS_MAX).contains(&words) {
        return false;
    }
    let found = &tree.runs()[run];
    let tag = tree.tag(found.item);
    let is_labelled = is_labelled(tree, run);
    let is_linked = || linked_share(tree, run) >= LINKED_SHARE;
    let mut links = found.nodes.clone().map(NodeId).filter_map(|node| tree.link(node));
    (is_labelled || is_linked())
        && (matches!(tag, Tag::P | Tag::Div | Tag::Blockquote | Tag::Strong)
            || is_labelled && tag.heading_level().is_some())
        && !tree.ancestors(found.item).take(LEVELS).any(|id| is_of_list(tree.tag(id)))
        && links.all(|link| leads_to_site(tree.attribute_text(link.href), own))
}

fn is_of_list(tag: Tag) -> bool {
    matches!(tag, Tag::Li | Tag::Td | Tag::Th | Tag::Dd | Tag::Dt | Tag::Figure | Tag::Figcaption)
}

fn linked_share(tree: &ContentStructureTree, run: RunId) -> f64 {
    let run = &tree.runs()[run];
    tree.linked_bytes(run) as f64 / run.text.len().max(1) as f64
}

/// Whether a reference leads to another page of the site of the page with that address.
fn leads_to_site(reference: &str, own: Option<&Url>) -> bool {
    let reference = reference.trim();
    if reference.is_empty() || reference.starts_with('#') {
        return false;
    }
    match own.map_or_else(|| Url::parse(reference), |own| own.join(reference)) {
        Ok(url) => own.is_some_and(|own| host(own) == host(&url)) && matches!(url.scheme(), "http" | "https"),
        Err(url::ParseError::RelativeUrlWithoutBase) => !reference.starts_with("//"),
        Err(_) => false,
    }
}

/// The host of an address, without `www.`.
fn host(url: &Url) -> Option<&str> {
    url.host_str().map(without_www)
}

/// Whether a run is a label, a colon, and a link that is all of the rest.
fn is_labelled(tree: &ContentStructureTree, run: RunId) -> bool {
    let linked = tree.linked_bytes(&tree.runs()[run]);
    let parts = if linked > 0 { text(tree, run).split_once(':') } else { None };
    parts.is_some_and(|(label, rest)| linked as f64 >= rest.trim().len() as f64 * LINKED_SHARE && is_label(label))
}

/// Whether a text is the label of teasers.
fn is_label(text: &str) -> bool {
    if text.split_whitespace().nth(LABEL_WORDS_MAX).is_some() {
        return false;
    }
    let text = text.trim_start_matches(|sign: char| !sign.is_alphanumeric()).to_lowercase();
    let is_behind = |label: &str| text[label.len()..].chars().next().is_none_or(|next| !next.is_alphanumeric());
    LABELS.iter().any(|label| text.starts_with(label) && is_behind(label))
}

/// Whether a run is a label and no more: one with a colon behind it, or of few words.
fn is_label_above(tree: &ContentStructureTree, run: RunId) -> bool {
    let text = text(tree, run);
    is_label(text) && (announces(tree, run) || text.split_whitespace().nth(BARE_LABEL_WORDS_MAX).is_none())
}

/// Whether a text ends with a colon.
fn announces(tree: &ContentStructureTree, run: RunId) -> bool {
    text(tree, run).trim_end().ends_with([':', '：'])
}

fn text(tree: &ContentStructureTree, run: RunId) -> &str {
    tree.run_text(&tree.runs()[run])
}

/// The last run that is kept, if it announces what stands behind it in the same element, and that is not kept.
fn empty_announcement(tree: &ContentStructureTree, units: WordedRuns<'_>, kept: &[bool]) -> Option<RunId> {
    let last = units.runs.iter().rposition(|run| kept[*run])?;
    let run = units.runs[last];
    let item = tree.runs()[run].item;
    let is_of_list = matches!(tree.tag(item), Tag::Li | Tag::Td | Tag::Th | Tag::Dd | Tag::Dt | Tag::Pre);
    if units.words[last] > ANNOUNCEMENT_WORDS_MAX || is_of_list || !announces(tree, run) {
        return None;
    }
    let next = tree.runs()[*units.runs.get(last + 1)?].item;
    let around = tree.parent(item).map(|parent| tree.parent(parent).unwrap_or(parent))?;
    (next < tree.subtree_end(around)).then_some(run)
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use crate::cst::{self, Profile};
    use crate::limits::Limits;

    const ARTICLE: &str = "<meta property=og:type content=article>";
    const URL: &str = "https://www.mills.example/news/1";

    /// What is left of an article of forty paragraphs with `html` behind them, all of it kept before.
    fn left(head: &str, html: &str) -> Vec<String> {
        let page = format!("{head}<body>{}{html}", "<p>plain prose</p>".repeat(40));
        let left = testing::left(&page, 0.9, |dom, tree, units, _, kept| {
            let page = PageView::new(dom, tree, URL);
            let mut all = kept.to_vec();
            drop_teasers(&page, &PageInfo::new(dom, URL), units, &mut all);
            kept.copy_from_slice(&all);
        });
        left.into_iter().filter(|text| text != "plain prose").collect()
    }

    #[test]
    fn paragraphs_that_are_links_to_other_pages_of_the_site_go() {
        for reference in ["/news/2", "2", "?p=2", "https://mills.example/2", "//www.mills.example/2"] {
            let teaser = format!("<p><a href='{reference}'>plain: the third mill burns</a></p>");
            assert!(left(ARTICLE, &teaser).is_empty(), "{reference}");
            assert_eq!(left("", &teaser).len(), 1, "no article");
            assert_eq!(left(ARTICLE, &teaser.repeat(4)).len(), 4, "a list of links");
            let apart = format!("{teaser}<p>plain and so on</p>");
            assert_eq!(left(ARTICLE, &apart.repeat(9)).len(), 18, "a page made of them");
            assert_eq!(left(ARTICLE, &format!("<p>plain, the report is here:</p>{teaser}")).len(), 2, "announced");
            assert_eq!(left(ARTICLE, &format!("<ul><li>{teaser}</ul>")).len(), 1, "an entry");
        }
        for reference in ["https://other.example/2", "//other.example/2", "#part", "mailto:a@mills.example", ""] {
            let link = format!("<p><a href='{reference}'>plain: the third mill burns</a></p>");
            assert_eq!(left(ARTICLE, &link).len(), 1, "{reference}");
        }
        assert_eq!(left(ARTICLE, "<p>plain: the third <a href=/2>mill burns</a></p>").len(), 1, "a sentence");
    }

    #[test]
    fn labels_go_with_the_teasers() {
        for label in ["Read also:", "LEA TAMBIÉN:", "&gt;&gt; Czytaj też:", "Lesen Sie auch:"] {
            let link = "<a href=/2>plain: the third mill burns</a>";
            assert!(left(ARTICLE, &format!("<p>{label} {link}</p>")).is_empty(), "{label}");
            assert!(left(ARTICLE, &format!("<h3>{label} {link}</h3>")).is_empty(), "{label}");
            let above = label.replace(':', " plain:");
            assert!(left(ARTICLE, &format!("<p>{above}</p><p>{link}</p>")).is_empty(), "{label}");
        }
        let sentence = "<p>Mira is a plain mill.</p><p><a href=/2>plain: the third mill burns</a></p>";
        assert_eq!(left(ARTICLE, sentence), ["Mira is a plain mill."]);
        assert_eq!(left(ARTICLE, "<p>Source: <a href=/2>plain: the third mill burns</a></p>").len(), 1);
        assert_eq!(left(ARTICLE, "<p>Miracles: <a href=/2>plain: the third mill burns</a></p>").len(), 1);
    }

    #[test]
    fn what_announces_nothing_at_the_end_goes() {
        assert!(left("", "<p>plain, you may like:</p><div>Another mill</div>").is_empty());
        assert_eq!(left("", "<p>plain, you may like:</p><div>Another plain mill</div>").len(), 2, "it is kept");
        assert_eq!(left("", "<div><div><p>plain, you may like:</p></div></div><footer>Imprint</footer>").len(), 1);
        assert_eq!(left("", "<p>plain, you may like:</p>").len(), 1, "nothing is behind it");
        assert_eq!(left("", "<p>plain, you may like</p><div>Another mill</div>").len(), 1);
    }

    #[test]
    fn something_is_left() {
        let html = "<p>plain, you may like:</p><div>Another mill</div>";
        let limits = Limits::default();
        let dom = crate::dom::parse(html, &limits);
        let tree = cst::build(&dom, Profile::Modern, &limits);
        let runs: Vec<RunId> = (0..tree.runs().len()).collect();
        let words = vec![4.0; runs.len()];
        let mut kept: Vec<bool> = runs.iter().map(|run| *run == 0).collect();
        let before = kept.clone();
        let units = WordedRuns { runs: &runs, words: &words };
        drop_teasers(&PageView::new(&dom, &tree, ""), &PageInfo::new(&dom, ""), units, &mut kept);
        assert_eq!(kept, before);
    }
}
