//! What stands beside code and says nothing of it: the button that copies it, the name of its language or file, the summary that opens it.

use super::code_language::is_known_language;
use super::furniture::is_title;
use super::runs::Neighbours;
use crate::cst::{ContentStructureTree, NodeKind, RunId};
use crate::dom::{Dom, DomId, Tag};

/// Elements around a text that are looked at for a button or title.
const LEVELS: usize = 4;

/// Runs beside code that may say nothing of it.
const NEAR: usize = 4;

/// Bytes of a name of a file.
const NAME_BYTES_MAX: usize = 60;

/// The runs, by number, that part no code from the text before or behind it, and stand right beside code. O(nodes).
pub(super) fn beside_code(dom: &Dom, tree: &ContentStructureTree) -> Vec<bool> {
    let mut is_code = vec![false; tree.runs().len()];
    for item in tree.ids().filter(|id| tree.tag(*id) == Tag::Pre && tree.kind(*id) == NodeKind::HtmlItem) {
        is_code[tree.runs_within(item)].fill(true);
    }
    let may_be: Vec<bool> = near(&is_code).iter().zip(&is_code).map(|(near, is_code)| *near && !is_code).collect();
    let mut beside: Vec<bool> = (0..may_be.len()).map(|run| may_be[run] && is_name(tree, run)).collect();
    for run in in_buttons_or_titles(dom, tree, &may_be) {
        beside[run] = true;
    }
    let others = Neighbours::among(tree, |run| !beside[run]);
    let stands_beside =
        |run: RunId| [others.before[run], others.behind[run]].into_iter().flatten().any(|id| is_code[id]);
    (0..beside.len()).map(|run| beside[run] && stands_beside(run)).collect()
}

/// The runs that have one of these within some runs before or behind them.
fn near(wanted: &[bool]) -> Vec<bool> {
    let mut near = vec![false; wanted.len()];
    for run in (0..wanted.len()).filter(|run| wanted[*run]) {
        near[run.saturating_sub(NEAR)..(run + NEAR + 1).min(wanted.len())].fill(true);
    }
    near
}

/// Those of some runs whose texts are all in buttons or titles.
fn in_buttons_or_titles(dom: &Dom, tree: &ContentStructureTree, may_be: &[bool]) -> Vec<RunId> {
    let mut are_all = vec![None; tree.runs().len()];
    for (text, run) in tree.source_texts().iter().filter(|(_, run)| may_be[*run]) {
        if dom.text(*text).is_some_and(|text| !text.trim().is_empty()) {
            let are_others = are_all[*run].unwrap_or(true);
            are_all[*run] = Some(are_others && is_in_button_or_title(dom, *text));
        }
    }
    (0..are_all.len()).filter(|run| are_all[*run] == Some(true)).collect()
}

fn is_in_button_or_title(dom: &Dom, text: DomId) -> bool {
    let mut around = std::iter::successors(dom.parent(text), |id| dom.parent(*id)).take(LEVELS);
    around.any(|id| matches!(dom.tag(id), Some(Tag::Button | Tag::Summary)) || is_title(dom, id))
}

/// Whether a run is the name of a language or of a file: `main.rs`, `src/main.rs`.
fn is_name(tree: &ContentStructureTree, run: RunId) -> bool {
    let run = &tree.runs()[run];
    if run.text.is_empty() || run.text.len() > NAME_BYTES_MAX {
        return false;
    }
    let text = tree.run_text(run).trim();
    is_known_language(text) || is_file(text)
}

/// Whether a text is one word with an ending: letters and digits behind a dot.
fn is_file(text: &str) -> bool {
    let ending = text.rsplit_once('.').filter(|(name, _)| !name.is_empty()).map(|(_, ending)| ending);
    let is_ending = |ending: &str| (1..=5).contains(&ending.len()) && ending.bytes().all(|c| c.is_ascii_alphanumeric());
    !text.contains(char::is_whitespace)
        && !text.bytes().all(|c| c.is_ascii_digit() || c == b'.')
        && ending.is_some_and(is_ending)
}
