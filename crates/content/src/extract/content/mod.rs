//! Kept runs as a document of headings, paragraphs, lists and tables, and its forms: text, Markdown, HTML.

mod blocks;
mod html;
mod inlines;
mod markdown;
mod model;
mod text;

pub use blocks::content_of;
pub use html::{escape_html, to_html};
pub use markdown::to_markdown;
pub use model::{Content, ContentBlock, Inline, Shape, Style};
pub use text::to_text;
