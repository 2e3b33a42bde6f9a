//! Words that begin as one that is being typed.

use lopper_analysis::{Language, normalise};

use super::vocabulary::Vocabulary;
use super::words::surfaces;
use crate::engine::{BlockSnapshot, Budget, EngineError};

/// Words of the collection that begin with `prefix`, in lower case, those of most pages first.
pub(crate) fn words_beginning_with(
    snapshot: &dyn BlockSnapshot,
    prefix: &str,
    limit: usize,
    budget: &Budget,
) -> Result<Vec<String>, EngineError> {
    let Some(surface) = surfaces(prefix).into_iter().next() else { return Ok(Vec::new()) };
    let mut beginning = String::new();
    normalise(surface.text, Language::UNDETERMINED, &mut beginning);
    let words = Vocabulary::new(snapshot, budget).words_beginning_with(&beginning)?;
    // The plain word stands beside its possessive.
    let words = words.into_iter().map(|(word, _)| word).filter(|word| !word.ends_with("'s"));
    Ok(words.take(limit).collect())
}
