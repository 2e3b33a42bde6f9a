//! In how many pages of the collection a term, a link or a block of a site occurs.
//!
//! A page is counted by its [`PageKeys`]: 40-bit hashes, one list for each [`Kind`]. A [`StatisticsSnapshot`] holds the counts of many pages.
//! It never changes, is cheap to clone, and knows its [`epoch`](StatisticsSnapshot::epoch); a [`StatisticsChange`] makes the next one of it.
//! `docs/decisions/0005-statistics.md` says why it is built as it is.
//!
//! ```
//! use lopper_content::statistics::{Kind, PageKeys, StatisticsChange, StatisticsSnapshot};
//! use lopper_content::weigh::term_hash;
//!
//! let mut change = StatisticsChange::default();
//! change.add(&PageKeys::of_terms(["oak", "tree", "oak"]));
//! change.add(&PageKeys::of_terms(["tree"]));
//! let statistics = StatisticsSnapshot::default().with(change);
//! assert_eq!((statistics.page_count(), statistics.epoch()), (2, 1));
//! assert_eq!(statistics.count(Kind::Term, term_hash("tree")), 2);
//! assert_eq!(statistics.count(Kind::Term, term_hash("oak")), 1);
//! ```
//!
//! The counts lie in layers: each change adds one, and layers of like size are merged. A layer holds a [`CountRun`] of each kind.
//! Nothing here does IO; `store` keeps each layer in a file.

mod bits;
mod change;
mod keys;
mod layer;
mod run;
mod snapshot;

pub use change::StatisticsChange;
pub use keys::{Kind, PageKeys};
pub use layer::{CountLayer, LayerError};
pub use run::{CountRun, RunError};
pub use snapshot::{StatisticsLimits, StatisticsSnapshot};

use crate::weigh::{TERM_HASH_BITS, term_hash};
