//! The `lopper` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    lopper::telemetry::start();
    lopper::cli::main()
}
