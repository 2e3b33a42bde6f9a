//! What of a page is its content: the default method, the published ones, and the forms of what they keep.

mod admonitions;
mod body;
mod calls;
mod comments;
pub mod content;
mod cut;
mod described;
mod dialogs;
mod extraction;
mod extractor;
pub mod features;
mod fine_print;
pub mod forest_judge;
mod forms;
mod headed;
mod judge;
mod judge_choice;
mod leads;
mod members;
pub mod methods;
pub mod model;
mod navigation;
mod paratext;
mod recipes;
mod repeated;
mod row;
mod rows;
mod sections;
mod signatures;
mod steps;
pub mod structured;
mod teasers;
#[cfg(test)]
mod testing;
mod titled;
mod together;
mod unknown;

pub use body::body_only;
pub use extraction::{Comments, ContentVerdict};
pub use extractor::Extractor;
pub use judge::ContentJudge;
pub use judge_choice::JudgeChoice;
pub use methods::PageView;
pub use row::{ROW_FEATURES_MAX, Row};
pub use titled::titled;
