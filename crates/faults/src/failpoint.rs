//! Places at which a test makes the program die.
//!
//! In debug builds the environment variable `LOPPER_FAILPOINT=NAME:N` aborts the process when it passes the point NAME for the N-th time. What
//! the process has written is then on disk or with the system, and nothing else of it is left: what a kill at that place leaves. In release
//! builds there is nothing of this.

/// All points: around what is written, synced and renamed, in the order in which a commit passes them.
pub const POINTS: [&str; 20] = [
    "file.made",
    "store.appended",
    "store.synced",
    "file.written",
    "file.synced",
    "file.renamed",
    "store.statistics",
    "store.rows",
    "database.applied",
    "database.flushed",
    "store.published",
    "store.sequence",
    "collection.between",
    "index.prepared",
    "index.committed",
    "collection.committed",
    "rebuild.filled",
    "rebuild.ready",
    "rebuild.removed",
    "rebuild.moved",
];

/// Passes the point `name`, one of [`POINTS`].
#[inline]
pub fn pass(name: &str) {
    #[cfg(debug_assertions)]
    armed::pass(name);
    #[cfg(not(debug_assertions))]
    let _ = name;
}

#[cfg(debug_assertions)]
mod armed {
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    struct Armed {
        name: String,
        left: AtomicU64,
    }

    static ARMED: LazyLock<Option<Armed>> = LazyLock::new(|| {
        let setting = std::env::var("LOPPER_FAILPOINT").ok()?;
        let (name, number) = setting.split_once(':')?;
        Some(Armed { name: name.to_owned(), left: AtomicU64::new(number.parse().ok()?) })
    });

    pub(super) fn pass(name: &str) {
        debug_assert!(super::POINTS.contains(&name), "{name} is listed");
        if let Some(armed) = &*ARMED
            && armed.name == name
            && armed.left.fetch_sub(1, Ordering::AcqRel) == 1
        {
            std::process::abort();
        }
    }
}
