//! What one query may cost.
//!
//! Work is counted in postings: a posting read or passed by, a term of a dictionary looked at, a place of a word compared. It depends on the
//! query and the collection alone, time on the machine as well. Whoever works asks the budget now and then, and stops where nothing is
//! left; what was found until then is the answer, which says that it is not all.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Steps that are taken before the budget is asked: so seldom that asking costs nothing beside them.
const STEPS_MAX: u32 = 1024;

/// Of a query's time the tenths that finding may take; the rest is for showing what was found.
const FINDING_TENTHS: u32 = 7;

/// The most that a query may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueryLimits {
    /// Wall time. Default: none.
    pub duration_max: Option<Duration>,
    /// Work in postings. Default [`QueryLimits::WORK_MAX`].
    pub work_max: u64,
}

impl QueryLimits {
    /// Postings that a query may read: some seconds' worth.
    pub const WORK_MAX: u64 = 200_000_000;
}

impl Default for QueryLimits {
    fn default() -> Self {
        Self { duration_max: None, work_max: Self::WORK_MAX }
    }
}

/// What is left for a query. Clones share it, and whoever has one can cancel the query.
#[derive(Debug, Clone)]
pub struct Budget(Arc<Meter>);

#[derive(Debug)]
struct Meter {
    /// When finding, and when everything, must have ended.
    deadlines: Option<(Instant, Instant)>,
    work_max: u64,
    work: AtomicU64,
    is_spent: AtomicBool,
    is_cancelled: AtomicBool,
}

impl Budget {
    /// A budget that begins now.
    pub fn new(limits: QueryLimits) -> Self {
        let now = Instant::now();
        let deadlines = limits.duration_max.map(|max| (now + max * FINDING_TENTHS / 10, now + max));
        Self(Arc::new(Meter {
            deadlines,
            work_max: limits.work_max,
            work: AtomicU64::new(0),
            is_spent: AtomicBool::new(false),
            is_cancelled: AtomicBool::new(false),
        }))
    }

    /// A budget that only counts.
    pub fn unlimited() -> Self {
        Self::new(QueryLimits { duration_max: None, work_max: u64::MAX })
    }

    /// Stops the query, since nobody waits for it any more.
    pub fn cancel(&self) {
        self.0.is_cancelled.store(true, Ordering::Relaxed);
        self.0.is_spent.store(true, Ordering::Relaxed);
    }

    /// Whether nobody waits any more.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled.load(Ordering::Relaxed)
    }

    /// Takes what was worked off; tells whether anything is left to find more. Once nothing was, nothing ever is.
    pub fn spend(&self, work: u64) -> bool {
        let before = self.0.work.fetch_add(work, Ordering::Relaxed);
        let is_late = || self.0.deadlines.is_some_and(|(finding, _)| Instant::now() >= finding);
        if before.saturating_add(work) > self.0.work_max || is_late() {
            self.0.is_spent.store(true, Ordering::Relaxed);
        }
        !self.is_spent()
    }

    /// Whether nothing is left to find more: what was looked at after that is not to be trusted.
    pub fn is_spent(&self) -> bool {
        self.0.is_spent.load(Ordering::Relaxed)
    }

    /// Whether what was found may still be shown.
    pub fn has_time(&self) -> bool {
        !self.is_cancelled() && self.0.deadlines.is_none_or(|(_, last)| Instant::now() < last)
    }

    /// Time until what was found may not be shown any more; nothing for a budget without an end.
    pub fn time_left(&self) -> Option<Duration> {
        if self.is_cancelled() {
            return Some(Duration::ZERO);
        }
        self.0.deadlines.map(|(_, last)| last.saturating_duration_since(Instant::now()))
    }

    /// What was worked so far.
    pub fn work(&self) -> u64 {
        self.0.work.load(Ordering::Relaxed)
    }

    /// Counts single steps.
    pub(crate) fn steps(&self) -> Steps {
        Steps { budget: self.clone(), taken: 0, has_ended: self.is_spent() }
    }
}

/// Steps of one who works for a query.
#[derive(Debug)]
pub(crate) struct Steps {
    budget: Budget,
    taken: u32,
    has_ended: bool,
}

impl Steps {
    /// Takes some steps; tells whether there may be more. After it has said no once, it always does.
    #[inline]
    pub(crate) fn take(&mut self, steps: u32) -> bool {
        self.taken = self.taken.saturating_add(steps);
        if self.taken >= STEPS_MAX {
            self.settle();
        }
        !self.has_ended
    }

    /// Whether it has said no.
    #[inline]
    pub(crate) fn has_ended(&self) -> bool {
        self.has_ended
    }

    fn settle(&mut self) {
        self.has_ended |= !self.budget.spend(u64::from(std::mem::take(&mut self.taken)));
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        self.settle();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_bounded_and_counted() {
        let budget = Budget::new(QueryLimits { duration_max: None, work_max: 10_000 });
        let mut steps = budget.steps();
        let taken = (0..100_000).take_while(|_| steps.take(1)).count();
        assert!((10_000 - 1024..=10_000 + 1024).contains(&taken), "{taken}");
        assert!(steps.has_ended() && budget.is_spent() && !budget.spend(0) && budget.has_time());
        drop(steps);
        assert!(!budget.steps().take(1), "who comes later works nothing");
        let free = Budget::unlimited();
        free.steps().take(7);
        assert!(free.work() == 7 && !free.is_spent());
    }

    #[test]
    fn time_and_cancelling_end_it() {
        let late = Budget::new(QueryLimits { duration_max: Some(Duration::ZERO), ..QueryLimits::default() });
        assert!(!late.spend(1) && !late.has_time());
        assert_eq!((late.time_left(), Budget::unlimited().time_left()), (Some(Duration::ZERO), None));
        let budget = Budget::new(QueryLimits { duration_max: Some(Duration::from_hours(1)), ..QueryLimits::default() });
        assert!(budget.spend(1) && budget.has_time() && budget.time_left() > Some(Duration::from_mins(59)));
        budget.clone().cancel();
        assert_eq!(budget.time_left(), Some(Duration::ZERO));
        assert!(!budget.spend(1) && !budget.has_time() && budget.is_cancelled());
    }
}
