//! `lopper compare`: the methods side by side on one page.

use std::io::{BufWriter, Write, stdout};
use std::process::ExitCode;

use anyhow::Result;

use super::args::CompareArgs;
use super::first_page::first_page;
use super::output::printable;
use crate::config::Config;
use crate::cst::{self, ContentStructureTree, Profile};
use crate::dom;
use crate::extract::methods::PageView;
use crate::extract::{Comments, Extractor};

/// Characters shown of a run.
const TEXT_CHARS_MAX: usize = 90;

pub(super) fn run(args: &CompareArgs, config: &Config) -> Result<ExitCode> {
    let page = first_page(&args.file, config)?;
    let dom = dom::parse(&page.html, &config.limits);
    let tree = cst::build(&dom, Profile::Modern, &config.limits);
    let view = PageView::new(&dom, &tree, &page.url);
    let extractors = Extractor::all();
    let kept: Vec<Vec<bool>> =
        extractors.iter().map(|extractor| extractor.extract(&view, Comments::Auto).kept).collect();
    let mut out = BufWriter::new(stdout().lock());
    writeln!(out, "{}\n", printable(&page.url))?;
    write_runs(&mut out, &tree, &kept)?;
    write_agreement(&mut out, &tree, &extractors, &kept)?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// A line a run: a letter for every method that keeps it, then its text.
fn write_runs(out: &mut impl Write, tree: &ContentStructureTree, kept: &[Vec<bool>]) -> Result<()> {
    for (id, run) in tree.runs().iter().enumerate().filter(|(_, run)| !run.text.is_empty()) {
        let marks: String =
            (b'a'..).zip(kept).map(|(mark, kept)| if kept[id] { char::from(mark) } else { '.' }).collect();
        let text = printable(tree.run_text(run)).replace('\n', " ");
        let text: String = text.chars().take(TEXT_CHARS_MAX).collect();
        writeln!(out, "{marks}  {:>8}  {text}", tree.tag(run.item).name())?;
    }
    Ok(())
}

/// What each method keeps, and the share of words that two methods treat alike.
fn write_agreement(
    out: &mut impl Write,
    tree: &ContentStructureTree,
    extractors: &[Extractor],
    kept: &[Vec<bool>],
) -> Result<()> {
    let words: Vec<usize> = tree.runs().iter().map(|run| tree.run_text(run).split_whitespace().count()).collect();
    let total = words.iter().sum::<usize>().max(1);
    let share = |alike: &dyn Fn(usize) -> bool| {
        let alike: usize = words.iter().enumerate().filter(|(id, _)| alike(*id)).map(|(_, words)| words).sum();
        100 * alike / total
    };
    writeln!(out, "\n{:22} kept  agreement with a, b, …", "method")?;
    for ((mark, extractor), own) in (b'a'..).zip(extractors).zip(kept) {
        write!(out, "{} {:20} {:>3} %", char::from(mark), extractor.to_string(), share(&|id| own[id]))?;
        for other in kept {
            write!(out, " {:>4}", share(&|id| own[id] == other[id]))?;
        }
        writeln!(out)?;
    }
    writeln!(out, "\nOf {total} words, in per cent.")?;
    Ok(())
}
