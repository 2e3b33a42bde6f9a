//! How fast a body has to come: judged by one stretch of time after the other, so that who was fast at first may not trickle later.

use std::time::{Duration, Instant};

use actix_web::rt::time::timeout;

/// The bytes that came within a stretch of waiting. Time in which nobody waited for the sender does not count.
#[derive(Debug)]
pub(super) struct Pace {
    stretch: Duration,
    /// Bytes that a stretch must bring at least; one at least.
    least: u64,
    waited: Duration,
    bytes: u64,
}

impl Pace {
    /// Of so many bytes a second at least, in the mean of each stretch.
    pub(super) fn new(stretch: Duration, bytes_per_second_min: u64) -> Self {
        let least = (stretch.as_secs_f64() * bytes_per_second_min as f64) as u64;
        Self { stretch, least: least.max(1), waited: Duration::ZERO, bytes: 0 }
    }

    /// Waits for what comes next, `length` bytes of it, or the end; `None` where too little came in a stretch.
    pub(super) async fn wait<T>(
        &mut self,
        mut next: impl Future<Output = T> + Unpin,
        length: impl FnOnce(&T) -> usize,
    ) -> Option<T> {
        loop {
            let begun = Instant::now();
            let came = timeout(self.stretch.saturating_sub(self.waited), &mut next).await.ok();
            self.waited += begun.elapsed();
            if let Some(came) = came {
                let length = length(&came) as u64;
                return (length == 0 || self.took(length)).then_some(came);
            }
            if !self.took(0) {
                return None;
            }
        }
    }

    /// Counts what came; `false` where a stretch is over and had too little.
    fn took(&mut self, bytes: u64) -> bool {
        self.bytes += bytes;
        if self.waited < self.stretch {
            return true;
        }
        let is_enough = self.bytes >= self.least;
        (self.waited, self.bytes) = (Duration::ZERO, 0);
        is_enough
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stretch_is_judged_for_itself() {
        let second = Duration::from_secs(1);
        let mut pace = Pace::new(10 * second, 100);
        let mut came = |waited: Duration, bytes| {
            pace.waited += waited;
            pace.took(bytes)
        };
        assert!(came(second, 1_000_000), "fast at first");
        assert!(came(9 * second, 0), "that was enough for the first stretch");
        assert!((0..9).all(|_| came(second, 99)));
        assert!(!came(second, 99), "and buys nothing for the second");
        assert!((0..50).all(|_| came(second, 100)), "who comes steadily may take long");
        assert!(!came(10 * second, 999));
    }

    #[test]
    fn a_sender_who_sends_nothing_is_given_up_after_a_stretch() {
        let moment = Duration::from_millis(20);
        actix_web::rt::System::new().block_on(async {
            let mut pace = Pace::new(moment, 0);
            let (never, length) = (std::future::pending::<u8>(), |_: &u8| 1);
            assert_eq!(pace.wait(never, length).await, None);
            assert_eq!(pace.wait(std::future::ready(7), length).await, Some(7));
        });
    }
}
