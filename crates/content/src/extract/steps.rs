//! Links to the pages before and after, which lead through a manual: `Next: Numbers, Previous: Description, Up: Introduction`.
//!
//! A page on which a whole manual stands has them above each of its sections, so often and so near to the text that they look like it, and
//! where nothing parts them from the text they do so on any page. They say what they are by `rel`, or by their words. Some stand in a table,
//! a link a cell.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::PageView;
use super::repeated::WordedRuns;
use crate::cst::{NodeId, NodeKind, Run, RunId};
use crate::dom::{AttributeName, Tag};

/// What the links of such a run may be by their `rel`.
const STEPS: [&str; 9] = ["next", "prev", "previous", "up", "contents", "index", "first", "last", "start"];

/// What such links are called, in lower case: by generators of manuals and their translators.
const WORDS: &str = "next prev previous up top contents index home back first last toc start forward \
    weiter vor zurück hoch nach oben inhalt inhaltsverzeichnis stichwortverzeichnis anfang nächste nächster nächstes vorherige vorheriger \
    vorheriges suivant suivante précédent précédente haut sommaire accueil retour monter \
    siguiente anterior arriba subir inicio índice contenido contenidos atrás próximo próxima acima conteúdo início voltar \
    successivo successiva precedente avanti indietro su inizio indice sommario volgende vorige omhoog inhoud terug begin \
    nästa föregående upp innehåll hem næste forrige op hjem indhold neste opp innhold seuraava edellinen sisällys alkuun \
    następny następna poprzedni poprzednia początek spis další předchozí nahoru domů obsah následující späť ďalej \
    következő előző tartalom tartalomjegyzék fel sonraki önceki yukarı ileri geri içindekiler \
    след следующий следующая следующее пред предыдущий предыдущая вверх наверх содержание оглавление начало назад далее \
    наступна наступний попередня попередній вгору зміст επόμενο προηγούμενο πάνω περιεχόμενα αρχή \
    次 次へ 次のページ 前 前へ 前のページ 上 上へ 目次 ホーム 戻る 先頭 索引 下一页 下一頁 上一页 上一頁 上一级 目录 目錄 首页 首頁 返回 다음 이전 위로 목차 처음";

/// What may stand beside these: `Table of Contents`, `Next page`.
const FILLERS: &str =
    "page pages chapter section part table of the to seite kapitel des matières de da la el página pagina capítulo";

/// How many names each of these words is: one of [`WORDS`], none of [`FILLERS`].
static NAMES: LazyLock<HashMap<&str, usize>> = LazyLock::new(|| {
    let fillers = FILLERS.split_whitespace().map(|filler| (filler, 0));
    fillers.chain(WORDS.split_whitespace().map(|word| (word, 1))).collect()
});

/// Fewest such links in a run, and fewest names of them.
const LINKS_MIN: usize = 2;

/// Words outside of links that a run may have for each: `Previous:`.
const WORDS_BESIDE_MAX: usize = 2;

/// Most runs of a row of such links.
const ROW_RUNS_MAX: usize = 5;

/// Most runs, and most bytes of text, of a table that goes with such a row: the manual's name is above it, the pages' names below.
const TABLE_RUNS_MAX: usize = 12;
const TABLE_BYTES_MAX: usize = 300;

/// Drops kept runs of nothing but such links and what names them; nothing where nothing would be left. What goes is no content to whoever
/// asks: its `probability`, by run, is 0 then. O(nodes).
pub(super) fn drop_steps(page: &PageView<'_>, units: WordedRuns<'_>, probability: &mut [f32], kept: &mut Vec<bool>) {
    let mut steps: Vec<RunId> =
        units.runs.iter().copied().filter(|run| is_steps(page, &page.tree.runs()[*run..=*run])).collect();
    steps.extend(steps_in_tables(page));
    let mut left = kept.clone();
    for run in &steps {
        left[*run] = false;
    }
    if units.keep_unless_nothing(kept, left) {
        for run in steps {
            probability[run] = 0.0;
        }
    }
}

