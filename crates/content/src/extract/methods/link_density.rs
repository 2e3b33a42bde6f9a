//! Link density thresholds (Gunasundari & Karthikeyan, sec. 3).
//!
//! Sec. 3.1 defines four measures of a node, sec. 3.2 the steps: 2) drop nodes without text and `form`, `marquee` and the like;
//! 3) locate nodes by the basic condition; 4) a node that meets the precise condition is content, one that does not is looked
//! into; 5) neighbours on the same level that meet the precise condition are content as well. Sec. 3.3 is the same as a walk.
//!
//! Differs from the paper: 1) the thresholds' directions are not printed; maxima are read for `LTD`, `LA` and `LAD`, a minimum for
//! `NTL`; 2) `LA` is no bound of the basic condition, although its list gives `LA = 10`: the sample of sec. 4.1 walks through a
//! `body` that meets it on a page of 92 kB, and with the bound nearly every page ends at `body` as not suitable (word F1
//! 0.023); 3) "child nodes" of `LA` and `LAD` are read as all elements below; 4) sec. 3.3 goes back to whole levels of the
//! page, which differs from a walk into the node's own children only in its cost.
//!
//! Tried on the labelled pages (word F1 on a quarter of them): to the letter 0.624; keeping forms 0.633; with the children in
//! place of all below for `LA` and `LAD` 0.649; the precise condition alone sufficing, `LAD` 0.5, `LTD` of the basic
//! condition 0.6 to 0.9, `NTL` from 60/20 to 100/50: 0.756 to 0.765 without texts as nodes, 0.779 to 0.787 with them. Of those
//! within 0.005 of the best, the one that leaves most of the paper's thresholds as they are is taken (0.783).

use super::outline::{Outline, OutlineItem};
use super::verdict::Tally;
use super::{PageView, Variant, Verdict};
use crate::dom::Tag;

/// Thresholds of steps 3 and 4.
#[derive(Debug, Clone, Copy)]
struct Condition {
    /// Highest link text density.
    ltd_max: f64,
    /// Highest link amount, if it is bounded.
    la_max: Option<u32>,
    /// Lowest node text length, characters.
    ntl_min: u32,
    /// Highest link amount density.
    lad_max: f64,
}

/// One reading of the text.
#[derive(Debug, Clone, Copy)]
struct LinkDensityReading {
    basic: Condition,
    precise: Condition,
    /// Step 2: elements taken out with all they hold.
    removed: &'static [Tag],
    /// Whether the precise condition suffices, also where no neighbour met both.
    precise_suffices: bool,
    /// Whether texts are nodes as elements are.
    texts_are_nodes: bool,
    /// Whether a page in which nothing is found is kept whole.
    falls_back: bool,
}

/// The text to the letter.
const LITERAL: LinkDensityReading = LinkDensityReading {
    basic: Condition { ltd_max: 0.4, la_max: None, ntl_min: 100, lad_max: 0.5 },
    precise: Condition { ltd_max: 0.1, la_max: Some(10), ntl_min: 50, lad_max: 0.1 },
    removed: &[Tag::Form, Tag::Marquee],
    precise_suffices: false,
    texts_are_nodes: false,
    falls_back: false,
};

/// The best-measured reading. Differs from the paper: 5) a node is looked into up to `LTD` 0.8 and whatever its `LAD`, since pages now
/// hold more links than in 2012; `LAD` of content may be 0.5; 6) the precise condition suffices, since `NTL` makes the basic one the
/// stricter for short paragraphs; 7) texts that stand beside elements are nodes; 8) forms stay: some sites put the
/// whole page in one; 9) a page that is "not suitable" is kept whole.
const BEST: LinkDensityReading = LinkDensityReading {
    basic: Condition { ltd_max: 0.8, la_max: None, ntl_min: 100, lad_max: 1.0 },
    precise: Condition { ltd_max: 0.1, la_max: Some(10), ntl_min: 50, lad_max: 0.5 },
    removed: &[Tag::Marquee],
    precise_suffices: true,
    texts_are_nodes: true,
    falls_back: true,
};

/// Keeps the nodes that the walk extracts. A run's score is `(1 - LTD) · min(1, NTL / 100)` of the node at which its fate was
/// settled, in [0, 1]. O(nodes).
pub(super) fn decide(page: &PageView<'_>, variant: Variant) -> Verdict {
    let reading = match variant {
        Variant::Best => BEST,
        Variant::Literal => LITERAL,
    };
    let outline = page.outline();
    let walk = Walk::through(outline, reading);
    let keeps_all = reading.falls_back && !walk.extracted.contains(&true);
    let mut tally = Tally::new(page.tree);
    for (place, text) in outline.texts() {
        let kept = keeps_all || walk.extracted[place];
        tally.add(text.run(), text.text_len_chars, kept, walk.scores[place]);
    }
    tally.settle()
}

/// The four measures of sec. 3.1.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Measures {
    /// `LTD`: link text length over text length.
    ltd: f64,
    /// `LA`: links below the node.
    la: u32,
    /// `LAD`: links over elements below the node.
    lad: f64,
    /// `NTL`: text length, characters.
    ntl: u32,
}

