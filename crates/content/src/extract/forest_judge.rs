//! The default method: a trained model that decides for every run of a page.
//!
//! 1. [`features`] describes each unit (a run with words in it).
//! 2. A first forest gives each unit a probability of being content; a second one looks at these, at the unit's neighbours,
//!    block and make, and decides anew about all units of which the first was not sure.
//! 3. The page is cut where the expected F1 is highest (`cut`): on a page where nothing is sure, more is kept. For that, units of
//!    the same make are decided together. Where nothing is likely, the distribution of the text decides.
//! 4. What the page says twice is kept once.
//! 5. A third forest tells readers' comments, so that they can be kept or left out whatever they were to the second. Behind content they
//!    are left out.

use std::mem;
use std::ops::RangeInclusive;
use std::sync::OnceLock;

use super::calls::drop_calls;
use super::comments::COMMENT_MIN;
use super::cut::Cut;
use super::features::context::Context;
use super::features::{self, Description, Features};
use super::fine_print::drop_fine_print;
use super::model::{LANES, Model, ModelError};
use super::navigation::called_navigation;
use super::paratext::drop_paratext;
use super::repeated::{WordedRuns, keep_once};
use super::row::Row;
use super::steps::drop_steps;
use super::structured::StructuredKind;
use super::teasers::drop_teasers;
use super::together::leant;
use super::unknown::{has_menus_alone, keep_by_distribution};
use super::{
    PageView, admonitions, comments, cut, described, forms, leads, members, recipes, rows, sections, signatures,
};
use crate::cst::RunId;

/// Below this probability in the first pass a unit is not asked whether it is a comment: it counts as none.
const COMMENTS_FROM: f32 = 0.02;

/// Probabilities in the first pass about which the second decides; the others stay as they are.
const DOUBTFUL: RangeInclusive<f32> = 0.05..=0.95;

/// Words that a text of the metadata must have to stand for the content.
const HIDDEN_WORDS_MIN: f32 = 25.0;

/// Such a text is added when the visible content has at most this many words for each of its own.
const HIDDEN_VISIBLE_MAX: f32 = 0.5;

/// Share of the text that may be on the page.
const HIDDEN_SEEN_MAX: f32 = 0.5;

/// The embedded model.
static MODEL: &[u8] = include_bytes!("model/lopper.model");

/// What was decided of a page. Arrays are indexed by [`RunId`].
#[derive(Debug)]
pub struct ForestVerdict {
    /// Probability that the run is content. Runs without words have that of their surroundings.
    pub probability: Vec<f32>,
    /// Probability that the run is a reader's comment.
    pub comment: Vec<f32>,
    /// Whether the run is kept: the content without comments, except where the comments are the content (a forum).
    pub kept: Vec<bool>,
    /// Runs that only lead to other pages, or are the site's, ascending.
    passed_over: Vec<RunId>,
    /// With rows of the second pass for all that it was asked about.
    features: Features,
    asked: Asked,
}

/// Units whose features are in memory at the same time. Pages with more, which are rare and large, are described piece by
/// piece, twice, and give no reasons.
const UNITS_TOGETHER: usize = 8192;

/// One reason for a run's probability.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureContribution {
    /// The feature's name.
    pub feature: &'static str,
    /// Its value for this run.
    pub value: f32,
    /// What it added to the log-odds of being content.
    pub contribution: f32,
}

/// The reason for a run that leads through a manual or is the site's, which is no content whatever the forests say.
const PASSED_OVER: FeatureContribution =
    FeatureContribution { feature: "leads_through_a_manual", value: 1.0, contribution: -10.0 };

/// Names of all features of the second pass; those of the first are at the beginning.
pub fn feature_names() -> &'static [String] {
    static NAMES: OnceLock<Vec<String>> = OnceLock::new();
    NAMES.get_or_init(|| features::names().into_iter().chain(features::context::names()).collect())
}

impl Model {
    /// The model that comes with the program.
    pub fn embedded() -> &'static Self {
        static EMBEDDED: OnceLock<Model> = OnceLock::new();
        EMBEDDED.get_or_init(|| Self::from_bytes(MODEL).expect("the embedded model is checked by a test"))
    }

    /// A model from a file's bytes.
    ///
    /// # Errors
    ///
    /// When they are no sound model for the features of this version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        Self::read(bytes, feature_names())
    }
}

