//! Extraction of main blocks (CST paper, figure 5): siblings compete by their cosine similarity to a query.

mod decision;
mod dropped;
mod navigation;
mod noise;
mod pruner;
mod query;
mod vector;

pub(crate) use decision::TEMPLATE_SCORE_MIN;
pub use decision::{PruneDecision, PruneReason, PruneRule};
pub use navigation::NavigationBounds;
pub(crate) use noise::LinkLists;
pub(crate) use pruner::prune_within;
pub use pruner::{BlockEvidence, PrunedTree, TooManySteps, competes, prune, survivors};
pub use query::QueryVector;
