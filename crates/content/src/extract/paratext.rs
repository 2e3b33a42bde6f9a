//! Lines of whoever serves a page, not of its author: labels of adverts, the lists that lead through an archive of mail, calls to subscribe.
//!
//! They stand between the author's paragraphs and are as short and as plain as these, so the model is never sure of them. Their words, or
//! the names of their elements, say what they are.

use super::repeated::WordedRuns;
use crate::cst::{ContentStructureTree, NodeId, NodeKind, RunId};
use crate::dom::{AttributeName, ClassNames, Dom, DomId, Tag, classes};

/// Labels of adverts, in lower case, as a text of their own.
const ADVERTS: [&str; 33] = [
    "advertisement",
    "advertisements",
    "advertisement continue reading below",
    "advertisement continues below",
    "advertisement story continues below",
    "article continues after advertisement",
    "article continues below",
    "article continues below advertisement",
    "story continues below",
    "story continues below advertisement",
    "skip advertisement",
    "sponsored content",
    "anzeige",
    "werbung",
    "publicité",
    "la suite après la publicité",
    "publicidad",
    "publicidade",
    "continua após a publicidade",
    "pubblicità",
    "advertentie",
    "annons",
    "annonce",
    "reklame",
    "mainos",
    "reklama",
    "reklam",
    "hirdetés",
    "реклама",
    "διαφήμιση",
    "广告",
    "広告",
    "광고",
];

/// Characters of the longest of them, with what may stand around it.
const ADVERT_CHARS_MAX: usize = 60;

/// The letters of ASCII, as bits, that they begin with: most texts begin with none of them.
const ADVERT_LETTERS: u32 = {
    let mut letters = 0;
    let mut next = 0;
    while next < ADVERTS.len() {
        let first = ADVERTS[next].as_bytes()[0];
        if first.is_ascii() {
            letters |= letter_bit(first);
        }
        next += 1;
    }
    letters
};

/// The bit of a letter of ASCII, in either case.
const fn letter_bit(letter: u8) -> u32 {
    1 << (letter & 0x1f)
}

/// What lines of an archive of mail begin with (Pipermail, Hypermail), in lower case.
const OF_MAIL: [&str; 7] = [
    "previous message",
    "next message",
    "messages sorted by",
    "next in thread",
    "in reply to",
    "maybe in reply to",
    "reply",
];

/// The line that only such archives have.
const SORTED: &str = "messages sorted by";

/// The links of a line that leads through an archive of MHonArc, in lower case.
const OF_MHONARC: [&str; 14] = [
    "date prev",
    "date next",
    "thread prev",
    "thread next",
    "date index",
    "thread index",
    "author index",
    "subject index",
    "other lists",
    "prev in thread",
    "next in thread",
    "top",
    "all lists",
    "search",
];

/// What the lines behind a message of MHonArc begin with, in lower case.
const BEHIND_MHONARC: [&str; 6] =
    ["prev by date", "previous by date", "next by date", "prev by thread", "previous by thread", "next by thread"];

/// The line before its links to lists of all messages, and these.
const INDEXES: &str = "index(es)";
const OF_INDEXES: [&str; 4] = ["date", "thread", "author", "subject"];

/// Characters of such a line.
const MHONARC_CHARS_MAX: usize = 200;

/// Class names of what calls to subscribe (Substack).
const CLASSES: &ClassNames = classes!["subscription-widget", "subscription-widget-wrap"];

/// The line below the title of each page of MediaWiki: `From Wikipedia, the free encyclopedia`.
const SITE_LINE: &str = "siteSub";

/// Drops what is kept of them; nothing where nothing would be left. What goes is no content to whoever asks: its `probability`, by run, is 0
/// then. Gives the runs that went. O(nodes).
pub(super) fn drop_paratext(
    dom: &Dom,
    tree: &ContentStructureTree,
    units: WordedRuns<'_>,
    probability: &mut [f32],
    kept: &mut Vec<bool>,
) -> Vec<RunId> {
    let mut found = runs_of_named(tree, |element| is_named_so(dom, element));
    let text = |run: RunId| tree.run_text(&tree.runs()[run]);
    let is_of_mail = units.runs.iter().any(|run| begins_with(text(*run), &[SORTED]));
    let is_behind = |run: RunId| tree.linked_bytes(&tree.runs()[run]) > 0 && begins_with(text(run), &BEHIND_MHONARC);
    let has_lines_behind = units.runs.iter().any(|run| is_behind(*run));
    let mut is_index = false;
    for run in units.runs.iter().copied() {
        is_index = has_lines_behind
            && (begins_with(text(run), &[INDEXES])
                || is_index && OF_INDEXES.iter().any(|name| text(run).trim().eq_ignore_ascii_case(name)));
        let is_mail_line = || tree.linked_bytes(&tree.runs()[run]) > 0 && begins_with(text(run), &OF_MAIL);
        let is_entry = || tree.ancestors(tree.runs()[run].item).take(2).any(|id| tree.tag(id) == Tag::Li);
        let is_of_archive = || is_of_mhonarc(text(run)) || has_lines_behind && (is_index || is_behind(run));
        if (is_advert_label(text(run)) && !is_entry()) || (is_of_mail && is_mail_line()) || is_of_archive() {
            found.push(run);
        }
    }
    units.pass_over(kept, probability, found)
}

