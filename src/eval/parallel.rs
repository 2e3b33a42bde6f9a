//! The same work for many things, on all cores.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// `work` of every item, in the items' order; the first error ends the thread that met it.
pub(super) fn in_parallel<T: Sync, R: Send, E: Send>(
    items: &[T],
    work: impl Fn(&T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let next = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let run = || {
        let mut done = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(place) else { return Ok(done) };
            done.push((place, work(item)?));
        }
    };
    let mut done = thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        let mut all = Vec::with_capacity(items.len());
        for thread in running {
            all.extend(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
        }
        Ok(all)
    })?;
    done.sort_unstable_by_key(|(place, _)| *place);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order() {
        let items: Vec<u32> = (0..1000).collect();
        assert_eq!(in_parallel(&items, |item| Ok::<_, ()>(item + 1)), Ok((1..=1000).collect()));
        assert_eq!(in_parallel(&items, |item| if *item == 500 { Err(*item) } else { Ok(()) }), Err(500));
    }
}
