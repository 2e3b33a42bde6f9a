//! A page's title above its content.

use std::borrow::Cow;

use super::body::folded;
use crate::blocks::PERMALINK_SIGNS;
use crate::document::{Block, Document, Inline, plain_text};
use crate::metadata::Metadata;

/// Blocks at the beginning among which the title may stand already.
const BLOCKS_MAX: usize = 4;

/// What parts a page's own title from the site's name behind it.
const SEPARATORS: [&str; 7] = [" - ", " | ", " – ", " — ", " · ", " :: ", " « "];

/// What stands behind a title that is the name of a thing, as in `Mill (Power SE 17)`.
const PARENTHESIS: &str = " (";

/// What parts them too, and as often a title from the name before it.
const COLON: &str = ": ";

/// Bytes of a title of its own that says enough to be looked for in the heading.
const OWN_BYTES_MIN: usize = 4;

/// The document with the page's first `h1` as its heading, where that names the page and the content has none: methods that look for
/// running text leave it out on half of all articles. Plain text stays as it is judged.
///
/// What Doxygen, gtk-doc, Javadoc, rustdoc and others mark as the title stands for an `h1` that is missing or does not
/// name the page. Else, where the page has no `h1`, its first `h2` or `h3` does, if that is the declared title, with the site's name or without.
///
/// The `h1` names the page if the declared title begins with it, or is it behind the site's name and a colon, or if it holds what the
/// title says before the site's name or a parenthesis. On some sites it is the site's name. An empty document stays empty.
///
/// ```
/// use lopper_content::document::{Block, Document, Inline, to_markdown};
/// use lopper_content::extract::titled;
/// use lopper_content::metadata::Metadata;
///
/// let metadata = Metadata { title: "Mills – Wiki".into(), heading: "Mills".into(), ..Metadata::default() };
/// let words = vec![Inline::Text { text: "Mills grind corn.".into() }];
/// let document = Document { blocks: vec![Block::Paragraph { content: words }] };
/// assert_eq!(to_markdown(&titled(&document, &metadata)), "# Mills\n\nMills grind corn.\n");
/// ```
#[must_use]
pub fn titled<'a>(document: &'a Document, metadata: &Metadata) -> Cow<'a, Document> {
    let heading = heading(metadata);
    if document.blocks.is_empty() || heading.is_empty() || has_title(document, heading, &metadata.title) {
        return Cow::Borrowed(document);
    }
    let title = Block::Heading { level: 1, content: vec![Inline::Text { text: heading.to_owned() }] };
    let blocks = std::iter::once(title).chain(document.blocks.iter().cloned()).collect();
    Cow::Owned(Document { blocks })
}

/// The heading that names the page; empty where none does.
fn heading(metadata: &Metadata) -> &str {
    let [heading, marked, subheading] = [&metadata.heading, &metadata.marked_title, &metadata.subheading]
        .map(|text| text.trim_end_matches(PERMALINK_SIGNS).trim());
    let (title, own) = (folded(&metadata.title), folded(subheading));
    let is_plain = names_site(heading, &title) || names_page(heading, metadata);
    let heading = if is_plain { heading } else { spelled(heading, &metadata.title).unwrap_or(heading) };
    let is_title = || own == title || own == own_part(&title) || follows_site(&own, &title);
    match () {
        () if names_site(heading, &title) => own_title(heading, subheading, metadata),
        () if names_page(heading, metadata) => heading,
        () if !marked.is_empty() => marked,
        () if heading.is_empty() && !own.is_empty() && is_title() => subheading,
        () => "",
    }
}

/// The part of the declared title, at its beginning or behind a separator, that has the letters of a heading. Elements part the letters of
/// headings (`<small>std::</small>sort`), between which the text read of them has blanks.
fn spelled<'t>(heading: &str, title: &'t str) -> Option<&'t str> {
    /// Bytes of a title that is looked through from each of its separators on.
    const TITLE_BYTES_MAX: usize = 2000;
    if title.len() > TITLE_BYTES_MAX {
        return None;
    }
    let behind = |sign: &'static str| title.match_indices(sign).map(|(at, sign)| at + sign.len());
    let separators = SEPARATORS.into_iter().chain([COLON]).flat_map(behind);
    std::iter::once(0).chain(separators).find_map(|start| with_letters(heading, &title[start..]))
}

