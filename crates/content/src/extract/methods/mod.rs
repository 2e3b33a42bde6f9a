//! The published methods of finding a page's main content, and full text as their floor.
//!
//! Each takes a [`PageView`] and gives a [`Verdict`]: for every run of the page's text whether it is main content, and a score.
//! Each method's file tells the paper, the steps, which readings of ambiguous passages were tried, and how the code differs.
//! [`Variant::Literal`] runs the text as it stands, [`Variant::Best`] the reading that measured best.
//!
//! Word F1 on the 1,497 pages of WCXB's development split, on which the readings were also picked (`lopper extract --format jsonl` writes what
//! was scored):
//!
//! | method | best | literal |
//! |---|---|---|
//! | `cst` | 0.774 | 0.205 |
//! | `bte` | 0.795 | 0.760 |
//! | `distribution` | 0.784 | 0.658 |
//! | `punctuation` | 0.783 | 0.587 |
//! | `link-density` | 0.780 | 0.624 |
//! | `full-text` | 0.703 | |

pub mod bte;
mod cst;
mod distribution;
mod full_text;
mod link_density;
mod method;
mod outline;
mod page_view;
mod punctuation;
#[cfg(test)]
mod testing;
mod verdict;

pub use method::{Method, Variant};
pub use page_view::PageView;
pub use verdict::Verdict;
