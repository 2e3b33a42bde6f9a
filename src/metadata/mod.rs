//! What a page says of itself: title, description, author, date, language, canonical URL.

mod json_ld;
mod read;

pub use json_ld::StructuredData;
pub use read::Metadata;
