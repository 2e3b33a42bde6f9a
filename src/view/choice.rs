//! Which runs are kept: by the index, by a method, by a threshold.

use lopper_content::cst::{ContentStructureTree, NodeId, NodeKind};
use lopper_content::extract::methods::{Method, PageView, Variant};
use lopper_content::extract::{ContentJudge, Extractor};
use lopper_content::pipeline::StoredTree;
use lopper_content::prune::PruneReason;

/// Whether each run is kept.
pub(crate) type Kept = Vec<bool>;

/// Who says what is kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Choice {
    /// The index: what survived pruning at ingest.
    Index,
    /// The judge, by its own cut, or what it holds for content with at least so many per cent.
    Judge {
        /// The least probability, in per cent.
        least: Option<u8>,
    },
    /// The cosine: what is at least so many per cent as similar to the topic as the best beside it.
    Similarity {
        /// The share of the best one's, in per cent.
        least: u8,
    },
    /// A published method, run on the page's elements.
    Published(Method),
}

impl Choice {
    /// The share of the rule `strict`, in per cent.
    const STRICT: u8 = 10;

    /// All that there is to choose, at its own strictness.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let stored = [Self::Index, Self::Judge { least: None }, Self::Similarity { least: Self::STRICT }];
        stored.into_iter().chain(Method::ALL.map(Self::Published))
    }

    /// The choice of that name.
    pub(crate) fn named(name: &str, least: Option<u8>) -> Option<Self> {
        match Self::all().find(|choice| choice.name() == name)? {
            Self::Judge { .. } => Some(Self::Judge { least }),
            Self::Similarity { least: own } => Some(Self::Similarity { least: least.unwrap_or(own) }),
            choice => Some(choice),
        }
    }

    /// The name in addresses.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Index => "index",
            Self::Judge { .. } => "lopper",
            Self::Similarity { .. } => "similarity",
            Self::Published(method) => method.name(),
        }
    }

    /// The name for people.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Index => "In the index",
            Self::Judge { .. } => "Lopper’s model",
            Self::Similarity { .. } => "Similarity",
            Self::Published(Method::Cst) => "CST",
            Self::Published(Method::Bte) => "BTE",
            Self::Published(Method::BteOriginal) => "BTE, original",
            Self::Published(Method::Distribution) => "Distribution",
            Self::Published(Method::Punctuation) => "Punctuation",
            Self::Published(Method::LinkDensity) => "Link density",
            Self::Published(Method::FullText) => "Full text",
        }
    }

    /// How strict it is, in per cent, where that can be chosen.
    pub(crate) fn least(self) -> Option<u8> {
        match self {
            Self::Judge { least } => least,
            Self::Similarity { least } => Some(least),
            _ => None,
        }
    }

    /// Whether it looks at the page's elements, and not only at what is stored.
    pub(crate) fn needs_body(self) -> bool {
        matches!(self, Self::Published(_))
    }

    /// Which runs it keeps. Published methods keep all of a page without a `view`, and so does a judge that was not asked.
    pub(crate) fn kept(self, stored: &StoredTree, view: Option<&PageView<'_>>) -> Kept {
        let all = || vec![true; stored.tree.runs().len()];
        match self {
            Self::Index => stored.surviving_runs(),
            Self::Judge { least } => by_judge(stored, least).unwrap_or_else(all),
            Self::Similarity { least } => by_similarity(stored, f32::from(least) / 100.0),
            Self::Published(method) => {
                view.map_or_else(all, |view| Extractor::Published(method, Variant::Best).judge(view).kept)
            }
        }
    }
}

fn by_judge(stored: &StoredTree, least: Option<u8>) -> Option<Kept> {
    let judged = stored.judged.as_ref()?;
    let kept = |run| {
        let run = judged.run(run)?;
        Some(least.map_or(run.kept, |least| run.probability * 100.0 >= f32::from(least)))
    };
    (0..stored.tree.runs().len()).map(kept).collect()
}

/// The rule `relative` on the stored similarities: an item goes when it is below `share` of the best beside it, with all that is in it.
fn by_similarity(stored: &StoredTree, share: f32) -> Kept {
    let tree: &ContentStructureTree = &stored.tree;
    let mut stays = vec![true; tree.len()];
    for id in tree.ids().filter(|id| tree.kind(*id) == NodeKind::HtmlItem) {
        let above = tree.parent(id).is_none_or(|parent| stays[parent.index()]);
        stays[id.index()] = above && is_similar(stored, id, share);
    }
    tree.runs().iter().map(|run| stays[run.item.index()]).collect()
}

fn is_similar(stored: &StoredTree, id: NodeId, share: f32) -> bool {
    stored.decision(id).is_none_or(|decision| {
        let competes = !matches!(decision.reason, PruneReason::Root | PruneReason::OnlyChild | PruneReason::Part);
        !competes || decision.similarity >= share * decision.best
    })
}

/// What is shown: a choice, and another one beside it if any.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shown {
    /// The one whose dropped runs are tinted.
    pub(crate) first: Choice,
    /// The one that it is compared with.
    pub(crate) second: Option<Choice>,
    /// The block that the reader came for.
    pub(crate) block: Option<u32>,
}

impl Default for Shown {
    fn default() -> Self {
        Self { first: Choice::Index, second: None, block: None }
    }
}

impl Shown {
    /// Reads the parameters of an address; values that are none are passed over.
    pub(crate) fn read(value_of: impl Fn(&str) -> Option<String>) -> Self {
        let number = |name| value_of(name).and_then(|value| value.parse::<u32>().ok());
        let least = number("least").map(|least| least.min(100) as u8);
        Self {
            first: value_of("method").and_then(|name| Choice::named(&name, least)).unwrap_or(Choice::Index),
            second: value_of("beside").and_then(|name| Choice::named(&name, None)),
            block: number("block"),
        }
    }

    /// The parameters for an address, each as `name=value`.
    pub(crate) fn parameters(&self) -> String {
        let mut parameters = Vec::new();
        parameters.extend(self.block.map(|block| format!("block={block}")));
        if self.first != Choice::Index {
            parameters.push(format!("method={}", self.first.name()));
            parameters.extend(self.first.least().map(|least| format!("least={least}")));
        }
        parameters.extend(self.second.map(|second| format!("beside={}", second.name())));
        parameters.join("&")
    }
}

/// What became of a run, for the frame.
pub(super) fn fate(first: bool, second: Option<bool>) -> Option<&'static str> {
    match (first, second) {
        (true, None | Some(true)) => None,
        (false, None | Some(false)) => Some("drop"),
        (true, Some(false)) => Some("first"),
        (false, Some(true)) => Some("second"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_back() {
        let read = |query: &str| {
            let pairs: Vec<(String, String)> = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
            Shown::read(|name| pairs.iter().find(|(given, _)| given == name).map(|(_, value)| value.clone()))
        };
        for query in ["", "block=3", "block=0&method=lopper&least=40&beside=bte", "method=similarity&least=100"] {
            assert_eq!(read(query).parameters(), query);
        }
        assert_eq!(read("block=x&method=none&beside=1&least=-1"), Shown::default());
        assert_eq!(read("method=lopper&least=900").first, Choice::Judge { least: Some(100) });
    }

    #[test]
    fn names_are_apart() {
        let mut names: Vec<_> = Choice::all().map(Choice::name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Choice::all().count());
    }
}
