//! What goes wrong on purpose and what must not go further: [`guard`] turns the panics of engines on damaged files into errors,
//! [`failpoint`] names the places at which a test kills the program, [`disk`] tells a full disk from other failures and makes
//! names durable.
//!
//! ```
//! use lopper_faults::guard::guarded;
//!
//! assert_eq!(guarded(|| 7), Ok(7));
//! ```

#![forbid(unsafe_code)]

pub mod disk;
pub mod failpoint;
pub mod guard;
