//! `lopper migrate`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use lopper_collection::index_path;
use lopper_index::{BlockIndex, IndexError};
use lopper_migrations::{DATA_VERSION, REGISTRY, State, check};
use lopper_store::StoreError;

use super::args::MigrateArgs;
use super::data_folder;
use super::output::Output;
use crate::config::Config;

pub(super) fn run(args: &MigrateArgs, config: &Config) -> Result<ExitCode> {
    let data = data_folder(args.data.data.as_ref(), config);
    if check(&data)? == State::Fresh {
        return Err(StoreError::NoData { data }.into());
    }
    let steps = REGISTRY.migrate(&data)?;
    let mut out = Output::of("the steps done");
    for step in &steps {
        writeln!(out, "Upgraded to version {}: {}", step.to, step.name)?;
    }
    writeln!(out, "{} has data version {DATA_VERSION}", data.display())?;
    let index = BlockIndex::open_to_read(index_path(&data));
    if let Err(IndexError::OtherFormat { .. }) = index {
        let data = data.display();
        writeln!(
            out,
            "Its index is of an older format: `lopper rebuild --data {data}` makes it anew, and so does the next ingest"
        )?;
    }
    Ok(ExitCode::SUCCESS)
}
