//! The archived page with what was made of it: which of its runs are kept, by what, and why. The same view serves the HTTP service, pasted
//! pages and `lopper compare`.
//!
//! ```text
//! Page (HTML) + StoredTree -> MarkedPage -> frame document        what is seen
//!               StoredTree -> Verdicts (JSON) + tree               what is said of it
//! ```
//!
//! The frame's document is made in [`frame`] alone: its body goes through ammonia there, whatever was taken out before.

mod changes;
mod choice;
mod frame;
mod reasons;
mod stage;
mod tree;
mod verdicts;
mod viewed;
mod walk;

pub(crate) use changes::{Change, changes};
pub(crate) use choice::{Choice, Kept, Shown};
pub(crate) use frame::{Belongings, FRAME_POLICY, frame_document};
pub(crate) use stage::{Action, Place, Stage, stage};
pub(crate) use verdicts::{Verdicts, methods};
pub(crate) use viewed::Viewed;
pub(crate) use walk::{Judged, Line, Step, walk};
