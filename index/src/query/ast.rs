//! A query as a tree of parts, and back to text.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A part of a query. Depth is bounded by the parser, so walks may recurse.
///
/// Two are equal when they ask for the same, wherever they stand in the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Node {
    /// A stretch of text without spaces; it may hold several words.
    Word {
        /// The text.
        text: String,
        /// Whether it stands for all words that begin so.
        is_prefix: bool,
        /// Where it stands.
        place: Place,
    },
    /// Words that stand in a row, or at most `slop` moves from it.
    Phrase {
        /// The text between the quotes.
        text: String,
        /// Moves at most.
        slop: u32,
        /// Where it stands.
        place: Place,
    },
    /// `+part`
    Require(Box<Node>),
    /// `-part`, `NOT part`
    Not(Box<Node>),
    /// `field:part`
    Field(Field, Box<Node>),
    /// `part AND part`
    And(Vec<Node>),
    /// `part OR part`
    Or(Vec<Node>),
    /// Parts side by side.
    List(Vec<Node>),
}

/// Where a part stands in the query's text. Any two are equal.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Place {
    /// Its first byte.
    pub start: usize,
    /// Whether a hyphen that excludes it stands right before: it may belong to the word.
    pub is_after_hyphen: bool,
    /// Whether it stands in quotes: its spelling is meant.
    #[serde(default)]
    pub is_quoted: bool,
}

impl PartialEq for Place {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Place {}

/// A field by which a query can ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    /// `title:`
    Title,
    /// `heading:`
    Heading,
    /// `inurl:`
    InUrl,
    /// `site:`
    Site,
    /// `lang:`
    Language,
    /// `date:`
    Date,
    /// `type:`
    Type,
}

impl Field {
    pub(super) const ALL: [Self; 7] =
        [Self::Title, Self::Heading, Self::InUrl, Self::Site, Self::Language, Self::Date, Self::Type];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Heading => "heading",
            Self::InUrl => "inurl",
            Self::Site => "site",
            Self::Language => "lang",
            Self::Date => "date",
            Self::Type => "type",
        }
    }
}

impl Field {
    /// Whether its values say nothing of the text.
    pub(super) fn is_filter(self) -> bool {
        !matches!(self, Self::Title | Self::Heading)
    }
}

impl Node {
    /// The parts that stand side by side: those of a list, or the node alone.
    pub(super) fn side_by_side(&self) -> &[Self] {
        match self {
            Self::List(parts) => parts,
            part => std::slice::from_ref(part),
        }
    }

    pub(super) fn require(part: Self) -> Self {
        match part {
            Self::Require(_) | Self::Not(_) => part,
            part => Self::Require(Box::new(part)),
        }
    }

    pub(super) fn not(part: Self) -> Self {
        match part {
            Self::Not(part) => Self::require(*part),
            Self::Require(part) => Self::not(*part),
            part => Self::Not(Box::new(part)),
        }
    }

    /// The same question, in which all parts that stand side by side must match. Alternatives of `OR` stay alternatives.
    #[must_use]
    pub fn demanding(self) -> Self {
        match self {
            Self::List(parts) => Self::List(parts.into_iter().map(|part| Self::require(part.demanding())).collect()),
            Self::And(parts) => Self::And(parts.into_iter().map(Self::demanding).collect()),
            Self::Or(parts) => Self::Or(parts.into_iter().map(Self::demanding).collect()),
            Self::Require(part) => Self::require(part.demanding()),
            Self::Not(part) => Self::not(*part),
            // Values of a filter side by side are alternatives.
            Self::Field(field, part) if !field.is_filter() => Self::Field(field, Box::new(part.demanding())),
            Self::Word { .. } | Self::Phrase { .. } | Self::Field(..) => self,
        }
    }

