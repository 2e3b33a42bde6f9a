//! `lopper compare`: the methods side by side on one page.

use std::io::{BufWriter, Write};
use std::process::ExitCode;

use anyhow::Result;
use lopper_content::cst::{ContentStructureTree, Run, RunId};
use lopper_content::extract::methods::PageView;
use lopper_content::extract::{ContentJudge, ContentVerdict, Extractor};
use lopper_content::pipeline::{PageAnalyser, ParsedPage, StoredTree};

use super::args::{CompareArgs, CompareFormat};
use super::compare_page;
use super::first_page::first_page;
use super::output::{Output, printable};
use crate::config::Config;
use crate::markup::finished;
use crate::view::Viewed;

/// Characters shown of a run.
const TEXT_CHARS_MAX: usize = 90;

/// One page with what every method makes of it.
pub(super) struct Comparison<'a> {
    pub(super) url: &'a str,
    tree: &'a ContentStructureTree,
    /// The methods, the default one first.
    pub(super) extractors: Vec<Extractor>,
    /// What each of them says.
    verdicts: Vec<ContentVerdict>,
    /// Words of each run.
    words: Vec<usize>,
}

pub(super) fn run(args: &CompareArgs, config: &Config) -> Result<ExitCode> {
    let page = first_page(&args.file, config)?;
    let parsed = ParsedPage::parse(page.source(), &config.limits);
    let comparison = Comparison::new(&parsed.view());
    let mut out = BufWriter::new(Output::of("the comparison"));
    match args.format {
        CompareFormat::Text => write_text(&mut out, &comparison)?,
        CompareFormat::Html => {
            let analysed = PageAnalyser::new(config.extract, config.limits).analyse(page.source(), None)?;
            let stored = StoredTree::of(analysed);
            let viewed = Viewed::new(&stored, Some(&page), &config.extract, &config.limits);
            writeln!(out, "{}", finished(compare_page::page(&comparison, &viewed)))?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

impl<'a> Comparison<'a> {
    fn new(view: &PageView<'a>) -> Self {
        let extractors = Extractor::all();
        let verdicts = extractors.iter().map(|extractor| extractor.judge(view)).collect();
        let words = view.tree.runs().iter().map(|run| view.tree.run_text(run).split_whitespace().count()).collect();
        Self { url: view.url, tree: view.tree, extractors, verdicts, words }
    }

    /// The runs that have text.
    fn runs(&self) -> impl Iterator<Item = (RunId, &Run)> {
        self.tree.runs().iter().enumerate().filter(|(_, run)| !run.text.is_empty())
    }

    /// Words of the page.
    pub(super) fn total(&self) -> usize {
        self.words.iter().sum()
    }

    /// Words, in per cent, that a method keeps.
    pub(super) fn share_kept(&self, method: usize) -> usize {
        self.share(|run| self.verdicts[method].kept[run])
    }

    /// Words, in per cent, that two methods treat alike.
    pub(super) fn agreement(&self, one: usize, other: usize) -> usize {
        self.share(|run| self.verdicts[one].kept[run] == self.verdicts[other].kept[run])
    }

    fn share(&self, counts: impl Fn(RunId) -> bool) -> usize {
        let counted: usize =
            self.words.iter().enumerate().filter(|(run, _)| counts(*run)).map(|(_, words)| words).sum();
        100 * counted / self.total().max(1)
    }
}

fn write_text(out: &mut impl Write, comparison: &Comparison<'_>) -> Result<()> {
    writeln!(out, "{}\n", printable(comparison.url))?;
    write_runs(out, comparison)?;
    write_agreement(out, comparison)
}

/// A line a run: a letter for every method that keeps it, then its text.
fn write_runs(out: &mut impl Write, comparison: &Comparison<'_>) -> Result<()> {
    let tree = comparison.tree;
    for (id, run) in comparison.runs() {
        let marks = (b'a'..).zip(&comparison.verdicts);
        let marks: String =
            marks.map(|(mark, verdict)| if verdict.kept[id] { char::from(mark) } else { '.' }).collect();
        let text = printable(tree.run_text(run)).replace('\n', " ");
        let text: String = text.chars().take(TEXT_CHARS_MAX).collect();
        writeln!(out, "{marks}  {:>8}  {text}", tree.tag(run.item).name())?;
    }
    Ok(())
}

/// What each method keeps, and the share of words that two methods treat alike.
fn write_agreement(out: &mut impl Write, comparison: &Comparison<'_>) -> Result<()> {
    writeln!(out, "\n{:22} kept  agreement with a, b, …", "method")?;
    for ((mark, extractor), own) in (b'a'..).zip(&comparison.extractors).zip(0..) {
        write!(out, "{} {:20} {:>3} %", char::from(mark), extractor.to_string(), comparison.share_kept(own))?;
        for other in 0..comparison.extractors.len() {
            write!(out, " {:>4}", comparison.agreement(own, other))?;
        }
        writeln!(out)?;
    }
    writeln!(out, "\nOf {} words, in per cent.", comparison.total().max(1))?;
    Ok(())
}
