//! How the pages of an answer are pruned by the query.

use std::fmt;
use std::str::FromStr;

use lopper_content::prune::PruneRule;
use serde::Deserialize;

/// How a page is pruned by the query that found it.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
#[serde(try_from = "String")]
pub enum QueryPruning {
    /// The blocks that answer, with the section around them: by the evidence of the index, block against block
    /// ([`Ranked::focus`](lopper_index::Ranked::focus)).
    #[default]
    Focus,
    /// Figure 5 of the paper, with the query in place of the page's topic: element against element, by a rule.
    Tree(PruneRule),
}

impl QueryPruning {
    /// The rule of the tree, where it is one.
    pub fn rule(self) -> Option<PruneRule> {
        match self {
            Self::Focus => None,
            Self::Tree(rule) => Some(rule),
        }
    }
}

impl fmt::Display for QueryPruning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Focus => f.write_str("focus"),
            Self::Tree(rule) => rule.fmt(f),
        }
    }
}

impl FromStr for QueryPruning {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "focus" => Ok(Self::Focus),
            _ => name.parse().map(Self::Tree).map_err(|_: String| {
                format!(
                    "no rule is called `{name}`: use `focus`, `balanced`, `main`, `everything`, `strict`, `paper`, or `relative:SHARE` with a share from 0 to 1"
                )
            }),
        }
    }
}

impl TryFrom<String> for QueryPruning {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        name.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for pruning in
            [QueryPruning::Focus, QueryPruning::Tree(PruneRule::Paper), QueryPruning::Tree(PruneRule::STRICT)]
        {
            assert_eq!(pruning.to_string().parse(), Ok(pruning));
        }
        assert!(matches!("hard".parse::<QueryPruning>(), Err(message) if message.contains("`focus`")));
    }
}
