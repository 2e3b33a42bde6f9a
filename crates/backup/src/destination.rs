//! Where a backup is kept.

use std::collections::BTreeMap;
use std::io;

/// Named pieces of bytes of at most some megabytes. Names are ASCII with `/` between their parts. A bucket can be one as well as a folder.
pub trait Destination {
    /// Lengths of all pieces whose names begin with `prefix`, which ends in `/`.
    ///
    /// # Errors
    ///
    /// What the system says; so of the other functions.
    fn list(&self, prefix: &str) -> io::Result<BTreeMap<String, u64>>;

    /// A piece, `None` where there is none of that name.
    ///
    /// # Errors
    ///
    /// As of [`list`](Self::list).
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>>;

    /// Writes a piece durably: after a crash it is there whole, or not at all, or as it was before.
    ///
    /// # Errors
    ///
    /// As of [`list`](Self::list).
    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()>;

    /// Removes a piece; that there is none is no error.
    ///
    /// # Errors
    ///
    /// As of [`list`](Self::list).
    fn remove(&self, name: &str) -> io::Result<()>;

    /// Keeps others from writing as long as what is given back lives.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::WouldBlock`] where another one writes.
    fn lock(&self) -> io::Result<Box<dyn Held>>;
}

/// A lock that is held until it is dropped.
pub trait Held: Send {
    /// Whether it is held still. To be asked before what must not happen beside another writer.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::WouldBlock`] where others may take it for free by now.
    fn check(&self) -> io::Result<()>;
}
