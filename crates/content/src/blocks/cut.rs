//! From surviving runs to passages: cut at headings, bounded by length.

use serde::{Deserialize, Serialize};

use super::headings::{HeadingTrail, Role, is_permalink, is_place_name, without_permalink};
use super::landmarks::{RunPlace, set_landmarks};
use super::lines::text_of;
use super::measure::{BlockMeasure, BlockMeter};
use super::piece::Piece;
use super::records::{Records, heads_table};
use super::table_heads::TableHeads;
use super::units::{Entry, Leads};
use super::{BlockLink, MainBlock};
use crate::cst::{BlockPaths, ContentStructureTree, NodeId, NodeKind, Run, RunId};
use crate::dom::Tag;
use crate::judge::JudgedRuns;
use crate::prune::PrunedTree;
use crate::text::language::primary;

/// How long passages get.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BlockParams {
    /// A passage takes in neighbours until it has this many words. Default 60.
    pub words_min: usize,
    /// A passage of `words_min` takes in no run that would bring it above this many words. Default 200.
    pub words_max: usize,
}

impl Default for BlockParams {
    fn default() -> Self {
        Self { words_min: 60, words_max: 200 }
    }
}

/// Longest lead line, in bytes.
const LEAD_BYTES_MAX: usize = 200;

/// How many times the longest passage a table row may have before it is cut: rows are seldom cut.
const ROW_STRETCH: usize = 2;

/// A paragraph is with what it leads to where this part of the longest passage is enough above that.
const LED_STRETCH: usize = 2;

/// Lines of speech are parted where this part of the longest passage is in a passage above that.
const SPEECH_STRETCH: usize = 4;

/// Links of a block that are kept.
const LINKS_MAX: usize = 64;

/// Names of a block that are kept.
const NAMES_MAX: usize = 8;

/// Cuts the surviving runs of a page into main blocks, in document order, and measures them. Runs without text join the passage they
/// stand in.
pub fn cut(pruned: &PrunedTree, judged: Option<&JudgedRuns>, params: BlockParams) -> Vec<MainBlock> {
    let meter = BlockMeter::new(pruned, judged);
    let measure = |_: usize, pieces: &[Piece]| meter.measure(pieces);
    cut_tree(pruned.tree(), &|run| pruned.run_survives(run), &measure, params)
}

/// [`cut`] for a tree whose judgements come from elsewhere: which runs survive, and the measure of each block by its ordinal
/// and pieces.
pub(crate) fn cut_tree(
    tree: &ContentStructureTree,
    survives: &dyn Fn(RunId) -> bool,
    measure: &dyn Fn(usize, &[Piece]) -> BlockMeasure,
    params: BlockParams,
) -> Vec<MainBlock> {
    let paths = BlockPaths::new(tree);
    let mut cutter = Cutter {
        tree,
        measure,
        params,
        paths,
        records: Records::new(tree),
        table_heads: TableHeads::default(),
        blocks: Vec::new(),
        first_places: Vec::new(),
        open: Passage::default(),
        leads: Leads::default(),
        whole: None,
        waiting: Vec::new(),
        waiting_words: 0,
        closed_end: 0,
    };
    let mut trail = HeadingTrail::default();
    for (id, run) in tree.runs().iter().enumerate() {
        let role = trail.visit(tree, run);
        if survives(id) {
            cutter.take(id, run, role, &trail);
        }
    }
    cutter.place_leads();
    let rest = std::mem::take(&mut cutter.waiting);
    cutter.open.pieces.extend(rest);
    cutter.close();
    set_landmarks(tree, &cutter.first_places, &mut cutter.blocks);
    cutter.blocks
}

/// The passage that is being filled.
#[derive(Default)]
struct Passage<'a> {
    pieces: Vec<Piece>,
    words: usize,
    /// Names of places that it begins with.
    place_names: usize,
    /// Whether something else than headings is in it.
    has_body: bool,
    /// The headings above all that is in it.
    heading_path: Vec<String>,
    /// While nothing but headings is in it: those above all of these.
    common_path: Vec<String>,
    /// How many of them, with those below them, open the section that it stands in.
    section_len: usize,
    /// The record of its last run with text.
    record: Option<NodeId>,
    /// How many of its words are of that record, since it was entered last.
    record_words: usize,
    /// First node of its last run with text.
    last_text: Option<u32>,
    /// The name of the nearest heading above its beginning that links can lead to, and where that stands.
    heading_name: Option<(NodeId, &'a str)>,
}

