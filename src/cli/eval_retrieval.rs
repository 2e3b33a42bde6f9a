//! `lopper eval retrieval`.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result};
use lopper_collection::DataFolder;
use lopper_collection::ingest::{Silent, ingest};
use lopper_collection::search::{SearchEngine, read_weights};
use lopper_content::pipeline::ExtractParams;
use lopper_content::prune::PruneRule;
use lopper_index::Ranking;
use serde::Serialize;

use super::args::{EvalRetrievalArgs, ScoreFormat};
use super::engine::{Opened, open_to_read};
use super::ingest::options;
use super::output;
use super::output::Output;
use super::table::{Table, write_table};
use crate::config::Config;
use crate::eval::Interval;
use crate::eval::retrieval::{
    Comparison, Contender, EvidenceHead, Figures, JudgedQuery, Metric, QueryScore, Regression, Row, RunFile, Standing,
    compare, evidence, read_judged, row, score_queries, score_run,
};

/// Rules of pruning that are measured when none is named.
const RULES: [PruneRule; 4] = [PruneRule::Balanced, PruneRule::Everything, PruneRule::STRICT, PruneRule::Paper];

/// Figures shown, each with whether its interval is.
const SHOWN: [(Metric, bool); 5] = [
    (Metric::Ndcg10, true),
    (Metric::Recall100, false),
    (Metric::BlockSuccess1, true),
    (Metric::BlockF1, true),
    (Metric::Read, false),
];

pub(super) fn run(args: &EvalRetrievalArgs, config: &Config) -> Result<ExitCode> {
    let queries = read_judged(&args.judged.queries, &args.judged.qrels)?;
    let queries: Vec<JudgedQuery> = queries.into_iter().step_by(args.every as usize).collect();
    if let Some(file) = &args.evidence {
        write_evidence(file, &queries, args, config)?;
        return Ok(ExitCode::SUCCESS);
    }
    let saved = args.against.as_deref().map(RunFile::read).transpose()?;
    let saved = saved.map(|run| score_run(&run, &queries));
    let measured = |place: &Standing, ranking: &str, scores: &[QueryScore]| MeasuredRow {
        row: row(place, ranking, &queries, scores),
        against: saved.as_ref().map(|saved| compare(&queries, saved, scores)),
    };
    let rows = match &args.run {
        Some(file) => {
            let scores = score_run(&RunFile::read(file)?, &queries);
            vec![measured(&Standing::default(), &file.display().to_string(), &scores)]
        }
        None => searched_rows(args, &queries, config, &measured)?,
    };
    print_rows(&rows, args)?;
    Ok(ExitCode::SUCCESS)
}

/// A way to rank with what changed by query since a saved run, where one is named.
#[derive(Serialize)]
struct MeasuredRow {
    #[serde(flatten)]
    row: Row,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<Vec<Comparison>>,
}

fn searched_rows(
    args: &EvalRetrievalArgs,
    queries: &[JudgedQuery],
    config: &Config,
    measured: &dyn Fn(&Standing, &str, &[QueryScore]) -> MeasuredRow,
) -> Result<Vec<MeasuredRow>> {
    let mut rows = Vec::new();
    let contenders = contenders(args)?;
    with_collections(args, config, &rules(args), |rule, collection| {
        let place = place(rule, &collection)?;
        let engine = SearchEngine::new(collection)?;
        for contender in &contenders {
            let scores = score_queries(&engine, queries, contender)?;
            rows.push(measured(&place, &contender.name, &scores));
            tracing::info!(prune = place.prune, ranking = contender.name, "eval: a ranking is measured");
        }
        Ok(())
    })?;
    Ok(rows)
}

fn contenders(args: &EvalRetrievalArgs) -> Result<Vec<Contender>> {
    let all = vec![Ranking::Cosine, Ranking::Bm25, Ranking::Blend];
    let rankings = if args.ranking.is_empty() { &all } else { &args.ranking };
    let weights = args.weights.as_deref().map(read_weights).transpose()?.unwrap_or_default();
    let contender = |ranking| Contender::new(ranking).with_weights(weights.clone());
    let mut contenders: Vec<Contender> = rankings.iter().copied().map(contender).collect();
    if args.ablate {
        contenders.extend(Contender::ablations(&weights));
    }
    Ok(contenders)
}

fn rules(args: &EvalRetrievalArgs) -> Vec<PruneRule> {
    if args.prune.is_empty() { RULES.to_vec() } else { args.prune.clone() }
}

/// Runs `work` on the data folder, or on what comes of ingesting the paths with each of the rules.
fn with_collections(
    args: &EvalRetrievalArgs,
    config: &Config,
    rules: &[PruneRule],
    mut work: impl FnMut(Option<PruneRule>, Arc<DataFolder>) -> Result<()>,
) -> Result<()> {
    if args.paths.is_empty() {
        let Opened { collection, .. } = &open_to_read(args.data.data.as_ref(), config)?;
        return work(None, Arc::clone(collection));
    }
    for rule in rules {
        let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
        let profile = args.profile.unwrap_or(config.extract.profile);
        let params = ExtractParams { prune: *rule, profile, ..config.extract };
        let collection = DataFolder::open_to_write(folder.path(), params)?;
        ingest(&collection, &args.paths, &options(None, config), &mut Silent)?;
        work(Some(*rule), Arc::new(collection))?;
    }
    Ok(())
}

