//! The `lopper` program.

use std::process::ExitCode;

/// Trees are many small allocations. What this allocator saves and costs is in docs/PERFORMANCE.md.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let _telemetry = lopper::telemetry::start();
    lopper::cli::main()
}