impl Measures {
    fn of(node: &OutlineItem) -> Self {
        let ntl = node.text_len_chars;
        let ltd = f64::from(node.link_text_len_chars) / f64::from(ntl.max(1));
        let lad = f64::from(node.links) / f64::from(node.elements.max(1));
        Self { ltd, la: node.links, lad, ntl }
    }

    fn meets(self, condition: &Condition) -> bool {
        self.ntl >= condition.ntl_min.max(1)
            && self.ltd <= condition.ltd_max
            && condition.la_max.is_none_or(|la_max| self.la <= la_max)
            && self.lad <= condition.lad_max
    }

    fn score(self) -> f64 {
        (1.0 - self.ltd) * (f64::from(self.ntl) / f64::from(LITERAL.basic.ntl_min)).min(1.0)
    }
}

/// What the walk of sec. 3.3 came to, by entry.
struct Walk {
    extracted: Vec<bool>,
    scores: Vec<f64>,
}

impl Walk {
    fn through(outline: &Outline, reading: LinkDensityReading) -> Self {
        let entries = outline.entries();
        let mut settled: Vec<Option<(bool, f64)>> = vec![None; entries.len()];
        let is_node = |place: &usize| match entries[*place].tag {
            Some(tag) => !reading.removed.contains(&tag) && entries[*place].text_len_chars > 0,
            None => reading.texts_are_nodes,
        };
        let mut levels = vec![vec![0]];
        while let Some(level) = levels.pop() {
            let measures: Vec<_> = level.iter().map(|place| Measures::of(&entries[*place])).collect();
            let precise = |of: &Measures| of.meets(&reading.precise);
            let adjusts = reading.precise_suffices || measures.iter().any(|of| of.meets(&reading.basic) && precise(of));
            for (place, of) in level.into_iter().zip(&measures) {
                let extracts = precise(of) && adjusts;
                settled[place] = Some((extracts, of.score()));
                if !extracts && of.meets(&reading.basic) {
                    levels.push(outline.children(place).filter(is_node).collect());
                }
            }
        }
        Self::inherited(entries, settled)
    }

    /// Hands what was settled of a node down to all below it that the walk did not reach.
    fn inherited(entries: &[OutlineItem], mut settled: Vec<Option<(bool, f64)>>) -> Self {
        for (place, entry) in entries.iter().enumerate().skip(1) {
            settled[place] = settled[place].or(settled[entry.parent as usize]);
        }
        let (extracted, scores) = settled.into_iter().map(|of| of.unwrap_or((false, 0.0))).unzip();
        Self { extracted, scores }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::with_page;
    use super::*;

    #[test]
    fn measures_by_hand() {
        // Text 20, in links 5; 2 links of 4 elements.
        with_page("<div><p>ten chars.<b>ab</b></p><a href=x>abc</a><a href=y>de</a>xyz</div>", |page| {
            let div = &page.outline().entries()[1];
            assert_eq!(Measures::of(div), Measures { ltd: 0.25, la: 2, lad: 0.5, ntl: 20 });
        });
    }

    /// The tree of the paper's fig. 2 in small: `logo nav`, `location`, and `cbody` with the article, `mutuality` and `review`.
    fn sample_page(empty_elements: usize) -> String {
        let links = "<a href=x>go</a> ".repeat(8);
        let empty = "<i></i>".repeat(empty_elements);
        let article = "Plain words of the story. ".repeat(20);
        format!(
            "<div id=logonav>{links}</div><div id=location>{links}</div>\
             <div id=cbody><div id=article><p>{article}</p></div><div id=mutuality>{links}</div><div id=review>{links}</div>\
             <p>A closing paragraph that is longer than fifty characters.</p>{empty}</div>"
        )
    }

    #[test]
    fn the_walk_of_the_sample_ends_in_the_article() {
        with_page(&sample_page(0), |page| {
            let entries = page.outline().entries();
            // Links 4 · 16 of 64 + 519 + 57 characters; 32 of 40 elements.
            let body = Measures::of(&entries[0]);
            assert_eq!(body, Measures { ltd: 0.1, la: 32, lad: 0.8, ntl: 640 });
            assert!(body.meets(&BEST.basic) && !body.meets(&BEST.precise), "so it is looked into");
            let best = decide(page, Variant::Best);
            assert_eq!(best.kept, [false, false, true, false, false, true]);
            assert!(best.score[2] > 0.99 && best.score[0] < 0.2);
        });
    }

    #[test]
    fn step_5_takes_neighbours_that_meet_only_the_precise_condition() {
        // With them LAD is 32 / 104 in body and 16 / 85 in cbody: both meet the basic condition.
        with_page(&sample_page(64), |page| {
            assert_eq!(decide(page, Variant::Literal).kept, [false, false, true, false, false, true]);
        });
    }

    #[test]
    fn an_unsuitable_page_is_empty_or_whole() {
        with_page("<p>short</p>", |page| {
            assert_eq!(decide(page, Variant::Literal).kept, [false]);
            assert_eq!(decide(page, Variant::Best).kept, [true]);
        });
    }
}
