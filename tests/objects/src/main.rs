//! The `lopper` program, for the tests of this package.

use std::process::ExitCode;

fn main() -> ExitCode {
    lopper::telemetry::start();
    lopper::cli::main()
}
