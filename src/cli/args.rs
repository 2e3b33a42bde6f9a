//! Commands and their flags. Names are a contract: they stay.

use std::net::SocketAddr;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};

pub(super) use super::delete_args::{DeleteArgs, TakedownsArgs};
pub(super) use super::eval_args::{EvalCommand, EvalExtractionArgs, EvalPruningArgs, EvalRetrievalArgs, ScoreFormat};
pub(super) use super::extract_args::ExtractArgs;
pub(super) use super::search_args::{SearchArgs, SearchFormat};
use lopper_content::cst::Profile;
use lopper_content::prune::PruneRule;
use lopper_store::StateKind;

use super::backup::BackupCommand;
use super::blocks::BlocksArgs;
use super::completions::{CompletionsArgs, ManArgs};
use super::engine::EngineCommand;
use super::keys::KeysCommand;
pub(super) use super::mcp::McpArgs;
pub(super) use super::push::PushArgs;
pub(super) use super::serve::ServeArgs;
pub(super) use super::worker::{MergeCountsArgs, WorkerArgs};

/// Indexes web archives by the blocks of their pages, and finds the block that answers.
#[derive(Debug, Parser)]
#[command(name = "lopper", version, max_term_width = 110, after_help = EXIT_CODES)]
pub(super) struct Args {
    /// Configuration file [default: lopper.toml in the working folder, if there is one]
    #[arg(long, env = "LOPPER_CONFIG", global = true, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    #[command(subcommand)]
    pub(super) command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 success, 1 failure, 2 wrong usage, 130 stopped by Ctrl-C.
Settings: flag, then environment (LOPPER_DATA, LOPPER_LISTEN …), then lopper.toml, then default.
Logs go to standard error; LOPPER_LOG=info|debug shows more of them, LOPPER_LOG_FORMAT=json as JSON.";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Ingest the bundled archive, answer sample queries, then serve the search page
    Demo(DemoArgs),
    /// Index archives (WARC, ARC, WACZ, HAR, MHTML, ZIM, zip …), HTML files and folders of them; `-` for standard input
    Ingest(IngestArgs),
    /// Make parts of archives, in any number of processes and machines, for `lopper ingest` and other programs
    Worker(WorkerArgs),
    /// Add up the counts of parts
    MergeCounts(MergeCountsArgs),
    /// Find the blocks that answer a query
    Search(SearchArgs),
    /// Print the main content of pages
    Extract(ExtractArgs),
    /// Print what each method keeps of one page, and how far they agree
    Compare(CompareArgs),
    /// Measure extraction and search against labels
    #[command(subcommand)]
    Eval(EvalCommand),
    /// Show the content structure tree of a page: weights, similarities, what is kept and why
    Tree(TreeArgs),
    /// Serve search over HTTP, with a search page
    Serve(ServeArgs),
    /// Answer a language model's client on standard input and output (Model Context Protocol)
    Mcp(McpArgs),
    /// Make, list and take back keys for the HTTP service
    #[command(subcommand)]
    Keys(KeysCommand),
    /// Put the collection into the engine that the settings name, or what changed of it
    Push(PushArgs),
    /// Try the engine that the settings name, or drop a generation of the collection in it
    #[command(subcommand)]
    Engine(EngineCommand),
    /// Write all blocks with where they come from, a JSON object a line
    Blocks(BlocksArgs),
    /// Show what is in the data folder
    Stats(StatsArgs),
    /// Make the index anew from what is kept: after a change of settings or version, or after damage
    Rebuild(RebuildArgs),
    /// Delete pages, and keep them out until that is lifted
    Delete(DeleteArgs),
    /// List what was deleted and is kept out, or lift one of these
    Takedowns(TakedownsArgs),
    /// Give back the room of deleted and replaced pages, and merge the index into fewer parts, so that searches are quicker
    Compact(CompactArgs),
    /// Check store, index, kept bodies and ledger against each other, and mend the index
    Verify(VerifyArgs),
    /// Put right what is damaged, as far as the other files of the folder tell
    Repair(RepairArgs),
    /// Copy the data folder while it is used, and make a folder of such a copy
    #[command(subcommand)]
    Backup(BackupCommand),
    /// Count what is in archives, without indexing them: records, pages, failures
    Archives(ArchivesArgs),
    /// Measure how fast archives are ingested, and how many can search at once
    #[command(subcommand)]
    Bench(BenchCommand),
    /// Upgrade a data folder that an older version made
    Migrate(MigrateArgs),
    /// Print a script by which a shell completes these commands
    Completions(CompletionsArgs),
    /// Write manual pages
    Man(ManArgs),
}

