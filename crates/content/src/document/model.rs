//! Blocks and inlines.

use serde::{Deserialize, Serialize};

/// A page's content, or any other text with structure, in reading order.
///
/// ```
/// use lopper_content::document::{Block, Document, Inline, to_markdown};
///
/// let words = vec![Inline::Text { text: "Mills".to_owned() }];
/// let document = Document { blocks: vec![Block::Heading { level: 2, content: words }] };
/// assert_eq!(to_markdown(&document), "## Mills\n");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Document {
    /// Its blocks.
    pub blocks: Vec<Block>,
}

/// A block: what stands on lines of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Block {
    /// A heading.
    Heading {
        /// The page's own level, 1 to 6.
        level: u8,
        /// Its words.
        content: Vec<Inline>,
    },
    /// A paragraph, or any other line of text.
    Paragraph {
        /// Its words.
        content: Vec<Inline>,
    },
    /// A list of entries.
    List(List),
    /// Terms with their definitions.
    Definitions {
        /// In page order.
        entries: Vec<Definition>,
    },
    /// Preformatted text.
    Code {
        /// The programming language, in lower case, where the page names it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        language: Option<String>,
        /// The text, white space to the letter, without a line feed at its end.
        text: String,
    },
    /// A table of data.
    Table(Table),
    /// A quotation.
    Quote {
        /// What is quoted.
        blocks: Vec<Block>,
    },
    /// A displayed formula.
    Formula {
        /// TeX without delimiters.
        tex: String,
    },
    /// An image, table or listing with its caption.
    Figure {
        /// What it shows.
        blocks: Vec<Block>,
        /// Its caption.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        caption: Vec<Inline>,
    },
    /// A thematic break.
    Rule,
    /// A footnote.
    Footnote {
        /// What [`Inline::Note`] calls it by.
        label: String,
        /// What it says.
        blocks: Vec<Block>,
    },
}

/// A list.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct List {
    /// Whether its entries are numbered.
    pub ordered: bool,
    /// Whether the numbers count down.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reversed: bool,
    /// How the numbers are written, where not in digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numbering: Option<Numbering>,
    /// Number of the first entry; 1 for lists that are not numbered.
    pub start: u32,
    /// The entries.
    pub entries: Vec<ListEntry>,
}

impl List {
    /// The number of the entry at a place, from 0.
    pub fn number(&self, place: usize) -> u32 {
        let place = u32::try_from(place).unwrap_or(u32::MAX);
        if self.reversed { self.start.saturating_sub(place) } else { self.start.saturating_add(place) }
    }

    /// The same as it is written: `3`, `c`, `iii`.
    pub fn mark(&self, place: usize) -> String {
        let number = self.number(place);
        let written = self.numbering.and_then(|numbering| numbering.written(number));
        written.unwrap_or_else(|| number.to_string())
    }
}

/// Numbers that are written in letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Numbering {
    /// `a`, `b`, `c`.
    #[serde(rename = "a")]
    LowerLetters,
    /// `A`, `B`, `C`.
    #[serde(rename = "A")]
    UpperLetters,
    /// `i`, `ii`, `iii`.
    #[serde(rename = "i")]
    LowerRoman,
    /// `I`, `II`, `III`.
    #[serde(rename = "I")]
    UpperRoman,
}

/// Roman numbers and what they are worth, the greatest first.
const ROMAN: [(u32, &str); 13] = [
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
];

/// The first number that has no Roman letters.
const ROMAN_END: u32 = 4000;

impl Numbering {
    /// The one that HTML calls so.
    pub(crate) fn of_html(name: &str) -> Option<Self> {
        Some(match name {
            "a" => Self::LowerLetters,
            "A" => Self::UpperLetters,
            "i" => Self::LowerRoman,
            "I" => Self::UpperRoman,
            _ => return None,
        })
    }

    /// The one that a style sheet calls so: `list-style-type: lower-alpha`.
    pub(crate) fn of_style(style: &str) -> Option<Self> {
        let (_, value) = style.split_once("list-style")?;
        let (_, value) = value.split_once(':')?;
        let mut words = value.split(';').next()?.split_ascii_whitespace();
        words.find_map(|word| {
            Some(match word {
                "lower-alpha" | "lower-latin" => Self::LowerLetters,
                "upper-alpha" | "upper-latin" => Self::UpperLetters,
                "lower-roman" => Self::LowerRoman,
                "upper-roman" => Self::UpperRoman,
                _ => return None,
            })
        })
    }

