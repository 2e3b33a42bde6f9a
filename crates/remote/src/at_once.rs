//! Requests that are made at the same time.

use crate::error::RemoteError;

/// So many are made at the same time.
pub(crate) const AT_ONCE: usize = 8;

/// Asks for each, all at the same time: at most [`AT_ONCE`].
pub(crate) fn ask_at_once<Q: Sync, A: Send>(
    asked: &[Q],
    ask: impl Fn(&Q) -> Result<A, RemoteError> + Sync,
) -> Vec<Result<A, RemoteError>> {
    if let [one] = asked {
        return vec![ask(one)];
    }
    std::thread::scope(|scope| {
        let ask = &ask;
        let threads: Vec<_> = asked.iter().map(|one| scope.spawn(move || ask(one))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| Err(panicked()))).collect()
    })
}

fn panicked() -> RemoteError {
    RemoteError::Strange { url: String::new(), what: "a count was not ended".to_owned() }
}
