//! How many requests work at the same time, and how many may wait for that.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::error::{ApiError, ErrorCode};

/// Lets some in at a time, in the order in which they came.
pub(super) struct Gate {
    places: Arc<Semaphore>,
    waiting: AtomicUsize,
    waiting_max: usize,
    /// What they are, for who is refused.
    called: &'static str,
}

impl Gate {
    pub(super) fn new(places: usize, waiting_max: usize, called: &'static str) -> Self {
        Self { places: Arc::new(Semaphore::new(places.max(1))), waiting: AtomicUsize::new(0), waiting_max, called }
    }

    /// How many wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Acquire)
    }

    /// Waits for a place, which is given back when the permit is dropped. Refuses at once when too many wait already.
    pub(super) async fn enter(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        if let Ok(permit) = Arc::clone(&self.places).try_acquire_owned() {
            return Ok(permit);
        }
        let _waiting = Waiting::begin(self)?;
        Arc::clone(&self.places).acquire_owned().await.map_err(|closed| ApiError::internal(&closed))
    }
}

/// One who waits; leaves on drop, also when the client has gone.
struct Waiting<'a>(&'a Gate);

impl<'a> Waiting<'a> {
    fn begin(gate: &'a Gate) -> Result<Self, ApiError> {
        let waiting = Self(gate);
        if gate.waiting.fetch_add(1, Ordering::AcqRel) < gate.waiting_max {
            return Ok(waiting);
        }
        let message = format!("{} {} are waiting already; try again in a moment", gate.waiting_max, gate.called);
        Err(ApiError::new(ErrorCode::Busy, message))
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    #[test]
    fn who_comes_too_many_is_refused() {
        let gate = Gate::new(1, 1, "searches");
        let mut context = Context::from_waker(Waker::noop());
        let Poll::Ready(Ok(first)) = pin!(gate.enter()).poll(&mut context) else { panic!("there is a place") };
        {
            let mut second = pin!(gate.enter());
            assert!(second.as_mut().poll(&mut context).is_pending());
            let Poll::Ready(Err(refused)) = pin!(gate.enter()).poll(&mut context) else { panic!("the queue is full") };
            assert_eq!(refused.code, ErrorCode::Busy);
            drop(first);
            assert!(matches!(second.as_mut().poll(&mut context), Poll::Ready(Ok(_))));
        }
        // Who waits and goes away leaves room.
        let Poll::Ready(Ok(_first)) = pin!(gate.enter()).poll(&mut context) else { panic!("there is a place") };
        for _ in 0..3 {
            assert!(pin!(gate.enter()).poll(&mut context).is_pending());
        }
    }
}
