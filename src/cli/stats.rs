//! `lopper stats`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use lopper_archive::page::PageId;
use lopper_collection::DataFolder;
use lopper_store::{RecordSums, StateKind, Store, StoreStatistics};
use serde::Serialize;
use serde_json::Value;

use super::args::{StatsArgs, StatsFormat};
use super::data_folder;
use super::output::{Output, bytes, counted, grouped};
use crate::config::Config;

pub(super) fn run(args: &StatsArgs, config: &Config) -> Result<ExitCode> {
    let data = data_folder(args.data.data.as_ref(), config);
    let collection = DataFolder::open_to_read(&data)?;
    let stats = collection.stats();
    let sums = collection.store().sums()?;
    let near = if args.near_duplicates { Some(Near::read(collection.store())?) } else { None };
    let mut out = Output::of("the figures");
    match args.format {
        StatsFormat::Json => writeln!(out, "{}", json(&stats, &sums, near.as_ref())?)?,
        StatsFormat::Text => {
            writeln!(out, "Data folder   {} (version {})", data.display(), stats.data_version)?;
            writeln!(out, "Pages         {} ({} distinct)", grouped(stats.pages), grouped(stats.distinct_pages))?;
            writeln!(out, "Blocks        {} of {} text runs", grouped(stats.blocks), grouped(stats.runs))?;
            writeln!(out, "Hosts         {}", grouped(stats.hosts))?;
            writeln!(out, "HTML          {}", bytes(stats.bytes))?;
            let kept = (grouped(stats.bodies), bytes(stats.bodies_bytes));
            writeln!(out, "Kept bodies   {} in {}", kept.0, kept.1)?;
            let captures = stats.pages + stats.revisits;
            let duplicates = counted(stats.duplicates, "duplicate", "duplicates");
            let revisits = counted(stats.revisits, "revisit", "revisits");
            writeln!(out, "Captures      {} ({duplicates}, {revisits})", grouped(captures))?;
            writeln!(out, "Records       {}", grouped(sums.records()))?;
            for kind in StateKind::ALL {
                writeln!(out, "  {kind:<10}  {}", grouped(sums.in_state(kind)))?;
            }
            if let Some(near) = &near {
                near.write(&mut out)?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Groups of near-identical pages that are shown.
const GROUPS_SHOWN: usize = 10;

/// Pages of a group that are shown.
const PAGES_SHOWN: usize = 3;

/// What is shown of near-identical pages.
#[derive(Debug, Serialize)]
struct Near {
    /// Pages that have a near-identical one.
    pages: u64,
    groups: u64,
    largest: Vec<Group>,
}

/// A group with some of its pages.
#[derive(Debug, Serialize)]
struct Group {
    pages: u64,
    urls: Vec<String>,
}

impl Near {
    fn read(store: &Store) -> Result<Self> {
        let groups = store.near_duplicates()?;
        let url = |id: &PageId| Ok(store.page(*id)?.map(|page| page.url));
        let group = |ids: &Vec<PageId>| {
            let urls: Result<Vec<Option<String>>> = ids.iter().take(PAGES_SHOWN).map(url).collect();
            Ok(Group { pages: ids.len() as u64, urls: urls?.into_iter().flatten().collect() })
        };
        Ok(Self {
            pages: groups.iter().map(|ids| ids.len() as u64).sum(),
            groups: groups.len() as u64,
            largest: groups.iter().take(GROUPS_SHOWN).map(group).collect::<Result<_>>()?,
        })
    }

    fn write(&self, out: &mut impl Write) -> Result<()> {
        writeln!(out, "Nearly alike  {} pages in {} groups", grouped(self.pages), grouped(self.groups))?;
        for group in &self.largest {
            writeln!(out, "  {} pages: {}", grouped(group.pages), group.urls.join(" "))?;
        }
        Ok(())
    }
}

/// The store's figures, with the sums over all records.
fn json(stats: &StoreStatistics, sums: &RecordSums, near: Option<&Near>) -> Result<Value> {
    let mut value = serde_json::to_value(stats)?;
    if let Value::Object(fields) = &mut value {
        fields.insert("records".to_owned(), sums.records().into());
        fields.insert("sums".to_owned(), serde_json::to_value(sums)?);
        if let Some(near) = near {
            fields.insert("near_duplicates".to_owned(), serde_json::to_value(near)?);
        }
    }
    Ok(value)
}