struct Cutter<'a> {
    tree: &'a ContentStructureTree,
    measure: &'a dyn Fn(usize, &[Piece]) -> BlockMeasure,
    params: BlockParams,
    paths: BlockPaths,
    records: Records,
    table_heads: TableHeads,
    blocks: Vec<MainBlock>,
    /// Where each begins.
    first_places: Vec<RunPlace>,
    open: Passage<'a>,
    /// What goes with the text after it.
    leads: Leads<'a>,
    /// The record of the last run with text, or what is not cut around it.
    whole: Option<NodeId>,
    /// Runs of images alone, and names of places, that wait for the text after them.
    waiting: Vec<Piece>,
    /// Their words.
    waiting_words: usize,
    /// One past the last node of the passages before.
    closed_end: u32,
}

impl<'a> Cutter<'a> {
    fn take(&mut self, id: RunId, run: &Run, role: Role, trail: &HeadingTrail<'a>) {
        if role == Role::Aside {
            return;
        }
        if run.text.is_empty() {
            self.take_images(id, run);
            return;
        }
        // A list of nothing but such names is cut as any text.
        if role == Role::Body && self.waiting_words < self.params.words_min && is_place_name(self.tree, run) {
            let pieces = Piece::all(self.tree, id, self.params);
            self.waiting_words += pieces.iter().map(|piece| piece.words).sum::<usize>();
            self.waiting.extend(pieces);
            return;
        }
        let record = self.records.around(self.tree, run.item);
        let whole = record.map(|record| self.records.whole(self.tree, record, self.params.words_min));
        let enters = role == Role::Term || (whole != self.whole && whole.is_some());
        self.whole = whole;
        let heads_table = role == Role::Body && heads_table(self.tree, id);
        for piece in Piece::all(self.tree, id, self.params) {
            let (place, words) = (piece.place, piece.words);
            let mut pieces = std::mem::take(&mut self.waiting);
            let place_names = pieces.iter().filter(|piece| !piece.text.is_empty()).count();
            pieces.push(piece);
            let words_before = std::mem::take(&mut self.waiting_words);
            self.take_entry(Entry {
                pieces,
                place_names,
                words,
                words_before,
                role,
                first_node: run.nodes.start,
                path: trail.path(),
                section_len: trail.section_len(),
                heading_name: trail.name(),
                record,
                enters: enters && place == 0,
                heads_table,
                is_tail: false,
                opens_section: place == 0 && self.tree.is_behind_empty_heading(run.nodes.clone()),
            });
        }
    }

    fn take_entry(&mut self, entry: Entry<'a>) {
        let words_max = self.params.words_min;
        if !self.leads.lead_to(self.tree, &entry) || self.leads.end_before(self.tree, &entry, words_max) {
            self.place_leads();
        }
        if let Some(entry) = self.leads.hold(self.tree, entry, words_max) {
            let mut unit = self.leads.take();
            unit.push(entry);
            self.place_led(unit);
        }
    }

    /// A paragraph that leads on stays with what it leads to as long as that makes no very long passage, else the last of its sentences.
    fn place_led(&mut self, mut unit: Vec<Entry<'a>>) {
        let words: usize = unit.iter().map(|entry| entry.words).sum();
        let before = if self.must_close(&unit) { 0 } else { self.open.words };
        let is_long = before + words > self.params.words_max + self.params.words_max / LED_STRETCH;
        if let [.., lead, _] = &unit[..]
            && is_long
            && lead.words > self.params.words_min
            && let Some(led) = unit.pop()
            && let Some(lead) = unit.pop()
        {
            let (lead, tail) = lead.parted(self.tree);
            unit.push(lead);
            self.place(unit);
            unit = tail.into_iter().chain([led]).collect();
        }
        self.place(unit);
    }

    /// What leads to nothing is taken as any text.
    fn place_leads(&mut self) {
        for entry in self.leads.take() {
            self.place(vec![entry]);
        }
    }

    /// Adds what is not parted to the open passage, or to a new one.
    fn place(&mut self, unit: Vec<Entry<'a>>) {
        if self.must_close(&unit) {
            self.close();
        }
        for entry in unit {
            self.add(entry);
        }
    }

