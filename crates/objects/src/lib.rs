//! Object storage that speaks S3, and files behind `http(s)://` URLs, for programs that wait.
//!
//! ```no_run
//! use lopper_objects::{Bucket, BucketAddress, Settings, Written};
//!
//! # fn main() -> Result<(), lopper_objects::ObjectError> {
//! let bucket = Bucket::open(&BucketAddress::parse("s3://crawls/parts")?, &Settings::from_env())?;
//! assert!(matches!(bucket.create("one", b"bytes".to_vec())?, Written::Created { .. }));
//! assert_eq!(bucket.create("one", b"other".to_vec())?, Written::Existing);
//! assert_eq!(bucket.read("one")?.as_deref(), Some(&b"bytes"[..]));
//! # Ok(())
//! # }
//! ```
//!
//! Nothing is async outside: a runtime of its own does that, so no function may be called from within another one. Requests are tried again
//! for about a minute and a half when a server is busy or a connection breaks; a stream goes on at the byte where it broke.
//! No error has a credential in it: neither headers nor what a server answers are passed on, only its code and message.

#![forbid(unsafe_code)]

mod address;
mod bucket;
mod error;
mod reader;
mod runtime;
mod settings;
mod upload;
mod web;

pub use address::{BucketAddress, is_s3, is_web, without_secrets};
pub use bucket::{Bucket, Listed, READ_BYTES_MAX, Versioned, Written};
pub use error::{ObjectError, Reason};
pub use reader::{Expected, ObjectReader};
pub use settings::Settings;
pub use upload::SINGLE_BYTES_MAX;
pub use web::WebFile;