/// Decides for every run of a page.
pub fn decide(page: &PageView<'_>, model: &Model) -> ForestVerdict {
    let mut description = features::describe(page);
    let first = first_pass(&mut description, model);
    let (asked, mut second, of_comments) = second_pass(&mut description, model, &first);
    let features = description.features;
    let units = WordedRuns { runs: &features.runs, words: &features.words };
    let make = &features.links.make;
    let mut by_make = leant(&second, units.words, make);
    let (mut kept, mut cut) = kept_of(&by_make, units.words);
    let mut passed_over = called_navigation(page, units, &mut second);
    if units.take_out(&mut kept, &passed_over) {
        by_make = leant(&second, units.words, make);
        let again = kept_of(&by_make, units.words);
        cut = again.1;
        kept.iter_mut().zip(again.0).for_each(|(kept, again)| *kept |= again);
    }
    let runs = page.tree.runs().len();
    let mut kept = over_runs(&features.runs, &kept, runs);
    let mut probability = over_runs(&features.runs, &second, runs);
    if has_menus_alone(page.tree, units, &by_make, cut, &kept) {
        kept.fill(false);
    } else {
        keep_by_distribution(page, units, &by_make, cut, &mut kept);
    }
    sections::keep_with_sections(page.tree, units, &probability, &mut kept);
    leads::keep_leads(page.dom, page.tree, &mut probability, &mut kept);
    admonitions::keep_with_text(page.dom, page.tree, units, &probability, &mut kept);
    signatures::keep_with_descriptions(page.dom, page.tree, units, &probability, &mut kept);
    described::keep_whole(page.dom, page.tree, units, &probability, &mut kept);
    members::keep_whole(page.dom, page.tree, units, &probability, &mut kept);
    rows::keep_rows(page.tree, units, &probability, &mut kept);
    let lists = &features.info.structured.lists;
    recipes::keep_lines(page.dom, page.tree, lists, &mut probability, &mut kept);
    keep_once(page, units, &mut kept);
    if !units.leave_out(&mut kept, &passed_over) {
        passed_over.clear();
    }
    passed_over.extend(drop_steps(page.dom, page.tree, units, &mut probability, &mut kept));
    passed_over.extend(drop_paratext(page.dom, page.tree, units, &mut probability, &mut kept));
    passed_over.sort_unstable();
    passed_over.dedup();
    drop_calls(page.tree, &features.info, units, &mut kept);
    drop_fine_print(page.dom, page.tree, units, &mut kept);
    drop_teasers(page, &features.info, units, &mut kept);
    sections::drop_blocks(page.tree, units, &mut kept);
    let mut comment = over_runs(&features.runs, &of_comments, runs);
    comments::leave_out(page, &features.info, units, &mut comment, &mut kept);
    if forms::keep_forms(page, units, &by_make, cut, &mut kept) && !units.leave_out(&mut kept, &passed_over) {
        passed_over.clear();
    }
    ForestVerdict { probability, comment, kept, passed_over, features, asked }
}

/// Whether each unit is kept, and the cut that says so.
fn kept_of(probability: &[f32], words: &[f32]) -> (Vec<bool>, Cut) {
    let mut kept = vec![false; words.len()];
    let order = cut::order(probability);
    let best = cut::best(probability, words, &order);
    for unit in &order[..best.taken] {
        kept[*unit] = true;
    }
    (kept, best)
}

/// The probability of each unit by its own features, which are kept if they are not too many.
fn first_pass(description: &mut Description<'_>, model: &Model) -> Vec<f32> {
    let count = description.features.runs.len();
    let mut first = Vec::with_capacity(count);
    for start in (0..count).step_by(UNITS_TOGETHER) {
        let values = description.values(start..count.min(start + UNITS_TOGETHER));
        first.extend(model.first.predict(&values));
        if count <= UNITS_TOGETHER {
            description.features.values = values;
        }
    }
    first
}

/// Probabilities of all units, of being content and of being a comment.
fn second_pass(description: &mut Description<'_>, model: &Model, first: &[f32]) -> (Asked, Vec<f32>, Vec<f32>) {
    let mut values = mem::take(&mut description.features.values);
    let features = &description.features;
    let context = Context::new(first, &features.words, &features.links);
    let asked = Asked::new(first);
    let (mut second, mut comments) = (first.to_vec(), vec![0.0; first.len()]);
    let mut rows: Vec<Row> = Vec::with_capacity(LANES);
    for units in asked.units.chunks(LANES) {
        rows.clear();
        for unit in units {
            let mut read = None;
            let row = values.get_mut(*unit).unwrap_or_else(|| read.insert(description.row(*unit)));
            context.write(*unit, row, features.width);
            rows.push(*row);
        }
        let doubtful = units.iter().take_while(|unit| DOUBTFUL.contains(&first[**unit])).count();
        spread(units, &model.second.predict(&rows[..doubtful]), &mut second);
        spread(units, &model.comments.predict(&rows), &mut comments);
    }
    description.features.values = values;
    (asked, second, comments)
}

