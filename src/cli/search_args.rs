//! Flags of `lopper search`.

use std::path::PathBuf;

use clap::ValueEnum;
use lopper_collection::search::{AsOf, Collapse, Cursor, Documents, QueryPruning};
use lopper_index::{Order, Ranking};

use super::args::DataArgs;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum SearchFormat {
    /// For people
    Text,
    /// One JSON object
    Json,
    /// One JSON line a query: {"qid","results":[{"url","score","block_text",…}, …]}
    Run,
    /// A file of all that is found, as far as -k goes: a JSON line a page
    Ndjson,
    /// The same: a row a block, with a head line; nothing in it is a formula to a spreadsheet
    Csv,
    /// The same: the pages' HTML, where it is kept or its archive is at hand
    Warc,
}

#[derive(Debug, clap::Args)]
pub(super) struct SearchArgs {
    #[command(flatten)]
    pub(super) data: DataArgs,
    /// Pages wanted, at most 1000; of --format ndjson, csv and warc 10000
    #[arg(short, long = "pages", alias = "limit", default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub(super) k: u64,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = SearchFormat::Text)]
    pub(super) format: SearchFormat,
    /// A file of queries, a JSON object a line: {"qid","query"}; needs --format run
    #[arg(long, value_name = "FILE.jsonl", conflicts_with_all = ["query", "like"], requires = "format")]
    pub(super) queries: Option<PathBuf>,
    /// How blocks are ranked: `blend` of all evidence, `bm25`, or `cosine` as the CST paper has it
    #[arg(long, value_name = "NAME", default_value = "blend")]
    pub(super) ranking: Ranking,
    /// Weights of the blend: a file in TOML or JSON, {"version", "weights": {"bm25f": 1.0, …}} [default: those built in]
    #[arg(long, value_name = "FILE")]
    pub(super) weights: Option<PathBuf>,
    /// How pages are scored by their blocks: `blend` (the best, and a little of the next two), `max`, `sum:K` of the best K
    #[arg(long, value_name = "NAME", default_value_t = Documents::Blend)]
    pub(super) documents: Documents,
    /// Find pages as they stood at a time, as 2008, 2008-05-17 or 2008-05-17T12:00:00Z: of each the newest capture not later
    #[arg(long, value_name = "TIME", conflicts_with = "facets")]
    pub(super) as_of: Option<AsOf>,
    /// What comes first: `relevance`, or `date` (the newest; pages without a date last)
    #[arg(long, value_name = "NAME", default_value = "relevance")]
    pub(super) sort: Order,
    /// What is shown once, with a count: `captures` of a page, also `similar` blocks, or `none`
    #[arg(long, value_name = "NAME", default_value = "captures")]
    pub(super) collapse: Collapse,
    /// Pages to pass over
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) offset: usize,
    /// Go on behind an earlier answer to the same search, whatever was committed meanwhile: `next_cursor` of --format json
    #[arg(long, value_name = "CURSOR", conflicts_with = "offset")]
    pub(super) cursor: Option<Cursor>,
    /// Blocks shown of a page, at most; also with --format run
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=50))]
    pub(super) blocks_per_page: u64,
    /// Show no page where the coverage, the share of such answers whose first page is right, is less: 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    pub(super) min_coverage: f32,
    /// Count hosts, languages, years and types over all that matches
    #[arg(long)]
    pub(super) facets: bool,
    /// Find more like this block; the query's demands, if there are any, hold besides
    #[arg(long, value_name = "BLOCK_ID")]
    pub(super) like: Option<String>,
    /// Prune the found pages by the query and show what stays: `focus` (the blocks that answer, with their section), or by element
    /// `strict`, `balanced`, `main`, `everything`, `paper`, `relative:SHARE`; put the query before it, or `--` between
    #[arg(long, value_name = "RULE", num_args = 0..=1, default_missing_value = "focus")]
    pub(super) prune: Option<QueryPruning>,
    /// Show what every score is made of
    #[arg(long)]
    pub(super) explain: bool,
    /// The query: words, "phrases", -excluded, +required, AND, OR, NOT, prefix*, site:, lang:, title:, heading:, inurl:, date:,
    /// type:; put it in single quotes, behind -- where it begins with a sign
    #[arg(required_unless_present_any = ["queries", "like"], value_name = "QUERY")]
    pub(super) query: Vec<String>,
}
