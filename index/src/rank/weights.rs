//! The ranking function: one sum of features, each times its weight.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::feature::{FEATURES, Feature, Features};
use crate::query::QueryShape;

/// Version of the weights that are built in. Another version for each change of one of them.
const BUILT_IN: &str = "built-in-17";

/// The weight of each feature, all ≥ 0, and what this set of them is called.
///
/// As a file it is `{"version": "…", "weights": {"bm25f": 1.0, …}}`, or the same in TOML; features that are not named weigh nothing.
/// Weights belong to the ranking alone: no index is made anew for them.
///
/// ```
/// use lopper_index::{Feature, RankingWeights};
///
/// let file = r#"{"version": "mine", "weights": {"bm25f": 1.0, "page": 0.5}}"#;
/// let weights: RankingWeights = serde_json::from_str(file).unwrap();
/// assert_eq!((weights.version(), weights.of(Feature::Page)), ("mine", 0.5));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "WeightsFile", into = "WeightsFile")]
pub struct RankingWeights {
    version: String,
    weights: [f32; FEATURES],
}

/// What is written and read.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WeightsFile {
    version: String,
    weights: BTreeMap<Feature, f32>,
}

/// A weight that cannot be.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("the weight of `{}` is {weight}; it must be a number from 0 on", feature.name())]
pub struct WeightError {
    /// Whose weight.
    pub feature: Feature,
    /// The weight.
    pub weight: f32,
}

impl TryFrom<WeightsFile> for RankingWeights {
    type Error = WeightError;

    fn try_from(file: WeightsFile) -> Result<Self, WeightError> {
        let mut weights = Self::none(file.version);
        for (feature, weight) in file.weights {
            weights.set(feature, weight)?;
        }
        Ok(weights)
    }
}

impl From<RankingWeights> for WeightsFile {
    fn from(weights: RankingWeights) -> Self {
        let named = Feature::ALL.into_iter().zip(weights.weights).filter(|(_, weight)| *weight > 0.0);
        Self { version: weights.version, weights: named.collect() }
    }
}

impl Default for RankingWeights {
    /// Fitted on judged queries of three collections; `docs/lab/RANKING.md` says how, and what they give.
    fn default() -> Self {
        let mut built_in = Self::none(BUILT_IN);
        for (feature, weight) in [
            (Feature::Bm25f, 1.0),
            (Feature::Page, 0.15),
            (Feature::BestOfPage, 0.05),
            (Feature::SecondOfPage, 0.3),
            (Feature::TenthOfSite, 0.25),
            (Feature::SiteNamed, 0.1),
            (Feature::Language, 0.2),
            (Feature::Window, 0.2),
            (Feature::Pairs, 0.2),
            (Feature::Verbatim, 0.2),
            (Feature::Headings, 0.1),
            (Feature::OwnHeading, 0.15),
            (Feature::Asked, 0.4),
            (Feature::Definition, 0.8),
            (Feature::TitleCoverage, 0.2),
            (Feature::Title, 0.2),
            (Feature::PageName, 0.3),
            (Feature::Url, 0.2),
            (Feature::Names, 0.3),
            (Feature::Defines, 0.2),
            (Feature::PageLinks, 0.2),
            (Feature::BlockLinks, 0.8),
            (Feature::LinksWithin, 0.8),
            (Feature::Pointed, 0.5),
            (Feature::PagePointed, 0.7),
            (Feature::Anchors, 0.1),
            (Feature::PageAnchors, 0.1),
            (Feature::LinksElsewhere, 1.0),
            (Feature::LeadsOn, 1.0),
        ] {
            built_in.weights[feature as usize] = weight;
        }
        built_in
    }
}

impl RankingWeights {
    /// Nothing weighs anything.
    pub fn none(version: impl Into<String>) -> Self {
        Self { version: version.into(), weights: [0.0; FEATURES] }
    }

    /// The cosine alone.
    pub fn cosine() -> Self {
        let mut cosine = Self::none("cosine");
        cosine.weights[Feature::Cosine as usize] = 1.0;
        cosine
    }

    /// The same without a feature.
    #[must_use]
    pub fn without(&self, feature: Feature) -> Self {
        let mut weights = self.clone();
        weights.weights[feature as usize] = 0.0;
        weights
    }

    /// Whether it is the set that is built in, also as it is for queries of some length.
    pub(crate) fn is_built_in(&self) -> bool {
        self.version == BUILT_IN
    }

    /// What this set of weights is called.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The weight of a feature.
    pub fn of(&self, feature: Feature) -> f32 {
        self.weights[feature as usize]
    }

    /// Changes a weight.
    ///
    /// # Errors
    /// [`WeightError`] for one below 0, or none at all.
    pub fn set(&mut self, feature: Feature, weight: f32) -> Result<(), WeightError> {
        if !(weight.is_finite() && weight >= 0.0) {
            return Err(WeightError { feature, weight });
        }
        self.weights[feature as usize] = weight;
        Ok(())
    }

