//! The work that one page may cause, counted in steps: the same page fails on every machine, or on none.

use serde::{Deserialize, Serialize};

use super::Stage;

/// A page that is not analysed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// Its analysis would take too long.
    #[error("the page's analysis takes more than {max} steps in {stage:?} (limits.page_steps_max)")]
    TooMuchWork {
        /// The stage that it was given up in.
        stage: Stage,
        /// The limit.
        max: u64,
    },
    /// It has more distinct terms than text has.
    #[error("the page has {terms} distinct terms, more than {max} (limits.terms_max)")]
    TooManyTerms {
        /// How many.
        terms: usize,
        /// The limit.
        max: usize,
    },
}

/// Steps that are left to a page. A step is a byte parsed, a node or run looked at, a byte of text weighed or cut, or an entry of a
/// vector added: some nanoseconds each.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Steps {
    left: u64,
    max: u64,
}

impl Steps {
    pub(super) fn new(max: u64) -> Self {
        Self { left: max, max }
    }

    /// Steps that are left.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Takes `steps` for `stage`.
    pub(super) fn take(&mut self, stage: Stage, steps: u64) -> Result<(), AnalysisError> {
        match self.left.checked_sub(steps) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(AnalysisError::TooMuchWork { stage, max: self.max }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_taken_until_there_are_none() {
        let mut steps = Steps::new(10);
        assert_eq!(steps.take(Stage::Parse, 6), Ok(()));
        assert_eq!(steps.take(Stage::Tree, 5), Err(AnalysisError::TooMuchWork { stage: Stage::Tree, max: 10 }));
        assert_eq!(steps.take(Stage::Tree, 4), Ok(()));
        assert_eq!(steps.left(), 0);
    }
}
