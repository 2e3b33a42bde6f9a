//! The element tree of a page: a spec-conforming parse straight into an arena.
//!
//! [`parse`] is the seam to the HTML parser: nothing outside this module knows which one it is. Parsing never fails; what
//! a limit cuts off is told by [`Dom::truncated`].

mod arena;
mod attributes;
mod class_names;
mod class_values;
mod parse;
mod script_data;
mod shadow;
mod sink;
mod source;
mod streamed;
mod tags;
mod tokenizer;
mod tree;

pub use attributes::{Attribute, AttributeName};
pub(crate) use class_names::{ClassNames, classes};
pub(crate) use class_values::ClassValue;
pub use parse::{parse, parse_with_source};
pub use source::{SourceElement, SourceElements};
pub use tags::{Display, Tag};
pub use tree::{AttributeRange, Dom, DomId, NodeData, Truncation};
