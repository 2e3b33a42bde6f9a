//! Links to the pages before and after, which lead through a manual: `Next: Numbers, Previous: Description, Up: Introduction`.
//!
//! A page on which a whole manual stands has them above each of its sections, so often and so near to the text that they look like it, and
//! where nothing parts them from the text they do so on any page. They say what they are by `rel`, or by their words. Some stand in a table,
//! a link a cell.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::repeated::WordedRuns;
use crate::cst::{ContentStructureTree, NodeId, NodeKind, Run, RunId};
use crate::dom::{AttributeName, Dom, Tag};

/// What the links of such a run may be by their `rel`.
const STEPS: [&str; 9] = ["next", "prev", "previous", "up", "contents", "index", "first", "last", "start"];

/// What such links are called, in lower case: by generators of manuals and their translators.
const WORDS: &str = "next prev previous up top contents index home back first last toc start forward \
    weiter vor zurück hoch nach oben inhalt inhaltsverzeichnis stichwortverzeichnis anfang nächste nächster nächstes vorherige vorheriger \
    vorheriges suivant suivante précédent précédente haut sommaire matières racine accueil retour monter \
    siguiente anterior arriba subir inicio índice contenido contenidos atrás próximo próxima acima conteúdo início voltar \
    successivo successiva precedente avanti indietro su inizio indice sommario volgende vorige omhoog inhoud terug begin \
    nästa föregående upp innehåll hem næste forrige op hjem indhold neste opp innhold seuraava edellinen sisällys alkuun \
    następny następna poprzedni poprzednia początek spis další předchozí nahoru domů obsah následující späť ďalej \
    következő előző tartalom tartalomjegyzék fel sonraki önceki yukarı ileri geri içindekiler \
    след следующий следующая следующее пред предыдущий предыдущая вверх наверх выше содержание оглавление начало назад далее \
    наступна наступний попередня попередній вгору зміст επόμενο προηγούμενο πάνω περιεχόμενα αρχή \
    次 次へ 次のページ 前 前へ 前のページ 上 上へ 目次 ホーム 戻る 先頭 索引 下一页 下一頁 上一页 上一頁 上一级 目录 目錄 首页 首頁 返回 다음 이전 위로 목차 처음";

/// What may stand beside these: `Table of Contents`, `Next page`.
const FILLERS: &str = "page pages chapter section subsections part book goto go table of the to seite kapitel des de da la el página pagina capítulo treści уровень";

/// Whether each of these words is a name: one of [`WORDS`], none of [`FILLERS`].
static NAMES: LazyLock<HashMap<&str, bool>> = LazyLock::new(|| {
    let fillers = FILLERS.split_whitespace().map(|filler| (filler, false));
    fillers.chain(WORDS.split_whitespace().map(|word| (word, true))).collect()
});

/// Signs that point to pages before and behind, at the begin or end of what a link is called: `<< Mills`.
const ARROWS: [char; 8] = ['<', '>', '«', '»', '‹', '›', '←', '→'];

/// Links with nothing but numbers from which on they are those of chapters, where one with a name stands beside them.
const NUMBERS_MIN: usize = 8;

/// Fewest such links in a run.
const LINKS_MIN: usize = 2;

/// Fewest texts with a name of theirs in a run.
const NAMED_MIN: usize = 2;

/// Words outside of links that a run may have for each: `Previous:`.
const WORDS_BESIDE_MAX: usize = 2;

/// Words of the name of a language, and of what announces several: `Available Languages`.
const WORDS_OF_LANGUAGE_MAX: usize = 3;

/// Words of a link that stands in brackets above the title.
const WORDS_IN_BRACKETS_MAX: usize = 4;

/// Elements around such a run that are looked at for a row of a table.
const LEVELS: usize = 4;

/// Most nodes of a row of such links, and of a table that goes with it: the manual's name is above, the pages' names are below.
const ROW_NODES_MAX: u32 = 60;
const TABLE_NODES_MAX: u32 = 120;

/// Most bytes of text of such a row or table.
const TABLE_BYTES_MAX: usize = 300;

