//! Words that begin as one that is being typed.

use lopper_analysis::{Analyzer, Language};

use super::resolved::TextField;
use super::spelling::{SAMPLE_BLOCKS, stem_bytes_min};
use super::vocabulary::Vocabulary;
use super::words::surfaces;
use crate::engine::{BlockSnapshot, Budget, EngineError};

/// Terms looked at for each word that is wanted: several may stand for one word, or for none that begins so.
const TERMS_PER_WORD: usize = 3;

/// Words of the index that begin with `prefix`, in lower case, those in most blocks first.
pub(crate) fn words_beginning_with(
    snapshot: &dyn BlockSnapshot,
    analyzer: &mut Analyzer,
    prefix: &str,
    limit: usize,
    budget: &Budget,
) -> Result<Vec<String>, EngineError> {
    let Some(surface) = surfaces(prefix).into_iter().next() else { return Ok(Vec::new()) };
    let term = analyzer.term(&surface, Language::UNDETERMINED).to_owned();
    let lowered = prefix.to_lowercase();
    let mut vocabulary = Vocabulary::new(snapshot, budget);
    let mut terms = vocabulary.beginning_with(TextField::All, &term)?;
    // `moder` is the stem of what begins with `modera`.
    terms.extend(vocabulary.sampled_family(&term, stem_bytes_min(&term))?);
    terms.sort_by(|(a, a_blocks), (b, b_blocks)| b_blocks.cmp(a_blocks).then_with(|| a.cmp(b)));
    terms.dedup();
    let mut words: Vec<String> = Vec::new();
    for (term, _) in terms.into_iter().take(limit * TERMS_PER_WORD) {
        let behind = vocabulary.words_behind(analyzer, &term, SAMPLE_BLOCKS)?;
        let word = behind.iter().map(|word| word.to_lowercase()).find(|word| word.starts_with(&lowered));
        words.extend(word.filter(|word| !words.contains(word)));
        if words.len() == limit {
            break;
        }
    }
    Ok(words)
}
