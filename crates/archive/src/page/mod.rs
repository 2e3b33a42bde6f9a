//! Pages: a record's HTTP message decoded to HTML text.
//!
//! [`decode`] takes a record and gives a [`Page`], or the reason why there is none.

mod coding;
mod decode;
mod http;
mod model;
mod redirect;
mod resource;
pub(crate) mod sniff;
mod transfer;

pub use decode::{PageOutcome, decode};
pub(crate) use decode::{head_without_page, may_be_html};
pub use lopper_content::PageId;
pub use model::{Page, PageError, Provenance, SkipReason};
pub use resource::{Resource, resource, resource_type};