/// Drops kept runs of nothing but such links and what names them; nothing where nothing would be left. What goes is no content to whoever
/// asks: its `probability`, by run, is 0 then. Gives the runs that went, in ascending order. O(nodes).
pub(super) fn drop_steps(
    dom: &Dom,
    tree: &ContentStructureTree,
    units: WordedRuns<'_>,
    probability: &mut [f32],
    kept: &mut Vec<bool>,
) -> Vec<RunId> {
    let title = (0..tree.runs().len()).find(|run| tree.tag(tree.runs()[*run].item).heading_level().is_some());
    let above = tree.runs().iter().take(title.unwrap_or(0)).enumerate();
    let bracketed: Vec<RunId> = above.filter(|(_, run)| is_in_brackets(tree, run)).map(|(run, _)| run).collect();
    let mut steps: Vec<RunId> =
        units.runs.iter().copied().filter(|run| is_steps(dom, tree, &tree.runs()[*run..=*run])).collect();
    for row in rows(tree, ContentStructureTree::ROOT).filter(|row| is_row_of_steps(dom, tree, *row)) {
        let table = tree.ancestors(row).find(|id| tree.tag(*id) == Tag::Table);
        let whole = table.filter(|table| is_table_of_steps(dom, tree, *table));
        steps.extend(tree.runs_within(whole.unwrap_or(row)));
    }
    for run in bracketed {
        let mut around = tree.ancestors(tree.runs()[run].item).take(LEVELS);
        let row = around.find(|id| tree.tag(*id) == Tag::Tr).filter(|row| is_small(tree, *row, ROW_NODES_MAX));
        steps.extend(row.map_or(run..run + 1, |row| tree.runs_within(row)));
    }
    steps.sort_unstable();
    steps.dedup();
    units.pass_over(kept, probability, steps)
}

/// Whether a small table has a row of such links, and besides rows of one cell with text, or with such a link, alone.
pub(super) fn is_table_of_steps(dom: &Dom, tree: &ContentStructureTree, table: NodeId) -> bool {
    let goes_with_it = |row: NodeId| {
        let runs = &tree.runs()[tree.runs_within(row)];
        let is_step_alone = |run: &Run| tree.linked_bytes(run) > 0 && names(tree.run_text(run)) == Some(true);
        runs.len() <= 1 || runs.iter().any(is_step_alone)
    };
    let (mut has_steps, mut is_alone) = (false, true);
    if is_small(tree, table, TABLE_NODES_MAX) {
        for row in rows(tree, table) {
            let is_steps = is_row_of_steps(dom, tree, row);
            has_steps |= is_steps;
            is_alone &= is_steps || goes_with_it(row);
        }
    }
    has_steps && is_alone
}

/// The rows of tables in a subtree.
fn rows(tree: &ContentStructureTree, root: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    let within = (root.0..tree.subtree_end(root).0).map(NodeId);
    within.filter(|id| tree.tag(*id) == Tag::Tr && tree.kind(*id) == NodeKind::HtmlItem)
}

fn is_row_of_steps(dom: &Dom, tree: &ContentStructureTree, row: NodeId) -> bool {
    is_small(tree, row, ROW_NODES_MAX) && is_steps(dom, tree, &tree.runs()[tree.runs_within(row)])
}

fn is_small(tree: &ContentStructureTree, item: NodeId, nodes_max: u32) -> bool {
    tree.subtree_end(item).0 - item.0 <= nodes_max && tree.subtree_text(item).len() <= TABLE_BYTES_MAX
}

/// Whether a run, or those of a row, are such links and what names them.
fn is_steps(dom: &Dom, tree: &ContentStructureTree, runs: &[Run]) -> bool {
    let links = nodes(runs).filter(|node| tree.link(*node).is_some()).count();
    links >= LINKS_MIN
        && (is_steps_by_rel(dom, tree, runs, links)
            || is_steps_by_words(tree, runs)
            || are_languages(dom, tree, runs, links))
}

/// Whether a run without words is pictures that are such links, by their alternative texts: the arrows of latex2html, HeVeA and SWI-Prolog.
pub(super) fn are_pictures_of_steps(dom: &Dom, tree: &ContentStructureTree, run: &Run) -> bool {
    let pictures = || nodes(std::slice::from_ref(run)).filter(|node| tree.kind(*node) == NodeKind::Image);
    let is_one = |node: NodeId| {
        tree.source(node).is_some_and(|image| {
            let link = dom.parent(image).is_some_and(|around| dom.tag(around) == Some(Tag::A));
            link && dom.attribute(image, AttributeName::Alt).is_some_and(|alt| names(alt) == Some(true))
        })
    };
    run.text.is_empty() && pictures().count() >= LINKS_MIN && pictures().all(is_one)
}

