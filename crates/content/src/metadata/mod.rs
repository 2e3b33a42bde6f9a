//! What a page says of itself: title, description, author, date, language, canonical URL.

mod fallbacks;
pub(crate) mod json_ld;
mod read;
mod structured_data;

pub use read::Metadata;
pub use structured_data::StructuredData;
