//! More like this: a block as a query.

use std::collections::HashMap;

use lopper_analysis::Analyzer;
use lopper_content::weigh::{TermStatistics, inverse_document_frequency};
use lopper_index::BlockDocument;

/// Words that a block is searched by.
const WORDS_MAX: usize = 25;

/// The words of a block's lead and text with the highest TF-IDF weights, `tf · idf`, as a query; equals by their terms.
pub(super) fn query_like(analyzer: &mut Analyzer, block: &BlockDocument, statistics: &dyn TermStatistics) -> String {
    let mut words: HashMap<String, (f32, &str)> = HashMap::new();
    for text in [&block.lead, &block.body] {
        analyzer.analyze(text, block.language, |token| {
            let word = &text[token.start..token.end];
            // Signs of the query language stand in hardly any word, and such a word is passed over.
            if word.chars().all(|c| c.is_alphanumeric() || "'’._".contains(c)) {
                words.entry(token.term.to_owned()).or_insert((0.0, word)).0 += 1.0;
            }
        });
    }
    let pages = statistics.pages();
    let weigh = |(term, (tf, word)): (String, (f32, &'_ str))| {
        let weight = tf * inverse_document_frequency(pages, statistics.pages_with(&term));
        (weight, term, word.to_lowercase())
    };
    let mut weighed: Vec<(f32, String, String)> = words.into_iter().map(weigh).collect();
    weighed.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let words: Vec<String> = weighed.into_iter().take(WORDS_MAX).map(|(_, _, word)| word).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use lopper_content::weigh::PageStatistics;

    #[test]
    fn frequent_and_rare_words_are_taken() {
        let mut statistics = PageStatistics::default();
        for page in [["mill", "corn"], ["mill", "tea"], ["mill", "sea"]] {
            statistics.add(page.map(str::to_owned));
        }
        let body = "A mill AND a mill: corn".to_owned();
        let block = BlockDocument { body, language: "en".into(), ..BlockDocument::default() };
        let query = query_like(&mut Analyzer::new(), &block, &statistics);
        let words: Vec<&str> = query.split(' ').collect();
        assert!(words.contains(&"and") && words.contains(&"corn") && !query.contains(':'), "{query}");
        assert_eq!(words.iter().filter(|word| **word == "mill").count(), 1);
    }
}