/// The beginning of a text that has the letters of another, whatever the blanks.
fn with_letters<'t>(letters: &str, text: &'t str) -> Option<&'t str> {
    let mut wanted = letters.chars().filter(|letter| !letter.is_whitespace()).flat_map(char::to_lowercase).peekable();
    wanted.peek()?;
    for (at, letter) in text.char_indices() {
        if wanted.peek().is_none() {
            return (!letter.is_alphanumeric()).then(|| text[..at].trim());
        }
        let is_next = letter.is_whitespace() || letter.to_lowercase().all(|letter| wanted.next() == Some(letter));
        if !is_next {
            return None;
        }
    }
    wanted.peek().is_none().then(|| text.trim())
}

/// Whether a heading is what the declared title has before a separator, as `Wiki` of `Wiki: Mills`, and not all of it.
fn names_site(heading: &str, title: &str) -> bool {
    rest_behind(heading, title).is_some()
}

/// What a folded title has behind a heading and a separator.
fn rest_behind<'t>(heading: &str, title: &'t str) -> Option<&'t str> {
    let rest = title.strip_prefix(folded(heading).as_str()).filter(|_| !heading.is_empty())?;
    let separators = SEPARATORS.iter().chain([&COLON]);
    separators.filter_map(|sign| rest.strip_prefix(sign)).find(|rest| !rest.is_empty())
}

/// The title behind the site's name, where what is shared says it, or another heading below what is the site's name; else the heading,
/// which may be the title before it.
fn own_title<'m>(heading: &'m str, subheading: &'m str, metadata: &'m Metadata) -> &'m str {
    let title = folded(&metadata.title);
    let rest = rest_behind(heading, &title).unwrap_or_default();
    let says = |text: &str| folded(text) == rest;
    let (shared, site) = (metadata.shared_title.as_str(), folded(&metadata.site_name));
    match () {
        () if says(shared) && rest != site => shared,
        () if says(subheading) && folded(heading) == site => subheading,
        () => heading,
    }
}

/// A folded title without the site's name behind it.
fn own_part(title: &str) -> &str {
    SEPARATORS.iter().filter_map(|sign| title.find(sign)).min().map_or(title, |end| &title[..end])
}

/// Whether a declared title is this heading behind the site's name, as in `Wiki: Mills`. In `Mills : Wiki` the site's name is last.
fn follows_site(heading: &str, title: &str) -> bool {
    let site = title.strip_suffix(heading).and_then(|before| before.strip_suffix(COLON));
    site.is_some_and(|site| !site.is_empty() && !site.ends_with(' '))
}

fn names_page(heading: &str, metadata: &Metadata) -> bool {
    let (heading, title) = (folded(heading), folded(&metadata.title));
    if heading.is_empty() {
        return false;
    }
    let own = own_part(&title);
    let own = [COLON, PARENTHESIS].iter().filter_map(|sign| own.find(sign)).min().map_or(own, |end| &own[..end]);
    let mut parts: Vec<&str> = vec![title.as_str()];
    for sign in SEPARATORS {
        parts = parts.into_iter().flat_map(|part| part.split(sign)).collect();
    }
    // As in `rust - How do mills turn? - Questions`.
    let is_between = parts.len() > 2 && parts[1..parts.len() - 1].contains(&heading.as_str());
    // As in `[MILL-17] The wheel does not turn`.
    let behind_key = title.strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(_, rest)| rest.trim_start());
    title.starts_with(&heading)
        || behind_key.is_some_and(|rest| rest.starts_with(&heading))
        || is_between
        || (follows_site(&heading, &title) && heading != folded(&metadata.site_name))
        || (own.len() >= OWN_BYTES_MIN && has_words(&heading, own))
}

/// Whether a text has others as whole words.
fn has_words(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, found)| {
        let (before, behind) = (&text[..at], &text[at + found.len()..]);
        !before.ends_with(char::is_alphanumeric) && !behind.starts_with(char::is_alphanumeric)
    })
}

