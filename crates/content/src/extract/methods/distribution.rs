//! Descent by the distribution of text over child nodes (the blog article on useful content of a page).
//!
//! The article's steps, numbered here in its order: 1) begin at `body`; 2) take the length of the node's clear text; 3) list its
//! subnodes; 4) with one subnode only, go on in it; 5) take each subnode's length; 6) compute `K`; 7) a low `K` means that the
//! text is spread evenly, and the node is the main content; 8) else go on in the subnode with the longest text.
//!
//! Differs from the text: 1) the recursion is a loop; 2) `body` is the root even where a page has other roots (framesets);
//! 3) the printed page does not walk as told: its `td` holds one `p`, not several, and the parser adds a `tbody`; by step 4
//! both only lengthen the way, and the walk ends in that `p`, which holds all the text of the `td`; 4) where no text is left
//! below a node, the walk ends there.
//!
//! "Linear variance" is not a term with one meaning. Tried on the labelled pages (word F1 on a quarter of them), each with `K`'s limit:
//! mean absolute deviation 5 % over child elements, the text to the letter, 0.668; the same over all subnodes that hold text,
//! 10 % 0.771, 12 % 0.785, 14 % 0.787, **15 % 0.791**, 16 % 0.790, 18 % 0.783, 20 % 0.773; standard deviation 12 to 22 %
//! 0.777 to 0.792. Lines of text taken as one subnode in place of their pieces change nothing. A sum of deviations is
//! no reading: it stops nowhere.

use super::outline::{Outline, OutlineItem};
use super::verdict::Tally;
use super::{PageView, Variant, Verdict};

/// One reading of the text.
#[derive(Debug, Clone, Copy)]
struct DistributionReading {
    /// `K` from which on the walk goes on, in percent.
    k_min: f64,
    /// Whether subnodes are all that holds text, texts included, in place of all child elements.
    holding_text: bool,
}

/// Step 7 as written. With `n` child elements `K` is at most `200 (n - 1) / n²`, so 40 of them end the walk whatever they hold.
const LITERAL: DistributionReading = DistributionReading { k_min: 5.0, holding_text: false };

/// The best-measured reading. Differs from the text: 5) subnodes without text do not count, texts that stand directly in the
/// node do; 6) the limit is 15 %.
const BEST: DistributionReading = DistributionReading { k_min: 15.0, holding_text: true };

/// Keeps what is in the node that the walk ends in. A run's score is the share of the walk's nodes that hold it: 1 for what is
/// kept. O(nodes).
pub(super) fn decide(page: &PageView<'_>, variant: Variant) -> Verdict {
    let reading = match variant {
        Variant::Best => BEST,
        Variant::Literal => LITERAL,
    };
    let outline = page.outline();
    let walk = descend(outline, reading);
    let mut tally = Tally::new(page.tree);
    // The walk's ranges are nested, so the holding ones come first: they are told by one search.
    for (place, text) in outline.texts() {
        let holding = walk.partition_point(|node| (*node..outline.entries()[*node].end as usize).contains(&place));
        let score = holding as f64 / walk.len() as f64;
        tally.add(text.run(), text.text_len_chars, holding == walk.len(), score);
    }
    tally.settle()
}

/// The nodes that the walk goes through, the root first and the main content last.
fn descend(outline: &Outline, reading: DistributionReading) -> Vec<usize> {
    let entries = outline.entries();
    let counts =
        |entry: &OutlineItem| if reading.holding_text { entry.text_len_chars > 0 } else { entry.tag.is_some() };
    let mut walk = vec![0];
    let mut node = 0;
    loop {
        let ftl = entries[node].text_len_chars;
        let subnodes: Vec<_> = outline.children(node).filter(|child| counts(&entries[*child])).collect();
        let lengths: Vec<_> = subnodes.iter().map(|child| entries[*child].text_len_chars).collect();
        if ftl == 0 || subnodes.is_empty() || (subnodes.len() > 1 && k_distribution(&lengths, ftl) < reading.k_min) {
            return walk;
        }
        let longest = (0..subnodes.len()).rev().max_by_key(|at| lengths[*at]).unwrap_or(0);
        node = subnodes[longest];
        if entries[node].tag.is_none() {
            return walk;
        }
        walk.push(node);
    }
}