    /// The same question with the words of its phrases side by side. Nothing where there is none, or one is meant to the letter: behind a
    /// sign or a field, or with words in between.
    pub(crate) fn apart(&self) -> Option<Self> {
        let phrases = self.phrases(false);
        (!phrases.is_empty() && phrases.into_iter().all(|is_plain| is_plain)).then(|| self.clone().with_words_apart())
    }

    /// Of each phrase, whether it is plain: within parts side by side or joined, and in a row.
    fn phrases(&self, is_bound: bool) -> Vec<bool> {
        match self {
            Self::Word { .. } => Vec::new(),
            Self::Phrase { slop, .. } => vec![!is_bound && *slop == 0],
            Self::Require(part) | Self::Not(part) | Self::Field(_, part) => part.phrases(true),
            Self::And(parts) | Self::Or(parts) | Self::List(parts) => {
                parts.iter().flat_map(|part| part.phrases(is_bound)).collect()
            }
        }
    }

    fn with_words_apart(self) -> Self {
        let all = |parts: Vec<Self>| parts.into_iter().map(Self::with_words_apart).collect();
        match self {
            Self::Phrase { text, place, .. } => Self::List(words_of(&text, place)),
            Self::List(parts) => Self::List(
                parts
                    .into_iter()
                    .flat_map(|part| match part {
                        Self::Phrase { text, place, .. } => words_of(&text, place),
                        part => vec![part.with_words_apart()],
                    })
                    .collect(),
            ),
            Self::And(parts) => Self::And(all(parts)),
            Self::Or(parts) => Self::Or(all(parts)),
            Self::Word { .. } | Self::Require(_) | Self::Not(_) | Self::Field(..) => self,
        }
    }

    /// A lone part is itself.
    pub(super) fn of_many(mut parts: Vec<Self>, join: impl Fn(Vec<Self>) -> Self) -> Option<Self> {
        match parts.len() {
            0 | 1 => parts.pop(),
            _ => Some(join(parts)),
        }
    }
}

/// The words of a phrase, whose spelling is meant.
fn words_of(text: &str, place: Place) -> Vec<Node> {
    let words = text.split_whitespace().map(|word| {
        let start = place.start + word.as_ptr().addr() - text.as_ptr().addr();
        let place = Place { start, is_after_hyphen: false, is_quoted: true };
        Node::Word { text: word.to_owned(), is_prefix: false, place }
    });
    words.collect()
}

/// Gives a text that is parsed into an equal tree.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word { text, is_prefix, .. } => write!(f, "{text}{}", if *is_prefix { "*" } else { "" }),
            Self::Phrase { text, slop: 0, .. } => write!(f, "\"{text}\""),
            Self::Phrase { text, slop, .. } => write!(f, "\"{text}\"~{slop}"),
            Self::Require(part) => write!(f, "+{}", Operand(part)),
            Self::Not(part) => write!(f, "-{}", Operand(part)),
            Self::Field(field, part) => match **part {
                Self::Not(_) | Self::Require(_) | Self::Field(..) => write!(f, "{}:({part} )", field.name()),
                _ => write!(f, "{}:{}", field.name(), Operand(part)),
            },
            Self::And(parts) => joined(f, parts, " AND "),
            Self::Or(parts) => joined(f, parts, " OR "),
            Self::List(parts) => joined(f, parts, " "),
        }
    }
}

/// The parts of a list that are lists keep their parentheses; operators bind tighter, but are easier to read so.
fn joined(f: &mut fmt::Formatter<'_>, parts: &[Node], between: &str) -> fmt::Result {
    for (index, part) in parts.iter().enumerate() {
        let before = if index == 0 { "" } else { between };
        write!(f, "{before}{}", Operand(part))?;
    }
    Ok(())
}

/// A part in parentheses where it is made of several.
struct Operand<'a>(&'a Node);

impl fmt::Display for Operand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            // The space keeps the last word from taking the parenthesis for its own.
            Node::And(_) | Node::Or(_) | Node::List(_) => write!(f, "({} )", self.0),
            part => part.fmt(f),
        }
    }
}
