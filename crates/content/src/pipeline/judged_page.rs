//! A page between the two halves of its analysis.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::work::Steps;
use crate::cst::ContentStructureTree;
use crate::judge::JudgedRuns;
use crate::metadata::Metadata;
use crate::page_type::PageType;

/// What is told by a page alone: metadata, tree, language, type, and what of it is content. Weights, pruning and blocks follow when a
/// collection's statistics are there ([`PageAnalyser::finish`](super::PageAnalyser::finish)), in this process or another one.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct JudgedPage {
    /// What the page says of itself.
    pub metadata: Metadata,
    /// ISO 639-1 code; empty when unknown.
    pub language: Cow<'static, str>,
    /// What kind of page it is, where that is told.
    pub page_type: Option<PageType>,
    /// What the judge said of the tree's runs; `None` where none was asked.
    pub judged: Option<JudgedRuns>,
    /// The tree, not pruned.
    #[serde(with = "crate::cst::whole")]
    pub tree: ContentStructureTree,
    /// Work that is left to the page.
    pub(super) steps: Steps,
}

#[cfg(test)]
mod tests {
    use crate::limits::Limits;
    use crate::pipeline::{ExtractParams, PageAnalyser, PageText, StoredTree};
    use crate::statistics::StatisticsSnapshot;

    use super::*;

    #[test]
    fn halves_in_two_processes_are_the_whole() {
        let html = "<html lang=de><title>Mühlen</title><nav><a href=/>Zur Startseite</a></nav><main><h1>Mühlen <button>Teilen</button></h1>\
                    <p>Alte Mühlen mahlen langsam, aber gut und lange.<p>Sie stehen am Fluss.</main>";
        let source = PageText { url: "http://e.org/m", html, ..PageText::default() };
        let statistics = StatisticsSnapshot::default().with_page(["alte", "fluss"]).with_page(["alte"]);
        let mut analyser = PageAnalyser::new(ExtractParams::default(), Limits::default());
        let whole = analyser.analyse(source, Some(&statistics)).unwrap();
        let sent = postcard::to_stdvec(&analyser.judge(source).unwrap()).unwrap();
        let judged: JudgedPage = postcard::from_bytes(&sent).unwrap();
        let mut other = PageAnalyser::new(ExtractParams::default(), Limits::default());
        let joined = other.finish(source.url, judged, Some(&statistics)).unwrap();
        assert_eq!(
            (&joined.language, &joined.metadata, &joined.blocks),
            (&whole.language, &whole.metadata, &whole.blocks)
        );
        assert!(whole.judged.as_ref().is_some_and(|judged| judged.told_run(0..9).is_some()), "reasons are there");
        assert_eq!(StoredTree::of(joined).encode(), StoredTree::of(whole).encode());
    }

    #[test]
    fn work_is_counted_over_both_halves() {
        let html = format!("<p>{}", "Alte Mühlen mahlen. ".repeat(200));
        let source = PageText { html: &html, ..PageText::default() };
        let limits = Limits { page_steps_max: html.len() as u64 * 3 / 2, ..Limits::default() };
        let mut analyser = PageAnalyser::new(ExtractParams::default(), limits);
        let whole = analyser.analyse(source, None).unwrap_err();
        let judged = analyser.judge(source).unwrap();
        assert_eq!(analyser.finish("", judged, None).unwrap_err(), whole);
    }
}