fn nodes(runs: &[Run]) -> impl Iterator<Item = NodeId> + '_ {
    runs.iter().flat_map(|run| run.nodes.clone()).map(NodeId)
}

fn is_steps_by_rel(dom: &Dom, tree: &ContentStructureTree, runs: &[Run], links: usize) -> bool {
    let is_step = |link: NodeId| {
        let rel = tree.source(link).and_then(|element| dom.attribute(element, AttributeName::Rel));
        let is_one = |word: &str| STEPS.iter().any(|step| word.eq_ignore_ascii_case(step));
        rel.is_some_and(|rel| rel.split_ascii_whitespace().any(is_one))
    };
    if !nodes(runs).all(|node| tree.link(node).is_none() || is_step(node)) {
        return false;
    }
    let beside = nodes(runs).filter(|node| tree.link(*node).is_none());
    let words = beside.flat_map(|node| tree.text(node).split_whitespace());
    words.filter(|word| word.contains(char::is_alphanumeric)).count() <= links * WORDS_BESIDE_MAX
}

/// Whether a run, or those of a row, are links to the page in other languages, by their `rel`; the one to the page itself has none.
fn are_languages(dom: &Dom, tree: &ContentStructureTree, runs: &[Run], links: usize) -> bool {
    let is_other = |node: &NodeId| {
        let rel = tree.source(*node).and_then(|element| dom.attribute(element, AttributeName::Rel));
        rel.is_some_and(|rel| rel.eq_ignore_ascii_case("alternate"))
    };
    let words =
        |node: NodeId| tree.text(node).split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count();
    let others = nodes(runs).filter(is_other).count();
    others > 0 && others + 1 >= links && nodes(runs).all(|node| words(node) <= WORDS_OF_LANGUAGE_MAX)
}

/// Whether all of it is links by such names, or behind a name and a colon (`Next: Numbers`), with names and signs between. Sentences use these
/// words too (`First, install it.`): a full stop is of none, and a comma stands behind a link that was announced.
fn is_steps_by_words(tree: &ContentStructureTree, runs: &[Run]) -> bool {
    let (mut named, mut pointing, mut numbers) = (0, 0, 0);
    let (mut announces, mut was_announced) = (false, false);
    let is_in_brackets = are_in_brackets(tree, runs);
    for node in nodes(runs) {
        let text = tree.text(node);
        let name = names(text);
        if tree.link(node).is_some() {
            let points = name != Some(true) && points(text);
            if name.is_none() && !announces && !points && !announces_itself(text) || text.contains("()") {
                return false;
            }
            pointing += usize::from(points);
            named += usize::from(name == Some(true) || announces_itself(text));
            numbers += usize::from(text.trim().parse::<u16>().is_ok());
            (was_announced, announces) = (announces, false);
        } else {
            let is_list = !is_in_brackets && text.contains([',', '、', '，']) && !was_announced;
            let ends = !is_in_brackets && ends_sentence(text);
            let Some(has_name) = name.filter(|_| !is_list && !ends) else { return false };
            named += usize::from(has_name);
            announces = has_name && text.trim_end().ends_with([':', '：']);
        }
    }
    named > 0 && (named + pointing >= NAMED_MIN || numbers >= NUMBERS_MIN)
}

/// Whether a link's text is a sign that points, or stands behind or before one: `<< Mills`, `Sails >`, and the question mark of help.
fn points(text: &str) -> bool {
    let text = text.trim_matches(|letter: char| letter.is_whitespace() || "[]".contains(letter));
    text.starts_with(ARROWS) || text.ends_with(ARROWS) || text == "?"
}

/// Whether a link's text begins with a name and a colon: `Up: Mills`.
fn announces_itself(text: &str) -> bool {
    text.split_once(':').is_some_and(|(name, _)| names(name.trim_start_matches('[')) == Some(true))
}