/// The runs of rows of such links; of the whole table where it has little else.
fn steps_in_tables(page: &PageView<'_>) -> Vec<RunId> {
    let tree = page.tree;
    let mut steps = Vec::new();
    for row in tree.ids().filter(|id| tree.tag(*id) == Tag::Tr && tree.kind(*id) == NodeKind::HtmlItem) {
        let runs = tree.runs_within(row);
        if runs.len() <= ROW_RUNS_MAX && is_steps(page, &tree.runs()[runs.clone()]) {
            let table = tree.ancestors(row).find(|id| tree.tag(*id) == Tag::Table);
            let is_small = |table: &NodeId| {
                tree.runs_within(*table).len() <= TABLE_RUNS_MAX && tree.subtree_text(*table).len() <= TABLE_BYTES_MAX
            };
            steps.extend(table.filter(is_small).map_or(runs, |table| tree.runs_within(table)));
        }
    }
    steps
}

/// Whether a run, or those of a row, are such links and what names them.
fn is_steps(page: &PageView<'_>, runs: &[Run]) -> bool {
    let links = nodes(runs).filter(|node| page.tree.link(*node).is_some()).count();
    links >= LINKS_MIN && (is_steps_by_rel(page, runs, links) || is_steps_by_words(page, runs))
}

fn nodes(runs: &[Run]) -> impl Iterator<Item = NodeId> + '_ {
    runs.iter().flat_map(|run| run.nodes.clone()).map(NodeId)
}

fn is_steps_by_rel(page: &PageView<'_>, runs: &[Run], links: usize) -> bool {
    if !nodes(runs).all(|node| page.tree.link(node).is_none() || is_step(page, node)) {
        return false;
    }
    let beside = nodes(runs).filter(|node| page.tree.link(*node).is_none());
    let words = beside.flat_map(|node| page.tree.text(node).split_whitespace());
    words.filter(|word| word.contains(char::is_alphanumeric)).count() <= links * WORDS_BESIDE_MAX
}

/// Whether all of it is links by such names, or named so (`Next: Numbers`), and what names them.
fn is_steps_by_words(page: &PageView<'_>, runs: &[Run]) -> bool {
    let (mut names, mut is_named) = (0, false);
    for node in nodes(runs) {
        let is_link = page.tree.link(node).is_some();
        match names_alone(page.tree.text(node)) {
            Some(found) => {
                names += found;
                is_named = !is_link && found > 0;
            }
            None if is_link && is_named => is_named = false,
            None => return false,
        }
    }
    names >= LINKS_MIN
}

/// How many names of steps a text has; none where it has other words besides. Numbers and signs may be there.
fn names_alone(text: &str) -> Option<usize> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    let words = words.filter(|word| !word.bytes().all(|letter| letter.is_ascii_digit()));
    words.map(|word| NAMES.get(word.to_lowercase().as_str()).copied()).sum()
}

