//! The methods by name.

use std::fmt;
use std::str::FromStr;

use super::{PageView, Verdict, bte, cst, distribution, full_text, link_density, punctuation};

/// Which reading of a method's text is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Variant {
    /// The reading that measured best on labelled pages.
    #[default]
    Best,
    /// What the text says, with only what it takes to run it.
    Literal,
}

/// A published method of finding a page's main content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// Content structure tree, TF-IDF and cosine similarity (Nyein).
    Cst,
    /// Body Text Extraction, improved (Phan & Ha).
    Bte,
    /// Body Text Extraction, original (Finn). Has one reading.
    BteOriginal,
    /// Descent by the distribution of text over child nodes.
    Distribution,
    /// Comma score of every DIV (Posch).
    Punctuation,
    /// Link density thresholds (Gunasundari & Karthikeyan).
    LinkDensity,
    /// No method: all text. The floor that any method has to beat. Has one reading.
    FullText,
}

impl Method {
    /// All methods, in the order of reports.
    pub const ALL: [Self; 7] = [
        Self::Cst,
        Self::Bte,
        Self::BteOriginal,
        Self::Distribution,
        Self::Punctuation,
        Self::LinkDensity,
        Self::FullText,
    ];

    /// Says for every run of a page whether it is main content. Never fails; near-linear in the size of the page, save
    /// `bte-original` up to [`bte::ORIGINAL_TOKENS_MAX`].
    pub fn decide(self, page: &PageView<'_>, variant: Variant) -> Verdict {
        let decide = match self {
            Self::Cst => cst::decide,
            Self::Bte => bte::decide,
            Self::BteOriginal => bte::decide_original,
            Self::Distribution => distribution::decide,
            Self::Punctuation => punctuation::decide,
            Self::LinkDensity => link_density::decide,
            Self::FullText => full_text::decide,
        };
        decide(page, variant)
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cst => "cst",
            Self::Bte => "bte",
            Self::BteOriginal => "bte-original",
            Self::Distribution => "distribution",
            Self::Punctuation => "punctuation",
            Self::LinkDensity => "link-density",
            Self::FullText => "full-text",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Method {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|method| method.name() == name).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|method| format!("`{method}`")).collect();
            format!("no method is called `{name}`: use one of {}", names.join(", "))
        })
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Best => "best",
            Self::Literal => "literal",
        })
    }
}

impl FromStr for Variant {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "best" => Ok(Self::Best),
            "literal" => Ok(Self::Literal),
            other => Err(format!("no variant is called `{other}`: use `best` or `literal`")),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing::with_page;
    use super::*;

    const VARIANTS: [Variant; 2] = [Variant::Best, Variant::Literal];

    #[test]
    fn names_are_read_back() {
        for method in Method::ALL {
            assert_eq!(method.to_string().parse(), Ok(method));
        }
        for variant in VARIANTS {
            assert_eq!(variant.to_string().parse(), Ok(variant));
        }
        assert!("finn".parse::<Method>().is_err_and(|message| message.contains("`bte-original`")));
    }

    fn answers_soundly(html: &str) {
        with_page(html, |page| {
            for method in Method::ALL {
                for variant in VARIANTS {
                    let verdict = method.decide(page, variant);
                    assert_eq!(verdict.kept.len(), page.tree.runs().len(), "{method} {variant}");
                    assert_eq!(verdict.score.len(), page.tree.runs().len(), "{method} {variant}");
                    assert!(verdict.score.iter().all(|score| score.is_finite()), "{method} {variant}");
                    assert_eq!(verdict, method.decide(page, variant), "{method} {variant} gives the same again");
                }
            }
        });
    }

    #[test]
    fn odd_pages_are_answered() {
        for html in
            ["", "<frameset><frame src=x></frameset>", "<img src=a>", "<table>,,,<a>", "text", "<a href=x>,.</a>"]
        {
            answers_soundly(html);
        }
        answers_soundly(&"<div>".repeat(3000));
        answers_soundly(&format!("{}x, y", "<div>a, b <p>".repeat(600)));
        answers_soundly(&"<a href=x>link</a> ".repeat(20_000));
        answers_soundly(&"word, ".repeat(200_000));
    }

    proptest! {
        #[test]
        fn random_pages_are_answered(parts in prop::collection::vec(
            prop::sample::select(vec![
                "<div>", "</div>", "<p>", "</p>", "<a href=x>", "</a>", "<table><tr><td>", "</table>", "<nav>", "</nav>", "<br>",
                "<noscript>", "</noscript>", "<img src=i>", "<form>", "</form>", "one, two. ", "word ", "<title>one</title>", "天气，",
            ]), 0..60))
        {
            answers_soundly(&parts.concat());
        }
    }
}