/// Puts what was found of some units where these are among all.
fn spread(units: &[usize], found: &[f32], all: &mut [f32]) {
    for (unit, found) in units.iter().zip(found) {
        all[*unit] = *found;
    }
}

/// What the second pass and the comments' forest are asked about.
#[derive(Debug)]
struct Asked {
    /// The units that are decided anew, ascending; then, ascending too, the others from [`COMMENTS_FROM`] on, which are only asked
    /// whether they are comments.
    units: Vec<usize>,
    /// How many are decided anew.
    doubtful: usize,
}

impl Asked {
    fn new(first: &[f32]) -> Self {
        let asked = (0..first.len()).filter(|unit| first[*unit] >= COMMENTS_FROM);
        let (mut units, sure): (Vec<usize>, Vec<usize>) = asked.partition(|unit| DOUBTFUL.contains(&first[*unit]));
        let doubtful = units.len();
        units.extend(sure);
        Self { units, doubtful }
    }

    /// Whether the second pass decided about a unit.
    fn is_anew(&self, unit: usize) -> bool {
        self.units[..self.doubtful].binary_search(&unit).is_ok()
    }
}

/// Spreads the units' values over all runs: runs without words take the lower of the values around them.
fn over_runs<T: Copy + PartialOrd + Default>(units: &[RunId], values: &[T], runs: usize) -> Vec<T> {
    let mut spread = Vec::with_capacity(runs);
    let mut next = 0;
    for run in 0..runs {
        if units.get(next) == Some(&run) {
            spread.push(values[next]);
            next += 1;
            continue;
        }
        let before = next.checked_sub(1).map(|unit| values[unit]);
        let behind = values.get(next).copied();
        spread.push(match (before, behind) {
            (Some(a), Some(b)) => {
                if b < a {
                    b
                } else {
                    a
                }
            }
            (one, other) => one.or(other).unwrap_or_default(),
        });
    }
    spread
}

impl ForestVerdict {
    /// Whether the run is a reader's comment, going by its probability.
    pub fn is_comment(&self, run: RunId) -> bool {
        self.comment[run] > COMMENT_MIN
    }

    /// Runs that are no content whatever the forests say, ascending: they only lead to other pages, or are the site's.
    pub(crate) fn passed_over(&self) -> &[RunId] {
        &self.passed_over
    }

    /// Texts that only the page's metadata has, where the visible content is poor beside them: the body of an article or the
    /// description of a product that scripts would show.
    pub fn hidden_texts(&self) -> Vec<&str> {
        let wanted = |kind| matches!(kind, StructuredKind::Body | StructuredKind::ProductDescription);
        let structured = self.features.info.structured.texts.iter();
        let mut texts: Vec<&str> =
            structured.filter(|(kind, _)| wanted(*kind)).map(|(_, text)| text.as_str()).collect();
        texts.dedup();
        let hidden: usize = texts.iter().map(|text| text.split_whitespace().count()).sum();
        let hidden = hidden as f32;
        let units = self.features.runs.iter().zip(&self.features.words);
        let visible: f32 = units.filter(|(run, _)| self.kept[**run]).map(|(_, words)| *words).sum();
        let is_seen = self.features.described_pairs > HIDDEN_SEEN_MAX * hidden;
        if hidden < HIDDEN_WORDS_MIN || visible > HIDDEN_VISIBLE_MAX * hidden || is_seen {
            texts.clear();
        }
        texts
    }

    /// The features that moved the run's probability most, the strongest first; none for a run without words, and on pages of
    /// more than 8192 units.
    pub fn explain(&self, run: RunId, model: &Model, count: usize) -> Vec<FeatureContribution> {
        if self.passed_over.binary_search(&run).is_ok() {
            return vec![PASSED_OVER];
        }
        let Ok(unit) = self.features.runs.binary_search(&run) else { return Vec::new() };
        let names = feature_names();
        let Some(row) = self.features.values.get(unit) else { return Vec::new() };
        let forest = if self.asked.is_anew(unit) { &model.second } else { &model.first };
        let contributions = forest.contributions(row);
        let reason = |feature: usize| FeatureContribution {
            feature: &names[feature],
            value: row[feature],
            contribution: contributions[feature],
        };
        strongest(&contributions[..names.len()], count).into_iter().map(reason).collect()
    }
}

