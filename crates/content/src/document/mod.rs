//! The document model: what a page's content consists of, and its forms.
//!
//! One tree of blocks and inlines stands behind every output: [`to_text`], [`to_markdown`], [`to_html`], [`to_tei`], and JSON by
//! way of serde, where each block and each inline names its `type`.

mod controls;
mod html;
mod inlines;
mod markdown;
mod model;
mod table;
mod tei;
mod text;

pub(crate) use controls::has_controls;
pub(crate) use html::escape_html;
pub use html::to_html;
pub use inlines::{has_content, has_words, plain_text};
pub use markdown::to_markdown;
pub use model::{Block, Cell, Definition, Document, Inline, List, ListEntry, Numbering, Row, Table};
pub use tei::{TeiHead, to_tei};
pub use text::to_text;