fn is_step(page: &PageView<'_>, link: NodeId) -> bool {
    let rel = page.tree.source(link).and_then(|element| page.dom.attribute(element, AttributeName::Rel));
    let is_one = |word: &str| STEPS.iter().any(|step| word.eq_ignore_ascii_case(step));
    rel.is_some_and(|rel| rel.split_ascii_whitespace().any(is_one))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cst::{self, Profile};
    use crate::dom;
    use crate::limits::Limits;

    /// The texts that are left, each with its probability, which is a half before.
    fn judged(html: &str) -> Vec<(String, f32)> {
        let limits = Limits::default();
        let dom = dom::parse(html, &limits);
        let tree = cst::build(&dom, Profile::Modern, &limits);
        let runs: Vec<RunId> = (0..tree.runs().len()).collect();
        let words = vec![1.0; runs.len()];
        let mut kept = vec![true; runs.len()];
        let mut probability = vec![0.5; runs.len()];
        let units = WordedRuns { runs: &runs, words: &words };
        drop_steps(&PageView::new(&dom, &tree, ""), units, &mut probability, &mut kept);
        let text = |run: RunId| tree.run_text(&tree.runs()[run]).to_owned();
        for run in runs.iter().filter(|run| !kept[**run]) {
            assert!(probability[*run] < 0.01, "{} is content", text(*run));
        }
        runs.iter().filter(|run| kept[**run]).map(|run| (text(*run), probability[*run])).collect()
    }

    fn left(html: &str) -> Vec<String> {
        judged(html).into_iter().map(|(text, _)| text).collect()
    }

    #[test]
    fn links_through_a_manual_are_dropped() {
        let steps = "<p>Next: <a href=#b rel=next>Numbers</a>, Previous: <a href=#a rel=prev>Top</a>, Up: <a href=#t rel=up>bc</a> \
                     [<a href=#c rel=contents>Contents</a>]</p>";
        assert_eq!(left(&format!("{steps}<h2>Mills</h2>{steps}<p>They turn.</p>")), ["Mills", "They turn."]);
        assert_eq!(judged(steps).len(), 1, "nothing else is there");
        assert!(judged(steps)[0].1 > 0.4, "and it is as likely as before");
        let by_words = steps.replace("rel=up", "");
        assert_eq!(left(&format!("{by_words}<p>They turn.</p>")), ["They turn."], "named so");
        for kept in [
            steps.replace("rel=up", "").replace("Up:", "Under"),
            steps.replace("Next:", "The next of the many chapters of this manual tells of"),
            "<p><a href=#b rel=next>Numbers</a></p>".to_owned(),
            "<p>A <a href=/tag rel=tag>mill</a> and <a href=x rel=nofollow>more</a></p>".to_owned(),
        ] {
            assert_eq!(left(&format!("{kept}<p>They turn.</p>")).len(), 2, "{kept}");
        }
    }

    #[test]
    fn tables_of_such_links_are_dropped() {
        let row = "<tr><td><a href=p>Prev</a><td><a href=h>Home</a><td><a href=n>Next</a>";
        for steps in [
            format!("<table>{row}</table>"),
            format!("<table><tr><th colspan=3>The Book of Mills{row}</table>"),
            format!("<table>{row}<tr><td>Wind<td><a href=u>Up</a><td>Water</table>"),
        ] {
            assert_eq!(
                left(&format!("{steps}<h2>Mills</h2><p>They turn.</p>{steps}")),
                ["Mills", "They turn."],
                "{steps}"
            );
        }
        let long = "They turn. ".repeat(30);
        assert_eq!(left(&format!("<table>{row}<tr><td>{long}</table>")), [long.trim()], "much else is in the table");
        let table = "<table><tr><th>Prev<th>Next<tr><td><a href=p>Wind</a><td><a href=n>Water</a></table>";
        assert_eq!(left(&format!("{table}<p>They turn.</p>")), ["Prev", "Next", "Wind", "Water", "They turn."]);
    }

    #[test]
    fn links_called_by_such_names_are_dropped() {
        for steps in [
            "<center><a href=c>Contents</a> <a href=u>Up</a> <a href=p>&lt;&lt;</a> <a href=n>&gt;&gt;</a></center>",
            "<b>Next:</b> <a href=n>1.8 Flags</a> <b>Up:</b> <a href=u>1. Layout</a> <b>Previous:</b> <a href=p>1.6 Views</a>",
            "<p>[ <a href=a>anterior</a> ] [ <a href=c>Conteúdo</a> ] [ <a href=1>1</a> ] [ <a href=2>2</a> ] [ <a href=n>próximo</a> ]</p>",
            "<p><a href=p>前のページ</a> | <a href=c>目次</a> | <a href=n>次のページ</a></p>",
            "<p><a href=c>Table of Contents</a> <a href=n>Next page</a></p>",
        ] {
            assert_eq!(left(&format!("{steps}<h2>Mills</h2><p>They turn.</p>")), ["Mills", "They turn."], "{steps}");
        }
        for kept in [
            "<p><a href=1>1</a> <a href=2>2</a> <a href=3>3</a></p>",
            "<p><a href=c>Contents</a></p>",
            "<p>Next: <a href=n>Numbers</a> and <a href=m>mills</a></p>",
            "<p><a href=n>Next to the mill</a>, <a href=u>up the hill</a></p>",
            "<p>Press Next, then Back.</p>",
        ] {
            assert_eq!(left(&format!("{kept}<p>They turn.</p>")).len(), 2, "{kept}");
        }
    }
}
