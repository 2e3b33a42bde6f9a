//! Work that searches go before: threads of low priority.
//!
//! Who posts pages waits for a disk anyway, who searches waits for the processor. So pages are analysed, indexed and merged by threads that
//! get little of it while searches need it, and all that these leave.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use tokio::sync::oneshot;

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

type Task = Box<dyn FnOnce() + Send>;

/// Threads that give way. They end with the last handle.
pub(crate) struct Background(Mutex<Sender<Task>>);

impl Background {
    /// Starts so many threads.
    pub(crate) fn start(threads: usize) -> Self {
        let (sender, receiver) = channel();
        let receiver = Arc::new(Mutex::new(receiver));
        for _ in 0..threads.max(1) {
            let receiver = Arc::clone(&receiver);
            thread::spawn(move || run(&receiver));
        }
        Self(Mutex::new(sender))
    }

    /// What `work` gives, when its turn has come; nothing where it panicked.
    pub(crate) async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let (reply, answer) = oneshot::channel();
        let task: Task = Box::new(move || drop(reply.send(work())));
        self.0.lock().unwrap_or_else(PoisonError::into_inner).send(task).ok()?;
        answer.await.ok()
    }
}

fn run(tasks: &Mutex<Receiver<Task>>) {
    give_way();
    loop {
        let next = tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(task) = next else { return };
        // What it panicked of is told where its answer is missing.
        drop(std::panic::catch_unwind(std::panic::AssertUnwindSafe(task)));
    }
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

    #[test]
    fn work_is_done_whatever_panicked_before() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let background = Background::start(1);
        assert_eq!(runtime.block_on(background.run(|| panic!("on purpose"))), None::<()>);
        assert_eq!(runtime.block_on(background.run(|| 7)), Some(7));
    }
}
