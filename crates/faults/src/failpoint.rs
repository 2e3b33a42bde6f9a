//! Places at which a test makes the program die.
//!
//! In debug builds the environment variable `LOPPER_FAILPOINT=NAME:N` aborts the process when it passes the point NAME for the N-th time. What
//! the process has written is then on disk or with the system, and nothing else of it is left: what a kill at that place leaves. In release
//! builds there is nothing of this.

/// All points: around what is written, synced and renamed, in the order in which a commit passes them.
pub const POINTS: [&str; 26] = [
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
    "backup.chunk",
    "backup.chunks",
    "backup.manifest",
    "push.page",
    "push.before-commit",
    "push.committed",
];

/// Passes the point `name`, one of [`POINTS`].
#[inline]
pub fn pass(name: &str) {
    #[cfg(debug_assertions)]
    armed::pass(name);
    #[cfg(not(debug_assertions))]
    let _ = name;
}

/// Does harm where `name` has the text that `LOPPER_POISON=HARM:TEXT` tells: `hang`, `abort`, or `grow` in memory without end. For tests of
/// who watches over the process; in release builds there is nothing of this.
#[inline]
pub fn poison(name: &str) {
    #[cfg(debug_assertions)]
    armed::poison(name);
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

    static POISON: LazyLock<Option<(String, String)>> = LazyLock::new(|| {
        let setting = std::env::var("LOPPER_POISON").ok()?;
        setting.split_once(':').map(|(harm, text)| (harm.to_owned(), text.to_owned()))
    });

    pub(super) fn poison(name: &str) {
        match &*POISON {
            Some((harm, text)) if name.contains(text) => harm_by(harm),
            _ => {}
        }
    }

    fn harm_by(harm: &str) {
        let mut grown = Vec::new();
        loop {
            match harm {
                "abort" => std::process::abort(),
                "grow" => grown.push(vec![1u8; 16 << 20]),
                _ => {}
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }

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