#[derive(Debug, clap::Args)]
pub(super) struct DataArgs {
    /// Data folder [default: ./lopper-data]
    #[arg(long, env = "LOPPER_DATA", value_name = "DIR")]
    pub(super) data: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(super) struct DemoArgs {
    /// Stop after the sample queries instead of serving the search page
    #[arg(long)]
    pub(super) once: bool,
    /// Keep the data in this folder [default: a temporary one]
    #[arg(long, env = "LOPPER_DATA", value_name = "DIR")]
    pub(super) data: Option<PathBuf>,
    /// Address of the search page, or its port alone [default: 127.0.0.1:7700]
    #[arg(long, env = "LOPPER_LISTEN", value_name = "ADDR", value_parser = crate::config::listen_address)]
    pub(super) listen: Option<SocketAddr>,
}

#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[allow(clippy::struct_excessive_bools, reason = "they are flags, independent of each other")]
pub(super) struct IngestArgs {
    #[command(subcommand)]
    pub(super) command: Option<IngestCommand>,
    #[command(flatten)]
    pub(super) data: DataArgs,
    /// Threads that analyse pages [default: all cores]
    #[arg(long, env = "LOPPER_THREADS", value_name = "N")]
    pub(super) threads: Option<NonZeroUsize>,
    /// What is kept of the pages' HTML, for `lopper rebuild --from bodies` [default: refer]
    #[arg(long, env = "LOPPER_BODIES", value_enum, value_name = "CHOICE")]
    pub(super) bodies: Option<BodiesChoice>,
    /// Neither remember nor eliminate blocks that a site repeats
    #[arg(long)]
    pub(super) no_site_memory: bool,
    /// Read archives again that were ingested before
    #[arg(long)]
    pub(super) again: bool,
    /// Where the folder is published: its a/b.html gets the address URL/a/b.html, a/index.html URL/a/. For one PATH; a file has the
    /// address URL, or with its name behind it where URL ends with `/`
    #[arg(long, value_name = "URL")]
    pub(super) site_url: Option<String>,
    /// Remove the pages of HTML files that are gone: with --site-url all of the site that have no file in the folder, else those of files
    /// that are gone from the folders
    #[arg(long, conflicts_with = "watch")]
    pub(super) remove_missing: bool,
    /// Go on watching the folders for new files, until Ctrl-C
    #[arg(long)]
    pub(super) watch: bool,
    /// Form of the progress on standard error
    #[arg(long, value_enum, default_value_t = ProgressForm::Auto, value_name = "FORM")]
    pub(super) progress: ProgressForm,
    /// Archives, HTML files or folders of them, `-` for standard input; what a file is, is told by its content. Parts
    /// also from s3://BUCKET/PREFIX and https:// URLs
    #[arg(required = true, value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(super) enum IngestCommand {
    /// Show what became of each record (to ingest a file named report: ./report)
    Report(ReportArgs),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum BodiesChoice {
    /// The HTML itself, compressed, in the data folder
    Keep,
    /// Archive, offset and digest: the archives stay needed
    Refer,
    /// Nothing
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ProgressForm {
    /// A bar on a terminal, else a line every 10 seconds
    Auto,
    /// A JSON object a line and second, and the report as the last one
    Json,
    /// None
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ReportFormat {
    /// For people
    Text,
    /// A table with a head line
    Csv,
    /// One JSON object of the archives, or a JSON object a record and line
    Json,
}

#[derive(Debug, clap::Args)]
pub(super) struct ReportArgs {
    #[command(flatten)]
    pub(super) data: DataArgs,
    /// Form of the report
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(super) format: ReportFormat,
    /// List the records in this state: indexed, replaced, duplicate, revisit, skipped, failed
    #[arg(long, value_name = "STATE")]
    pub(super) state: Option<StateKind>,
    /// List all records
    #[arg(long, conflicts_with = "state")]
    pub(super) records: bool,
    /// Only the archives whose path is or ends in this
    #[arg(long, value_name = "PATH")]
    pub(super) archive: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum CompareFormat {
    /// A line a run, with a letter for each method that keeps it
    Text,
    /// A page of its own: every run, what each method drops of it in grey
    Html,
}

#[derive(Debug, clap::Args)]
pub(super) struct CompareArgs {
    /// Form of the output
    #[arg(long, value_enum, default_value_t = CompareFormat::Text)]
    pub(super) format: CompareFormat,
    /// An HTML file, or an archive: then its first page
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(super) struct TreeArgs {
    /// Prune by this query [default: the page's own title, first heading and description]
    #[arg(long, value_name = "Q")]
    pub(super) query: Option<String>,
    /// Block boundaries: `paper` (body, div, table) or `modern`
    #[arg(long, value_name = "NAME")]
    pub(super) profile: Option<Profile>,
    /// Elimination rule: `balanced`, `main`, `strict`, `everything`, `paper` or `relative:SHARE`
    #[arg(long, value_name = "RULE")]
    pub(super) prune: Option<PruneRule>,
    /// Weigh and prune by what the collection in this folder knows of terms and of the page's site
    #[arg(long, value_name = "DIR")]
    pub(super) data: Option<PathBuf>,
    /// An HTML file, or an archive: then its first page
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum StatsFormat {
    /// For people
    Text,
    /// One JSON object
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum RebuildSource {
    /// The stored trees: index and statistics are made anew
    Trees,
    /// The pages' HTML, kept or in the archives: trees are made anew too
    Bodies,
}

#[derive(Debug, clap::Args)]
pub(super) struct RebuildArgs {
    #[command(flatten)]
    pub(super) data: DataArgs,
    /// What to begin with
    #[arg(long, value_enum, default_value_t = RebuildSource::Trees)]
    pub(super) from: RebuildSource,
    /// Threads that analyse pages [default: all cores]
    #[arg(long, env = "LOPPER_THREADS", value_name = "N")]
    pub(super) threads: Option<NonZeroUsize>,
    /// Form of the report
    #[arg(long, value_enum, default_value_t = StatsFormat::Text)]
    pub(super) format: StatsFormat,
}

#[derive(Debug, clap::Args)]
pub(super) struct CompactArgs {
    #[command(flatten)]
    pub(super) data: DataArgs,
    /// Segments that the index may have afterwards
    #[arg(long, default_value = "1", value_name = "N")]
    pub(super) segments: NonZeroUsize,
    /// Form of the report
    #[arg(long, value_enum, default_value_t = StatsFormat::Text)]
    pub(super) format: StatsFormat,
}

#[derive(Debug, clap::Args)]
pub(super) struct VerifyArgs {
    #[command(flatten)]
    pub(super) data: DataArgs,
    /// Put the index right from the stored trees
    #[arg(long)]
    pub(super) mend: bool,
    /// Form of the report
    #[arg(long, value_enum, default_value_t = StatsFormat::Text)]
    pub(super) format: StatsFormat,
}

#[derive(Debug, clap::Args)]
pub(super) struct ArchivesArgs {
    /// Compare with the counts in this file: {"files": {NAME: {"expected": {"records", "html_pages"}}}}
    #[arg(long, value_name = "FILE")]
    pub(super) expected: Option<PathBuf>,
    /// Form of the table
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub(super) format: TableFormat,
    /// Archives, HTML files and folders of them
    #[arg(value_name = "PATH", required = true)]
    pub(super) paths: Vec<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum TableFormat {
    /// For people
    Text,
    /// A table for a document
    Markdown,
    /// A JSON object a line, with messages
    Json,
}

#[derive(Debug, Subcommand)]
pub(super) enum BenchCommand {
    /// Time the stages of an ingest apart, in one thread, then a whole one; leaves nothing behind
    Ingest(BenchIngestArgs),
    /// Serve a data folder and search it over HTTP with ever more clients
    Load(BenchLoadArgs),
}

#[derive(Debug, clap::Args)]
pub(super) struct BenchIngestArgs {
    /// Threads of the whole ingest [default: all cores]
    #[arg(long, env = "LOPPER_THREADS", value_name = "N")]
    pub(super) threads: Option<NonZeroUsize>,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = StatsFormat::Text)]
    pub(super) format: StatsFormat,
    /// Archives, HTML files or folders of them
    #[arg(required = true, value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(super) struct RepairArgs {
    #[command(flatten)]
    pub(super) data: DataArgs,
    /// Only say what would be done, what does not come back, and how long it takes
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Where trees or rows of pages are lost, make them anew from the pages' HTML; where the database
    /// is, only pages whose HTML was kept come back
    #[arg(long)]
    pub(super) from_bodies: bool,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = StatsFormat::Text)]
    pub(super) format: StatsFormat,
}

#[derive(Debug, clap::Args)]
pub(super) struct BenchLoadArgs {
    #[command(flatten)]
    pub(super) data: DataArgs,
    /// A file with a query a line, as text or as `query` of a JSON object
    #[arg(long, value_name = "FILE")]
    pub(super) queries: PathBuf,
    /// Clients at the same time, one measurement each
    #[arg(long, value_delimiter = ',', default_value = "1,4,16,50,100", value_name = "N,N")]
    pub(super) clients: Vec<NonZeroUsize>,
    /// Seconds of each measurement
    #[arg(long, default_value = "10", value_name = "S")]
    pub(super) seconds: NonZeroU64,
    /// Post the pages of this archive beside the searches, one after the other; they stay in the data folder
    #[arg(long, value_name = "ARCHIVE")]
    pub(super) post: Option<PathBuf>,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = StatsFormat::Text)]
    pub(super) format: StatsFormat,
}

#[derive(Debug, clap::Args)]
pub(super) struct MigrateArgs {
    #[command(flatten)]
    pub(super) data: DataArgs,
}

#[derive(Debug, clap::Args)]
pub(super) struct StatsArgs {
    #[command(flatten)]
    pub(super) data: DataArgs,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = StatsFormat::Text)]
    pub(super) format: StatsFormat,
    /// Also group the pages whose main blocks are nearly the same
    #[arg(long)]
    pub(super) near_duplicates: bool,
}

/// Ends the program over flags that do not go together: exit code 2.
pub(super) fn wrong_usage(message: &str) -> ! {
    Args::command().error(ErrorKind::ArgumentConflict, message).exit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_consistent() {
        Args::command().debug_assert();
    }
}
