//! What is known of a page before its tree: its text from bytes ([`charset`]), its address ([`url`]), its language.

mod alphabet;
pub mod charset;
mod charset_alias;
mod charset_detect;
mod charset_prescan;
pub mod language;
mod language_code;
mod script;
pub mod url;
