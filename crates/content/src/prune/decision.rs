//! What pruning decides, and why.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize};

/// Share of a host's pages that hold a block from which on it is part of the site's template.
pub(crate) const TEMPLATE_SCORE_MIN: f32 = 0.5;

/// Which siblings are eliminated.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PruneRule {
    /// Figure 5, line 11: all but the most similar of a floor are eliminated; equals stay together.
    Paper,
    /// A sibling is eliminated when its similarity is below this share of the best one's (0 to 1).
    Relative {
        /// Share of the best similarity.
        #[serde(deserialize_with = "share")]
        share: f32,
    },
    /// Nothing is eliminated; similarities are computed all the same.
    Everything,
    /// Only what is certainly noise is eliminated. Beside anything else: footers, navigation and lists of links that the content judge
    /// holds for noise too ([`NavigationBounds::noise_max`](super::NavigationBounds::noise_max)), and what most pages of the site
    /// hold. Beside a sibling that is more similar: all navigation that the judge does not hold for content
    /// ([`NavigationBounds::content_min`](super::NavigationBounds::content_min)), and what the judge alone holds for noise. By itself: a
    /// single run that it holds for noise and that has none of the topic's words.
    #[default]
    Balanced,
    /// Main content alone: what the content judge keeps, run by run. Where it keeps nothing of a page, or none was asked, as
    /// [`Balanced`](Self::Balanced).
    Main,
}

/// A share from 0 to 1.
fn share<'de, D: Deserializer<'de>>(source: D) -> Result<f32, D::Error> {
    let share = f32::deserialize(source)?;
    if (0.0..=1.0).contains(&share) {
        return Ok(share);
    }
    Err(serde::de::Error::custom(format!("a share of {share} is none: wanted is one from 0 to 1")))
}

impl fmt::Display for PruneRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Paper => f.write_str("paper"),
            Self::Relative { share } => write!(f, "relative:{share}"),
            Self::Everything => f.write_str("everything"),
            Self::Balanced => f.write_str("balanced"),
            Self::Main => f.write_str("main"),
        }
    }
}

impl PruneRule {
    /// What is less than a tenth as similar as its best sibling is eliminated.
    pub const STRICT: Self = Self::Relative { share: 0.1 };
}

impl FromStr for PruneRule {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "paper" => Ok(Self::Paper),
            "everything" => Ok(Self::Everything),
            "balanced" => Ok(Self::Balanced),
            "main" => Ok(Self::Main),
            "relative" | "strict" => Ok(Self::STRICT),
            _ => match name.strip_prefix("relative:").map(str::parse) {
                Some(Ok(share)) if (0.0..=1.0).contains(&share) => Ok(Self::Relative { share }),
                _ => Err(format!(
                    "no rule is called `{name}`: use `balanced`, `main`, `everything`, `strict`, `paper`, or `relative:SHARE` with a share from 0 to 1"
                )),
            },
        }
    }
}

/// Why an HtmlItem stayed or went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PruneReason {
    /// The root of the tree.
    Root,
    /// It has no sibling to compete with.
    OnlyChild,
    /// It is a paragraph, heading, row or cell: it stays or goes with the container it is in.
    Part,
    /// No sibling is more similar.
    Best,
    /// It is similar enough beside the best.
    AboveShare,
    /// The rule eliminates nothing.
    KeepAll,
    /// A sibling is more similar, and only the best stays.
    NotBest,
    /// Its similarity is below the required share of the best.
    BelowShare,
    /// It is navigation or a list of links, and a sibling is more similar.
    Noise,
    /// Nothing says that it is noise.
    NotNoise,
    /// Most pages of the site hold it.
    Template,
    /// The content judge keeps nothing of it.
    NotContent,
    /// The content judge keeps some of it.
    Content,
}

