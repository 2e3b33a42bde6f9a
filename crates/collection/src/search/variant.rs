//! Which page an address is a variant of: the folders of a manual's languages and versions are told by the address alone.
//!
//! `/de/`, `/pt-BR/`, `ch03.de.html` and `de.` before a host name a language, `/3.9/`, `/v2/`, `/stable/` and `/dev/` a version. Addresses
//! that are the same without these are one family. That says little by itself (`/it/` may be any folder): only pages of one family with
//! the same text are taken for copies.

use std::cmp::Reverse;

use lopper_analysis::Language;
use lopper_content::text::language::primary;

/// Bytes of a part of an address that may name a language or a version.
const TAG_BYTES_MAX: usize = 16;

/// Names of the folder of the version that counts.
const NEWEST: [&str; 3] = ["current", "latest", "stable"];

/// Names of the folder of what is not released.
const UNRELEASED: [&str; 8] = ["dev", "devel", "development", "main", "master", "nightly", "trunk", "unstable"];

/// What an address says of language and version. Of one family, the least is the original.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Variant {
    /// The address without them.
    family: String,
    language: Option<Language>,
    version: Version,
    address: String,
}

/// The greatest is the one to read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Version {
    Unreleased,
    Number(Vec<u32>),
    None,
    Newest,
}

impl Variant {
    pub(super) fn of(url: &str) -> Self {
        let address = url.split_once("://").map_or(url, |(_, rest)| rest);
        let path_end = address.find(['?', '#']).unwrap_or(address.len());
        let (path, rest) = address.split_at(path_end);
        let mut variant = Self {
            family: String::with_capacity(url.len()),
            language: None,
            version: Version::None,
            address: address.to_owned(),
        };
        let (host, path) = path.split_once('/').unwrap_or((path, ""));
        variant.add_host(host);
        let mut segments = path.split('/').peekable();
        while let Some(segment) = segments.next() {
            variant.add_segment(segment, segments.peek().copied());
        }
        variant.family.push_str(rest);
        variant
    }

    pub(super) fn is_of_family(&self, other: &Self) -> bool {
        self.family == other.family
    }

    /// By this the original of a family's pages with one text, which is in `text`, is the least: one whose address does not name another
    /// language; then one of which the query names more (`named`), such as its version; then the newest version; then the shortest address.
    pub(super) fn order(&self, text: Language, named: f32) -> impl Ord + use<'_> {
        let is_foreign = self.language.is_some_and(|language| language != text);
        // Shares are not negative, so their bits are in their order.
        let named = named.max(0.0).to_bits();
        (is_foreign, Reverse(named), Reverse(&self.version), self.address.len(), &self.address)
    }

    fn add_host(&mut self, host: &str) {
        let named = host.split_once('.').filter(|(_, rest)| rest.contains('.'));
        let rest = named.and_then(|(label, rest)| self.takes_language(label).then_some(rest));
        self.family.push_str(rest.unwrap_or(host));
    }

    /// `next` is the segment behind it; versions are folders.
    fn add_segment(&mut self, segment: &str, next: Option<&str>) {
        if self.takes_language(segment) {
            return;
        }
        if let Some(version) = next.and_then(|next| version(segment, next)) {
            self.version = version;
            return;
        }
        self.family.push('/');
        for (place, part) in segment.split('.').enumerate() {
            if place == 0 || !self.takes_language(part) {
                self.family.push('.');
                self.family.push_str(part);
            }
        }
    }

    /// Whether a part of the address names a language.
    fn takes_language(&mut self, part: &str) -> bool {
        let language = language(part);
        self.language = language.or(self.language);
        language.is_some()
    }
}

/// The language of a tag: `de`, `pt-BR`, `zh_Hans`.
fn language(tag: &str) -> Option<Language> {
    let mut subtags = tag.split(['-', '_']);
    let is_code = (2..=3).contains(&subtags.next()?.len());
    let is_subtag = |subtag: &str| (2..=4).contains(&subtag.len()) && subtag.bytes().all(|b| b.is_ascii_alphanumeric());
    let is_tag = is_code && tag.len() <= TAG_BYTES_MAX && subtags.all(is_subtag);
    is_tag.then(|| primary(tag)).flatten().map(Language::from_code)
}

