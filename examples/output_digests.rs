//! One line of digests for each page of an archive: its element tree, its judged content structure tree with its blocks, and
//! what the default method decides. Two versions that ought to give the same are compared with `diff`.
//!
//! `output_digests ARCHIVE > before.txt`

use std::error::Error;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use lopper_archive::page::{self, Page, PageOutcome};
use lopper_content::dom::Dom;
use lopper_content::extract::PageView;
use lopper_content::extract::forest_judge::decide;
use lopper_content::extract::model::Model;
use lopper_content::limits::Limits;
use lopper_content::pipeline::{ExtractParams, PageAnalyser, StoredTree};
use lopper_content::{cst, dom};

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("usage: output_digests ARCHIVE")?;
    let limits = Limits::default();
    let mut analyser = PageAnalyser::new(ExtractParams::default(), limits);
    let mut reader = lopper_archive::open(Path::new(&file), &limits)?;
    while let Some(record) = reader.next_record() {
        let PageOutcome::Page(page) = page::decode(record?, &limits)? else { continue };
        let (tree, judged, decision) = digests(&page, &mut analyser, &limits);
        println!("{tree:016x} {judged:016x} {decision:016x} {}", page.url);
    }
    Ok(())
}

fn digests(page: &Page, analyser: &mut PageAnalyser, limits: &Limits) -> (u64, u64, u64) {
    let dom = dom::parse(&page.html, limits);
    let analysed = analyser.analyse(page.source(), None).unwrap();
    let judged = (
        format!("{:?}{:?}{}", analysed.metadata, analysed.blocks, analysed.language),
        StoredTree::of(analysed).encode().bytes,
    );
    let tree = cst::build(&dom, cst::Profile::Modern, limits);
    let decision = decide(&PageView::new(&dom, &tree, &page.url), Model::embedded());
    let decided: Vec<(u32, u32, bool)> = (0..decision.kept.len())
        .map(|run| (decision.probability[run].to_bits(), decision.comment[run].to_bits(), decision.kept[run]))
        .collect();
    (digest_of_dom(&dom), digest(&judged), digest(&decided))
}

/// Of every node of the tree, in document order, with its number and its parent's.
fn digest_of_dom(dom: &Dom) -> u64 {
    let mut hasher = DefaultHasher::new();
    for id in dom.descendants(Dom::DOCUMENT) {
        (id, dom.parent(id), dom.previous_sibling(id), dom.tag(id), dom.text(id)).hash(&mut hasher);
        for attribute in dom.attributes(id) {
            (format!("{:?}", attribute.name), &*attribute.value).hash(&mut hasher);
        }
    }
    hasher.finish()
}

fn digest(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
