//! What a page says of itself: title, description, author, date, language, canonical URL.

mod fallbacks;
pub(crate) mod json_ld;
mod office;
mod read;
mod structured_data;

pub(crate) use office::is_title_of_google;
pub use read::Metadata;
pub use structured_data::StructuredData;
