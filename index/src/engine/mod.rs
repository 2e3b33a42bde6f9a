//! The seam: what ranks and answers on one side, what stores blocks and finds candidates on the other.
//!
//! An engine is a [`BlockEngine`]. It gives [`BlockSnapshot`]s, each one state of it; a snapshot prepares a
//! [`ResolvedQuery`](crate::ResolvedQuery), and the [`EngineQuery`] gives [`Candidates`]: blocks with the counts of the query's words.
//! Features and scores are made of these, on this side. So a weight or a feature changes without the engine, and the engine without
//! a weight. Which texts and terms blocks have is this side's business as well: an engine stores the terms that
//! [`BlockTerms`](crate::BlockTerms) gives it.

mod budget;
mod candidate;
mod capabilities;
mod contract;
mod error;
mod fields;
mod query_language;
mod terms;
mod word;

pub(crate) use budget::Steps;
pub use budget::{Budget, QueryLimits};
pub use candidate::{BlockHandle, Candidate, CandidatePart, Candidates, Standing, WordPlace, WordRow, WordTable};
pub use capabilities::Capabilities;
pub use contract::{
    BlockEngine, BlockEngineWriter, BlockSnapshot, BytesKeeper, BytesWriter, CandidateRequest, CollectionFacts, Dates,
    EngineQuery, MatchCount, PointerWords, TopAndTotal, TopBlock,
};
pub(crate) use error::without_panic;
pub use error::{EngineError, OutOfTime};
pub use fields::{BlockField, PageField};
pub(crate) use query_language::QueryLanguage;
pub(crate) use terms::edit_distance;
pub use terms::{TermCount, TermPattern, TermScope};
pub use word::{KnownForm, RankWord};
pub(crate) use word::{rank_words, total_weight};
