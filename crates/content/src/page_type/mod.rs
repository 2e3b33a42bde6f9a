//! What kind of page it is: an article, a forum's thread, a product …
//!
//! 1. [`Description`] has what address, head, elements and tree can be counted by, and hashes of the few words that may tell types apart.
//! 2. A [`Model`] gives each type a probability.
//! 3. A type is told only when its probability is high enough ([`Verdict::told`]): a page that is like no type alone has none.

mod address;
mod describe;
mod kind;
mod markup;
mod model;
mod numbers;
mod records;
mod texts;
mod verdict;
mod words;

pub use describe::{Description, TypedPage};
pub use kind::PageType;
pub use model::{Model, PageTypeModelError};
pub use verdict::{Verdict, page_type};