    /// Its name in HTML.
    pub fn html(self) -> &'static str {
        match self {
            Self::LowerLetters => "a",
            Self::UpperLetters => "A",
            Self::LowerRoman => "i",
            Self::UpperRoman => "I",
        }
    }

    /// A number in these letters; 0 has none, nor have great ones in Roman letters.
    fn written(self, number: u32) -> Option<String> {
        let lower = match self {
            Self::LowerLetters | Self::UpperLetters => letters(number),
            Self::LowerRoman | Self::UpperRoman if number < ROMAN_END => roman(number),
            _ => return None,
        };
        let is_upper = matches!(self, Self::UpperLetters | Self::UpperRoman);
        Some(if is_upper { lower.to_uppercase() } else { lower }).filter(|written| !written.is_empty())
    }
}

/// `z` is followed by `aa`.
fn letters(mut number: u32) -> String {
    let mut letters = Vec::new();
    while number > 0 {
        number -= 1;
        letters.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
    }
    letters.into_iter().rev().collect()
}

fn roman(mut number: u32) -> String {
    let mut written = String::new();
    for (worth, sign) in ROMAN {
        while number >= worth {
            number -= worth;
            written.push_str(sign);
        }
    }
    written
}

/// An entry of a list.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ListEntry {
    /// Of a task, whether it is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done: Option<bool>,
    /// What it says: one paragraph, as a rule.
    pub blocks: Vec<Block>,
}

/// Terms that are defined together, and what they mean.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Definition {
    /// The terms.
    pub terms: Vec<Vec<Inline>>,
    /// The definitions, each of one or more blocks.
    pub definitions: Vec<Vec<Block>>,
}

/// A table of data. Cells stand as on the page: one that spans is there once, in its first row and column.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Table {
    /// Its caption.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub caption: Vec<Inline>,
    /// How many of the first rows are its head.
    pub head_rows: u32,
    /// Its rows.
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Row {
    /// The cells that begin in it.
    pub cells: Vec<Cell>,
}

/// A cell of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// Whether it heads its row or column.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub header: bool,
    /// Columns that it covers, from 1.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub columns: u16,
    /// Rows that it covers, from 1.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub rows: u16,
    /// What it says.
    pub blocks: Vec<Block>,
}

impl Default for Cell {
    fn default() -> Self {
        Self { header: false, columns: 1, rows: 1, blocks: Vec::new() }
    }
}

fn one() -> u16 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_one(number: &u16) -> bool {
    *number == 1
}

/// A stretch of a line. White space in it is folded to single blanks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Inline {
    /// Words.
    Text {
        /// As they read.
        text: String,
    },
    /// Stress.
    Emphasis {
        /// What is stressed.
        content: Vec<Inline>,
    },
    /// Strong importance.
    Strong {
        /// What is important.
        content: Vec<Inline>,
    },
    /// Code within a line.
    Code {
        /// As it reads.
        text: String,
    },
    /// A link.
    Link {
        /// Where it leads: absolute where the page's address is known, as written where it is not.
        url: String,
        /// Its anchor.
        content: Vec<Inline>,
    },
    /// An image.
    Image {
        /// Where it is, as with links.
        url: String,
        /// Alternative text.
        alt: String,
    },
    /// Text that no longer holds.
    Deleted {
        /// What is deleted.
        content: Vec<Inline>,
    },
    /// Raised text.
    Superscript {
        /// What is raised.
        content: Vec<Inline>,
    },
    /// Lowered text.
    Subscript {
        /// What is lowered.
        content: Vec<Inline>,
    },
    /// A formula within a line.
    Formula {
        /// TeX without delimiters.
        tex: String,
    },
    /// A reference to a [`Block::Footnote`].
    Note {
        /// The footnote's label.
        label: String,
    },
    /// A line break.
    LineBreak,
}

impl Document {
    /// Adds a paragraph; white space is folded, control characters are left out.
    pub fn push_paragraph(&mut self, text: &str) {
        let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        super::controls::drop_controls_of(&mut text);
        self.blocks.push(Block::Paragraph { content: vec![Inline::Text { text }] });
    }

    /// URLs of the images, in order.
    pub fn images(&self) -> Vec<&str> {
        let mut urls = Vec::new();
        super::inlines::for_each_inline(&self.blocks, &mut |inline| {
            if let Inline::Image { url, .. } = inline {
                urls.push(url.as_str());
            }
        });
        urls
    }
}