    fn add(&mut self, mut entry: Entry<'a>) {
        let open = &mut self.open;
        let begins = open.pieces.is_empty();
        if begins {
            open.place_names = entry.place_names;
            open.heading_name = entry.heading_name;
        }
        open.words += entry.words + entry.words_before;
        if let (true, Some(before)) = (entry.is_tail, open.pieces.last_mut()) {
            before.join(&entry.pieces.remove(0));
        }
        open.pieces.append(&mut entry.pieces);
        open.last_text = Some(entry.first_node);
        if entry.record != open.record {
            open.record_words = 0;
        }
        (open.record, open.record_words) = (entry.record, open.record_words + entry.words);
        if open.has_body {
            keep_common(&mut open.heading_path, &entry.path);
        } else {
            if begins {
                open.common_path.clone_from(&entry.path);
            } else {
                keep_common(&mut open.common_path, &entry.path);
            }
            open.heading_path = entry.path;
            open.section_len = entry.section_len;
        }
        open.has_body |= entry.role == Role::Body && entry.words > 0;
    }

    /// Images stay with the passage that has text of their container before them; else they go with the text after them.
    fn take_images(&mut self, id: RunId, run: &Run) {
        let container = self.tree.ancestors(run.item).find(|item| !self.tree.subtree_text(*item).is_empty());
        let begin = container.unwrap_or(ContentStructureTree::ROOT).0;
        let images = Piece { run: id, text: 0..0, nodes: run.nodes.clone(), place: 0, words: 0 };
        let (last_text, before) = match self.leads.last_mut() {
            Some(lead) => (Some(lead.first_node), &mut lead.pieces),
            None => (self.open.last_text, &mut self.open.pieces),
        };
        if self.waiting.is_empty() && last_text.is_some_and(|last| last > begin) {
            before.push(images);
        } else {
            self.waiting.push(images);
        }
    }

    /// A section's passages are cut between the entries of its lists and the rows of its tables, and where they get too long.
    fn must_close(&self, unit: &[Entry<'a>]) -> bool {
        let open = &self.open;
        let words: usize = unit.iter().map(|entry| entry.words).sum();
        let [first, ..] = unit else { return false };
        let [.., last] = unit else { return false };
        if words == 0 {
            return false;
        }
        if !open.has_body {
            let is_full = open.words + first.words > self.params.words_max;
            return first.role != Role::Body && is_full
                || first.role == Role::Heading && open.words >= self.params.words_min;
        }
        let section_len = first.section_len;
        let same_section =
            section_len == open.section_len && open.heading_path.get(..section_len) == first.path.get(..section_len);
        let leaves = unit.iter().any(|entry| entry.enters) || open.heading_path != last.path;
        let in_row = open.record.is_some_and(|record| self.tree.tag(record) == Tag::Tr);
        let words_max = self.params.words_max;
        let is_full = if in_row && !leaves {
            open.record_words + words > words_max * ROW_STRETCH
        } else if first.is_speech(self.tree) {
            open.words + words > words_max + words_max / SPEECH_STRETCH
        } else {
            open.words + words > words_max
        };
        let is_long = open.words >= self.params.words_min;
        first.role == Role::Heading || first.opens_section || !same_section || is_long && (leaves || is_full)
    }

    fn close(&mut self) {
        let mut passage = std::mem::take(&mut self.open);
        let tree = self.tree;
        // A list of nothing but headings, as a table of contents is: none of them heads the others.
        if !passage.has_body && passage.pieces.len() > passage.heading_path.len() {
            passage.heading_path = passage.common_path;
        }
        let Some(piece) = passage.pieces.iter().find(|piece| !piece.text.is_empty()) else { return };
        let first = &tree.runs()[piece.run];
        self.first_places.push((piece.run, piece.text.start));
        let text = text_of(tree, &passage.pieces);
        let nodes = || passage.pieces.iter().flat_map(Piece::nodes);
        let of_kind = |kind| nodes().filter(move |node| tree.kind(*node) == kind && !tree.is_in_aside(*node));
        let image_texts = of_kind(NodeKind::Image).filter_map(|node| tree.image(node));
        let measure = (self.measure)(self.blocks.len(), &passage.pieces);
        let anchor = self.anchor(first, passage.heading_name);
        let lines = || passage.pieces.iter().flat_map(|piece| piece.text(tree).lines());
        let lead = lines().nth(passage.place_names).or_else(|| lines().next());
        let lead = tree.without_readings(lead.unwrap_or(""));
        let lead = without_permalink(&lead);
        self.blocks.push(MainBlock {
            ordinal: self.blocks.len() as u32,
            path: self.block_path(first, piece.place),
            css_path: tree.css_path(first.item),
            anchor: anchor.map(|(_, name)| name.to_owned()),
            names: self.names(&passage.pieces),
            places: self.places(&passage.pieces),
            item: first.item,
            table_head: self.table_heads.above(tree, first.item).to_owned(),
            heading_path: passage.heading_path,
            lead: lead[..lead.floor_char_boundary(LEAD_BYTES_MAX)].to_owned(),
            link_text: join(
                of_kind(NodeKind::Link).filter(|node| !is_permalink(tree, *node)).map(|node| tree.text(node)),
            ),
            links: self.links(of_kind(NodeKind::Link)),
            image_text: join(
                image_texts.flat_map(|image| [image.alt, image.title]).map(|span| tree.attribute_text(span)),
            ),
            language: self.language(&passage.pieces),
            similarity: measure.similarity,
            weight: measure.weight,
            norm: measure.norm,
            content: measure.content,
            landmark: None,
            text,
        });
        let last = passage.pieces.last().map(|piece| tree.runs()[piece.run].nodes.end);
        self.closed_end = last.unwrap_or(self.closed_end);
    }

    /// The language that all runs with text are declared to be in.
    fn language(&self, pieces: &[Piece]) -> Option<&'static str> {
        let with_text = pieces.iter().filter(|piece| !piece.text.is_empty());
        let mut declared = with_text.map(|piece| self.tree.declared_language(self.tree.runs()[piece.run].item));
        let first = declared.next()??;
        declared.all(|language| language == Some(first)).then(|| primary(first)).flatten()
    }

