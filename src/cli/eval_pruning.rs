//! `lopper eval pruning`.

use std::io::{BufWriter, Write};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use lopper_collection::DataFolder;
use lopper_collection::search::{QueryPruning, SearchEngine};
use lopper_content::prune::PruneRule;

use super::args::{EvalPruningArgs, ScoreFormat};
use super::data_folder;
use super::output::Output;
use super::table::{Table, write_table};
use crate::config::Config;
use crate::eval::retrieval::{Kept, PruningRow, measure_pruning, pages_by_url, read_judged, sample};

/// Ways that are measured when none is named.
const WAYS: [QueryPruning; 4] = [
    QueryPruning::Focus,
    QueryPruning::Tree(PruneRule::Balanced),
    QueryPruning::Tree(PruneRule::STRICT),
    QueryPruning::Tree(PruneRule::Paper),
];

pub(super) fn run(args: &EvalPruningArgs, config: &Config) -> Result<ExitCode> {
    let queries = sample(read_judged(&args.judged.queries, &args.judged.qrels)?, args.sample as usize);
    let data = data_folder(args.data.data.as_ref(), config);
    let engine = SearchEngine::new(Arc::new(DataFolder::open_to_read(&data)?))?;
    let pages = pages_by_url(engine.collection())?;
    let ways = if args.rule.is_empty() { &WAYS[..] } else { &args.rule };
    let rows = ways.iter().map(|way| measure_pruning(&engine, &queries, &pages, *way));
    let rows: Vec<PruningRow> = rows.collect::<Result<_, _>>()?;
    let mut out = BufWriter::new(Output::of("the shares"));
    match args.format {
        ScoreFormat::Json => writeln!(out, "{}", serde_json::json!({ "rows": rows }))?,
        ScoreFormat::Text => write_table(&mut out, &table(&rows, args.by_type), false)?,
        ScoreFormat::Markdown => write_table(&mut out, &table(&rows, args.by_type), true)?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn table(rows: &[PruningRow], by_type: bool) -> Table {
    let head = ["rule", "type", "pages", "words kept", "of a page", "answers", "text kept", "begin kept", "ms a page"];
    let mut table = Table { head: head.map(str::to_owned).to_vec(), texts: vec![0, 1], rows: vec![] };
    for row in rows {
        table.rows.push(cells(&row.rule, "all", &row.all));
        if by_type {
            table.rows.extend(row.by_type.iter().map(|(kind, kept)| cells(&row.rule, kind, kept)));
        }
    }
    table
}

fn cells(rule: &str, kind: &str, kept: &Kept) -> Vec<String> {
    vec![
        rule.to_owned(),
        kind.to_owned(),
        kept.pages.to_string(),
        format!("{:.3}", kept.words_share()),
        format!("{:.3}", kept.page_share()),
        kept.golds.to_string(),
        format!("{:.3}", kept.text_share()),
        format!("{:.3}", kept.head_share()),
        format!("{:.2}", kept.page_ms()),
    ]
}
