//! `lopper keys`.

use std::io::Write;
use std::num::NonZeroU32;
use std::process::ExitCode;

use anyhow::{Result, bail};
use lopper_collection::{DataFolder, rfc_3339};
use lopper_store::Store;
use time::{Date, OffsetDateTime, macros::format_description};

use super::args::DataArgs;
use super::data_folder;
use super::output::{Output, printable};
use super::usage::Usage;
use crate::allowance::{Allowance, Rate};
use crate::config::Config;
use crate::keys::{Key, Keys, Scope};

#[derive(Debug, clap::Subcommand)]
pub(super) enum KeysCommand {
    /// Make a key, and show it this once
    Add(AddArgs),
    /// Change what a key may ask for in a time; what is not named is as the settings say
    Limit(LimitArgs),
    /// List the keys: what they allow, until when, and how much
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
    #[command(flatten)]
    allowance: AllowanceArgs,
    /// Whose it is, or what for
    name: String,
}

/// What a key may ask for.
#[derive(Debug, Clone, Copy, clap::Args)]
struct AllowanceArgs {
    /// Requests a second, as 5 or 0.5 [default: as the settings say]
    #[arg(long, value_name = "N")]
    rate: Option<Rate>,
    /// Requests that may come at once after a rest [default: those of two seconds]
    #[arg(long, value_name = "N", requires = "rate")]
    burst: Option<NonZeroU32>,
    /// Requests that are answered at the same time [default: as the settings say]
    #[arg(long, value_name = "N")]
    at_work: Option<NonZeroU32>,
}

impl From<AllowanceArgs> for Allowance {
    fn from(args: AllowanceArgs) -> Self {
        Self { rate: args.rate, burst: args.burst, at_work_max: args.at_work }
    }
}

#[derive(Debug, clap::Args)]
pub(super) struct LimitArgs {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    allowance: AllowanceArgs,
    /// Its id in the list
    id: String,
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
        KeysCommand::Limit(args) => limit(args, config)?,
        KeysCommand::List(args) => list(args, config)?,
        KeysCommand::Remove(args) => remove(args, config)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn add(args: &AddArgs, config: &Config) -> Result<()> {
    let data = data_folder(args.data.data.as_ref(), config);
    let now = OffsetDateTime::now_utc().unix_timestamp();
    let end = args.expires.and_then(Date::next_day).map(|day| day.midnight().assume_utc().unix_timestamp());
    if end.is_some_and(|end| end <= now) {
        bail!(Usage("--expires: that day is over, so the key would never be good"));
    }
    if Store::must_exist(&data).is_err() {
        // A folder for a server that is yet to be started.
        drop(DataFolder::open_to_write(&data, config.extract)?);
    }
    let mut keys = Keys::read(&data)?;
    let key = keys.add(&args.name, &args.scope, now, end)?;
    if !args.collection.is_empty() {
        keys.bind_last(args.collection.clone());
    }
    if let Some(id) = keys.keys.last().map(|key| key.id.clone()) {
        keys.limit(&id, args.allowance.into());
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
    let now = OffsetDateTime::now_utc().unix_timestamp();
    for Key { id, name, scopes, collections, expires_at, allowance, .. } in keys {
        let scopes = scopes.iter().map(|scope| scope.name()).collect::<Vec<_>>().join(",");
        let end = expires_at.and_then(rfc_3339);
        let is_over = expires_at.is_some_and(|end| end <= now);
        let end = end.map(|end| format!("{} {end}", if is_over { "ended" } else { "until" })).unwrap_or_default();
        let only = collections.map(|names| format!("  for {}", names.join(","))).unwrap_or_default();
        let limited = if allowance.is_unlimited() { String::new() } else { format!("  {allowance}") };
        writeln!(out, "{id}  {scopes:<18}  {}{}{limited}  {end}", printable(&name), printable(&only))?;
    }
    Ok(())
}

fn limit(args: &LimitArgs, config: &Config) -> Result<()> {
    let data = data_folder(args.data.data.as_ref(), config);
    Store::must_exist(&data)?;
    let mut keys = Keys::read(&data)?;
    if !keys.limit(&args.id, args.allowance.into()) {
        bail!("there is no key {}; `lopper keys list` lists them", printable(&args.id));
    }
    keys.write(&data)?;
    writeln!(Output::of("the answer"), "Changed")?;
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
    if keys.keys.is_empty() {
        eprintln!("lopper: note: no key is left: whoever reaches the service's loopback address may do everything");
    }
    Ok(())
}