impl PruneReason {
    /// The reason in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::OnlyChild => "no sibling",
            Self::Part => "part of its container",
            Self::Best => "most similar of its floor",
            Self::AboveShare => "similar enough beside the best",
            Self::KeepAll => "nothing is eliminated",
            Self::NotBest => "a sibling is more similar",
            Self::BelowShare => "too little similar beside the best",
            Self::Noise => "navigation or a list of links",
            Self::NotNoise => "not noise",
            Self::Template => "on most pages of the site",
            Self::NotContent => "not content, and a sibling is more similar",
            Self::Content => "content",
        }
    }
}

/// The decision about one HtmlItem among its siblings.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PruneDecision {
    /// Cosine similarity to the query, eq. (1), in [0, 1].
    pub similarity: f32,
    /// The highest similarity on its floor, of what is not the site's template.
    pub best: f32,
    /// Whether it stays beside its siblings. What is inside an eliminated block goes with it.
    pub kept: bool,
    /// Why.
    pub reason: PruneReason,
    /// Share of its host's pages that hold it, in [0, 1]; 0 where nothing is known of the host.
    #[serde(skip)]
    pub template: f32,
}

impl PruneRule {
    /// Judges an item with `siblings` competitors (itself included). `is_noise` says whether it is navigation or a list of links,
    /// `is_unlikely` whether the content judge holds it for noise.
    pub(super) fn judge(
        self,
        similarity: f32,
        best: f32,
        siblings: usize,
        is_noise: bool,
        is_unlikely: bool,
    ) -> PruneDecision {
        debug_assert!(similarity <= best);
        let is_best = similarity >= best;
        let (kept, reason) = match self {
            _ if siblings <= 1 => (true, PruneReason::OnlyChild),
            Self::Everything => (true, PruneReason::KeepAll),
            _ if is_best => (true, PruneReason::Best),
            Self::Balanced | Self::Main if is_noise => (false, PruneReason::Noise),
            Self::Balanced | Self::Main if is_unlikely => (false, PruneReason::NotContent),
            Self::Balanced | Self::Main => (true, PruneReason::NotNoise),
            Self::Paper => (false, PruneReason::NotBest),
            Self::Relative { share } if similarity >= share * best => (true, PruneReason::AboveShare),
            Self::Relative { .. } => (false, PruneReason::BelowShare),
        };
        PruneDecision { similarity, best, kept, reason, template: 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_by_hand() {
        let relative = PruneRule::Relative { share: 0.5 };
        assert_eq!(PruneRule::Paper.judge(0.3, 0.4, 2, false, false).reason, PruneReason::NotBest);
        assert_eq!(PruneRule::Paper.judge(0.4, 0.4, 2, false, false).reason, PruneReason::Best);
        assert_eq!(relative.judge(0.2, 0.4, 3, false, false).reason, PruneReason::AboveShare);
        assert_eq!(relative.judge(0.19, 0.4, 3, false, false).reason, PruneReason::BelowShare);
        assert_eq!(
            relative.judge(0.0, 0.0, 3, false, false).reason,
            PruneReason::Best,
            "where nothing is similar nothing is eliminated"
        );
        let unlikely = |similarity| PruneRule::Balanced.judge(similarity, 0.4, 3, false, true).reason;
        assert_eq!(
            (unlikely(0.3), unlikely(0.4)),
            (PruneReason::NotContent, PruneReason::Best),
            "judge and cosine must agree"
        );
        assert_eq!(PruneRule::Paper.judge(0.0, 0.0, 1, false, false).reason, PruneReason::OnlyChild);
    }

    #[test]
    fn names_are_read_back() {
        for rule in [
            PruneRule::Paper,
            PruneRule::Everything,
            PruneRule::Balanced,
            PruneRule::Main,
            PruneRule::Relative { share: 0.25 },
        ] {
            assert_eq!(rule.to_string().parse(), Ok(rule));
        }
        assert!("relative:2".parse::<PruneRule>().is_err());
    }
}
