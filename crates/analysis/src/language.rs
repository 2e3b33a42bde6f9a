//! Languages by code, and the stemmer each one has.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::stem::Algorithm;

/// Bytes of the longest kept code: primary subtags of BCP 47 have at most eight letters.
const CODE_BYTES_MAX: usize = 8;

/// Every language with a stemmer: ISO 639-1 code, its other codes, the algorithm.
const STEMMED: [(&str, &[&str], Algorithm); 40] = [
    ("ar", &["ara"], Algorithm::RustStemmers(rust_stemmers::Algorithm::Arabic)),
    ("da", &["dan"], Algorithm::RustStemmers(rust_stemmers::Algorithm::Danish)),
    ("nl", &["nld", "dut"], Algorithm::RustStemmers(rust_stemmers::Algorithm::Dutch)),
    ("en", &["eng"], Algorithm::RustStemmers(rust_stemmers::Algorithm::English)),
    ("fi", &["fin"], Algorithm::RustStemmers(rust_stemmers::Algorithm::Finnish)),
    ("fr", &["fra", "fre"], Algorithm::RustStemmers(rust_stemmers::Algorithm::French)),
    ("de", &["deu", "ger"], Algorithm::RustStemmers(rust_stemmers::Algorithm::German)),
    ("el", &["ell", "gre"], Algorithm::RustStemmers(rust_stemmers::Algorithm::Greek)),
    ("hu", &["hun"], Algorithm::RustStemmers(rust_stemmers::Algorithm::Hungarian)),
    ("it", &["ita"], Algorithm::RustStemmers(rust_stemmers::Algorithm::Italian)),
    ("no", &["nor", "nb", "nob", "nn", "nno"], Algorithm::RustStemmers(rust_stemmers::Algorithm::Norwegian)),
    ("pt", &["por"], Algorithm::RustStemmers(rust_stemmers::Algorithm::Portuguese)),
    ("ro", &["ron", "rum"], Algorithm::RustStemmers(rust_stemmers::Algorithm::Romanian)),
    ("ru", &["rus"], Algorithm::RustStemmers(rust_stemmers::Algorithm::Russian)),
    ("es", &["spa"], Algorithm::RustStemmers(rust_stemmers::Algorithm::Spanish)),
    ("sv", &["swe"], Algorithm::RustStemmers(rust_stemmers::Algorithm::Swedish)),
    ("ta", &["tam"], Algorithm::RustStemmers(rust_stemmers::Algorithm::Tamil)),
    ("tr", &["tur"], Algorithm::RustStemmers(rust_stemmers::Algorithm::Turkish)),
    ("hy", &["hye", "arm"], Algorithm::Frostem(frostem::Algorithm::Armenian)),
    ("eu", &["eus", "baq"], Algorithm::Frostem(frostem::Algorithm::Basque)),
    ("ca", &["cat"], Algorithm::Frostem(frostem::Algorithm::Catalan)),
    ("cs", &["ces", "cze"], Algorithm::Frostem(frostem::Algorithm::Czech)),
    ("eo", &["epo"], Algorithm::Frostem(frostem::Algorithm::Esperanto)),
    ("et", &["est", "ekk"], Algorithm::Frostem(frostem::Algorithm::Estonian)),
    ("fa", &["fas", "per"], Algorithm::Frostem(frostem::Algorithm::Persian)),
    ("ga", &["gle"], Algorithm::Frostem(frostem::Algorithm::Irish)),
    ("hi", &["hin"], Algorithm::Frostem(frostem::Algorithm::Hindi)),
    ("id", &["ind"], Algorithm::Frostem(frostem::Algorithm::Indonesian)),
    ("lt", &["lit"], Algorithm::Frostem(frostem::Algorithm::Lithuanian)),
    ("ne", &["nep", "npi"], Algorithm::Frostem(frostem::Algorithm::Nepali)),
    ("pl", &["pol"], Algorithm::Frostem(frostem::Algorithm::Polish)),
    ("sr", &["srp"], Algorithm::Frostem(frostem::Algorithm::Serbian)),
    ("uk", &["ukr"], Algorithm::Frostem(frostem::Algorithm::Ukrainian)),
    ("yi", &["yid"], Algorithm::Frostem(frostem::Algorithm::Yiddish)),
    // Borrowed from the nearest relative.
    ("hr", &["hrv"], Algorithm::Frostem(frostem::Algorithm::Serbian)),
    ("bs", &["bos"], Algorithm::Frostem(frostem::Algorithm::Serbian)),
    ("gl", &["glg"], Algorithm::RustStemmers(rust_stemmers::Algorithm::Spanish)),
    ("sl", &["slv"], Algorithm::Frostem(frostem::Algorithm::Serbian)),
    ("sk", &["slk", "slo"], Algorithm::Frostem(frostem::Algorithm::Czech)),
    ("ms", &["msa", "may"], Algorithm::Frostem(frostem::Algorithm::Indonesian)),
];

