//! Pages: a record's HTTP message decoded to HTML text.
//!
//! [`decode`] takes a record and gives a [`Page`], or the reason why there is none. [`url`] and [`language`] tell more of
//! a page.

mod charset;
mod charset_alias;
mod charset_detect;
mod charset_prescan;
mod coding;
mod decode;
mod http;
pub mod language;
mod language_code;
mod model;
mod script;
pub(crate) mod sniff;
mod transfer;
pub mod url;

pub use decode::{PageOutcome, decode};
pub(crate) use decode::{head_without_page, may_be_html};
pub use model::{Page, PageError, PageId, Provenance, SkipReason};
