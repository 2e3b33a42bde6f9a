//! Language codes: from the tags that pages declare and from the detectors' own names to ISO 639-1.

/// The two-letter codes of ISO 639-1 that living pages are written in.
const CODES: &[&str] = &[
    "aa", "ab", "af", "ak", "am", "an", "ar", "as", "av", "ay", "az", "ba", "be", "bg", "bh", "bi", "bm", "bn", "bo",
    "br", "bs", "ca", "ce", "ch", "co", "cr", "cs", "cu", "cv", "cy", "da", "de", "dv", "dz", "ee", "el", "en", "eo",
    "es", "et", "eu", "fa", "ff", "fi", "fj", "fo", "fr", "fy", "ga", "gd", "gl", "gn", "gu", "gv", "ha", "he", "hi",
    "ho", "hr", "ht", "hu", "hy", "hz", "ia", "id", "ie", "ig", "ii", "ik", "io", "is", "it", "iu", "ja", "jv", "ka",
    "kg", "ki", "kj", "kk", "kl", "km", "kn", "ko", "kr", "ks", "ku", "kv", "kw", "ky", "la", "lb", "lg", "li", "ln",
    "lo", "lt", "lu", "lv", "mg", "mh", "mi", "mk", "ml", "mn", "mr", "ms", "mt", "my", "na", "nd", "ne", "ng", "nl",
    "no", "nr", "nv", "ny", "oc", "oj", "om", "or", "os", "pa", "pi", "pl", "ps", "pt", "qu", "rm", "rn", "ro", "ru",
    "rw", "sa", "sc", "sd", "se", "sg", "si", "sk", "sl", "sm", "sn", "so", "sq", "sr", "ss", "st", "su", "sv", "sw",
    "ta", "te", "tg", "th", "ti", "tk", "tl", "tn", "to", "tr", "ts", "tt", "tw", "ty", "ug", "uk", "ur", "uz", "ve",
    "vi", "vo", "wa", "wo", "xh", "yi", "yo", "za", "zh", "zu",
];

/// Other codes for the same languages: old ones, those of ISO 639-2 and 639-3, and written forms of one language.
const SYNONYMS: &[(&str, &str)] = &[
    ("afr", "af"),
    ("aka", "ak"),
    ("amh", "am"),
    ("ara", "ar"),
    ("aze", "az"),
    ("bel", "be"),
    ("ben", "bn"),
    ("bul", "bg"),
    ("cat", "ca"),
    ("ces", "cs"),
    ("chi", "zh"),
    ("cmn", "zh"),
    ("cn", "zh"),
    ("cym", "cy"),
    ("cz", "cs"),
    ("cze", "cs"),
    ("dan", "da"),
    ("deu", "de"),
    ("dk", "da"),
    ("dut", "nl"),
    ("ell", "el"),
    ("eng", "en"),
    ("epo", "eo"),
    ("est", "et"),
    ("fas", "fa"),
    ("fil", "tl"),
    ("fin", "fi"),
    ("fra", "fr"),
    ("fre", "fr"),
    ("ger", "de"),
    ("gre", "el"),
    ("guj", "gu"),
    ("heb", "he"),
    ("hin", "hi"),
    ("hrv", "hr"),
    ("hun", "hu"),
    ("hye", "hy"),
    ("in", "id"),
    ("ind", "id"),
    ("ita", "it"),
    ("iw", "he"),
    ("jav", "jv"),
    ("ji", "yi"),
    ("jp", "ja"),
    ("jpn", "ja"),
    ("kan", "kn"),
    ("kat", "ka"),
    ("khm", "km"),
    ("kor", "ko"),
    ("kr", "ko"),
    ("lat", "la"),
    ("lav", "lv"),
    ("lit", "lt"),
    ("mal", "ml"),
    ("mar", "mr"),
    ("mkd", "mk"),
    ("mo", "ro"),
    ("mya", "my"),
    ("nb", "no"),
    ("nep", "ne"),
    ("nld", "nl"),
    ("nn", "no"),
    ("nob", "no"),
    ("nor", "no"),
    ("ori", "or"),
    ("pan", "pa"),
    ("per", "fa"),
    ("pes", "fa"),
    ("pol", "pl"),
    ("por", "pt"),
    ("ron", "ro"),
    ("rum", "ro"),
    ("rus", "ru"),
    ("sh", "sr"),
    ("sin", "si"),
    ("slk", "sk"),
    ("slv", "sl"),
    ("sna", "sn"),
    ("spa", "es"),
    ("srp", "sr"),
    ("swe", "sv"),
    ("tam", "ta"),
    ("tel", "te"),
    ("tgl", "tl"),
    ("tha", "th"),
    ("tuk", "tk"),
    ("tur", "tr"),
    ("ukr", "uk"),
    ("urd", "ur"),
    ("uzb", "uz"),
    ("vie", "vi"),
    ("yid", "yi"),
    ("yue", "zh"),
    ("zho", "zh"),
    ("zul", "zu"),
];

/// The code of a declared language: the primary tag of `lang` or `Content-Language`, of which the first counts.
///
/// ```
/// use lopper_content::text::language::primary;
///
/// assert_eq!(primary("de-AT, en"), Some("de"));
/// assert_eq!(primary("x-default"), None);
/// ```
pub fn primary(declared: &str) -> Option<&'static str> {
    let tag = declared.split([',', ';', '-', '_', ' ']).map(str::trim).find(|tag| !tag.is_empty())?;
    code(tag)
}

/// The ISO 639-1 code for a code of any kind.
pub(super) fn code(tag: &str) -> Option<&'static str> {
    if tag.len() > 3 {
        return None;
    }
    let tag = tag.to_ascii_lowercase();
    let synonym = SYNONYMS.binary_search_by(|&(synonym, _)| synonym.cmp(&tag)).ok();
    let listed = || CODES.binary_search(&tag.as_str()).ok().map(|index| CODES[index]);
    synonym.map(|index| SYNONYMS[index].1).or_else(listed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(CODES.is_sorted());
        assert!(SYNONYMS.is_sorted());
        assert!(SYNONYMS.iter().all(|(_, code)| CODES.contains(code)));
    }

    #[test]
    fn reads_declared_tags() {
        for (declared, code) in [
            ("en", Some("en")),
            ("EN_us", Some("en")),
            (" zh-Hant-TW ", Some("zh")),
            ("nb-NO", Some("no")),
            ("iw", Some("he")),
            ("ger", Some("de")),
            ("fr,de", Some("fr")),
            ("english", None),
            ("", None),
            ("xx", None),
            ("--", None),
        ] {
            assert_eq!(primary(declared), code, "{declared}");
        }
    }

    #[test]
    fn every_detected_language_has_a_code() {
        for lang in whatlang::Lang::all() {
            assert!(code(lang.code()).is_some(), "{}", lang.code());
        }
    }
}