    fn links(&self, nodes: impl Iterator<Item = NodeId>) -> Vec<BlockLink> {
        let href = |node| self.tree.link(node).map(|link| self.tree.attribute_text(link.href));
        let linked = nodes.filter_map(|node| Some((node, href(node)?))).filter(|(_, href)| !href.is_empty());
        let link =
            |(node, href): (NodeId, &str)| BlockLink { href: href.to_owned(), text: self.tree.text(node).to_owned() };
        linked.take(LINKS_MAX).map(link).collect()
    }

    /// The name that stands nearest before a run, around it or of the heading above it.
    fn anchor(&self, run: &Run, heading: Option<(NodeId, &'a str)>) -> Option<(NodeId, &'a str)> {
        let tree = self.tree;
        let around = tree.ancestors(run.item).find_map(|item| Some((item, tree.element_id(item)?)));
        around.into_iter().chain(heading).max_by_key(|(node, _)| *node)
    }

    /// The nearest id of every run, where its element opened after the passages before this one.
    fn names(&self, pieces: &[Piece]) -> Vec<String> {
        let runs = pieces.iter().map(|piece| &self.tree.runs()[piece.run]);
        let near = runs.filter_map(|run| self.anchor(run, None));
        distinct(near.filter(|(item, _)| item.0 >= self.closed_end).map(|(_, name)| name))
    }

    /// The names of the places in the block, but for those that the block before has.
    fn places(&self, pieces: &[Piece]) -> Vec<String> {
        let within = pieces.iter().flat_map(|piece| self.tree.places(piece.nodes.clone())).map(|(_, name)| name);
        let before = self.blocks.last().map_or(&[][..], |block| &block.places);
        distinct(within.filter(|name| !before.iter().any(|known| known == name)))
    }

    fn block_path(&self, run: &Run, piece: usize) -> String {
        let tree = self.tree;
        let first = tree.runs_within(run.item).start;
        let own = tree.runs()[first..].iter().take_while(|other| other.nodes.start < run.nodes.start);
        let place = own.filter(|other| other.item == run.item).count();
        let path = self.paths.path(tree, run.item);
        if piece == 0 { format!("{path}:{place}") } else { format!("{path}:{place}+{piece}") }
    }
}

/// Shortens a path to what it has in common with another one.
fn keep_common(path: &mut Vec<String>, other: &[String]) {
    let common = path.iter().zip(other).take_while(|(a, b)| a == b).count();
    path.truncate(common);
}

/// At most [`NAMES_MAX`] names, each once.
fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut distinct: Vec<String> = Vec::new();
    for name in names {
        if distinct.len() == NAMES_MAX {
            break;
        }
        if !distinct.iter().any(|known| known == name) {
            distinct.push(name.to_owned());
        }
    }
    distinct
}

fn join<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut joined = String::new();
    for line in lines.filter(|line| !line.is_empty()) {
        if !joined.is_empty() {
            joined.push('\n');
        }
        joined.push_str(line);
    }
    joined
}

#[cfg(test)]
mod tests;