/// `K = 100 · LV / FTL`, in percent.
///
/// - `L(i)`: clear text length of subnode `i` of `n`; `FTL`: that of the node.
/// - `LV`: linear variance of `L`, read as the mean absolute deviation `Σ |L(i) - mean| / n`.
fn k_distribution(l: &[u32], ftl: u32) -> f64 {
    let n = l.len() as f64;
    let mean = l.iter().map(|length| f64::from(*length)).sum::<f64>() / n;
    let lv = l.iter().map(|length| (f64::from(*length) - mean).abs()).sum::<f64>() / n;
    100.0 * lv / f64::from(ftl)
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // What is worked out by hand is exact.
mod tests {
    use super::super::testing::with_page;
    use super::*;
    use crate::dom::Tag;

    /// The article's page, its text shortened; lengths: heading 23, menu 11, main cell 195 and more.
    const TABLE_PAGE: &str = r#"<html><head><title> My New Web Page </title></head><body><table>
        <tr><td colspan="2"><h1> Welcome to My
        Web Page! </h1></td></tr>
        <tr><td width="200"><a>Menu item 1</a>
        <br></td><td id="maincontent"><p><br />This page illustrates how you can write proper HTML
        <br />using only a text editor, such as Windows Notepad. You can also <br />download a free
        text editor, such as Crimson Editor, which is <br />better than Notepad.<br /><br /></td></tr></table></body></html>"#;

    fn tags(page: &PageView<'_>, reading: DistributionReading) -> Vec<&'static str> {
        let entries = page.outline().entries();
        descend(page.outline(), reading).iter().map(|node| entries[*node].tag.map_or("", Tag::name)).collect()
    }

    #[test]
    fn k_by_hand() {
        // Mean 20, deviations 10 and 10: LV 10, of 40 characters.
        assert_eq!(k_distribution(&[10, 30], 40), 25.0);
        // Mean 10, deviations 2, 0, 2: LV 4/3, of 30 characters.
        assert!((k_distribution(&[8, 10, 12], 30) - 40.0 / 9.0).abs() < 1e-12);
        assert_eq!(k_distribution(&[0; 7], 30), 0.0);
    }

    #[test]
    fn the_articles_page_is_walked_to_its_main_cell() {
        with_page(TABLE_PAGE, |page| {
            let way = ["body", "table", "tbody", "tr", "td", "p"];
            assert_eq!(tags(page, LITERAL), way);
            assert_eq!(tags(page, BEST), way);
            for variant in [Variant::Literal, Variant::Best] {
                let verdict = decide(page, variant);
                assert!(verdict.text(page.tree).starts_with("This page illustrates"));
                assert_eq!(verdict.kept, [false, false, true]);
                // The heading shares body, table and tbody with the main cell; the menu the row as well.
                assert_eq!(verdict.score, [0.5, 4.0 / 6.0, 1.0]);
            }
        });
    }

    #[test]
    fn paragraphs_of_like_length_end_the_walk_in_their_cell() {
        let cell = "<td>".to_owned() + &"<p>one two three four five six seven</p>".repeat(3) + "</td>";
        let html = format!("<table><tr><td><h1>Head</h1></td></tr><tr><td>Menu</td>{cell}</tr></table>");
        with_page(&html, |page| {
            assert_eq!(tags(page, LITERAL), ["body", "table", "tbody", "tr", "td"]);
            assert_eq!(tags(page, BEST), ["body", "table", "tbody", "tr", "td"]);
        });
    }

    #[test]
    fn a_page_without_text_ends_at_once() {
        with_page("<div><img src=i></div>", |page| {
            assert_eq!(decide(page, Variant::Best).kept, [false]);
        });
    }
}
