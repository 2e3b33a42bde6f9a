//! `lopper extract`.

use std::process::ExitCode;

use anyhow::Result;

use super::args::ExtractArgs;
use crate::config::Config;

pub(super) fn run(_args: &ExtractArgs, _config: &Config) -> Result<ExitCode> {
    anyhow::bail!("extract comes with the next commit")
}
