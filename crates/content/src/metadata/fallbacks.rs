//! What stands in for the metadata that a page does not declare: names and dates that its elements are marked with.

use super::read::folded;
use super::structured_data::{AUTHORS_MAX, is_response};
use crate::dom::{Attribute, AttributeName, ClassNames, Dom, DomId, Tag, classes};

/// Values that others go before.
#[derive(Default)]
pub(super) struct Fallbacks {
    /// Of Open Graph.
    pub(super) description: String,
    pub(super) locale: String,
    /// When the file was made, as office programs write it.
    pub(super) created: String,
    /// Where an author is found.
    pub(super) author_address: String,
    /// `citation_author`, as scholarly pages have it, one an author.
    pub(super) authors: Vec<String>,
    /// Names by `meta name=author`.
    pub(super) named: Vec<String>,
    /// Different names of elements that are marked as the author's; two at most, which tell nothing.
    pub(super) marked: Vec<String>,
    /// Different dates of elements that are marked as dates of publication, and of all other times; two at most, which tell nothing.
    pub(super) dates: Vec<String>,
    pub(super) times: Vec<String>,
    /// Headings of sections so far.
    pub(super) subheadings: usize,
}

impl Fallbacks {
    /// Notes what an element is marked with: a date of publication or any time, an author. Not within reviews and comments.
    pub(super) fn note(&mut self, dom: &Dom, id: DomId, tag: Tag) {
        let marks = Marks::of(dom, id, tag);
        if let Some(date) = marks.date {
            let (date, dates) = (folded(date), if marks.is_published { &mut self.dates } else { &mut self.times });
            let is_new = !dates.iter().any(|known| day(known) == day(&date));
            let is_one = !date.is_empty() && (marks.is_published || begins_with_year(&date));
            if is_one && dates.len() < 2 && is_new && !is_in_response(dom, id) {
                dates.push(date);
            }
        }
        if marks.is_author && self.marked.len() < 2 && !is_in_response(dom, id) {
            self.marked.extend(marked_name(dom, id).filter(|name| !self.marked.contains(name)));
        }
    }
}

/// What the attributes of an element say.
#[derive(Default)]
struct Marks<'d> {
    is_author: bool,
    /// Whether the date is that of publication, by `itemprop=datePublished` or the class names of WordPress and Blogger.
    is_published: bool,
    /// Of a time, or where it is that of publication.
    date: Option<&'d str>,
}

impl<'d> Marks<'d> {
    fn of(dom: &'d Dom, id: DomId, tag: Tag) -> Self {
        let mut marks = Self::default();
        let (mut date, mut content, mut title, mut is_other) = (None, None, None, false);
        for Attribute { name, value } in dom.attributes(id) {
            let has_word = |word: &str| value.split_ascii_whitespace().any(|one| one.eq_ignore_ascii_case(word));
            let is_called = |names: &ClassNames| dom.has_class(id, names);
            match (*name, tag) {
                (AttributeName::Itemprop, _) => {
                    marks.is_published |= &**value == "datePublished";
                    is_other |= tag == Tag::Time && &**value != "datePublished";
                    marks.is_author |= has_word("author");
                }
                (AttributeName::Rel, Tag::A) => marks.is_author |= has_word("author"),
                (AttributeName::Class, Tag::Span | Tag::P | Tag::Address | Tag::Cite) => {
                    marks.is_author |= is_called(classes!["ltx_personname"])
                        || (is_called(classes!["vcard"]) && is_called(classes!["author"]));
                }
                (AttributeName::Class, Tag::Abbr) => marks.is_published |= is_called(classes!["published"]),
                (AttributeName::Class, Tag::Time) => {
                    marks.is_published |= is_called(classes!["published"]) && is_called(classes!["entry-date"]);
                    is_other |= is_called(classes!["updated", "dt-updated"]);
                }
                (AttributeName::Datetime, _) => date = Some(&**value),
                (AttributeName::Content, _) => content = Some(&**value),
                (AttributeName::Title, Tag::Abbr) => title = Some(&**value),
                _ => {}
            }
        }
        marks.date = date.or(content).or(title).filter(|_| marks.is_published || (tag == Tag::Time && !is_other));
        marks
    }
}

