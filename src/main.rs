//! The `lopper` program.

use std::process::ExitCode;

/// Trees are many small allocations; see docs/PERFORMANCE.md for what this allocator saves.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    lopper::telemetry::start();
    lopper::cli::main()
}
