//! `lopper tree`: the tree as indented lines.

use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use lopper_collection::DataFolder;
use lopper_content::cst::{ContentStructureTree, NodeId, NodeKind};
use lopper_content::judge::JudgedRuns;
use lopper_content::pipeline::{ExtractParams, PageAnalyser};
use lopper_content::prune::PrunedTree;
use lopper_content::statistics::StatisticsSnapshot;
use lopper_content::weigh::TermStatistics;

use super::args::TreeArgs;
use super::first_page::first_page;
use super::output::{Output, printable};
use crate::config::Config;

/// Characters shown of a text.
const TEXT_CHARS_MAX: usize = 100;

pub(super) fn run(args: &TreeArgs, config: &Config) -> Result<ExitCode> {
    let page = first_page(&args.file, config)?;
    let params = ExtractParams {
        profile: args.profile.unwrap_or(config.extract.profile),
        prune: args.prune.unwrap_or(config.extract.prune),
        ..config.extract
    };
    let statistics = args.data.as_deref().map(known).transpose()?;
    let statistics = statistics.as_ref().map(|statistics| statistics as &dyn TermStatistics);
    let analysed =
        PageAnalyser::new(params, config.limits).analyse_for(page.source(), statistics, args.query.as_deref())?;
    if let Some(cut_short) = analysed.pruned.tree().cut_short() {
        eprintln!("lopper: {}: {cut_short}", printable(&page.url));
    }
    let mut out = BufWriter::new(Output::of("the tree"));
    let query = args.query.clone().unwrap_or_else(|| analysed.metadata.topic());
    writeln!(out, "page     {}", printable(&page.url))?;
    writeln!(out, "language {}", if analysed.language.is_empty() { "unknown" } else { &analysed.language })?;
    writeln!(out, "query    {}", printable(&query).trim().replace('\n', " | "))?;
    writeln!(out, "profile  {}, rule {}, {} main blocks", params.profile, params.prune, analysed.blocks.len())?;
    writeln!(out, "judge    {}\n", analysed.judged.as_ref().map_or("none", |judged| judged.judge.as_str()))?;
    for id in analysed.pruned.tree().ids() {
        if let Some(line) = line(&analysed.pruned, analysed.judged.as_ref(), id) {
            let depth = analysed.pruned.tree().ancestors(id).count() - 1;
            writeln!(out, "{}{line}", "  ".repeat(depth))?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// What a collection knows of terms and sites.
fn known(data: &Path) -> Result<StatisticsSnapshot> {
    Ok(DataFolder::open_to_read(data)?.store().snapshot())
}

fn line(pruned: &PrunedTree, judged: Option<&JudgedRuns>, id: NodeId) -> Option<String> {
    let tree = pruned.tree();
    let weight = pruned.weighted().weight(id).total();
    match tree.kind(id) {
        NodeKind::HtmlItem => Some(item_line(pruned, judged, id)),
        NodeKind::Element => None,
        NodeKind::Text => Some(format!("Text {weight:.3} \"{}\"", shortened(tree.text(id)))),
        NodeKind::Link => Some(format!("Link {weight:.3} \"{}\" -> {}", shortened(tree.text(id)), target(tree, id))),
        NodeKind::Image => Some(format!("Image {weight:.3} \"{}\"", shortened(alternative_text(tree, id)))),
    }
}

fn item_line(pruned: &PrunedTree, judged: Option<&JudgedRuns>, id: NodeId) -> String {
    let tree = pruned.tree();
    let name = tree.element_id(id).map_or_else(String::new, |id| format!("#{}", printable(id)));
    let tag = match tree.tag(id).name() {
        "" => "custom",
        tag => tag,
    };
    let Some(decision) = pruned.decision(id) else { return tag.to_owned() };
    let verdict = match (decision.kept, pruned.survives(id)) {
        (true, true) => "kept",
        (true, false) => "gone with its container",
        (false, _) => "DROPPED",
    };
    let template = match decision.template {
        0.0 => String::new(),
        score => format!(" template {score:.2}"),
    };
    let content = judged.map_or_else(String::new, |judged| content(tree, judged, id));
    format!(
        "<{tag}{name}> value {:.3} similarity {:.3}{content}{template} {verdict}: {}",
        pruned.element_value(id),
        decision.similarity,
        decision.reason.as_str()
    )
}

/// What the judge says of an item, with the strongest reason where one is known.
fn content(tree: &ContentStructureTree, judged: &JudgedRuns, id: NodeId) -> String {
    let runs = tree.runs_within(id);
    if runs.is_empty() {
        return String::new();
    }
    let own = tree.child_items(id).next().is_none().then(|| judged.told_run(runs.clone())).flatten();
    let reason = own.and_then(|run| judged.reasons(run).into_iter().next());
    let reason = reason.map_or_else(String::new, |reason| {
        format!(" ({} {}: {:+.1})", reason.feature, reason.value, reason.contribution)
    });
    format!(" content {:.2}{reason}", judged.mean(tree, runs))
}

fn target(tree: &ContentStructureTree, id: NodeId) -> String {
    tree.link(id).map_or_else(String::new, |link| shortened(tree.attribute_text(link.href)))
}

fn alternative_text(tree: &ContentStructureTree, id: NodeId) -> &str {
    tree.image(id).map_or("", |image| tree.attribute_text(image.alt))
}

fn shortened(text: &str) -> String {
    let line = printable(text).replace('\n', " ");
    match line.char_indices().nth(TEXT_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
