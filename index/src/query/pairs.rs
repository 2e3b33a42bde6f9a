//! What the pairs of characters weigh that a text without blanks is cut into.
//!
//! About half of them lie across two words: of 打印名片, to print business cards, 印名 means nothing, and as it is rare it would weigh
//! most. What characters of one word have in common is that they stand side by side more often than others do (R. Sproat and C. Shih,
//! *A statistical method for finding word boundaries in Chinese text*, 1990). So the collection tells which pairs are words.

use super::QUERY_TERMS_MAX;
use super::resolve::Resolution;
use super::resolved::TextField;
use crate::engine::EngineError;
use lopper_analysis::Surface;

/// What a pair weighs at least that lies across two words. It does say that the two stand in a row.
const ACROSS_WEIGHT: f32 = 0.4;

/// What a pair of two scripts weighs of that.
const SCRIPTS_SHARE: f32 = 0.4;

impl Resolution<'_> {
    /// What each surface of a text weighs, in (0, 1]: 1 for words, and for pairs of one script that are as cohesive as those they
    /// overlap.
    pub(super) fn pair_weights(&mut self, surfaces: &[Surface<'_>]) -> Result<Vec<f32>, EngineError> {
        let mut weights = vec![1.0; surfaces.len()];
        let has_room = self.met.len() < QUERY_TERMS_MAX && !self.vocabulary.budget().is_spent();
        if !has_room || !surfaces.iter().any(|surface| surface.is_pair) {
            return Ok(weights);
        }
        let surfaces = &surfaces[..surfaces.len().min(QUERY_TERMS_MAX)];
        let cohesions = self.cohesions(surfaces)?;
        let overlaps = |left: usize| {
            let (left, right) = (&surfaces[left], &surfaces[left + 1]);
            left.is_pair && right.is_pair && right.start < left.start + left.text.len()
        };
        for (index, weight) in weights.iter_mut().take(surfaces.len()).enumerate() {
            let before = if index > 0 && overlaps(index - 1) { cohesions[index - 1] } else { 0.0 };
            let behind = if index + 1 < surfaces.len() && overlaps(index) { cohesions[index + 1] } else { 0.0 };
            let most = before.max(behind).max(cohesions[index]);
            if most > 0.0 {
                *weight = (cohesions[index] / most).max(ACROSS_WEIGHT);
            }
            if surfaces[index].is_pair && is_across_scripts(surfaces[index].text) {
                *weight *= SCRIPTS_SHARE;
            }
        }
        Ok(weights)
    }

    /// How often the characters of each pair stand side by side where both are, in [0, 1]: blocks with the pair over the geometric mean
    /// of those with either (Ochiai's coefficient), smoothed; 0 for other surfaces.
    fn cohesions(&mut self, surfaces: &[Surface<'_>]) -> Result<Vec<f32>, EngineError> {
        let pairs: Vec<Option<[String; 3]>> =
            surfaces.iter().map(|surface| self.words.analyzer.pair_terms(surface)).collect();
        let terms: Vec<String> = pairs.iter().flatten().flatten().cloned().collect();
        self.vocabulary.budget().spend(terms.len() as u64);
        let counts = self.words.snapshot.document_frequencies(TextField::All, &terms)?;
        let mut counts = counts.chunks_exact(3);
        let mut cohesion = || {
            let [both, first, second] = *counts.next()? else { return None };
            Some((both as f32 + 0.5) / ((first as f32 + 1.0) * (second as f32 + 1.0)).sqrt())
        };
        Ok(pairs.iter().map(|pair| pair.as_ref().and_then(|_| cohesion()).unwrap_or(0.0)).collect())
    }
}

/// The scripts of Japanese.
#[derive(PartialEq, Eq)]
enum Script {
    Hiragana,
    Katakana,
    /// Ideographs, and what is not Japanese.
    Other,
}

/// Whether a pair has characters of two scripts of Japanese, between which a word ends. Only an ideograph goes on in hiragana (`使う`).
fn is_across_scripts(pair: &str) -> bool {
    let mut scripts = pair.chars().filter(|char| !LENGTHS_AND_MARKS.contains(char)).map(script);
    let (Some(first), Some(second)) = (scripts.next(), scripts.next()) else { return false };
    first != second && (first, second) != (Script::Other, Script::Hiragana)
}

/// What belongs to the character before it, in either kana: the sign of a long vowel, and marks that stand by themselves.
const LENGTHS_AND_MARKS: [char; 4] = ['ー', '\u{ff70}', '\u{3099}', '\u{309a}'];

fn script(char: char) -> Script {
    match char {
        '\u{3041}'..='\u{309f}' => Script::Hiragana,
        '\u{30a0}'..='\u{30ff}' | '\u{ff66}'..='\u{ff9f}' => Script::Katakana,
        _ => Script::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockDocument, BlockIndex, BlockQuery, Budget, NoLinks, RankingWeights, WriterOptions};

    #[test]
    fn kana_end_words_but_for_the_ends_of_verbs() {
        for (pair, across) in [
            ("の中", true),
            ("ルの", true),
            ("表ル", true),
            ("使う", false),
            ("らー", false),
            ("か\u{3099}中", true),
            ("セル", false),
            ("する", false),
            ("打印", false),
        ] {
            assert_eq!(is_across_scripts(pair), across, "{pair}");
        }
    }

    /// The weight of each word of a query in a collection, in percent.
    fn weights(texts: &[&str], query: &str) -> Vec<(String, i32)> {
        let dir = tempfile::tempdir().unwrap();
        let index = BlockIndex::create(dir.path()).unwrap();
        let mut writer = index.writer(WriterOptions::default()).unwrap();
        for (number, text) in texts.iter().enumerate() {
            let page_id = format!("{number:032}");
            let body = (*text).to_owned();
            writer
                .add(&BlockDocument { block_id: format!("{page_id}:0"), page_id, body, ..Default::default() })
                .unwrap();
        }
        writer.commit("").unwrap();
        let searcher = index.searcher();
        searcher.reload().unwrap();
        let ranked = searcher
            .rank(&BlockQuery::new(query, 1), &NoLinks, &RankingWeights::default(), &Budget::unlimited())
            .unwrap();
        ranked.query.words.into_iter().map(|word| (word.surface, (word.weight * 100.0).round() as i32)).collect()
    }

    #[test]
    fn pairs_across_two_words_weigh_less() {
        let texts = ["打印文件", "打印一页", "打开名片", "名片和文件", "印章", "姓名", "一页名片"];
        let weights = weights(&texts, "打印名片");
        let of = |pair: &str| weights.iter().find(|(surface, _)| surface == pair).unwrap().1;
        assert_eq!([of("打印"), of("印名"), of("名片")], [100, 40, 100]);
    }

    #[test]
    fn words_between_blanks_weigh_one() {
        let all = weights(&["print cards 名"], "print cards 名 nowhere");
        assert!(all.iter().all(|(_, weight)| *weight == 100), "{all:?}");
    }

    #[test]
    fn a_query_of_many_pairs_is_read_to_its_end() {
        let query: String = (0..3000).map(|code| char::from_u32(0x4e00 + code).unwrap()).collect();
        assert_eq!(weights(&["一丁"], &query).len(), QUERY_TERMS_MAX);
    }
}
