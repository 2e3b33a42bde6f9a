//! What an extractor made of one page.

use std::fmt;
use std::str::FromStr;

use super::content::{ContentOptions, content_of};
use super::lopper::{Decision, Reason};
use super::model::Model;
use super::{Extractor, PageView, lopper};
use crate::cst::RunId;
use crate::document::Document;

/// What becomes of readers' comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Comments {
    /// Left out, except where they are the content, as in a forum.
    #[default]
    Auto,
    /// Kept beside the content.
    Keep,
    /// Left out everywhere.
    Drop,
}

impl FromStr for Comments {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "auto" => Ok(Self::Auto),
            "keep" => Ok(Self::Keep),
            "drop" => Ok(Self::Drop),
            other => Err(format!("comments cannot be `{other}`: use `auto`, `keep` or `drop`")),
        }
    }
}

impl fmt::Display for Comments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto",
            Self::Keep => "keep",
            Self::Drop => "drop",
        })
    }
}

/// The extracted page. Arrays are indexed by run.
#[derive(Debug)]
pub struct Extraction {
    /// Whether the run is kept.
    pub kept: Vec<bool>,
    /// The method's score: for the default method the probability of being content.
    pub score: Vec<f32>,
    /// Texts that the page has only in its metadata, to be put behind the kept runs.
    pub hidden_texts: Vec<String>,
    decision: Option<Decision>,
}

impl Extractor {
    /// Extracts a page. Only the default method tells comments; the published ones know none.
    pub fn extract(self, page: &PageView<'_>, comments: Comments) -> Extraction {
        match self {
            Self::Lopper => Extraction::of(lopper::decide(page, Model::embedded()), comments),
            Self::Published(method, variant) => {
                let verdict = method.decide(page, variant);
                Extraction { kept: verdict.kept, score: verdict.score, hidden_texts: Vec::new(), decision: None }
            }
        }
    }
}

impl Extraction {
    fn of(decision: Decision, comments: Comments) -> Self {
        let choose = |(run, kept): (RunId, &bool)| match comments {
            Comments::Auto => *kept,
            Comments::Keep => *kept || decision.is_comment(run),
            Comments::Drop => *kept && !decision.is_comment(run),
        };
        Self {
            kept: decision.kept.iter().enumerate().map(choose).collect(),
            score: decision.probability.clone(),
            hidden_texts: decision.hidden_texts().into_iter().map(str::to_owned).collect(),
            decision: Some(decision),
        }
    }

    /// Whether the run is a reader's comment, as far as the method can tell.
    pub fn is_comment(&self, run: RunId) -> bool {
        self.decision.as_ref().is_some_and(|decision| decision.is_comment(run))
    }

    /// The strongest reasons for a run's score, where the method gives reasons.
    pub fn reasons(&self, run: RunId, count: usize) -> Vec<Reason> {
        self.decision.as_ref().map_or_else(Vec::new, |decision| decision.explain(run, Model::embedded(), count))
    }

    /// The kept runs, and the texts of the metadata, as a document.
    pub fn content(&self, page: &PageView<'_>) -> Document {
        self.content_with(page, ContentOptions::default())
    }

    /// The same without links or images, as `options` say.
    pub fn content_with(&self, page: &PageView<'_>, options: ContentOptions) -> Document {
        let mut document = content_of(page.dom, page.tree, page.url, &self.kept, options);
        for text in &self.hidden_texts {
            document.push_paragraph(text);
        }
        document
    }
}