/// Whether a run is links in brackets alone: `[Overview][Types][Index]`.
fn is_in_brackets(tree: &ContentStructureTree, run: &Run) -> bool {
    let (mut links, mut is_open) = (0, false);
    for node in run.nodes.clone().map(NodeId) {
        let text = tree.text(node).trim();
        if tree.link(node).is_some() {
            let is_within = is_open || (text.starts_with('[') && text.ends_with(']'));
            if !is_within || text.split_whitespace().count() > WORDS_IN_BRACKETS_MAX {
                return false;
            }
            links += 1;
        } else if text.contains(char::is_alphanumeric) {
            return false;
        } else {
            is_open = text.ends_with('[');
        }
    }
    links > 0
}

/// Whether all of it stands in one pair of brackets: `[Go to first, previous, next page; contents; index]`.
fn are_in_brackets(tree: &ContentStructureTree, runs: &[Run]) -> bool {
    let [run] = runs else { return false };
    let within = tree.run_text(run).trim().strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    within.is_some_and(|text| !text.contains(['[', ']', '.']))
}

/// Whether a text between links has the end of a sentence in it; `...` and `3.1` are none.
fn ends_sentence(text: &str) -> bool {
    let is_stop = |(at, _): (usize, &str)| {
        let before = text[..at].chars().next_back();
        before.is_none_or(char::is_alphabetic) && !text[at + 1..].starts_with('.')
    };
    text.contains(['。', ';']) || text.match_indices('.').any(is_stop)
}

