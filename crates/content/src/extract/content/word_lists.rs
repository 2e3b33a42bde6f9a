//! Entries of lists that Word writes as paragraphs: `<p class=MsoListParagraph><span>·<span style='font:7.0pt …'>
//! </span></span>Text`.

use super::builder::{Builder, End};
use super::classes::class;
use super::containers::Container;
use super::joined_lists::{Joint, element_before};
use crate::document::List;
use crate::dom::{AttributeName, Dom, DomId, Tag};

/// Nodes of a paragraph among which its sign is looked for.
const NODES_MAX: usize = 24;

/// Characters of a sign.
const SIGN_CHARS_MAX: usize = 8;

/// How far an entry is set in by each level, in points.
const LEVEL_POINTS: f32 = 36.0;

/// Entries before one that are looked at.
const ENTRIES_MAX: usize = 32;

/// The deepest level, from 1.
const LEVEL_MAX: u8 = 9;

/// An entry of a list.
#[derive(Debug, PartialEq, Eq)]
struct WordEntry {
    kind: SignKind,
    /// From 1.
    level: u8,
    sign: Sign,
}

/// What stands before an entry, and the texts that it is made of.
#[derive(Debug, Default, PartialEq, Eq)]
struct Sign {
    text: String,
    nodes: Vec<DomId>,
}

/// What the sign of an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SignKind {
    Bullet,
    Number(u32),
    /// A letter or Roman number, and whether it is the first one.
    Letter {
        is_first: bool,
    },
}

impl Builder<'_> {
    /// Opens the list that a paragraph of Word is an entry of.
    pub(super) fn enter_word_entry(&mut self, paragraph: DomId) -> Option<End> {
        if matches!(self.containers.last(), Some(Container::Table { .. } | Container::Row { .. })) {
            return None;
        }
        let entry = WordEntry::of(self.dom, paragraph)?;
        let before = entries_before(self.dom, paragraph);
        let goes_on =
            !before.is_empty() && element_before(self.dom, paragraph).is_some_and(|before| self.marks.is_kept(before));
        let (ordered, start) = match entry.kind {
            SignKind::Bullet => (false, 1),
            SignKind::Number(number) => (true, number),
            SignKind::Letter { .. } if !begins_with_first(&entry, &before) => return None,
            SignKind::Letter { .. } => (true, 1),
        };
        let is_same = !matches!(entry.kind, SignKind::Number(_));
        let depth = entry.level - before.iter().map(|other| other.level).fold(entry.level, u8::min);
        let joint = goes_on.then_some(Joint::below(usize::from(depth), is_same));
        self.containers.open(Container::list(List { ordered, start, ..List::default() }, joint));
        self.sign_texts = entry.sign.nodes;
        Some(End { paragraph: true, container: true, ..End::default() })
    }
}

/// Whether a text is one letter, or a Roman number of small figures.
fn is_letter(text: &str) -> bool {
    let is_roman = || !text.is_empty() && text.bytes().all(|c| b"ivx".contains(&c.to_ascii_lowercase()));
    text.chars().all(char::is_alphabetic) && text.chars().nth(1).is_none() && !text.is_empty() || is_roman()
}

/// Whether a list of letters begins with the first one: what begins elsewhere is told by its letters. `before`: the entries before this one,
/// the nearest first.
fn begins_with_first(entry: &WordEntry, before: &[WordEntry]) -> bool {
    let own = std::iter::once(entry).chain(before.iter().take_while(|other| other.level >= entry.level));
    let mut of_list = own.filter(|other| other.level == entry.level);
    of_list.any(|other| matches!(other.kind, SignKind::Letter { is_first: true }))
}

/// The entries right before one, the nearest first.
fn entries_before(dom: &Dom, paragraph: DomId) -> Vec<WordEntry> {
    let before = std::iter::successors(element_before(dom, paragraph), |id| element_before(dom, *id));
    before.take(ENTRIES_MAX).map_while(|id| WordEntry::of(dom, id)).collect()
}

impl WordEntry {
    fn of(dom: &Dom, paragraph: DomId) -> Option<Self> {
        let style = style(dom, paragraph);
        let is_of_word = class(dom, paragraph).starts_with("Mso") || style.contains("mso-list:");
        if dom.tag(paragraph) != Some(Tag::P) || !is_of_word {
            return None;
        }
        let sign = Sign::of(dom, paragraph)?;
        let level = said_level(style).or_else(|| set_in_level(style)).unwrap_or(1);
        Some(Self { kind: SignKind::of(&sign.text)?, level: level.clamp(1, LEVEL_MAX), sign })
    }
}

impl SignKind {
    /// `None` for what a list cannot show: `1.2.`, `(UK)`.
    fn of(sign: &str) -> Option<Self> {
        let bare = sign.strip_prefix('(').unwrap_or(sign);
        match bare.strip_suffix(['.', ')']) {
            Some(number) if number.bytes().all(|c| c.is_ascii_digit()) => number.parse().ok().map(Self::Number),
            Some(letters) if is_letter(letters) => {
                Some(Self::Letter { is_first: letters.eq_ignore_ascii_case("a") || letters.eq_ignore_ascii_case("i") })
            }
            None if matches!(sign, "o" | "§") => Some(Self::Bullet),
            None if sign.chars().nth(1).is_none() && !sign.contains(char::is_alphanumeric) => Some(Self::Bullet),
            _ => None,
        }
    }
}

