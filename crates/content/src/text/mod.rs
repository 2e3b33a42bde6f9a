//! What is known of a page before its tree: its text from bytes ([`charset`]), its address ([`url`]), its words, its language and
//! that of its blocks.

mod alphabet;
pub mod block_language;
pub mod charset;
mod charset_alias;
mod charset_detect;
mod charset_prescan;
mod function_words;
pub mod language;
mod language_code;
mod script;
pub mod url;
pub(crate) mod words;
