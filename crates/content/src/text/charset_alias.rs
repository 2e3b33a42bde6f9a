//! Charset names that occur on the web but in no standard.

use encoding_rs::Encoding;

/// Names, in the form of [`plain`], and the labels of the standard that they mean.
const ALIASES: &[(&str, &str)] = &[
    ("ansi", "windows-1252"),
    ("ansix341968", "windows-1252"),
    ("big5eten", "big5"),
    ("big5solaris", "big5"),
    ("big5xcnb", "big5"),
    ("cp037", "windows-1252"),
    ("cp1006", "windows-1256"),
    ("cp437", "windows-1252"),
    ("cp850", "windows-1252"),
    ("cp932", "shift_jis"),
    ("cp936", "gbk"),
    ("cp949", "euc-kr"),
    ("cp950", "big5"),
    ("eucjis", "euc-jp"),
    ("eucjpms", "euc-jp"),
    ("euctw", "big5"),
    ("gb180302000", "gb18030"),
    ("gb23121980", "gbk"),
    ("hkscs", "big5-hkscs"),
    ("iso10646ucs2", "utf-16le"),
    ("iso2022jp1", "iso-2022-jp"),
    ("iso2022jp2", "iso-2022-jp"),
    ("iso2022jpms", "iso-2022-jp"),
    ("iso8559", "windows-1252"),
    ("iso85591", "windows-1252"),
    ("iso855915", "iso-8859-15"),
    ("iso85592", "iso-8859-2"),
    ("iso85597", "iso-8859-7"),
    ("iso85599", "windows-1254"),
    ("iso8895", "windows-1252"),
    ("iso88951", "windows-1252"),
    ("iso88", "windows-1252"),
    ("iso8859", "windows-1252"),
    ("johab", "euc-kr"),
    ("koi8", "koi8-r"),
    ("ksc56011992", "euc-kr"),
    ("latin", "windows-1252"),
    ("ms936", "gbk"),
    ("ms949", "euc-kr"),
    ("ms950", "big5"),
    ("mskanji", "shift_jis"),
    ("shiftjis", "shift_jis"),
    ("sjiswin", "shift_jis"),
    ("tis62025331", "windows-874"),
    ("unicode11utf8", "utf-8"),
    ("usascii7", "windows-1252"),
    ("utf", "utf-8"),
    ("utf8bom", "utf-8"),
    ("utf8general", "utf-8"),
    ("utf8generalci", "utf-8"),
    ("utf8mb3", "utf-8"),
    ("utf8mb4", "utf-8"),
    ("utf8unicode", "utf-8"),
    ("utf8unicodeci", "utf-8"),
    ("uft8", "utf-8"),
    ("ut8", "utf-8"),
    ("utf08", "utf-8"),
    ("win1250", "windows-1250"),
    ("win1251", "windows-1251"),
    ("win1252", "windows-1252"),
    ("win31j", "shift_jis"),
];

/// Prefixes of names that are followed by the number of a Windows code page.
const WINDOWS_PREFIXES: &[&str] = &["windows", "win", "cp", "microsoftcp", "ms", "xcp", "wincp", "ibm"];

/// The encoding of a name that is not in the standard.
pub(super) fn for_alias(name: &[u8]) -> Option<&'static Encoding> {
    let plain = plain(name)?;
    let listed = ALIASES.iter().find(|(alias, _)| *alias == plain).map(|(_, label)| (*label).to_owned());
    let label = listed.or_else(|| windows(&plain)).or_else(|| iso_8859(&plain)).unwrap_or(plain);
    Encoding::for_label(label.as_bytes())
}

/// A name reduced to its letters and digits, lower case.
fn plain(name: &[u8]) -> Option<String> {
    let is_short = name.len() <= 64;
    let plain: String =
        name.iter().filter(|byte| byte.is_ascii_alphanumeric()).map(|byte| byte.to_ascii_lowercase() as char).collect();
    (is_short && !plain.is_empty()).then_some(plain)
}

/// `windows1251`, `cp-1251` and the like.
fn windows(plain: &str) -> Option<String> {
    let number = WINDOWS_PREFIXES.iter().find_map(|prefix| plain.strip_prefix(prefix))?;
    matches!(number.as_bytes(), [b'1', b'2', b'5', _] | b"874").then(|| format!("windows-{number}"))
}

/// `iso_8859_1`, `8859-15` and the like.
fn iso_8859(plain: &str) -> Option<String> {
    let part = plain.trim_start_matches("iso").strip_prefix("8859")?;
    Some(format!("iso-8859-{part}"))
}

#[cfg(test)]
mod tests {
    use super::for_alias;

    #[test]
    fn knows_the_names_of_the_wild() {
        for (name, encoding) in [
            ("iso-8559-1", "windows-1252"),
            ("utf8mb4", "UTF-8"),
            ("utf_8", "UTF-8"),
            ("UTF 8", "UTF-8"),
            ("Big5_Solaris", "Big5"),
            ("windows1251", "windows-1251"),
            ("cp-1251", "windows-1251"),
            ("Win-1250", "windows-1250"),
            ("iso_8859_15", "ISO-8859-15"),
            ("8859-2", "ISO-8859-2"),
            ("Shift JIS", "Shift_JIS"),
            ("gb_18030", "gb18030"),
        ] {
            assert_eq!(for_alias(name.as_bytes()).map(encoding_rs::Encoding::name), Some(encoding), "{name}");
        }
        for name in ["", "--", "klingon", "\u{fffd}", "iso-8859-99", "none"] {
            assert_eq!(for_alias(name.as_bytes()), None, "{name}");
        }
    }

    #[test]
    fn every_alias_leads_to_an_encoding() {
        for (alias, label) in super::ALIASES {
            assert!(encoding_rs::Encoding::for_label(label.as_bytes()).is_some(), "{alias}");
            assert_eq!(super::plain(alias.as_bytes()).as_deref(), Some(*alias));
        }
    }
}
