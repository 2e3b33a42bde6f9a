//! Which engine holds the blocks, and `lopper engine`.

use std::env;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use lopper_collection::DataFolder;
use lopper_index::engine::{BlockEngine, BytesKeeper};
use lopper_remote::{EngineKind, RemoteEngine, RemoteSettings};
use tempfile::TempDir;
use url::Url;

use super::data_folder;
use super::output::Output;
use crate::config::{Config, INDEX_NAME_DEFAULT, IndexKind};

#[derive(Debug, clap::Subcommand)]
pub(super) enum EngineCommand {
    /// Write a block into a generation of its own, find it, delete it, and tell how long that took
    Check,
    /// Drop a generation of the collection, with all that is in it
    Drop(DropArgs),
}

#[derive(Debug, clap::Args)]
pub(super) struct DropArgs {
    /// Name of the generation
    #[arg(value_name = "GENERATION")]
    generation: String,
}

/// A collection that is read, wherever its blocks are.
pub(super) struct Opened {
    pub(super) collection: Arc<DataFolder>,
    /// What stands in for the data folder of a collection in an engine.
    _scratch: Option<TempDir>,
}

pub(super) fn run(command: &EngineCommand, config: &Config) -> Result<ExitCode> {
    let settings = wanted_settings(config)?;
    let mut out = Output::of("the engine");
    match command {
        EngineCommand::Check => {
            let check = RemoteEngine::check(&settings)?;
            let commit = format!("a commit takes {} ms, a search {} ms", check.commit_ms, check.search_ms);
            writeln!(out, "{} at {}: a block was written, found and deleted; {commit}", check.engine, settings.url)?;
        }
        EngineCommand::Drop(DropArgs { generation }) => {
            RemoteEngine::drop_generation(RemoteSettings { generation: generation.clone(), ..settings.clone() })?;
            writeln!(out, "generation {generation} of {} is dropped", settings.name)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether the blocks are in an engine that is not the one inside.
pub(super) fn is_elsewhere(config: &Config) -> bool {
    setting("LOPPER_INDEX_KIND").map_or(config.index.kind != IndexKind::Embedded, |kind| kind != "embedded")
}

/// Where the engine is that the settings name; an error where they name none.
pub(super) fn wanted_settings(config: &Config) -> Result<RemoteSettings> {
    let advice = "set `kind` in the table `[index]` of lopper.toml, or LOPPER_INDEX_KIND, to quickwit or elasticsearch";
    remote_settings(config)?.ok_or_else(|| anyhow!("the settings name no engine: {advice}"))
}

/// Environment, then file.
fn remote_settings(config: &Config) -> Result<Option<RemoteSettings>> {
    let own = &config.index;
    let kind = match (setting("LOPPER_INDEX_KIND").as_deref(), own.kind) {
        (Some("embedded"), _) | (None, IndexKind::Embedded) => return Ok(None),
        (Some(name), _) => name.parse().map_err(|error: String| anyhow!("LOPPER_INDEX_KIND: {error}"))?,
        (None, IndexKind::Quickwit) => EngineKind::Quickwit,
        (None, IndexKind::Elasticsearch) => EngineKind::Elasticsearch,
    };
    let Some(url) = setting("LOPPER_INDEX_URL").or_else(|| own.url.clone()) else {
        bail!("the engine's address is missing: set `url` in the table `[index]`, or LOPPER_INDEX_URL");
    };
    if !["http://", "https://"].iter().any(|scheme| url.starts_with(scheme)) {
        bail!("the engine's address {url} has no scheme: write it like http://127.0.0.1:7280");
    }
    // Addresses are told in messages and logs.
    if Url::parse(&url).is_ok_and(|url| !url.username().is_empty() || url.password().is_some()) {
        bail!(
            "the engine's address has a user or a password in it: leave them out, and set LOPPER_INDEX_AUTHORIZATION"
        );
    }
    let name = setting("LOPPER_INDEX_NAME").or_else(|| own.name.clone());
    let mut settings = RemoteSettings::new(kind, &url, name.as_deref().unwrap_or(INDEX_NAME_DEFAULT));
    if let Some(generation) = setting("LOPPER_INDEX_GENERATION").or_else(|| own.generation.clone()) {
        settings.generation = generation;
    }
    settings.force = own.force;
    settings.authorization = setting("LOPPER_INDEX_AUTHORIZATION");
    settings.check()?;
    Ok(Some(settings))
}

fn setting(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// Opens what the settings name for reading: a data folder, or a collection in an engine, which needs no folder.
pub(super) fn open_to_read(flag: Option<&PathBuf>, config: &Config) -> Result<Opened> {
    let Some(settings) = remote_settings(config)? else {
        let collection = DataFolder::open_to_read(&data_folder(flag, config))?;
        return Ok(Opened { collection: Arc::new(collection), _scratch: None });
    };
    let engine = Arc::new(RemoteEngine::open(settings)?);
    let scratch = tempfile::tempdir().context("cannot make a temporary folder")?;
    let (blocks, keeper): (Arc<dyn BlockEngine>, Arc<dyn BytesKeeper>) = (engine.clone(), engine);
    let collection = Arc::new(DataFolder::open_elsewhere(scratch.path(), blocks, keeper)?);
    Ok(Opened { collection, _scratch: Some(scratch) })
}
