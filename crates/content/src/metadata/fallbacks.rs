//! What stands in for the metadata that a page does not declare: names and dates that its elements are marked with.

use super::read::{element_text, folded};
use super::structured_data::is_response;
use crate::dom::{AttributeName, Dom, DomId, Tag};

/// Values that others go before.
#[derive(Default)]
pub(super) struct Fallbacks {
    /// Of Open Graph.
    pub(super) description: String,
    pub(super) locale: String,
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
}

impl Fallbacks {
    /// Notes the date of an element that is marked as the date of publication, or any time, outside of reviews and comments.
    pub(super) fn note_date(&mut self, dom: &Dom, id: DomId) {
        let Some((date, is_marked)) = date_of(dom, id) else { return };
        let (date, dates) = (folded(date), if is_marked { &mut self.dates } else { &mut self.times });
        if !date.is_empty() && dates.len() < 2 && !dates.contains(&date) && !is_in_response(dom, id) {
            dates.push(date);
        }
    }

    /// Notes the name in an element that is marked as the author's, outside of reviews and comments.
    pub(super) fn note_author(&mut self, dom: &Dom, id: DomId) {
        if self.marked.len() >= 2 || !is_marked_author(dom, id) || is_in_response(dom, id) {
            return;
        }
        let inner = dom.descendants(id).take(NAME_NODES_MAX);
        let named = inner
            .into_iter()
            .find(|id| dom.attribute(*id, AttributeName::Itemprop) == Some("name") || has_class(dom, *id, "fn"));
        let link = || dom.descendants(id).take(NAME_NODES_MAX).find(|id| dom.tag(*id) == Some(Tag::A));
        let holder = named.or_else(link).unwrap_or(id);
        let said = dom.attribute(holder, AttributeName::Content).map(str::to_owned);
        let name = said.unwrap_or_else(|| element_text(dom, holder));
        if name.len() <= NAME_BYTES_MAX {
            add_name(&mut self.marked, &name);
        }
    }
}

/// Nodes of an element that is marked as the author's, among which the name is looked for.
const NAME_NODES_MAX: usize = 32;

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

/// `By Jane Doe` as `Jane Doe`. In small letters and before two names it is no part of one, as in `von Trapp`.
fn without_preposition(name: &str) -> &str {
    let Some((first, rest)) = name.split_once(' ') else { return name };
    let is_small = || ["von", "par", "por"].contains(&first) && rest.contains(' ');
    if first.eq_ignore_ascii_case("by") || is_small() { rest } else { name }
}

/// Authors that are named.
const AUTHORS_MAX: usize = 20;

/// Whether an element is marked as the author's: `rel=author`, `itemprop=author`, hCard, LaTeXML.
fn is_marked_author(dom: &Dom, id: DomId) -> bool {
    let has_word = |name, word: &str| {
        dom.attribute(id, name)
            .is_some_and(|value| value.split_ascii_whitespace().any(|one| one.eq_ignore_ascii_case(word)))
    };
    match dom.tag(id) {
        Some(Tag::A) if has_word(AttributeName::Rel, "author") => true,
        Some(_) => {
            has_word(AttributeName::Itemprop, "author")
                || has_class(dom, id, "ltx_personname")
                || (has_class(dom, id, "vcard") && has_class(dom, id, "author"))
        }
        None => false,
    }
}

fn has_class(dom: &Dom, id: DomId, name: &str) -> bool {
    dom.class_names(id).any(|class| class == name)
}

/// The date of an element, and whether that is marked as the date of publication: by `itemprop=datePublished`, the class names of WordPress
/// or Blogger.
fn date_of(dom: &Dom, id: DomId) -> Option<(&str, bool)> {
    let tag = dom.tag(id)?;
    let is_property = dom.attribute(id, AttributeName::Itemprop) == Some("datePublished");
    if !is_property && !matches!(tag, Tag::Time | Tag::Abbr) {
        return None;
    }
    let by_class = match tag {
        Tag::Time => has_class(dom, id, "entry-date") && has_class(dom, id, "published"),
        _ => has_class(dom, id, "published"),
    };
    let date = dom.attribute(id, AttributeName::Datetime).or_else(|| dom.attribute(id, AttributeName::Content));
    let date = date.or_else(|| dom.attribute(id, AttributeName::Title).filter(|_| tag == Tag::Abbr))?;
    let is_marked = is_property || by_class;
    (is_marked || tag == Tag::Time).then_some((date, is_marked))
}

/// Whether an element belongs to what somebody says of the page's subject.
fn is_in_response(dom: &Dom, id: DomId) -> bool {
    let mut around = std::iter::successors(Some(id), |id| dom.parent(*id));
    around.any(|id| dom.attribute(id, AttributeName::Itemtype).is_some_and(is_response))
}
