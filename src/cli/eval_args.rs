//! Arguments of `lopper eval`.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};
use lopper_collection::search::QueryPruning;
use lopper_content::cst::Profile;
use lopper_content::extract::Extractor;
use lopper_content::prune::PruneRule;
use lopper_index::Ranking;

use super::args::{DataArgs, StatsFormat};

#[derive(Debug, Subcommand)]
pub(super) enum EvalCommand {
    /// Word F1 of extraction methods, with confidence intervals and by kind of page
    Extraction(EvalExtractionArgs),
    /// Whether search finds the page and the block, for every ranking and rule of pruning
    Retrieval(Box<EvalRetrievalArgs>),
    /// How much of the pages with the right blocks pruning by the query keeps, and how much of these blocks
    Pruning(EvalPruningArgs),
}

/// Judged queries.
#[derive(Debug, clap::Args)]
pub(super) struct JudgedArgs {
    /// Queries: a JSON object a line, {"qid","type","query"}, plain or gzip
    #[arg(long, value_name = "FILE")]
    pub(super) queries: PathBuf,
    /// What answers them: a JSON object a line, {"qid","url","grade","gold_head","gold_text"}, plain or gzip
    #[arg(long, value_name = "FILE")]
    pub(super) qrels: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(super) struct EvalPruningArgs {
    #[command(flatten)]
    pub(super) judged: JudgedArgs,
    #[command(flatten)]
    pub(super) data: DataArgs,
    /// Rules of `lopper search --prune` to measure [default: focus, balanced, strict, paper]
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub(super) rule: Vec<QueryPruning>,
    /// Queries with a right block that are taken, at equal distances, at most
    #[arg(long, default_value_t = 200, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) sample: u64,
    /// Show each kind of query by itself as well
    #[arg(long)]
    pub(super) by_type: bool,
    /// Form of the table
    #[arg(long, value_enum, default_value_t = ScoreFormat::Text)]
    pub(super) format: ScoreFormat,
}

#[derive(Debug, clap::Args)]
pub(super) struct EvalExtractionArgs {
    /// Labels: a JSON object a line, {"id","text","page_type","url"}, plain or gzip
    #[arg(long, value_name = "FILE")]
    pub(super) gold: PathBuf,
    /// Folder of the pages: ID.html or ID.html.gz
    #[arg(long, value_name = "DIR")]
    pub(super) html: PathBuf,
    /// Methods to measure [default: all, published ones in both readings]
    #[arg(long, value_name = "NAME")]
    pub(super) method: Vec<Extractor>,
    /// Form of the table
    #[arg(long, value_enum, default_value_t = StatsFormat::Text)]
    pub(super) format: StatsFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ScoreFormat {
    /// For people
    Text,
    /// One JSON object
    Json,
    /// A Markdown table
    Markdown,
}

#[derive(Debug, clap::Args)]
pub(super) struct EvalRetrievalArgs {
    #[command(flatten)]
    pub(super) judged: JudgedArgs,
    #[command(flatten)]
    pub(super) data: DataArgs,
    /// Rules of pruning to ingest PATHS with: strict, balanced, main, everything, paper, relative:SHARE
    /// [default: balanced, everything, strict, paper]
    #[arg(long, value_name = "RULE", value_delimiter = ',', requires = "paths")]
    pub(super) prune: Vec<PruneRule>,
    /// Block boundaries to ingest PATHS with: `paper` (body, div, table) or `modern`
    #[arg(long, value_name = "NAME", requires = "paths")]
    pub(super) profile: Option<Profile>,
    /// Rankings to measure: cosine, bm25, blend [default: all]
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = ranking)]
    pub(super) ranking: Vec<Ranking>,
    /// Weights of the blend: a file in TOML or JSON, {"version", "weights": {"bm25f": 1.0, …}} [default: those built in]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["run", "evidence"])]
    pub(super) weights: Option<PathBuf>,
    /// Measure the blend without each of its parts as well
    #[arg(long)]
    pub(super) ablate: bool,
    /// Take every Nth query
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) every: u64,
    /// Show each kind of query by itself as well
    #[arg(long)]
    pub(super) by_type: bool,
    /// Form of the table
    #[arg(long, value_enum, default_value_t = ScoreFormat::Text)]
    pub(super) format: ScoreFormat,
    /// Write the evidence of the candidates of every query with labels, for fitting, instead of a table; with PATHS: of the
    /// first rule of pruning
    #[arg(long, value_name = "OUT.jsonl", conflicts_with_all = ["run", "ablate", "by_type"])]
    pub(super) evidence: Option<PathBuf>,
    /// Score this run, as `lopper search --queries … --format run` prints it, instead of searching
    #[arg(long, value_name = "FILE", conflicts_with_all = ["paths", "ablate", "ranking"])]
    pub(super) run: Option<PathBuf>,
    /// Compare with this saved run, of the same form: which queries are answered worse now, in each figure
    #[arg(long, value_name = "FILE", conflicts_with = "evidence")]
    pub(super) against: Option<PathBuf>,
    /// Most queries of a figure that are listed as answered worse
    #[arg(long, default_value_t = 20, value_name = "N", requires = "against")]
    pub(super) regressions: usize,
    /// Archives, HTML files or folders of them, to ingest into a temporary folder for every rule of pruning [default: search the
    /// data folder]
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
}

fn ranking(name: &str) -> Result<Ranking, String> {
    match name {
        "cosine" => Ok(Ranking::Cosine),
        "bm25" => Ok(Ranking::Bm25),
        "blend" => Ok(Ranking::Blend),
        _ => Err("rankings are cosine, bm25 and blend".to_owned()),
    }
}
