//! `lopper migrate`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use lopper_migrations::{DATA_VERSION, REGISTRY};

use super::args::MigrateArgs;
use super::data_folder;
use super::output::Output;
use crate::config::Config;

pub(super) fn run(args: &MigrateArgs, config: &Config) -> Result<ExitCode> {
    let data = data_folder(args.data.data.as_ref(), config);
    let steps = REGISTRY.migrate(&data)?;
    let mut out = Output::of("the steps done");
    for step in &steps {
        writeln!(out, "Upgraded to version {}: {}", step.to, step.name)?;
    }
    writeln!(out, "{} has data version {DATA_VERSION}", data.display())?;
    Ok(ExitCode::SUCCESS)
}