/// A language by its code; forty of them have a stemmer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language {
    code: [u8; CODE_BYTES_MAX],
    len: u8,
    /// Index into [`STEMMED`] plus one; 0 without a stemmer.
    stemmer: u8,
}

impl Language {
    /// An undetermined language, `und`: its words are lowercased and not stemmed.
    pub const UNDETERMINED: Self = Self { code: *b"und\0\0\0\0\0", len: 3, stemmer: 0 };

    /// The language of a code such as `en`, `eng`, `zh-Hant` or `pt_BR`.
    ///
    /// Only the primary subtag counts, in any case. What is no code at all gives [`Language::UNDETERMINED`].
    pub fn from_code(code: &str) -> Self {
        let primary = code.split(['-', '_']).next().unwrap_or_default().trim();
        let is_code =
            (2..=CODE_BYTES_MAX).contains(&primary.len()) && primary.bytes().all(|byte| byte.is_ascii_alphabetic());
        if !is_code {
            return Self::UNDETERMINED;
        }
        let primary = primary.to_ascii_lowercase();
        let stemmed =
            STEMMED.iter().position(|(code, others, _)| *code == primary || others.contains(&primary.as_str()));
        let kept = stemmed.map_or(primary.as_str(), |index| STEMMED[index].0);
        let mut code = [0; CODE_BYTES_MAX];
        code[..kept.len()].copy_from_slice(kept.as_bytes());
        Self { code, len: kept.len() as u8, stemmer: stemmed.map_or(0, |index| index as u8 + 1) }
    }

    /// The ISO 639-1 code where the language has a stemmer, else the code it was made from, in lower case.
    pub fn code(&self) -> &str {
        str::from_utf8(&self.code[..usize::from(self.len)]).unwrap_or("und")
    }

    /// Whether words of this language are stemmed.
    pub fn has_stemmer(&self) -> bool {
        self.stemmer > 0
    }

    /// The languages with a stemmer.
    pub fn stemmed() -> impl Iterator<Item = Self> {
        STEMMED.iter().map(|(code, _, _)| Self::from_code(code))
    }

    /// How many stemmers there are; [`Language::stemmer_index`] is below it.
    pub(super) const STEMMERS: usize = STEMMED.len();

    pub(super) fn stemmer_index(self) -> Option<usize> {
        usize::from(self.stemmer).checked_sub(1)
    }

    pub(super) fn algorithm(self) -> Option<Algorithm> {
        self.stemmer_index().map(|index| STEMMED[index].2)
    }

    /// Whether a capital `I` is a dotless `ı` in lower case.
    pub(super) fn has_dotless_i(self) -> bool {
        self.has_code_of_two(&[b"tr", b"az"])
    }

    /// Whether `ä`, `ö`, `ü`, `å`, `ø` are spelled with two letters where a writer has none of them.
    pub(super) fn spells_umlauts_in_pairs(self) -> bool {
        self.has_code_of_two(&[b"de", b"da", b"no"])
    }

    /// Asked for every word, so it goes by the bytes.
    fn has_code_of_two(self, codes: &[&[u8; 2]]) -> bool {
        self.len == 2 && codes.iter().any(|code| self.code[..2] == **code)
    }
}

impl Default for Language {
    fn default() -> Self {
        Self::UNDETERMINED
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Language({})", self.code())
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

impl From<&str> for Language {
    fn from(code: &str) -> Self {
        Self::from_code(code)
    }
}

impl Serialize for Language {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

impl<'de> Deserialize<'de> for Language {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|code| Self::from_code(&code))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_reduced_to_their_primary_subtag() {
        for (given, code, stemmed) in [
            ("en", "en", true),
            ("ENG", "en", true),
            ("pt_BR", "pt", true),
            ("nb-NO", "no", true),
            ("zh-Hant-TW", "zh", false),
            ("tlh", "tlh", false),
            ("", "und", false),
            ("ελ", "und", false),
            ("notalanguagecode", "und", false),
        ] {
            let language = Language::from_code(given);
            assert_eq!((language.code(), language.has_stemmer()), (code, stemmed), "{given}");
        }
        assert_eq!(Language::stemmed().filter(Language::has_stemmer).count(), 40);
    }

    #[test]
    fn serde_uses_the_code() {
        let json = serde_json::to_string(&Language::from_code("fr")).unwrap();
        assert_eq!(json, "\"fr\"");
        assert_eq!(serde_json::from_str::<Language>(&json).unwrap(), Language::from_code("fra"));
    }
}
