//! The Content Structure Tree (CST paper, sec. IV and V, figures 2 to 4).
//!
//! HtmlItem nodes stand for blocks; Text, Image and Link content nodes hold what is in them; the first node of every HtmlItem
//! is its Element node, the place of its computed value. Later stages add arrays beside the tree, indexed by [`NodeId`].

mod absolute;
mod aside;
mod attributes;
mod build;
mod display;
mod heads;
mod image;
mod inserted;
mod language;
mod line_break;
mod macros;
mod path;
mod places;
mod profile;
mod raised;
mod runs;
mod seam;
mod text;
mod tree;
pub(crate) mod whole;

pub use build::build;
pub(crate) use display::display;
pub(crate) use heads::HEADING_DEPTH_MAX;
pub(crate) use image::image_source;
pub(crate) use inserted::has_dialog_role;
pub(crate) use line_break::{keeps_lines, without_wide_breaks};
pub(crate) use macros::are_macros;
pub use path::BlockPaths;
pub use profile::Profile;
#[cfg(test)]
pub(crate) use seam::SEAMS;
pub(crate) use seam::{Seam, announces_word, continues_link, is_code, is_code_variant, note_in_sign};
pub use text::APART;
pub(crate) use text::{INVISIBLE, ascii_pieces};
pub use tree::{ContentStructureTree, CutShort, ImageDetail, LinkDetail, NodeId, NodeKind, Run, RunId, Span};