/// The runs in elements of which `is_named` is true, ascending.
pub(super) fn runs_of_named(tree: &ContentStructureTree, is_named: impl Fn(DomId) -> bool) -> Vec<RunId> {
    let mut found = Vec::new();
    let mut end = NodeId(0);
    for item in tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem) {
        if item >= end && tree.source(item).is_some_and(&is_named) {
            found.extend(tree.runs_within(item));
            end = tree.subtree_end(item);
        }
    }
    found
}

fn is_named_so(dom: &Dom, element: DomId) -> bool {
    dom.has_class(element, CLASSES) || dom.attribute(element, AttributeName::Id) == Some(SITE_LINE)
}

/// Whether a text is the label of an advert: its letters, without what parts or surrounds the words.
fn is_advert_label(text: &str) -> bool {
    if !begins_like_advert(text) || text.chars().nth(ADVERT_CHARS_MAX).is_some() {
        return false;
    }
    let mut words = String::with_capacity(text.len());
    for word in text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if !words.is_empty() {
            words.push(' ');
        }
        words.extend(word.chars().flat_map(char::to_lowercase));
    }
    ADVERTS.contains(&words.as_str())
}

/// Whether the first letter of a text may be that of such a label. A letter beyond ASCII may, whatever it is.
fn begins_like_advert(text: &str) -> bool {
    let first = text.bytes().find(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
    first.is_some_and(|first| {
        !first.is_ascii() || (first.is_ascii_alphabetic() && ADVERT_LETTERS & letter_bit(first) != 0)
    })
}

/// Whether a text is the line that leads through an archive of MHonArc: `[Date Prev][Date Next][Thread Index]`.
fn is_of_mhonarc(text: &str) -> bool {
    if !text.trim_start().starts_with('[') || text.chars().nth(MHONARC_CHARS_MAX).is_some() {
        return false;
    }
    let parts = text.split(['[', ']']).map(str::trim).filter(|part| !part.is_empty());
    let lower: Vec<String> = parts.map(str::to_lowercase).collect();
    lower.len() > 1
        && lower.iter().any(|part| part.starts_with("date ") || part.starts_with("thread "))
        && lower.iter().all(|part| OF_MHONARC.contains(&part.as_str()))
}

/// Whether a text begins with one of these and a colon.
fn begins_with(text: &str, beginnings: &[&str]) -> bool {
    let text = text.trim_start();
    beginnings.iter().any(|beginning| {
        let head = text.as_bytes().get(..beginning.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(beginning.as_bytes()))
            && text[beginning.len()..].trim_start().starts_with(':')
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    fn left(html: &str) -> Vec<String> {
        testing::left(html, 0.9, |dom, tree, units, probability, kept| {
            let (mut all, mut probability) = (vec![true; kept.len()], probability.to_vec());
            let went = drop_paratext(dom, tree, units, &mut probability, &mut all);
            assert!(went.iter().all(|run| probability[*run] == 0.0 && !all[*run]));
            kept.copy_from_slice(&all);
        })
    }

    #[test]
    fn labels_of_adverts_go() {
        for label in ["Advertisement", "ADVERTISEMENT - CONTINUE READING BELOW", "— Реклама —", "広告"] {
            assert_eq!(
                left(&format!("<p>Mills grind.<div>{label}</div><p>They turn.")),
                ["Mills grind.", "They turn."]
            );
        }
        assert_eq!(left("<p>Advertisement and other words<p>They turn.").len(), 2);
        assert_eq!(left("<p>Advertisement"), ["Advertisement"], "all that there is");
        assert_eq!(left("<p>In other languages:<ul><li>Annonce<li>Reklama</ul>").len(), 3, "entries of a list");
    }

    #[test]
    fn lines_of_an_archive_of_mail_go() {
        let line = |text: &str| format!("<li>{text}: <a href=1>Mills</a></li>");
        let lines = line("Previous message") + &line("Next message");
        let sorted = line("<b>Messages sorted by</b>");
        assert_eq!(left(&format!("<ul>{lines}{sorted}</ul><pre>Words</pre>")), ["Words"]);
        let mhonarc = "[<a href=1>Date Prev</a>][<a href=2>Date Next</a>] [Thread Prev][<a href=3>Thread Index</a>]";
        assert_eq!(left(&format!("{mhonarc}<hr><pre>Words</pre>")), ["Words"]);
        assert_eq!(left("<p>[Date Prev]<p>[Date Next][Other words]").len(), 2);
        assert_eq!(left(&format!("<ul>{lines}</ul><pre>Words</pre>")).len(), 3, "perhaps of a text about mail");
        let behind = line("Prev by Date") + &line("Next by thread") + &line("<strong>References</strong>");
        let indexes = "<li>Index(es):<ul><li><a href=d><b>Date</b></a><li><a href=t><b>Thread</b></a></ul>";
        assert_eq!(left(&format!("<pre>Words</pre><ul>{behind}{indexes}</ul>")), ["Words", "References: Mills"]);
        assert_eq!(left(&format!("<pre>Words</pre><ul>{indexes}</ul>")).len(), 4);
    }

    #[test]
    fn what_is_named_so_goes() {
        for open in ["<div class='subscription-widget show'><p>", "<div id=siteSub>"] {
            assert_eq!(left(&format!("<p>Mills grind.</p>{open}Subscribe now</div>")), ["Mills grind."], "{open}");
        }
    }
}
