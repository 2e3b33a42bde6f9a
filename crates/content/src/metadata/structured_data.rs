//! What schema.org statements say of the page as a whole.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::json_ld::{ScriptLimits, for_each_object};

/// Types that are noted.
const TYPES_MAX: usize = 32;

/// Authors that are named.
pub(super) const AUTHORS_MAX: usize = 20;

/// Things whose names are remembered, to be referred to.
const NAMED_MAX: usize = 256;

const LIMITS: ScriptLimits = ScriptLimits { bytes_max: 512 << 10, values_max: 2000, is_lenient: true };

/// What Lopper reads of the things that are described. What an article says of itself goes before what a site, a film or a picture does.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StructuredData {
    /// `description` of the first typed object that has one.
    pub description: Option<String>,
    /// `author` or `creator`, by name; several are parted by commas.
    pub author: Option<String>,
    /// `datePublished` as written, else `dateCreated`.
    pub date_published: Option<String>,
    /// The types of all things that are described, each once, without `http://schema.org/`.
    pub types: Vec<String>,
    #[serde(skip)]
    seen: Seen,
}

/// What is remembered while scripts are read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Seen {
    /// How near what says them is to the page's subject.
    author: Nearness,
    date: Nearness,
    /// Things by `@id`, with their names.
    named: Vec<(String, String)>,
    /// The authors, where they are only referred to, and how near what refers to them is.
    author_ids: Vec<String>,
    reference: Nearness,
}

/// How near a thing is to what the page is about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Nearness {
    /// Nothing was found.
    #[default]
    Nothing,
    /// The site, or a part of the page.
    Around,
    /// Anything else.
    Some,
    /// An article, a post, a recipe.
    Article,
}

impl Nearness {
    fn of(types: &[String]) -> Self {
        const AROUND: [&str; 7] =
            ["WebSite", "WebPage", "VideoObject", "ImageObject", "Organization", "Person", "BreadcrumbList"];
        let is_article = |name: &String| ["Article", "Posting", "Recipe"].iter().any(|end| name.ends_with(end));
        if types.iter().any(is_article) {
            Self::Article
        } else if types.iter().any(|name| AROUND.iter().any(|around| name.ends_with(around))) {
            Self::Around
        } else {
            Self::Some
        }
    }
}

impl StructuredData {
    /// Reads one script more.
    pub(super) fn read(&mut self, script: &str) {
        for_each_object(script.trim().trim_end_matches(';'), LIMITS, |object, is_main| {
            self.read_object(object, is_main);
        });
    }

    /// The author: the name that is said, or those of the things that are referred to, whichever is of what is nearer.
    pub(super) fn author(&self) -> Option<String> {
        let named = &self.seen.named;
        let name = |id: &String| named.iter().find(|(known, _)| known == id).map(|(_, name)| name.as_str());
        let referred: Vec<&str> = self.seen.author_ids.iter().filter_map(name).collect();
        if !referred.is_empty() && (self.author.is_none() || self.seen.reference > self.seen.author) {
            return Some(referred.join(", "));
        }
        self.author.clone()
    }

    fn read_object(&mut self, object: &Map<String, Value>, is_main: bool) {
        let types = strings(object.get("@type"));
        for name in &types {
            self.note_type(name);
        }
        if types.iter().any(|name| is_response(name)) {
            return;
        }
        if self.seen.named.len() < NAMED_MAX
            && let (Some(id), Some(name)) =
                (object.get("@id").and_then(Value::as_str), object.get("name").and_then(name_of))
        {
            self.seen.named.push((id.to_owned(), name));
        }
        set_first(&mut self.description, object.get("description"));
        // What is cited or listed says nothing of the page.
        let nearness = if is_main { Nearness::of(&types) } else { Nearness::Around };
        let date =
            ["datePublished", "dateCreated"].iter().find_map(|name| strings(object.get(*name)).into_iter().next());
        if let Some(date) = date.filter(|date| !date.trim().is_empty() && nearness > self.seen.date) {
            (self.date_published, self.seen.date) = (Some(date), nearness);
        }
        let author = object.get("author").or_else(|| object.get("creator"));
        if let Some(name) = author.and_then(name_of).filter(|_| nearness > self.seen.author) {
            (self.author, self.seen.author) = (Some(name), nearness);
        }
        let ids = author.map(references_of).unwrap_or_default();
        if !ids.is_empty() && nearness > self.seen.reference {
            (self.seen.author_ids, self.seen.reference) = (ids, nearness);
        }
    }