/// The version of a folder. A small number alone is one where a file is in the folder; others count things.
fn version(folder: &str, next: &str) -> Option<Version> {
    if folder.len() > TAG_BYTES_MAX {
        return None;
    }
    let name = folder.to_ascii_lowercase();
    if NEWEST.contains(&name.as_str()) {
        return Some(Version::Newest);
    }
    if UNRELEASED.contains(&name.as_str()) {
        return Some(Version::Unreleased);
    }
    let digits = name.strip_prefix('v').unwrap_or(&name);
    let digits = digits.strip_suffix(".x").unwrap_or(digits);
    let numbers: Vec<u32> = digits.split('.').map(|number| number.parse().ok()).collect::<Option<_>>()?;
    let is_version = numbers.len() > 1 || digits.len() < name.len() || (name.len() <= 2 && !next.is_empty());
    is_version.then_some(Version::Number(numbers))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn are_one(a: &str, b: &str) -> bool {
        Variant::of(a).is_of_family(&Variant::of(b))
    }

    #[test]
    fn languages_and_versions_are_of_one_family() {
        for (a, b) in [
            ("https://m.example/guide/ch1.html", "https://m.example/guide/ja/ch1.html"),
            ("https://m.example/en-US/ch1.html", "http://m.example/pt_BR/ch1.html"),
            ("https://m.example/ch1.en.html", "https://m.example/ch1.zh-cn.html"),
            ("https://m.example/guide.html/ch1.html", "https://m.example/guide.de.html/ch1.html"),
            ("https://m.example/index.html.de", "https://m.example/index.html"),
            ("https://de.m.example/a", "https://m.example/a"),
            ("https://m.example/3.9/a.html?x=1", "https://m.example/stable/a.html?x=1"),
            ("https://m.example/docs/15/a.html", "https://m.example/docs/v16/a.html"),
            ("https://m.example/4.2.x/", "https://m.example/dev/"),
        ] {
            assert!(are_one(a, b), "{a} {b}");
        }
    }

    #[test]
    fn other_addresses_are_of_others() {
        for (a, b) in [
            ("https://m.example/ch1.html", "https://m.example/ch2.html"),
            ("https://m.example/a?id=1", "https://m.example/a?id=2"),
            ("https://m.example/thread/12", "https://m.example/thread/13"),
            ("https://m.example/thread/12/", "https://m.example/thread/13/"),
            ("https://m.example/thread/120/a", "https://m.example/thread/130/a"),
            ("https://m.example/red/a", "https://m.example/blue/a"),
            ("https://m.example/de", "https://n.example/de"),
            ("https://a.example/", "https://de.example/"),
        ] {
            assert!(!are_one(a, b), "{a} {b}");
        }
        for odd in ["", "/", "://", "a://?", "..", "https://m.example/.../--/__/v/.x/ö.é"] {
            assert!(Variant::of(odd).is_of_family(&Variant::of(odd)));
        }
    }

    #[test]
    fn the_original_is_the_least() {
        let english = Language::from_code("en");
        let first = |urls: &[&str], text, named: fn(&str) -> f32| {
            let variants: Vec<Variant> = urls.iter().map(|url| Variant::of(url)).collect();
            let least = variants.iter().min_by_key(|variant| variant.order(text, named(&variant.address)));
            least.unwrap().address.clone()
        };
        let languages = ["https://m/de/a.html", "https://m/fr/a.html", "https://m/en-us/a.html", "https://m/ja/a.html"];
        assert_eq!(first(&languages, english, |_| 0.0), "m/en-us/a.html");
        assert_eq!(first(&languages, english, |url| f32::from(url.contains("/de/"))), "m/en-us/a.html");
        assert_eq!(first(&languages, Language::from_code("fr"), |_| 0.0), "m/fr/a.html");
        assert_eq!(first(&["https://m/de/a.html", "https://m/a.html"], english, |_| 0.0), "m/a.html");
        let versions =
            ["https://m/dev/a.html", "https://m/3.9/a.html", "https://m/3.10/a.html", "https://m/latest/a.html"];
        assert_eq!(first(&versions, english, |_| 0.0), "m/latest/a.html");
        assert_eq!(first(&versions[..3], english, |_| 0.0), "m/3.10/a.html");
        assert_eq!(first(&versions, english, |url| f32::from(url.contains("3.9"))), "m/3.9/a.html");
        assert_eq!(first(&versions[..1], english, |_| 0.0), "m/dev/a.html");
    }
}
