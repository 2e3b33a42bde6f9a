//! Measuring search against judged queries: is the page found, is the block found, and how much must be read to see it.

mod against;
mod contender;
mod evidence;
mod judged;
mod metric;
mod pruning;
mod run_file;
mod score;
mod table;
mod tokens;

pub(crate) use against::{Comparison, Regression, compare};
pub use contender::{Contender, score_queries};
pub use evidence::{EvidenceHead, QueryEvidence, evidence};
pub use judged::{Judged, JudgedError, JudgedQuery, Query, read_judged};
pub use metric::Metric;
pub use pruning::Kept;
pub(crate) use pruning::{PruningRow, measure_pruning, pages_by_url, sample};
pub use run_file::{RunFile, score_run};
pub use score::QueryScore;
pub use table::{Figures, Row, Standing, row};