    fn note_type(&mut self, name: &str) {
        let name = name.rsplit('/').next().unwrap_or(name);
        if self.types.len() < TYPES_MAX && !self.types.iter().any(|known| known == name) {
            self.types.push(name.to_owned());
        }
    }
}

/// Whether a type is one of what others say of the page's subject: a review, a comment, an answer to a question.
pub(super) fn is_response(name: &str) -> bool {
    ["Review", "Comment", "Answer"].iter().any(|response| name.ends_with(response))
}

fn set_first(slot: &mut Option<String>, value: Option<&Value>) {
    if slot.is_none() {
        *slot = strings(value).into_iter().find(|text| !text.trim().is_empty());
    }
}

fn strings(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(values)) => values.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// The name of a thing, or those of several. Some sites write them as HTML.
fn name_of(value: &Value) -> Option<String> {
    match value {
        Value::String(name) => {
            Some(name.replace("&#39;", "'").replace("&#039;", "'").replace("&quot;", "\"").replace("&amp;", "&"))
        }
        Value::Array(values) => {
            let names: Vec<String> = values.iter().take(AUTHORS_MAX).filter_map(name_of).collect();
            (!names.is_empty()).then(|| names.join(", "))
        }
        other => other.get("name").filter(|name| name.is_string() || name.is_array()).and_then(name_of),
    }
    .filter(|name| !name.trim().is_empty())
}

/// The `@id` of things that are only referred to.
fn references_of(value: &Value) -> Vec<String> {
    let several = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    let id =
        |one: &Value| one.get("@id").filter(|_| one.get("name").is_none()).and_then(Value::as_str).map(str::to_owned);
    several.iter().take(AUTHORS_MAX).filter_map(id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn graphs_and_lists_are_read() {
        let mut data = StructuredData::default();
        data.read(r#"{"@graph":[{"@type":["NewsArticle"],"description":"D","author":[{"name":"Ann"}]}]}"#);
        data.read("not json");
        assert_eq!(data.author().as_deref(), Some("Ann"));
        assert_eq!(data.description.as_deref(), Some("D"));
        data.read(r#"[{"@type":"http://schema.org/NewsArticle"},{"@type":["A", "B"]}]"#);
        assert_eq!(data.types, ["NewsArticle", "A", "B"]);
    }

    #[test]
    fn an_article_goes_before_what_is_around_it() {
        let mut data = StructuredData::default();
        data.read(r#"{"@type":"WebSite","author":{"name":"ThemeCo"},"datePublished":"2010"}"#);
        assert_eq!((data.author().as_deref(), data.date_published.as_deref()), (Some("ThemeCo"), Some("2010")));
        data.read(r#"{"@type":"NewsArticle","author":{"name":["Jane O&#39;Hara"]},"datePublished":"2020"}"#);
        data.read(r#"{"@type":"NewsArticle","author":"Another","dateCreated":"2021"}"#);
        assert_eq!((data.author().as_deref(), data.date_published.as_deref()), (Some("Jane O'Hara"), Some("2020")));
    }

    #[test]
    fn an_author_may_be_referred_to() {
        let mut data = StructuredData::default();
        data.read(
            r##"{"@graph":[{"@type":"Article","author":{"@id":"#p"}},{"@type":"Person","@id":"#p","name":"Ann"}]}"##,
        );
        assert_eq!(data.author().as_deref(), Some("Ann"));
    }

    #[test]
    fn what_is_cited_or_listed_says_nothing_of_the_page() {
        let mut data = StructuredData::default();
        data.read(
            r#"{"@type":"Dataset","author":{"name":"Ann"},"datePublished":"2020",
                "citation":{"@type":"ScholarlyArticle","author":{"name":"Bo"},"datePublished":"1999"}}"#,
        );
        assert_eq!((data.author().as_deref(), data.date_published.as_deref()), (Some("Ann"), Some("2020")));
        let mut data = StructuredData::default();
        data.read(r##"[{"@type":"WebPage","author":"Ann"},{"@type":"Article","author":{"@id":"#missing"}}]"##);
        assert_eq!(data.author().as_deref(), Some("Ann"));
        let mut data = StructuredData::default();
        data.read(
            r##"{"@graph":[{"@type":"WebPage","mainEntity":{"@type":"Article","author":[{"@id":"#a"},{"@id":"#b"}]}},
                {"@id":"#a","name":"Ann"},{"@id":"#b","name":"Bo"}]}"##,
        );
        assert_eq!(data.author().as_deref(), Some("Ann, Bo"));
    }
}
