//! The evidence of candidates with labels, for fitting the weights of the blend.

use lopper_collection::search::{SearchEngine, SearchError, SearchRequest};
use lopper_index::{Feature, RankedBlock, RankedBlocks, Ranking, RankingWeights};
use serde::Serialize;

use super::super::parallel::in_parallel;
use super::contender::or_nothing;
use super::score::page_numbers;
use super::{Contender, JudgedQuery};

/// Candidates of a query.
const CANDIDATES: usize = 400;

/// The first line of a file of evidence: what its columns are.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EvidenceHead {
    /// Names of the parts, in the order of the columns.
    pub parts: Vec<&'static str>,
    /// The weights that the candidates were ranked by.
    pub weights: Vec<f32>,
    /// Blocks of one page that an answer shows.
    pub blocks_per_page: usize,
}

impl Default for EvidenceHead {
    fn default() -> Self {
        Self {
            parts: Feature::ALL.iter().map(|feature| feature.name()).collect(),
            weights: weights_of(&Contender::new(Ranking::Blend).weights),
            blocks_per_page: SearchRequest::default().blocks_per_page,
        }
    }
}

/// What is known of a query's candidates, a column a fact, by today's rank.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct QueryEvidence {
    /// The query.
    pub qid: String,
    /// Its kind.
    #[serde(rename = "type")]
    pub kind: String,
    /// Host of its first relevant page.
    pub host: String,
    /// Its words, without those that only help to find them.
    pub own_words: usize,
    /// What of its weight each part has.
    pub shares: Vec<f32>,
    /// The discounted gain of the best answer.
    pub ideal: f64,
    /// Whether its gold block is known.
    pub has_block: bool,
    /// The candidates' pages, numbered by appearance.
    pub page: Vec<usize>,
    /// How well the page answers.
    pub grade: Vec<f64>,
    /// Whether what is shown of the block holds the gold span.
    pub hit: Vec<bool>,
    /// F1 of what is shown of the block against the best gold block.
    pub f1: Vec<f64>,
    /// Words that are shown of the block.
    pub words: Vec<usize>,
    /// The parts of the blend.
    pub evidence: Vec<Vec<f64>>,
}

/// The candidates of every query, on all cores.
///
/// # Errors
///
/// [`SearchError`] when the collection cannot be read.
pub fn evidence(engine: &SearchEngine, queries: &[JudgedQuery]) -> Result<Vec<QueryEvidence>, SearchError> {
    let contender = Contender::new(Ranking::Blend);
    in_parallel(queries, |query| {
        let asked = contender.query(&query.query.query, CANDIDATES);
        let ranked = or_nothing(engine.ranked(&asked, &contender.weights))?;
        Ok(label(&ranked, query))
    })
}

fn weights_of(weights: &RankingWeights) -> Vec<f32> {
    Feature::ALL.iter().map(|feature| weights.of(*feature)).collect()
}

fn label(ranked: &RankedBlocks, JudgedQuery { query, judged }: &JudgedQuery) -> QueryEvidence {
    let mut labelled = QueryEvidence {
        qid: query.qid.clone(),
        kind: query.kind.clone(),
        host: judged.host.clone(),
        own_words: ranked.shape.words,
        shares: Feature::ALL.iter().map(|feature| feature.share_for(ranked.shape)).collect(),
        ideal: judged.ideal_gain(),
        has_block: !judged.blocks.is_empty(),
        page: page_numbers(ranked.blocks.iter().map(|block| block.document.url.as_str())),
        ..QueryEvidence::default()
    };
    for block in &ranked.blocks {
        let url = &block.document.url;
        let judgement = judged.judge(url, &block.shown());
        labelled.grade.push(judged.grade(url));
        labelled.hit.push(judgement.is_hit);
        labelled.f1.push(rounded(judgement.f1));
        labelled.words.push(judgement.words);
        labelled.evidence.push(parts(block));
    }
    labelled
}

fn parts(block: &RankedBlock) -> Vec<f64> {
    let features = block.features.unwrap_or_default();
    Feature::ALL.iter().map(|feature| rounded(f64::from(features.of(*feature)))).collect()
}

/// Four decimal places are enough, and a quarter of the file.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
