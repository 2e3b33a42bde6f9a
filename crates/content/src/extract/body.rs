//! The body of a page's content: without title, standfirst, byline, date and captions, which collections of news leave out.
//!
//! What stands before the first paragraph of the body is told by what the page says of itself, and by its first words.

use crate::document::{Block, Document, Inline, has_words, plain_text};
use crate::metadata::Metadata;

/// Blocks at the beginning that may stand before the body.
const PREAMBLE_BLOCKS_MAX: usize = 12;

/// Words from which a paragraph is of the body.
const BODY_WORDS_MIN: usize = 20;

/// Words from which a date stands in a sentence.
const DATE_WORDS_MAX: usize = 12;

/// Fewest words of a standfirst.
const STANDFIRST_WORDS_MIN: usize = 4;

/// First words of bylines and dates.
const BYLINE_WORDS: &[&str] = &[
    "by ",
    "written by",
    "posted by",
    "posted on",
    "posted:",
    "published",
    "updated",
    "last updated",
    "last modified",
    "author:",
    "von ",
    "veröffentlicht",
    "aktualisiert",
    "par ",
    "publié",
    "por ",
    "publicado",
    "di ",
    "door ",
    "autor:",
    "auteur:",
];

/// What a block at the beginning is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Title,
    Standfirst,
    /// Who wrote it, and when.
    Byline,
    Picture,
    Other,
    Body,
}

/// The document without title, standfirst, byline and date at its beginning, and without captions of figures.
///
/// ```
/// use lopper_content::document::{Block, Document, Inline};
/// use lopper_content::extract::body_only;
/// use lopper_content::metadata::Metadata;
///
/// let words = |text: &str| vec![Inline::Text { text: text.to_owned() }];
/// let title = Block::Heading { level: 1, content: words("Mills") };
/// let byline = Block::Paragraph { content: words("By Ann Miller") };
/// let body = Block::Paragraph { content: words("Mills grind corn.") };
/// let document = body_only(Document { blocks: vec![title, byline, body.clone()] }, &Metadata::default());
/// assert_eq!(document.blocks, [body]);
/// ```
#[must_use]
pub fn body_only(mut document: Document, metadata: &Metadata) -> Document {
    let parts: Vec<Part> =
        document.blocks.iter().map(|block| part(block, metadata)).take(PREAMBLE_BLOCKS_MAX).collect();
    let preamble = &parts[..parts.iter().position(|part| *part == Part::Body).unwrap_or(parts.len())];
    let goes = |place: usize| match preamble[place] {
        Part::Title | Part::Byline => true,
        Part::Standfirst => {
            is_set_apart(&document.blocks[place])
                || preamble[place..].iter().any(|part| matches!(part, Part::Byline | Part::Picture))
        }
        Part::Picture | Part::Other | Part::Body => false,
    };
    let gone: Vec<bool> = (0..preamble.len()).map(goes).collect();
    let blocks = std::mem::take(&mut document.blocks).into_iter().enumerate();
    let blocks = blocks.filter(|(place, _)| !gone.get(*place).copied().unwrap_or(false)).map(|(_, block)| block);
    document.blocks = blocks.flat_map(without_caption).collect();
    let rules = document.blocks.iter().take_while(|block| matches!(block, Block::Rule)).count();
    document.blocks.drain(..rules);
    document
}

fn without_caption(block: Block) -> Vec<Block> {
    match block {
        Block::Figure { blocks, .. } => blocks,
        other => vec![other],
    }
}

fn part(block: &Block, metadata: &Metadata) -> Part {
    match block {
        Block::Heading { level, content } => {
            let words = folded(&plain_text(content));
            if *level == 1 || says(&words, &metadata.heading) || folded(&metadata.title).contains(&words) {
                Part::Title
            } else if is_standfirst(&words, metadata) {
                Part::Standfirst
            } else {
                Part::Other
            }
        }
        Block::Paragraph { content } if !has_words(content) => Part::Picture,
        Block::Paragraph { content } => {
            let words = folded(&plain_text(content));
            let count = words.split(' ').count();
            if is_standfirst(&words, metadata) {
                Part::Standfirst
            } else if count >= BODY_WORDS_MIN {
                Part::Body
            } else if is_byline(&words, metadata) || (count <= DATE_WORDS_MAX && is_date(&words)) {
                Part::Byline
            } else {
                Part::Other
            }
        }
        Block::Figure { .. } => Part::Picture,
        Block::Rule => Part::Other,
        _ => Part::Body,
    }
}

