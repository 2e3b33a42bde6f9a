//! Paragraphs that are headings by what their generator calls them: the titles, chapters and articles of EUR-Lex, the title of Word. A short
//! paragraph behind a heading in an `hgroup` is its second line.

use crate::dom::{ClassNames, Dom, DomId, Tag, classes};
use crate::metadata::is_title_of_google;

/// Class names of headings, by level.
const LEVELS: [(u8, &ClassNames); 3] = [
    (1, classes!["eli-main-title", "msotitle"]),
    (2, classes!["oj-ti-section-1", "ti-section-1", "title-division-1", "oj-ti-annex-1", "ti-annex-1"]),
    (3, classes!["oj-ti-art", "ti-art", "title-article-norm"]),
];

/// Class names of what such headings have as their second line.
const SECOND_LINES: &ClassNames =
    classes!["oj-ti-section-2", "ti-section-2", "title-division-2", "oj-sti-art", "sti-art", "stitle-article-norm",];

/// Bytes of the second line of a group of headings.
const SECOND_LINE_BYTES_MAX: usize = 120;

/// The level of an element that is called a heading.
pub(super) fn level(dom: &Dom, element: DomId, tag: Tag) -> Option<u8> {
    if !matches!(tag, Tag::P | Tag::Div) {
        return None;
    }
    let level = LEVELS.iter().find(|(_, names)| dom.has_class(element, names)).map(|(level, _)| *level);
    level.or_else(|| is_title_of_google(dom, element).then_some(1))
}

/// Whether an element is the second line of the heading before it.
pub(super) fn is_second_line(dom: &Dom, element: DomId, tag: Tag) -> bool {
    let is_of_group = || dom.parent(element).is_some_and(|around| dom.tag(around) == Some(Tag::Hgroup));
    let is_short = || dom.text_content(element).len() <= SECOND_LINE_BYTES_MAX;
    tag == Tag::P && (dom.has_class(element, SECOND_LINES) || (is_of_group() && is_short()))
}

#[cfg(test)]
mod tests {
    use super::super::tests::markdown;

    #[test]
    fn laws_have_their_chapters_and_articles() {
        let title = "<div class=eli-main-title><p class=oj-doc-ti>REGULATION 7<p class=oj-doc-ti>on mills</div>";
        let chapter =
            "<p class=oj-ti-section-1>CHAPTER I</p><div class=eli-title><p class=oj-ti-section-2><i>Wheels</i></div>";
        let article =
            "<p class=oj-ti-art>Article 1</p><div><p class=oj-sti-art>Scope</p></div><p class=oj-normal>It turns.</p>";
        assert_eq!(
            markdown(&format!("{title}{chapter}{article}")),
            "# REGULATION 7 on mills\n\n## CHAPTER I *Wheels*\n\n### Article 1 Scope\n\nIt turns.\n"
        );
        let consolidated =
            "<p class=title-article-norm>Article 2<p class=stitle-article-norm>Sails<p class=norm>They are white.";
        assert_eq!(markdown(consolidated), "### Article 2 Sails\n\nThey are white.\n");
        assert_eq!(markdown("<p>Words.<p class=oj-sti-art>Scope"), "Words.\n\nScope\n", "no heading before it");
        let book = "<hgroup><h2>IV</h2><p>The Mill</p></hgroup><p>It stood.";
        assert_eq!(markdown(book), "## IV The Mill\n\nIt stood.\n");
        assert_eq!(markdown(&book.replace("hgroup", "div")), "## IV\n\nThe Mill\n\nIt stood.\n");
        assert_eq!(markdown("<p class=MsoTitle>Mills<p>They turn."), "# Mills\n\nThey turn.\n");
        let of_google = "<body class='c3 doc-content'><p class='c8 title' id=h.1><span>Mills</span><p>They turn.";
        assert_eq!(markdown(of_google), "# Mills\n\nThey turn.\n");
        assert_eq!(markdown(&of_google.replace("doc-content", "")), "Mills\n\nThey turn.\n");
    }
}
