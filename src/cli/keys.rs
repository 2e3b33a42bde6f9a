//! `lopper keys`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Result, bail};
use lopper_collection::DataFolder;
use lopper_store::Store;
use time::format_description::well_known::Rfc3339;
use time::{Date, OffsetDateTime, macros::format_description};

use super::args::DataArgs;
use super::data_folder;
use super::output::{Output, printable};
use crate::config::Config;
use crate::keys::{Key, Keys, Scope};

#[derive(Debug, clap::Subcommand)]
pub(super) enum KeysCommand {
    /// Make a key, and show it this once
    Add(AddArgs),
    /// List the keys: what they allow, until when
    List(ListArgs),
    /// Take a key back: it is refused from now on, also by a server that runs
    Remove(RemoveArgs),
}

#[derive(Debug, clap::Args)]
pub(super) struct AddArgs {
    #[command(flatten)]
    data: DataArgs,
    /// What it allows: read, ingest, admin (all of it, and deleting); several with commas
    #[arg(long, value_name = "SCOPES", value_delimiter = ',', default_value = "read")]
    scope: Vec<Scope>,
    /// The collections that it is for, several with commas; `default` is the folder's own [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    collection: Vec<String>,
    /// Last day, like 2027-01-31 [default: none]
    #[arg(long, value_name = "DAY", value_parser = day)]
    expires: Option<Date>,
    /// Whose it is, or what for
    name: String,
}

#[derive(Debug, clap::Args)]
pub(super) struct ListArgs {
    #[command(flatten)]
    data: DataArgs,
}

#[derive(Debug, clap::Args)]
pub(super) struct RemoveArgs {
    #[command(flatten)]
    data: DataArgs,
    /// Its id in the list
    id: String,
}

fn day(text: &str) -> Result<Date, String> {
    Date::parse(text, format_description!("[year]-[month]-[day]"))
        .map_err(|_| "it must be a day like 2027-01-31".to_owned())
}

pub(super) fn run(command: &KeysCommand, config: &Config) -> Result<ExitCode> {
    match command {
        KeysCommand::Add(args) => add(args, config)?,
        KeysCommand::List(args) => list(args, config)?,
        KeysCommand::Remove(args) => remove(args, config)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn add(args: &AddArgs, config: &Config) -> Result<()> {
    let data = data_folder(args.data.data.as_ref(), config);
    if Store::must_exist(&data).is_err() {
        // A folder for a server that is yet to be started.
        drop(DataFolder::open_to_write(&data, config.extract)?);
    }
    let mut keys = Keys::read(&data)?;
    let end = args.expires.and_then(Date::next_day).map(|day| day.midnight().assume_utc().unix_timestamp());
    let key = keys.add(&args.name, &args.scope, OffsetDateTime::now_utc().unix_timestamp(), end)?;
    if !args.collection.is_empty() {
        keys.bind_last(args.collection.clone());
    }
    keys.write(&data)?;
    let mut out = Output::of("the key");
    writeln!(out, "{key}")?;
    eprintln!("This is the only time that it is shown. From now on every request to this collection needs a key.");
    Ok(())
}

fn list(args: &ListArgs, config: &Config) -> Result<()> {
    let data = data_folder(args.data.data.as_ref(), config);
    Store::must_exist(&data)?;
    let keys = Keys::read(&data)?.keys;
    let mut out = Output::of("the list");
    if keys.is_empty() {
        writeln!(out, "There is no key")?;
    }
    for Key { id, name, scopes, collections, expires_at, .. } in keys {
        let scopes = scopes.iter().map(|scope| scope.name()).collect::<Vec<_>>().join(",");
        let end = expires_at.and_then(|end| OffsetDateTime::from_unix_timestamp(end).ok()?.format(&Rfc3339).ok());
        let end = end.map(|end| format!("until {end}")).unwrap_or_default();
        let only = collections.map(|names| format!("  for {}", names.join(","))).unwrap_or_default();
        writeln!(out, "{id}  {scopes:<18}  {}{}  {end}", printable(&name), printable(&only))?;
    }
    Ok(())
}

fn remove(args: &RemoveArgs, config: &Config) -> Result<()> {
    let data = data_folder(args.data.data.as_ref(), config);
    Store::must_exist(&data)?;
    let mut keys = Keys::read(&data)?;
    if !keys.remove(&args.id) {
        bail!("there is no key {}; `lopper keys list` lists them", printable(&args.id));
    }
    keys.write(&data)?;
    writeln!(Output::of("the answer"), "Removed")?;
    Ok(())
}
