//! Flags of `lopper delete` and `lopper takedowns`.

use std::path::PathBuf;

use lopper_archive::page::PageId;
use lopper_collection::Selection;

use super::args::{DataArgs, StatsFormat};

#[derive(Debug, clap::Args)]
pub(super) struct DeleteArgs {
    #[command(flatten)]
    pub(super) data: DataArgs,
    #[command(flatten)]
    selection: SelectionArgs,
    /// Count only: nothing is deleted
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Why, for the list of takedowns
    #[arg(long, value_name = "TEXT")]
    pub(super) note: Option<String>,
    /// Form of the report
    #[arg(long, value_enum, default_value_t = StatsFormat::Text)]
    pub(super) format: StatsFormat,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct SelectionArgs {
    /// One capture, by the id that answers give
    #[arg(long, value_name = "ID")]
    page: Option<PageId>,
    /// All captures of a URL
    #[arg(long)]
    url: Option<String>,
    /// All pages whose URL begins so
    #[arg(long, value_name = "URL")]
    prefix: Option<String>,
    /// All pages of a host, without those of hosts below it
    #[arg(long)]
    host: Option<String>,
    /// All pages that were last read from an archive: its path as `lopper ingest report` shows it, the end of that, or its id
    #[arg(long, value_name = "PATH")]
    archive: Option<PathBuf>,
    /// The pages with a block that matches every part of a query
    #[arg(long)]
    query: Option<String>,
}

impl DeleteArgs {
    pub(super) fn selection(&self) -> Option<Selection> {
        let SelectionArgs { page, url, prefix, host, archive, query } = &self.selection;
        let texts = [
            url.clone().map(Selection::Url),
            prefix.clone().map(Selection::UrlPrefix),
            host.clone().map(Selection::Host),
            query.clone().map(Selection::Query),
        ];
        let others = [page.map(Selection::Page), archive.clone().map(Selection::Archive)];
        texts.into_iter().chain(others).flatten().next()
    }
}

#[derive(Debug, clap::Args)]
pub(super) struct TakedownsArgs {
    #[command(subcommand)]
    pub(super) command: Option<TakedownsCommand>,
    /// Data folder [default: ./lopper-data]
    #[arg(long, env = "LOPPER_DATA", value_name = "DIR", global = true)]
    pub(super) data: Option<PathBuf>,
    /// Form of the list
    #[arg(long, value_enum, default_value_t = StatsFormat::Text)]
    pub(super) format: StatsFormat,
}

#[derive(Debug, clap::Subcommand)]
pub(super) enum TakedownsCommand {
    /// Lift a takedown: HTML files that it kept out come back with the next ingest, archives with `lopper ingest --again`
    Lift(LiftArgs),
}

#[derive(Debug, clap::Args)]
pub(super) struct LiftArgs {
    /// Its number in the list
    pub(super) number: u64,
}