/// Whether it is what the page says of itself. The first paragraph may be that too: what stands apart, or before byline or picture, is
/// none.
fn is_standfirst(words: &str, metadata: &Metadata) -> bool {
    words.split(' ').count() >= STANDFIRST_WORDS_MIN && says(words, &metadata.description)
}

fn is_set_apart(block: &Block) -> bool {
    match block {
        Block::Heading { .. } => true,
        Block::Paragraph { content } => {
            matches!(content.as_slice(), [Inline::Strong { .. } | Inline::Emphasis { .. }])
        }
        _ => false,
    }
}

fn is_byline(words: &str, metadata: &Metadata) -> bool {
    let author = folded(&metadata.author);
    (!author.is_empty() && words.contains(&author)) || BYLINE_WORDS.iter().any(|start| words.starts_with(start))
}

/// Whether a line without a full stop holds a year and another number or the name of a month beside it.
fn is_date(words: &str) -> bool {
    let year = |word: &str| word.len() == 4 && (word.starts_with("19") || word.starts_with("20"));
    let numbers = words.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty());
    let (years, others): (Vec<&str>, Vec<&str>) = numbers.partition(|word| year(word));
    !words.ends_with(['.', '!', '?']) && !years.is_empty() && others.iter().any(|word| word.len() <= 2)
}

fn says(words: &str, said: &str) -> bool {
    !words.is_empty() && folded(said) == words
}

/// In lower case, white space folded.
pub(super) fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cst::{self, Profile};
    use crate::document::to_markdown;
    use crate::dom;
    use crate::extract::content::{ContentOptions, content_of};
    use crate::limits::Limits;

    const BODY: &str = "<p>The old mill at the river grinds the corn of the whole valley, as it did for a hundred years, and will for a hundred more.</p>";

    fn body(head: &str, html: &str) -> String {
        let limits = Limits::default();
        let dom = dom::parse(&format!("<head>{head}</head><body>{html}{BODY}"), &limits);
        let tree = cst::build(&dom, Profile::Modern, &limits);
        let all = vec![true; tree.runs().len()];
        let document = content_of(&dom, &tree, "", &all, ContentOptions::default());
        let body = to_markdown(&body_only(document, &Metadata::read(&dom)));
        body.split("The old mill at").next().unwrap().trim().to_owned()
    }

    #[test]
    fn what_stands_before_the_body_goes() {
        let head = "<title>Mills | News</title><meta name=author content='Ann Miller'><meta name=description content='How mills grind on.'>";
        let html = "<h1>Mills</h1><p>How mills grind on.</p><p>Story: ANN MILLER</p><p>3 May 2021</p><hr>";
        assert_eq!(body(head, html), "");
        assert_eq!(body(head, "<h2>Mills</h2><p>Von Ada</p><h2>How mills grind on.</h2>"), "");
        assert_eq!(body(head, "<p><b>How mills grind on.</b></p>"), "");
    }

    #[test]
    fn what_belongs_to_the_body_stays() {
        let head = "<title>Mills</title><meta name=description content='How mills grind on.'>";
        assert_eq!(body(head, "<p>How mills grind on.</p>"), "How mills grind on.");
        assert_eq!(
            body(head, "<h2>Rivers</h2><p>There were 12 mills in 1890.</p>"),
            "## Rivers\n\nThere were 12 mills in 1890."
        );
        assert!(body(head, &format!("{}<p>By night</p>", BODY.replace("The old", "An old"))).ends_with("By night"));
    }

    #[test]
    fn captions_go_and_pictures_stay() {
        let html = "<figure><img src=m.jpg alt=m><figcaption>A mill</figcaption></figure>";
        assert_eq!(body("", html), "![m](m.jpg)");
    }
}
