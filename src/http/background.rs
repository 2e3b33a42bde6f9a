//! Threads for work that searches go before.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use tokio::sync::oneshot;

use crate::priority::give_way;

type Task = Box<dyn FnOnce() + Send>;

/// Threads that give way. They end with the last handle.
pub(super) struct Background(Mutex<Sender<Task>>);

impl Background {
    /// Starts so many threads.
    pub(super) fn start(threads: usize) -> Self {
        let (sender, receiver) = channel();
        let receiver = Arc::new(Mutex::new(receiver));
        for _ in 0..threads.max(1) {
            let receiver = Arc::clone(&receiver);
            thread::spawn(move || run(&receiver));
        }
        Self(Mutex::new(sender))
    }

    /// What `work` gives, when its turn has come; nothing where it panicked.
    pub(super) async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
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

    #[test]
    fn work_is_done_whatever_panicked_before() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let background = Background::start(1);
        assert_eq!(runtime.block_on(background.run(|| panic!("on purpose"))), None::<()>);
        assert_eq!(runtime.block_on(background.run(|| 7)), Some(7));
    }
}
