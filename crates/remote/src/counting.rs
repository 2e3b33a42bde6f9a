//! How often the query's words stand in blocks and pages that came back: what features are made of.

use std::collections::HashMap;
use std::sync::Arc;

use lopper_index::engine::{
    BlockField, BlockHandle, Candidate, CandidatePart, KnownForm, PageField, RankWord, Standing, WordTable,
};
use lopper_index::{BlockPart, PagePart, page_order, site};

use crate::fetched::{FetchedBlock, FetchedPage};

/// Blocks as candidates of one part, with their pages as far as these are known.
pub(crate) fn part(
    words: &[RankWord],
    blocks: &[Arc<FetchedBlock>],
    pages: &HashMap<String, Arc<FetchedPage>>,
) -> CandidatePart {
    let mut rows: HashMap<&str, usize> = HashMap::new();
    let mut own_pages: Vec<&FetchedPage> = Vec::new();
    for block in blocks {
        let Some(page) = pages.get(&block.document.page_id) else { continue };
        rows.entry(&block.document.page_id).or_insert_with(|| {
            own_pages.push(page);
            own_pages.len() - 1
        });
    }
    let mut part = CandidatePart {
        blocks: WordTable::new(blocks.len(), words.len()),
        pages: WordTable::new(own_pages.len(), words.len()),
        ..CandidatePart::default()
    };
    for (row, block) in blocks.iter().enumerate() {
        let begin = part.link_keys.len();
        part.link_keys.extend(block.document.link_keys.iter().filter(|key| **key != 0));
        part.candidates.push(Candidate {
            handle: BlockHandle::new(block.handle),
            standing: standing(block),
            site: site(&block.document.host),
            norm: block.document.norm,
            link_share: block.document.link_share,
            content: block.document.content,
            language: block.document.language,
            link_keys: begin..part.link_keys.len(),
            page_link_key: block.page_key,
            page_row: rows.get(block.document.page_id.as_str()).copied(),
        });
        count_block(words, block, row, &mut part.blocks);
    }
    for (row, page) in own_pages.into_iter().enumerate() {
        count_page(words, page, row, &mut part.pages);
    }
    part
}

/// Where a block stands.
pub(crate) fn standing(block: &FetchedBlock) -> Standing {
    let page_order = page_order(&block.document.page_id);
    Standing { page_order, page_key: block.page_key.unwrap_or(page_order), ordinal: block.document.ordinal.into() }
}

fn count_block(words: &[RankWord], block: &FetchedBlock, row: usize, table: &mut WordTable<{ BlockField::COUNT }>) {
    for field in BlockField::ALL {
        let of_part = |part| block.layout.lengths[part as usize];
        table.set_length(row, field as usize, field.length_part().map_or(coarse(block.names.length()), of_part));
    }
    for (w, known, factor) in forms(words).filter(|(_, known, _)| known.form.allows(block.document.language)) {
        let term = &known.form.term;
        let mut counts = [0u32; BlockPart::COUNT];
        block.joined.positions(term).for_each(|at| counts[block.layout.part_of(at)] += 1);
        for field in BlockField::ALL {
            let count = match field {
                _ if field.has_words_alone() && !known.form.counts_as_word() => 0,
                BlockField::Names => block.names.count(term),
                _ => field.parts().iter().map(|part| counts[*part as usize]).sum(),
            };
            table.add(row, field as usize, w, factor * count as f32);
        }
    }
}

fn count_page(words: &[RankWord], page: &FetchedPage, row: usize, table: &mut WordTable<{ PageField::COUNT }>) {
    table.set_length(row, PageField::All as usize, coarse(page.length));
    for (field, part) in PageField::HEAD {
        table.set_length(row, field as usize, page.head_layout.lengths[part as usize]);
    }
    for (w, known, factor) in forms(words) {
        let term = &known.form.term;
        table.add(row, PageField::All as usize, w, factor * page.count(term) as f32);
        if !known.form.counts_as_word() {
            continue;
        }
        let mut counts = [0u32; PagePart::COUNT];
        page.head.positions(term).for_each(|at| counts[page.head_layout.part_of(at)] += 1);
        for (field, part) in PageField::HEAD {
            table.add(row, field as usize, w, factor * counts[part as usize] as f32);
        }
    }
}

/// How much of the query's weight a block holds, for the choice of a page's blocks.
pub(crate) fn weight_in(words: &[RankWord], block: &FetchedBlock) -> f32 {
    let length = coarse(block.joined.length()) as f32;
    let word_weight = |word: &RankWord| {
        let allowed = word.forms.iter().filter(|known| known.form.allows(block.document.language));
        let counts = allowed.map(|known| word.factor(&known.form) * block.joined.count(&known.form.term) as f32);
        let count = counts.fold(0.0, f32::max);
        word.idf * count / (count + 0.5 + length / 150.0)
    };
    words.iter().map(word_weight).sum()
}

/// The forms of all words, each with the word's number and what it counts.
pub(crate) fn forms(words: &[RankWord]) -> impl Iterator<Item = (usize, &KnownForm, f32)> {
    words
        .iter()
        .enumerate()
        .flat_map(|(w, word)| word.forms.iter().map(move |known| (w, known, word.factor(&known.form))))
}

/// A length as coarse as the index inside keeps it, in one byte: exact to 40, then four bits of it (as Lucene has it).
fn coarse(length: u32) -> u32 {
    let Some(above) = length.checked_sub(24).filter(|above| *above >= 16) else { return length };
    let dropped = above.ilog2() - 3;
    24 + (above >> dropped << dropped)
}