impl Sign {
    /// The sign at the beginning of a paragraph: what is ignored where lists are known, or what stands before blanks of
    /// seven points.
    fn of(dom: &Dom, paragraph: DomId) -> Option<Self> {
        let mut sign = Self::default();
        for node in dom.descendants(paragraph).skip(1).take(NODES_MAX) {
            let style = style(dom, node);
            let is_end = style.contains("mso-list:Ignore")
                || (!sign.text.is_empty() && style.contains("font:7.0pt") && is_blank(dom, node));
            if is_end {
                return sign.add(dom, node).then_some(sign);
            }
            if dom.tag(node).is_none() && !sign.add(dom, node) {
                return None;
            }
        }
        None
    }

    /// Adds the texts of a node; tells whether it is still a sign.
    fn add(&mut self, dom: &Dom, node: DomId) -> bool {
        let mut below = dom.descendants(node);
        for id in below.by_ref().take(NODES_MAX) {
            if let Some(text) = dom.text(id) {
                self.nodes.push(id);
                self.text.push_str(text.trim());
            }
        }
        below.next().is_none() && self.text.chars().nth(SIGN_CHARS_MAX).is_none()
    }
}

/// Whether an element holds white space and little else.
fn is_blank(dom: &Dom, element: DomId) -> bool {
    let mut below = dom.descendants(element);
    let no_words = |id: DomId| dom.text(id).is_none_or(|text| text.trim().is_empty());
    below.by_ref().take(NODES_MAX).all(no_words) && below.next().is_none()
}

fn style(dom: &Dom, element: DomId) -> &str {
    dom.attribute(element, AttributeName::Style).unwrap_or_default()
}

/// The level that a style says: `mso-list:l0 level2 lfo1`.
fn said_level(style: &str) -> Option<u8> {
    let said = style.split_once("mso-list:")?.1;
    let level = said.split(';').next()?.split_once("level")?.1;
    level.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// The level by how far a style sets a paragraph in: `margin-left:72.0pt`.
fn set_in_level(style: &str) -> Option<u8> {
    let margin = style.split_once("margin-left:")?.1.split(';').next()?.trim();
    let unit = margin.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let points = match unit {
        "pt" => 1.0,
        "in" => 72.0,
        "cm" => 28.35,
        _ => return None,
    };
    let number: f32 = margin[..margin.len() - unit.len()].parse().ok()?;
    // A float becomes the nearest number that there is.
    Some((number * points / LEVEL_POINTS).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::super::tests::markdown;

    const SPACER: &str = "<span style='font:7.0pt \"Times New Roman\"'>&nbsp;&nbsp; </span>";

    fn entry(style: &str, sign: &str, text: &str) -> String {
        format!("<p class=MsoListParagraphCxSpMiddle style='{style}'><span>{sign}{SPACER}</span>{text}</p>\n")
    }

    #[test]
    fn paragraphs_with_signs_are_entries() {
        let html = [
            entry("text-indent:-18.0pt", "·", "Grease it"),
            entry("margin-left:72.0pt", "o", "often <b>and</b> well"),
            entry("margin-left:1.0in", "o", "not too much"),
            entry("margin-left:36pt", "·", "Turn it"),
            entry("margin-left:36pt", "1.", "Stop"),
            entry("margin-left:36pt", "2.", "Go"),
        ];
        let expected = "- Grease it\n  - often **and** well\n  - not too much\n- Turn it\n\n1. Stop\n2. Go\n";
        assert_eq!(markdown(&format!("{}<p>End.", html.concat())), format!("{expected}\nEnd.\n"));
    }

    #[test]
    fn levels_and_signs_may_be_said() {
        let entry = |level: u8, sign: &str, text: &str| {
            format!(
                "<p class=MsoNormal style='mso-list:l0 level{level} lfo1'><![if !supportLists]>\
                 <span style='mso-list:Ignore'>{sign}{SPACER}</span><![endif]>{text}</p>"
            )
        };
        let html = [entry(1, "1)", "one"), entry(2, "a.", "in"), entry(2, "b.", "in 2"), entry(1, "2)", "two")];
        assert_eq!(markdown(&html.concat()), "1. one\n   1. in\n   2. in 2\n2. two\n");
        let letters = [entry(1, "(c)", "Gamma"), entry(1, "(d)", "Delta")].concat();
        assert!(markdown(&letters).starts_with("(c)"), "{}", markdown(&letters));
        let deep = [entry(2, "·", "Alpha"), entry(3, "·", "in"), entry(2, "·", "Beta")].concat();
        assert_eq!(markdown(&deep), "- Alpha\n  - in\n- Beta\n");
        assert!(markdown(&entry(1, "(UK)", "Ltd.")).starts_with("(UK)"));
        assert_eq!(markdown(&entry(1, "1.2.", "Text")), "1.2. Text\n");
        assert_eq!(markdown(&entry(9, "", "Text")), "- Text\n");
        let unseen = format!("<p class=MsoNormal><span style='display:none'>·{SPACER}</span>Text of it</p>");
        assert!(markdown(&unseen).contains("Text of it"), "{}", markdown(&unseen));
        let far = "<p class=MsoNormal style='mso-list:l0 level999 lfo1;margin-left:9e9in'>1. Text</p>";
        assert_eq!(markdown(far), "1\\. Text\n");
    }
}
