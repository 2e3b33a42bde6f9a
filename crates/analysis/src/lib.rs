//! Text to terms: the one analyzer for weighing, indexing and querying.
//!
//! ```
//! use lopper_analysis::{Analyzer, Language};
//!
//! let mut terms = Vec::new();
//! Analyzer::new().analyze("Pruned trees, 森林公園", Language::from_code("en"), |token| {
//!     terms.push(token.term.to_owned());
//! });
//! assert_eq!(terms, ["prune", "tree", "森林", "林公", "公園"]);
//! ```
//!
//! Choices:
//! 1. Words are those of UAX #29 (`unicode_word_indices`), cut further so that parts can be found: at `.` and `:` between
//!    letters (`os.path`), at an elision (`l'homme`), at script borders. `3.14`, `don't` and `snake_case` stay whole.
//! 2. The cut never depends on the language, only the term does. So a query word can be tried in several languages.
//! 3. Chinese, Japanese and Korean runs become overlapping pairs of characters; Thai, Lao, Khmer and Burmese runs pairs of
//!    base characters with their marks. A run of one character gives that character.
//! 4. Words longer than [`TOKEN_CHARS_MAX`] are dropped but keep their position: hostile pages hold megabyte words, and the
//!    Tamil stemmer is quadratic.
//! 5. Terms are lower case and composed (NFKC, see `normal`) and keep their accents.
//! 6. The index and queries have further forms beside the terms (`forms`): the word without its accents, compounds as one
//!    word, parts of programmers' names, single characters of East Asian runs. Pages are weighed without them.

mod analyzer;
mod compound;
mod fold;
mod forms;
mod index_forms;
mod language;
mod normal;
mod query_forms;
mod stem;
pub mod vector;
mod words;

pub use analyzer::{Analyzer, Token};
pub use forms::is_further_form;
pub use language::Language;
pub use normal::normalise;
pub use query_forms::{ExtraWord, TermForm, extra_words};
pub use words::TOKEN_CHARS_MAX;
pub use words::{Surface, for_each_surface};

/// What stands between the cells of a table's row in the text of a block.
pub const CELL_BORDER: &str = " | ";

/// The words of a block's text, as white space parts them, without the borders of cells: what two texts of one block have in common,
/// however its tables are written.
pub fn bare_words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace().filter(|word| *word != CELL_BORDER.trim())
}