/// The places of the numbers that are furthest from 0, those first; at most `count`, and none that is 0.
fn strongest(numbers: &[f32], count: usize) -> Vec<usize> {
    let mut best: Vec<usize> = Vec::with_capacity(count + 1);
    for (place, number) in numbers.iter().enumerate().filter(|(_, number)| **number != 0.0) {
        let behind = best.iter().position(|other| numbers[*other].abs() < number.abs()).unwrap_or(best.len());
        if behind < count {
            best.insert(behind, place);
            best.truncate(count);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cst::{self, Profile};
    use crate::dom;
    use crate::limits::Limits;

    fn decided(html: &str) -> (Vec<String>, ForestVerdict) {
        let limits = Limits::default();
        let dom = dom::parse(html, &limits);
        let tree = cst::build(&dom, Profile::Modern, &limits);
        let texts = tree.runs().iter().map(|run| tree.run_text(run).to_owned()).collect();
        (texts, decide(&PageView::new(&dom, &tree, ""), Model::embedded()))
    }

    fn article() -> String {
        let day = |day: &str| {
            format!(
                "<p>The harbour was quiet on {day} morning, and the boats lay in the mist, as they had for many years, while the \
                 town behind it slowly woke up to the sound of bells and gulls.</p>"
            )
        };
        let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
        format!(
            "<html><head><title>The quiet harbour</title></head><body><nav><ul><li><a href=/>Home</a><li><a href=/n>News</a>\
             <li><a href=/c>Contact</a></ul></nav><main><article><h1>The quiet harbour</h1>{}</article></main>\
             <footer><p>© 2024 Example. <a href=/p>Privacy policy</a> <a href=/t>Terms</a></p></footer></body></html>",
            days.map(day).concat()
        )
    }

    #[test]
    fn an_article_is_kept_and_its_surroundings_are_not() {
        let (texts, decision) = decided(&article());
        for (run, text) in texts.iter().enumerate() {
            assert_eq!(decision.kept[run], text.starts_with("The "), "{text}: {}", decision.probability[run]);
        }
    }

    #[test]
    fn what_is_there_twice_is_kept_once() {
        let html = article();
        let copied = html.replace(
            "</article>",
            &format!("{}</article>", &html[html.find("<h1>").unwrap()..html.find("</article>").unwrap()]),
        );
        let (texts, decision) = decided(&copied);
        let kept =
            |from: usize, to: usize| (from..to).filter(|run| decision.kept[*run] && texts[*run].len() > 40).count();
        let middle = texts.iter().rposition(|text| text.contains("Monday")).unwrap();
        assert_eq!((kept(0, middle), kept(middle, texts.len())), (6, 0));
    }

    #[test]
    fn the_same_page_gives_the_same_decision() {
        let (_, a) = decided(&article());
        let (_, b) = decided(&article());
        assert_eq!(a.probability, b.probability);
        assert_eq!(a.comment, b.comment);
    }

    #[test]
    fn pages_of_many_runs_are_decided_piece_by_piece() {
        let html = format!("{}{}", article(), "<p>Short.</p><p>And a longer one, with a few words.</p>".repeat(5000));
        let (texts, decision) = decided(&html);
        assert!(texts.len() > UNITS_TOGETHER && decision.features.values.is_empty());
        assert!(decision.probability.iter().all(|probability| *probability > 0.0));
        assert!(decision.explain(0, Model::embedded(), 3).is_empty());
    }

    #[test]
    fn pages_without_text_are_decided_too() {
        for html in ["", "<body>", "<frameset><frame src=a></frameset>", "<img src=a.png>", "<p>|</p>", "<p>a</p>"] {
            let (texts, decision) = decided(html);
            assert_eq!(decision.kept.len(), texts.len());
        }
    }

    #[test]
    fn the_strongest_are_told_in_order() {
        assert_eq!(strongest(&[0.1, -3.0, 0.0, 2.0, -0.5], 3), [1, 3, 4]);
        assert_eq!(strongest(&[0.0, 1.0, 1.0], 3), [1, 2], "equals stay in order");
    }

    #[test]
    fn the_strongest_reasons_come_first() {
        let (texts, decision) = decided(&article());
        let run = texts.iter().position(|text| text.starts_with("The harbour")).unwrap();
        let reasons = decision.explain(run, Model::embedded(), 3);
        assert_eq!(reasons.len(), 3);
        assert!(reasons[0].contribution.abs() >= reasons[1].contribution.abs());
    }

    #[test]
    fn text_that_only_the_metadata_has_is_found() {
        let body = "word after word of a long article ".repeat(20);
        let html = format!(
            "<script type='application/ld+json'>{{\"@type\":\"Article\",\"articleBody\":\"{body}\"}}</script>{}<p>Loading</p>",
            "<a href=/s>Another section of news</a> ".repeat(12)
        );
        assert_eq!(decided(&html).1.hidden_texts().len(), 1);
        let html = format!("{html}<p>{body}</p>");
        assert!(decided(&html).1.hidden_texts().is_empty());
    }
}
