//! Threads that give way to searches.
//!
//! Who posts pages waits for a disk anyway, who searches waits for the processor. So pages are analysed, indexed and merged by threads that
//! get little of it while searches need it, and all that these leave.

use std::thread;

/// What the threads' niceness is: they get about a tenth of what a thread of normal priority gets beside them.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Makes the calling thread, and those that it starts, give way to the others. Where the system has no such thing for threads, it does nothing.
pub(crate) fn give_way() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, NICENESS) {
        tracing::debug!(%error, "a thread keeps its priority");
    }
}

/// Runs `work` in a thread that gives way, so that the threads which it starts do, too.
pub(crate) fn starting_behind<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let started = scope.spawn(|| {
            give_way();
            work()
        });
        started.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    fn niceness() -> i32 {
        rustix::process::getpriority_process(None).unwrap()
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn threads_that_give_way_leave_others_as_they_are() {
        let own = niceness();
        let (behind, started) = starting_behind(|| (niceness(), thread::spawn(niceness).join().unwrap()));
        assert_eq!((behind, started), (NICENESS.max(own), NICENESS.max(own)));
        assert_eq!(niceness(), own);
    }
}
