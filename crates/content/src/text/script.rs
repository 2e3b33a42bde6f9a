//! The script that a text is written in.

/// Scripts that tell languages apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Script {
    /// Latin, whose languages are told by words.
    Latin,
    /// Cyrillic, likewise.
    Cyrillic,
    /// Arabic, likewise.
    Arabic,
    /// Han, Kana or Hangul, told by their mixture.
    Ideographic,
    /// A script of one language, or of one far before others: its code.
    Of(&'static str),
}

/// First and last letter of blocks beyond ASCII, in order, with the slot that counts them.
const BLOCKS: &[(char, char, usize)] = &[
    ('\u{aa}', '\u{24f}', LATIN),
    ('\u{370}', '\u{3ff}', GREEK),
    ('\u{400}', '\u{52f}', CYRILLIC),
    ('\u{531}', '\u{58f}', GREEK + 1),
    ('\u{5d0}', '\u{5f4}', GREEK + 2),
    ('\u{620}', '\u{6ff}', ARABIC),
    ('\u{750}', '\u{77f}', ARABIC),
    ('\u{900}', '\u{97f}', GREEK + 3),
    ('\u{980}', '\u{9ff}', GREEK + 4),
    ('\u{a00}', '\u{a7f}', GREEK + 5),
    ('\u{a80}', '\u{aff}', GREEK + 6),
    ('\u{b00}', '\u{b7f}', GREEK + 7),
    ('\u{b80}', '\u{bff}', GREEK + 8),
    ('\u{c00}', '\u{c7f}', GREEK + 9),
    ('\u{c80}', '\u{cff}', GREEK + 10),
    ('\u{d00}', '\u{d7f}', GREEK + 11),
    ('\u{d80}', '\u{dff}', GREEK + 12),
    ('\u{e00}', '\u{e7f}', GREEK + 13),
    ('\u{e80}', '\u{eff}', GREEK + 14),
    ('\u{f00}', '\u{fff}', GREEK + 15),
    ('\u{1000}', '\u{109f}', GREEK + 16),
    ('\u{10a0}', '\u{10ff}', GREEK + 17),
    ('\u{1100}', '\u{11ff}', HANGUL),
    ('\u{1200}', '\u{137f}', GREEK + 18),
    ('\u{1780}', '\u{17ff}', GREEK + 19),
    ('\u{1e00}', '\u{1eff}', LATIN),
    ('\u{1f00}', '\u{1fff}', GREEK),
    ('\u{3041}', '\u{30ff}', KANA),
    ('\u{3400}', '\u{9fff}', HAN),
    ('\u{ac00}', '\u{d7af}', HANGUL),
    ('\u{f900}', '\u{faff}', HAN),
    ('\u{fb50}', '\u{fdff}', ARABIC),
    ('\u{fe70}', '\u{feff}', ARABIC),
    ('\u{ff66}', '\u{ff9f}', KANA),
];

const LATIN: usize = 0;
const CYRILLIC: usize = 1;
const ARABIC: usize = 2;
const HAN: usize = 3;
const KANA: usize = 4;
const HANGUL: usize = 5;
const GREEK: usize = 6;
const SLOTS: usize = GREEK + OF.len();

/// Languages of the slots from [`GREEK`] on.
const OF: [&str; 20] = [
    "el", "hy", "he", "hi", "bn", "pa", "gu", "or", "ta", "te", "kn", "ml", "si", "th", "lo", "bo", "my", "ka", "am",
    "km",
];

/// A Han, Kana or Hangul letter says as much as so many of an alphabet.
const IDEOGRAPHIC_LETTERS: usize = 3;

/// How many letters of each script a text has.
#[derive(Debug, Clone)]
pub(super) struct Letters([usize; SLOTS]);