/// Whether the document has one heading of the first level, or says the title at its beginning. Several such headings are of sections, and
/// so is one of which the declared title and the page's heading know nothing.
fn has_title(document: &Document, heading: &str, title: &str) -> bool {
    // Blanks stand between the parts of a heading in one of them alone.
    let tight = |text: &str| folded(text).replace(' ', "");
    let (heading, title) = (tight(heading), tight(title));
    let is_known = |text: &str| title.contains(text) || heading.contains(text) || text.contains(&heading);
    let says = |block: &Block| match block {
        Block::Heading { content, .. } | Block::Paragraph { content } => tight(&plain_text(content)) == heading,
        _ => false,
    };
    // What else the page's heading begins with is for those who do not see it: `Settings View Source Mill` (ExDoc).
    let begins_with_title = match document.blocks.first() {
        Some(Block::Heading { level: 1, content }) => heading.ends_with(&tight(&plain_text(content))),
        _ => false,
    };
    document.blocks.iter().take(BLOCKS_MAX).any(says)
        || begins_with_title
        || matches!(first_headings(document)[..], [only] if title.is_empty() || is_known(&tight(&plain_text(only))))
}

/// The headings of the first level, of which two are looked for.
fn first_headings(document: &Document) -> Vec<&[Inline]> {
    let headings = document.blocks.iter().filter_map(|block| match block {
        Block::Heading { level: 1, content } => Some(content.as_slice()),
        _ => None,
    });
    headings.take(2).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::to_markdown;

    fn written(title: &str, heading: &str, blocks: &[(u8, &str)]) -> String {
        let metadata = Metadata { title: title.to_owned(), heading: heading.to_owned(), ..Metadata::default() };
        let blocks = blocks.iter().map(|(level, text)| {
            let content = vec![Inline::Text { text: (*text).to_owned() }];
            if *level == 0 { Block::Paragraph { content } } else { Block::Heading { level: *level, content } }
        });
        to_markdown(&titled(&Document { blocks: blocks.collect() }, &metadata))
    }

    #[test]
    fn blanks_between_the_parts_of_a_title_make_no_other() {
        let issue = written("[MILL-17] The wheel - Jira", "The wheel", &[(0, "It does not turn.")]);
        assert_eq!(issue, "# The wheel\n\nIt does not turn.\n");
        let sections = [(1, "Mill (mills 1.0)"), (0, "It turns."), (1, "Functions")];
        assert!(
            written("Mill — mills 1.0", "Settings View Source Mill (mills 1.0)", &sections)
                .starts_with("# Mill (mills")
        );
        let parts = written("Mill API", "Mill API ( 1.0 )", &[(1, "Mill API (1.0)"), (0, "It turns."), (1, "Keys")]);
        assert_eq!(parts, "# Mill API (1.0)\n\nIt turns.\n\n# Keys\n");
    }

    #[test]
    fn elements_that_part_the_letters_of_a_title_make_no_other() {
        for (title, heading, first) in [
            ("std::string::push_back - Wiki", "std::string:: push_back", "# std::string::push_back"),
            ("ArraySerializer", "Array Serializer", "# ArraySerializer"),
            ("Wiki: LaTeX2HTML", "L A TEX2 HTML", "# LaTeX2HTML"),
            ("Millstones - Wiki", "Mill stone", "Text."),
            ("Mills", " ", "Text."),
        ] {
            assert_eq!(written(title, heading, &[(0, "Text.")]).lines().next(), Some(first), "{title}");
        }
    }

    #[test]
    fn a_section_s_heading_of_the_first_level_is_not_the_title() {
        let sections = [(1, "Procs"), (0, "Text.")];
        assert_eq!(written("std/mills", "std/mills", &sections), "# std/mills\n\n# Procs\n\nText.\n");
        assert_eq!(written("Mills: a guide", "Mills", &[(1, "A guide"), (0, "Text.")]), "# A guide\n\nText.\n");
    }

    #[test]
    fn a_lower_heading_that_is_the_title_stands_for_a_missing_h1() {
        let first = |title: &str, subheading: &str| {
            let metadata = Metadata { title: title.into(), subheading: subheading.into(), ..Metadata::default() };
            let content = vec![Inline::Text { text: "They turn.".into() }];
            to_markdown(&titled(&Document { blocks: vec![Block::Paragraph { content }] }, &metadata))
        };
        assert_eq!(first("Mills | A manual", "Mills ¶"), "# Mills\n\nThey turn.\n");
        assert_eq!(first("The Miller: Mills", "The Miller"), "They turn.\n", "the site's name");
        assert_eq!(first("The Miller: Mills", "Mills"), "# Mills\n\nThey turn.\n");
        assert_eq!(first("Mills : The Miller", "The Miller"), "They turn.\n", "the site's name");
        assert_eq!(first("Mills and their sails", "Mills"), "They turn.\n");
        assert_eq!(first("Mills", ""), "They turn.\n");
        assert_eq!(first("", ""), "They turn.\n");
        let metadata = Metadata {
            title: "Sails: sail.h".into(),
            heading: "Use".into(),
            marked_title: "sail.h".into(),
            ..Metadata::default()
        };
        let document = Document { blocks: vec![Block::Code { language: None, text: "turn()".into() }] };
        assert_eq!(to_markdown(&titled(&document, &metadata)), "# sail.h\n\n```\nturn()\n```\n", "what is marked");
    }

    #[test]
    fn a_title_that_is_missing_stands_first() {
        assert_eq!(written("Mills | Wiki", "Mills ¶", &[(2, "Sails"), (0, "Text.")]), "# Mills\n\n## Sails\n\nText.\n");
        assert_eq!(
            written("mod_mill - Wiki", "The module mod_mill", &[(0, "Text.")]),
            "# The module mod_mill\n\nText.\n"
        );
        let sections = [(0, "Text."), (1, "Sails"), (1, "Stones")];
        assert_eq!(written("Mills", "Mills", &sections), "# Mills\n\nText.\n\n# Sails\n\n# Stones\n", "of sections");
        assert_eq!(written("Mill (Power SE 17)", "Class Mill<G>", &[(0, "Text.")]), "# Class Mill\\<G>\n\nText.\n");
    }

    #[test]
    fn a_title_behind_the_site_s_name_is_told_from_the_site_s_name_behind_a_title() {
        let first = |site_name: &str| {
            let (title, heading) = ("The Miller: Mills".to_owned(), "Mills".to_owned());
            let metadata = Metadata { title, heading, site_name: site_name.to_owned(), ..Metadata::default() };
            let content = vec![Inline::Text { text: "They turn.".into() }];
            to_markdown(&titled(&Document { blocks: vec![Block::Paragraph { content }] }, &metadata))
        };
        assert_eq!(first("The Miller"), "# Mills\n\nThey turn.\n");
        assert_eq!(first("Mills"), "They turn.\n");
    }

    #[test]
    fn a_title_behind_the_site_s_name_is_told_by_another_heading() {
        let of = |site: &str, title: &str, heading: &str, subheading: &str, shared_title: &str| {
            let [title, heading, subheading, shared_title] =
                [title, heading, subheading, shared_title].map(str::to_owned);
            let site_name = site.to_owned();
            let metadata = Metadata { title, heading, subheading, shared_title, site_name, ..Metadata::default() };
            let content = vec![Inline::Text { text: "They turn.".into() }];
            let written = to_markdown(&titled(&Document { blocks: vec![Block::Paragraph { content }] }, &metadata));
            written.lines().next().unwrap_or_default().to_owned()
        };
        let first =
            |title: &str, heading: &str, subheading: &str, shared: &str| of("", title, heading, subheading, shared);
        assert_eq!(of("The Miller", "The Miller: Old mills", "The Miller", "Old mills", ""), "# Old mills");
        assert_eq!(
            first("Old mills turn | Sport", "Old mills turn", "Sport", ""),
            "# Old mills turn",
            "a section's name"
        );
        assert_eq!(first("The Miller | Old mills", "The Miller", "More", "Old mills"), "# Old mills");
        assert_eq!(first("Old mills | The Miller", "Old mills", "More", ""), "# Old mills");
        assert_eq!(
            first("rust - How do mills turn? - Questions", "How do mills turn?", "", ""),
            "# How do mills turn?"
        );
    }

    #[test]
    fn what_is_there_or_names_the_site_is_not_added() {
        for (title, heading, blocks) in [
            ("Mills | Wiki", "Mills", &[(1, "Of mills"), (0, "Text.")][..]),
            ("Mills | Wiki", "Mills", &[(0, "mills"), (0, "Text.")]),
            ("Cookies policy | Data", "Data", &[(0, "Text.")]),
            ("Mills | Data v2 documents", "Data v2 documents", &[(0, "Text.")]),
            ("Mills : Wiki of Data", "Wiki of Data", &[(0, "Text.")]),
            ("Mill (language)", "Data of Millstones", &[(0, "Text.")]),
            ("Mills", "", &[(0, "Text.")]),
            ("Mills", "Mills", &[]),
        ] {
            let written = written(title, heading, blocks);
            assert!(!written.contains("# Mills") && !written.contains("# Data"), "{written}");
        }
    }
}