fn place(rule: Option<PruneRule>, collection: &DataFolder) -> Result<Standing> {
    let index = collection.index();
    let searcher = collection.searcher();
    searcher.reload()?;
    let prune = rule.map(rule_name).unwrap_or_default();
    Ok(Standing { prune, blocks: searcher.count(), index_bytes: index.bytes()? })
}

fn rule_name(rule: PruneRule) -> String {
    if rule == PruneRule::STRICT { "strict".to_owned() } else { rule.to_string() }
}

/// The head, then a line a query.
fn write_evidence(file: &Path, queries: &[JudgedQuery], args: &EvalRetrievalArgs, config: &Config) -> Result<()> {
    let first = rules(args)[..1].to_vec();
    with_collections(args, config, &first, |_, collection| {
        let engine = SearchEngine::new(collection)?;
        let target = File::create(file).with_context(|| format!("cannot write {}", file.display()))?;
        let mut out = BufWriter::new(target);
        write_line(&mut out, &EvidenceHead::default())?;
        for query in evidence(&engine, queries)? {
            write_line(&mut out, &query)?;
        }
        Ok(out.flush()?)
    })
}

fn write_line(out: &mut impl Write, value: &impl Serialize) -> Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    Ok(writeln!(out)?)
}

fn print_rows(rows: &[MeasuredRow], args: &EvalRetrievalArgs) -> Result<()> {
    let mut out = BufWriter::new(Output::of("the scores"));
    match args.format {
        ScoreFormat::Json => write_line(&mut out, &serde_json::json!({ "rows": rows }))?,
        ScoreFormat::Text => write_table(&mut out, &table(rows, args.by_type), false)?,
        ScoreFormat::Markdown => write_table(&mut out, &table(rows, args.by_type), true)?,
    }
    if args.format != ScoreFormat::Json {
        for MeasuredRow { row, against } in rows {
            for comparison in against.iter().flatten() {
                write_comparison(&mut out, &row.ranking, comparison, args.regressions)?;
            }
        }
    }
    Ok(out.flush()?)
}

/// How many queries are answered better and worse than in the saved run, and the worst of these.
fn write_comparison(out: &mut impl Write, ranking: &str, comparison: &Comparison, listed_max: usize) -> Result<()> {
    let Comparison { metric, better, same, worse } = comparison;
    writeln!(out, "\n{ranking}, {}: {better} better, {same} the same, {} worse", metric.name(), worse.len())?;
    for Regression { qid, kind, query, before, now } in worse.iter().take(listed_max) {
        writeln!(out, "  {} -> {}  {qid} ({kind}): {query}", figure(*metric, *before), figure(*metric, *now))?;
    }
    Ok(())
}

fn table(rows: &[MeasuredRow], by_type: bool) -> Table {
    let mut head = vec!["pruning", "blocks", "index", "ranking", "type", "n"];
    for (metric, has_interval) in SHOWN {
        head.push(metric.name());
        head.extend(has_interval.then_some("95 %"));
    }
    let mut table = Table { head: head.into_iter().map(str::to_owned).collect(), texts: vec![0, 3, 4], rows: vec![] };
    for MeasuredRow { row, .. } in rows {
        table.rows.push(cells(row, "all", &row.all));
        if by_type {
            table.rows.extend(row.by_type.iter().map(|(kind, figures)| cells(row, kind, figures)));
        }
    }
    table
}

fn cells(row: &Row, kind: &str, figures: &Figures) -> Vec<String> {
    let Standing { prune, blocks, index_bytes } = &row.place;
    let size = if *blocks > 0 { [output::grouped(*blocks), output::bytes(*index_bytes)] } else { [dash(), dash()] };
    let prune = if prune.is_empty() { dash() } else { prune.clone() };
    let mut cells = vec![prune];
    cells.extend(size);
    cells.extend([row.ranking.clone(), kind.to_owned(), figures.queries.to_string()]);
    for (metric, has_interval) in SHOWN {
        let interval = figures.means.get(&metric);
        cells.push(interval.map_or_else(dash, |interval| figure(metric, interval.mean)));
        if has_interval {
            let ends = |Interval { low, high, .. }: &Interval| format!("{low:.3} to {high:.3}");
            cells.push(interval.map_or_else(dash, ends));
        }
    }
    cells
}

fn figure(metric: Metric, mean: f64) -> String {
    if metric.is_in_words() { format!("{mean:.0}") } else { format!("{mean:.3}") }
}

/// What is not known.
fn dash() -> String {
    "–".to_owned()
}
