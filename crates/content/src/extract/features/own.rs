//! Features of a unit by itself: its words, signs and links.

use super::lexicon::CLASS_NAMES;
use super::sink::{Name, Sink, UNNUMBERED, share};
use super::units::Unit;

/// Writes what the unit's own text tells.
#[inline]
pub(super) fn put(sink: &mut impl Sink, unit: &Unit) {
    let text = &unit.text;
    let words = text.words.max(0.5);
    sink.put("words", text.words);
    sink.put("chars", text.chars);
    sink.put("word_length", text.word_chars / words);
    sink.put("link_share", unit.link_share);
    sink.put("links", unit.links.min(200.0));
    sink.put("images", unit.images.min(50.0));
    sink.put("bold", unit.bold);
    sink.put("control", unit.control);
    sink.put("small", unit.small);
    sink.put("commas", text.commas.min(200.0));
    sink.put("sentences", text.sentence_ends.min(200.0));
    sink.put("start", text.start);
    sink.put("end", text.end);
    sink.put("digits", share(text.digits, text.chars));
    sink.put("capitals", text.capital_words / words);
    sink.put("upper", text.upper_words / words);
    sink.put("function_words", text.function_words / words);
    sink.put("ornaments", share(text.ornaments, words).min(10.0));
    sink.put("code_marks", share(text.code_marks, words).min(10.0));
    sink.put("currencies", text.currencies.min(20.0));
    sink.put("years", text.years.min(20.0));
    sink.put("lines", text.lines.min(500.0));
    sink.put("title_words", text.title_words / words);
    sink.put("title_words_count", text.title_words.min(30.0));
    sink.put("described_pairs", text.described_pairs / words);
    sink.put("described_pairs_count", text.described_pairs.min(500.0));
    for (name, count) in CLASS_NAMES.into_iter().zip(text.classes) {
        sink.put(Name("class", UNNUMBERED, name), f32::from(count.min(20)) / words.min(20.0));
    }
}