    /// These weights for such a query: each counts its [share](Feature::share_for).
    #[must_use]
    pub(crate) fn for_query(&self, shape: QueryShape) -> Self {
        let mut weights = self.clone();
        for feature in Feature::ALL {
            weights.weights[feature as usize] *= feature.share_for(shape);
        }
        weights
    }

    /// Whether the places of words count.
    pub(super) fn use_places(&self) -> bool {
        Feature::ALL.into_iter().any(|feature| feature.is_of_places() && self.of(feature) > 0.0)
    }

    /// What links give to the score of a block.
    pub(super) fn links(&self, features: &Features) -> f32 {
        let of_links = Feature::ALL.into_iter().filter(|feature| feature.is_of_links());
        of_links.map(|feature| self.of(feature) * features.of(feature)).sum()
    }

    /// The score of a block: `Σ weight_f · feature_f`. Summed in the order of the features, in `f64`.
    pub fn score(&self, features: &Features) -> f32 {
        self.contributions(features).map(|(_, contribution)| f64::from(contribution)).sum::<f64>() as f32
    }

    /// What each feature adds to the score; those that add nothing are left out.
    pub fn contributions<'a>(&'a self, features: &'a Features) -> impl Iterator<Item = (Feature, f32)> + 'a {
        let weighed = Feature::ALL.into_iter().zip(&self.weights);
        let weighed = weighed.map(|(feature, weight)| (feature, weight * features.of(feature)));
        weighed.filter(|(_, contribution)| *contribution != 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_come_back_from_a_file() {
        let built_in = RankingWeights::default();
        let file = serde_json::to_string(&built_in).unwrap();
        assert_eq!(serde_json::from_str::<RankingWeights>(&file).unwrap(), built_in);
        assert!(!file.contains("prose"), "idle features are not written: {file}");
    }

    #[test]
    fn a_file_with_a_mistake_is_refused() {
        for (file, told) in [
            (r#"{"version": "1", "weights": {"bm25": 1}}"#, "unknown variant `bm25`"),
            (r#"{"version": "1", "weights": {"page": -1}}"#, "the weight of `page` is -1"),
            (r#"{"version": "1", "weights": {}, "more": 1}"#, "unknown field `more`"),
            (r#"{"weights": {}}"#, "missing field `version`"),
        ] {
            let error = serde_json::from_str::<RankingWeights>(file).unwrap_err().to_string();
            assert!(error.contains(told), "{error}");
        }
        assert!(RankingWeights::default().set(Feature::Page, f32::NAN).is_err());
    }

    #[test]
    fn titles_and_places_count_for_few_words_alone() {
        let built_in = RankingWeights::default();
        let [two, half, none] = [2, 6, 20].map(|words| built_in.for_query(QueryShape::of(words)));
        let of_few = "coverage window pairs headings own_heading lead title_coverage description url_coverage names";
        for feature in Feature::ALL {
            let weight = built_in.of(feature);
            let expected = match feature.name() {
                "page_name" | "definition" => [0.0; 2],
                "block_links" | "links_within" => [weight, weight / 3.0],
                name if of_few.split(' ').any(|few| few == name) => [weight / 2.0, 0.0],
                _ => [weight; 2],
            };
            let is_near = |found: f32, expected: f32| (found - expected).abs() < 1e-6;
            let of_two = match feature {
                Feature::Asked => weight / 2.0,
                Feature::Definition | Feature::Verbatim => 0.0,
                _ => weight,
            };
            assert!(is_near(two.of(feature), of_two), "{feature:?}");
            assert!(is_near(half.of(feature), expected[0]) && is_near(none.of(feature), expected[1]), "{feature:?}");
        }
        let asked = built_in.for_query(QueryShape { asks_definition: true, ..QueryShape::of(2) });
        assert!(asked.of(Feature::Definition) >= built_in.of(Feature::Definition));
        let longest = built_in.for_query(QueryShape::of(100));
        assert!(built_in.use_places() && none.use_places() && !longest.use_places());
    }

    #[test]
    fn a_score_by_hand() {
        let mut features = Features::default();
        features.set(Feature::Bm25f, 0.5);
        features.set(Feature::BlockLinks, 0.25);
        features.set(Feature::Prose, 1.0);
        let mut weights = RankingWeights::none("by hand");
        weights.set(Feature::Bm25f, 1.0).unwrap();
        weights.set(Feature::BlockLinks, 1.2).unwrap();
        assert!((weights.score(&features) - (0.5 + 1.2 * 0.25)).abs() < 1e-6);
        assert_eq!(weights.contributions(&features).count(), 2);
    }
}
