//! Where an engine is.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use crate::dialect::EngineKind;

/// Version of the documents' form; part of the names of indexes, so that another form is another index.
pub(crate) const SCHEMA_VERSION: u32 = 1;

/// Letters of a name and of a generation at most.
const NAME_CHARS_MAX: usize = 100;

/// Which engine, and which collection in it.
#[derive(Clone, PartialEq, Eq)]
pub struct RemoteSettings {
    /// Its dialect.
    pub kind: EngineKind,
    /// Its address, as `http://127.0.0.1:7280`.
    pub url: String,
    /// What the names of the collection's indexes begin with.
    pub name: String,
    /// Which one of its generations. A generation is only added to, and dropped as a whole.
    pub generation: String,
    /// Whether an engine of another kind or version is used all the same.
    pub force: bool,
    /// Value of the header `Authorization` of each request.
    pub authorization: Option<String>,
    /// How long an answer is waited for.
    pub wait_max: Duration,
}

/// Without what lets one in.
impl fmt::Debug for RemoteSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteSettings")
            .field("kind", &self.kind)
            .field("location", &self.location())
            .finish_non_exhaustive()
    }
}

/// A name that indexes cannot have.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "`{0}` cannot name an index: letters a to z, digits and `-`, at most {NAME_CHARS_MAX}, a letter or digit first"
)]
pub struct NameError(String);

impl RemoteSettings {
    /// How long an answer is waited for: longer than Quickwit takes to commit.
    pub const WAIT_MAX: Duration = Duration::from_mins(1);

    /// The first generation of a collection.
    pub fn new(kind: EngineKind, url: &str, name: &str) -> Self {
        Self {
            kind,
            url: url.trim_end_matches('/').to_owned(),
            name: name.to_owned(),
            generation: "1".to_owned(),
            force: false,
            authorization: None,
            wait_max: Self::WAIT_MAX,
        }
    }

    /// Whether both names can be part of those of indexes.
    ///
    /// # Errors
    /// [`NameError`].
    pub fn check(&self) -> Result<(), NameError> {
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let is_name = |name: &str| {
            let begins_well = name.bytes().next().is_some_and(|first| first != b'-');
            begins_well && name.len() <= NAME_CHARS_MAX && name.bytes().all(is_plain)
        };
        if !is_name(&self.name) || !self.name.starts_with(|first: char| first.is_ascii_lowercase()) {
            return Err(NameError(self.name.clone()));
        }
        is_name(&self.generation).then_some(()).ok_or_else(|| NameError(self.generation.clone()))
    }

    /// Name of one of the generation's indexes.
    pub(crate) fn index(&self, part: &str) -> String {
        format!("{}-v{SCHEMA_VERSION}-{}-{part}", self.name, self.generation)
    }

    /// Where the generation is, for messages.
    pub(crate) fn location(&self) -> PathBuf {
        PathBuf::from(format!("{}/{}", self.url, self.index("*")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_good_for_both_dialects() {
        let named = |name: &str, generation: &str| {
            let settings = RemoteSettings::new(EngineKind::Quickwit, "http://e:1/", name);
            RemoteSettings { generation: generation.to_owned(), ..settings }
        };
        let good = named("docs", "2026-01");
        assert_eq!((good.check(), good.index("blocks").as_str()), (Ok(()), "docs-v1-2026-01-blocks"));
        assert_eq!(good.url, "http://e:1");
        for (name, generation) in
            [("", "1"), ("Docs", "1"), ("1docs", "1"), ("docs", ""), ("docs", "a.b"), ("a_b", "1")]
        {
            assert!(named(name, generation).check().is_err(), "{name} {generation}");
        }
    }
}
