//! Extraction of main blocks (CST paper, figure 5): siblings compete by their cosine similarity to a query.

mod decision;
mod dropped;
mod navigation;
mod noise;
mod pruner;
mod query;
mod vector;

pub use decision::{PruneDecision, PruneReason, PruneRule, TEMPLATE_SCORE_MIN};
pub use navigation::NavigationBounds;
pub(crate) use noise::LinkLists;
pub use pruner::{BlockEvidence, PrunedTree, TooManySteps, competes, prune, prune_within, survivors};
pub use query::QueryVector;