impl Letters {
    pub(super) fn of(text: &str) -> Self {
        let mut counts = [0; SLOTS];
        counts[LATIN] = text.bytes().filter(u8::is_ascii_alphabetic).count();
        // Neighbouring letters are of one block nearly always.
        let mut block = BLOCKS[0];
        for letter in text.chars().filter(|letter| !letter.is_ascii()) {
            if letter < block.0 || letter > block.1 {
                let index = BLOCKS.partition_point(|&(_, last, _)| last < letter);
                match BLOCKS.get(index).filter(|&&(first, ..)| first <= letter) {
                    Some(&found) => block = found,
                    None => continue,
                }
            }
            counts[block.2] += 1;
        }
        Self(counts)
    }

    fn ideographic(&self) -> usize {
        self.0[HAN] + self.0[KANA] + self.0[HANGUL]
    }

    /// Letters of all scripts, in letters of an alphabet.
    pub(super) fn count(&self) -> usize {
        self.0.iter().sum::<usize>() + self.ideographic() * (IDEOGRAPHIC_LETTERS - 1)
    }

    /// Letters of a script, in letters of an alphabet.
    pub(super) fn of_script(&self, script: Script) -> usize {
        match script {
            Script::Ideographic => self.ideographic() * IDEOGRAPHIC_LETTERS,
            _ => (0..SLOTS).filter(|slot| script_of(*slot) == script).map(|slot| self.0[slot]).sum(),
        }
    }

    /// The script with the most letters; a third of them is enough for `declared`, since names and code are in Latin everywhere.
    pub(super) fn script(&self, declared: Option<Script>) -> Script {
        let mut counts = self.0;
        counts[HAN] = self.ideographic() * IDEOGRAPHIC_LETTERS;
        (counts[KANA], counts[HANGUL]) = (0, 0);
        let is_enough = |slot: &usize| Some(script_of(*slot)) == declared && counts[*slot] * 3 >= self.count();
        // Of equal counts the first slot wins.
        let most = || (0..SLOTS).rev().max_by_key(|&slot| counts[slot]).unwrap_or(LATIN);
        script_of((0..SLOTS).filter(|slot| *slot != LATIN).find(is_enough).unwrap_or_else(most))
    }

    /// Chinese, Japanese or Korean: every Japanese text has Kana, and every Korean one Hangul.
    pub(super) fn ideographic_language(&self) -> &'static str {
        let share = self.ideographic() / 20;
        let [.., han, kana, hangul] = [self.0[HAN], self.0[KANA], self.0[HANGUL]];
        match (kana > share, hangul > share) {
            (_, true) if hangul >= kana && hangul * 2 > han => "ko",
            (true, _) => "ja",
            (_, true) => "ko",
            _ => "zh",
        }
    }
}

fn script_of(slot: usize) -> Script {
    match slot {
        LATIN => Script::Latin,
        CYRILLIC => Script::Cyrillic,
        ARABIC => Script::Arabic,
        HAN | KANA | HANGUL => Script::Ideographic,
        _ => Script::Of(OF[slot - GREEK]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_in_order() {
        assert!(BLOCKS.windows(2).all(|pair| pair[0].1 < pair[1].0));
        assert!(BLOCKS.iter().all(|&(first, last, slot)| first <= last && slot < SLOTS));
    }

    #[test]
    fn the_most_letters_win() {
        assert_eq!(Letters::of("Ёлка and tree, снег").script(None), Script::Cyrillic);
        assert_eq!(Letters::of("Ελλάδα EU").script(None), Script::Of("el"));
        assert_eq!(Letters::of("").script(None), Script::Latin);
        let mixed = Letters::of("Ёлка: tree, fir");
        assert_eq!(mixed.script(None), Script::Latin);
        assert_eq!(mixed.script(Some(Script::Cyrillic)), Script::Cyrillic);
        assert_eq!(mixed.script(Some(Script::Of("el"))), Script::Latin);
        assert_eq!(Letters::of("日本の本 book").ideographic_language(), "ja");
        assert_eq!(Letters::of("12 %").count(), 0);
    }
}
