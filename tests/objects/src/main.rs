//! The `lopper` program, for the tests of this package.

use std::process::ExitCode;

fn main() -> ExitCode {
    let _telemetry = lopper::telemetry::start();
    lopper::cli::main()
}
