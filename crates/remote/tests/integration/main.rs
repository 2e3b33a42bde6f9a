//! The adapter against a strict stand-in of both dialects, and against a live engine where `LOPPER_TEST_ENGINE_URL` names one.

#[path = "../../../../index/tests/integration/conformance.rs"]
mod conformance;
mod engines;
mod faults;
#[path = "../../../../index/tests/integration/naive/mod.rs"]
#[allow(dead_code)] // Of the other crate's tests; not all of it is asked here.
mod naive;
mod requests;
#[path = "../../../../index/tests/integration/support.rs"]
#[allow(dead_code)] // Of the other crate's tests; not all of it is asked here.
mod support;
mod transcripts;