/// Whether a text has a name of such links; none where it has other words. Numbers and signs may be there.
fn names(text: &str) -> Option<bool> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    let mut words = words.filter(|word| !word.bytes().all(|letter| letter.is_ascii_digit()));
    // The capital of the Turkish `i` has a small form with a mark.
    let is_name = |word: &str| NAMES.get(word.to_lowercase().replace('\u{307}', "").as_str()).copied();
    words.try_fold(false, |found, word| Some(is_name(word)? || found))
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
        drop_steps(&dom, &tree, units, &mut probability, &mut kept);
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
        let functions =
            "<table><tr><td><a href=n>next</a><td><a href=p>previous</a><tr><td>puts corn in<td>takes it out</table>";
        assert_eq!(
            left(&format!("{functions}<p>They turn.</p>")),
            ["puts corn in", "takes it out", "They turn."],
            "other cells stay"
        );
        let table = "<table><tr><th>Prev<th>Next<tr><td><a href=p>Wind</a><td><a href=n>Water</a></table>";
        assert_eq!(left(&format!("{table}<p>They turn.</p>")), ["Prev", "Next", "Wind", "Water", "They turn."]);
    }

    #[test]
    fn links_in_brackets_above_the_title_are_dropped() {
        let bar = "<table><tr><td>[<a href=i>Overview</a>][<a href=t>Types</a>]<td>Reference for unit 'mills'</table>";
        assert_eq!(left(&format!("{bar}<h1>Mills</h1><p>They turn.</p>")), ["Mills", "They turn."]);
        let one = "<p><a href=off>[MathJax off]</a></p>";
        assert_eq!(left(&format!("{one}<h1>Mills</h1><p>They turn.</p>")), ["Mills", "They turn."]);
        assert_eq!(left(&format!("<h1>Mills</h1>{one}<p>They turn.</p>")).len(), 3, "below it");
        assert_eq!(left(&format!("{one}<p>They turn.</p>")).len(), 2, "no title");
        let text = "<p>Mills <a href=a>[turn]</a></p><h1>Mills</h1><p>They turn.</p>";
        assert_eq!(left(text).len(), 3, "words");
    }

    #[test]
    fn such_a_table_with_a_head_is_not_completed() {
        let table = "<table><tr><th colspan=3>The Book of Mills<tr><td><a href=p>Prev</a><td><a href=h>Home</a><td><a href=n>Next</a></table>";
        let text =
            "<p>The mill at the river turns by day and by night, and grinds what the farmers of the valley bring.</p>";
        let html = format!(
            "<h1>Mills</h1>{text}<h2>Wind</h2>{text}{table}<p>The wind comes from the hills, and never for long.</p>"
        );
        let markdown = crate::extract(&html, &crate::ExtractOptions::default()).markdown();
        assert!(
            markdown.contains("The wind comes") && !markdown.contains("Prev") && !markdown.contains("Book"),
            "{markdown}"
        );
    }

    #[test]
    fn links_called_by_such_names_are_dropped() {
        for steps in [
            "<center><a href=c>Contents</a> <a href=u>Up</a> <a href=p>&lt;&lt;</a> <a href=n>&gt;&gt;</a></center>",
            "<b>Next:</b> <a href=n>1.8 Flags</a> <b>Up:</b> <a href=u>1. Layout</a> <b>Previous:</b> <a href=p>1.6 Views</a>",
            "<p>[ <a href=a>anterior</a> ] [ <a href=c>Conteúdo</a> ] [ <a href=1>1</a> ] [ <a href=2>2</a> ] [ <a href=n>próximo</a> ]</p>",
            "<p><a href=p>前のページ</a> | <a href=c>目次</a> | <a href=n>次のページ</a></p>",
            "<p><a href=c>Table of Contents</a> <a href=n>Next page</a></p>",
            "<p><a href=p>Previous</a> <a href=1>1</a> <a href=2>2</a> ... <a href=9>9</a> <a href=n>Next</a></p>",
            "<p><a href=p>Prev</a> | 3.1 | <a href=n>Next</a></p>",
            "<p><a href=n>Suivant</a> | <a href=c>Table des matières</a></p>",
            "<table><tr><td>[<a href=n> &gt;&gt; </a>]<td> <td>[<a href=c>Contents</a>]<td>[<a href=h> ? </a>]</table>",
            "<table><tr><td>[ <a href=a>&lt;&lt; Old mills</a> ]<td>[<a href=t>Racine</a>][<a href=c>Table des matières</a>]</table>",
            "<p><a href=a>&lt; Old mills</a> <a href=u>Up: Mills</a> <a href=b>New mills &gt;</a></p>",
            "<p>Next: <a href=b>Sails</a> Up: <a href=u>Mills</a> <a href=c>Contents</a><br>Subsections</p>",
            "<p>Goto Chapter: <a href=t>Top</a> <a href=1>1</a> <a href=2>2</a> <a href=3>3</a> <a href=4>4</a> <a href=5>5</a> \
                 <a href=6>6</a> <a href=7>7</a> <a href=8>8</a></p>",
            "<p>[Go to <a href=f>first</a>, <a href=p>previous</a>, <a href=n>next</a> page; <a href=c>contents</a>; index]</p>",
            "<p>Available Languages: <a href=en>en</a> | <a href=de rel=alternate>de</a></p>",
            "<p><a href=n>İleri</a> <a href=c>İçindekiler</a> <a href=p>Geri</a></p>",
        ] {
            assert_eq!(left(&format!("{steps}<h2>Mills</h2><p>They turn.</p>")), ["Mills", "They turn."], "{steps}");
        }
        for kept in [
            "<p><a href=1>1</a> <a href=2>2</a> <a href=3>3</a></p>",
            "<p><a href=c>Contents</a></p>",
            "<p>Next: <a href=n>Numbers</a> and <a href=m>mills</a></p>",
            "<p><a href=n>Next to the mill</a>, <a href=u>up the hill</a></p>",
            "<p>Press Next, then Back.</p>",
            "<p>First, <a href=a>create an account</a>. Next, <a href=d>download the client</a>.</p>",
            "<p>Start the <a href=m>mill server</a>. Start the <a href=g>grinder service</a>.</p>",
            "<p>Up to <a href=1>version 1.2</a>, back to <a href=2>version 1.0</a></p>",
            "<p>Vor <a href=1>Beginn der Arbeit</a>, nach <a href=2>dem Mahlen</a></p>",
            "<p><a href=f>first()</a> <a href=l>last()</a> <a href=n>next()</a> <a href=p>previous()</a></p>",
            "<p><a href=f>first</a>, <a href=l>last</a>, <a href=n>next</a>, <a href=p>previous</a></p>",
            "<p><a href=a>Old mills &gt;</a> <a href=b>New mills &gt;</a></p>",
            "<p><a href=lt>&lt;</a> <a href=gt>&gt;</a></p>",
            "<p>Read it in <a href=de rel=alternate>German</a>, which was the language of the <a href=m>miller</a></p>",
            "<p>12 <a href=y>1987</a> <a href=u>nach oben</a></p>",
        ] {
            assert_eq!(left(&format!("{kept}<p>They turn.</p>")).len(), 2, "{kept}");
        }
    }
}