/// The day of a date, by which two ways to write it are the same.
fn day(date: &str) -> &str {
    date.get(..10).unwrap_or(date)
}

/// Whether a date begins with a year: a time of day or a duration does not.
pub(super) fn begins_with_year(date: &str) -> bool {
    let bytes = date.as_bytes();
    matches!(bytes, [b'1' | b'2', b'0'..=b'9', b'0'..=b'9', b'0'..=b'9', rest @ ..] if rest.first().is_none_or(|byte| !byte.is_ascii_digit()))
}

/// Nodes of an element that is marked as the author's, among which the name is looked for; one of more is none.
const NAME_NODES_MAX: usize = 32;

/// The name in an element that is marked as the author's: what is named so within it, else its first link, else all of it.
fn marked_name(dom: &Dom, id: DomId) -> Option<String> {
    let inner = || dom.descendants(id).take(NAME_NODES_MAX);
    let is_named = |id: &DomId| {
        dom.attribute(*id, AttributeName::Itemprop) == Some("name") || dom.class_names(*id).any(|class| class == "fn")
    };
    let holder = inner().find(is_named).or_else(|| lone_link(dom, id)).unwrap_or(id);
    let said = dom.attribute(holder, AttributeName::Content).map(str::to_owned);
    let text = || {
        let nodes = dom.descendants(holder).take(NAME_NODES_MAX + 1);
        let texts: Vec<Option<&str>> = nodes.map(|id| dom.text(id)).collect();
        (texts.len() <= NAME_NODES_MAX).then(|| texts.into_iter().flatten().collect::<Vec<_>>().join(" "))
    };
    let name = folded(&said.or_else(text)?);
    let name = without_preposition(&name);
    let is_name = name.split(' ').count() <= NAME_WORDS_MAX && !PREPOSITIONS.contains(&name.to_lowercase().as_str());
    (is_name && name.len() <= NAME_BYTES_MAX && !name.is_empty()).then(|| name.to_owned())
}

/// The first link in an element in which nothing else has words.
fn lone_link(dom: &Dom, element: DomId) -> Option<DomId> {
    let link = dom.descendants(element).take(NAME_NODES_MAX).find(|id| dom.tag(*id) == Some(Tag::A))?;
    let mut next = dom.following(element, element);
    for _ in 0..NAME_NODES_MAX {
        let Some(node) = next else { return Some(link) };
        if node != link && dom.text(node).is_some_and(|text| text.contains(char::is_alphabetic)) {
            return None;
        }
        next = if node == link { dom.following_after(node, element) } else { dom.following(node, element) };
    }
    None
}

/// Words of a name at most.
const NAME_WORDS_MAX: usize = 5;

/// What stands before a name, and is none alone.
const PREPOSITIONS: [&str; 4] = ["by", "von", "par", "por"];

/// Bytes of a name at most.
const NAME_BYTES_MAX: usize = 100;

/// Adds a name that is not there yet, without a word before it.
pub(super) fn add_name(names: &mut Vec<String>, name: &str) {
    let name = folded(name);
    let bare = without_preposition(&name);
    if !bare.is_empty() && names.len() < AUTHORS_MAX && !names.iter().any(|known| known == bare) {
        names.push(bare.to_owned());
    }
}

/// `By Jane Doe` as `Jane Doe`.
fn without_preposition(name: &str) -> &str {
    let Some((first, rest)) = name.split_once(' ') else { return name };
    let is_small = || ["par", "por"].contains(&first) && rest.contains(' ');
    if first.eq_ignore_ascii_case("by") || is_small() { rest } else { name }
}

/// Whether an element belongs to what somebody says of the page's subject.
fn is_in_response(dom: &Dom, id: DomId) -> bool {
    let mut around = std::iter::successors(Some(id), |id| dom.parent(*id));
    around.any(|id| dom.attribute(id, AttributeName::Itemtype).is_some_and(is_response))
}
