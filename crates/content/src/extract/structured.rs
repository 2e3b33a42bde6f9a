//! What a page's JSON-LD says: types of the things described, and their texts.

use serde_json::{Map, Value};

use crate::dom::{Dom, DomId};
use crate::metadata::json_ld::{ScriptLimits, for_each_object};

const LIMITS: ScriptLimits = ScriptLimits { bytes_max: 1 << 20, values_max: 20_000, is_lenient: false };

/// JSON-LD scripts that are read.
const SCRIPTS_MAX: usize = 24;

/// Lists of recipes that are read, and lines of each.
const LISTS_MAX: usize = 16;
const LINES_MAX: usize = 500;

/// Groups of schema.org types, as bits of [`StructuredTexts::types`].
pub const TYPE_GROUPS: [(&str, &[&str]); 10] = [
    (
        "article",
        &[
            "Article",
            "NewsArticle",
            "BlogPosting",
            "ReportageNewsArticle",
            "TechArticle",
            "ScholarlyArticle",
            "Report",
            "AnalysisNewsArticle",
            "LiveBlogPosting",
        ],
    ),
    (
        "product",
        &[
            "Product",
            "ProductGroup",
            "Offer",
            "AggregateOffer",
            "Book",
            "Vehicle",
            "SoftwareApplication",
            "MobileApplication",
        ],
    ),
    ("forum", &["DiscussionForumPosting", "QAPage", "Question", "Answer", "Comment", "ProfilePage"]),
    ("list", &["ItemList", "CollectionPage", "SearchResultsPage", "OfferCatalog", "Blog", "DataCatalog"]),
    (
        "business",
        &[
            "LocalBusiness",
            "Service",
            "ProfessionalService",
            "Dentist",
            "Restaurant",
            "MedicalBusiness",
            "LegalService",
            "HomeAndConstructionBusiness",
            "Store",
            "Physician",
            "Hotel",
        ],
    ),
    ("recipe", &["Recipe", "HowTo", "Course"]),
    ("event", &["Event", "JobPosting", "MusicEvent", "RealEstateListing", "Movie", "VideoObject", "MusicAlbum"]),
    ("faq", &["FAQPage"]),
    ("breadcrumb", &["BreadcrumbList"]),
    ("organization", &["Organization", "WebSite", "Corporation", "NewsMediaOrganization"]),
];

/// What kind of text a property holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StructuredKind {
    /// The body of an article or posting.
    Body,
    /// A description of the thing that the page is about.
    Description,
    /// The description of a product.
    ProductDescription,
    /// Other texts: questions, answers, reviews, steps.
    Other,
}

/// All that is read from a page's JSON-LD.
#[derive(Debug, Clone, Default)]
pub struct StructuredTexts {
    /// Bits of [`TYPE_GROUPS`] that were met.
    pub types: u16,
    /// The texts, in source order.
    pub texts: Vec<(StructuredKind, String)>,
    /// What recipes and instructions are made of, a line each: a list of ingredients, a list of steps.
    pub lists: Vec<Vec<String>>,
}

impl StructuredTexts {
    /// Whether something of one of the types of a group of [`TYPE_GROUPS`] was met.
    pub(super) fn has_type(&self, group: &str) -> bool {
        TYPE_GROUPS.iter().enumerate().any(|(bit, (name, _))| *name == group && self.types >> bit & 1 != 0)
    }

    /// Reads one script, adding to what is known.
    pub(crate) fn read_script(&mut self, source: &str) {
        let source = source.trim().trim_start_matches("<!--").trim_end_matches("-->").trim();
        for_each_object(source, LIMITS, |object, _| self.read_object(object));
    }

    /// Reads all scripts of a page.
    pub fn read(dom: &Dom, scripts: &[DomId]) -> Self {
        let mut data = Self::default();
        for script in scripts.iter().take(SCRIPTS_MAX) {
            data.read_script(&dom.text_content(*script));
        }
        data
    }

    fn read_object(&mut self, fields: &Map<String, Value>) {
        let types = fields.get("@type").map_or(0, type_bits);
        self.types |= types;
        for (name, field) in fields {
            if let Value::String(text) = field {
                self.add_text(name, text, types);
            }
            if is_list_of_recipe(name) && self.lists.len() < LISTS_MAX {
                self.lists.extend(Some(lines(field)).filter(|lines| !lines.is_empty()));
            }
        }
    }

    fn add_text(&mut self, name: &str, text: &str, types: u16) {
        let kind = match name {
            "articleBody" => StructuredKind::Body,
            "description" if types & 2 != 0 => StructuredKind::ProductDescription,
            "description" if types & 0x200 == 0 => StructuredKind::Description,
            "text" | "reviewBody" | "recipeInstructions" => StructuredKind::Other,
            _ => return,
        };
        if text.len() > 20 {
            self.texts.push((kind, plain_text(text)));
        }
    }
}

/// Whether a property holds the ingredients or the steps of a recipe, or the steps of other instructions.
pub(super) fn is_list_of_recipe(property: &str) -> bool {
    matches!(property, "recipeIngredient" | "ingredients" | "recipeInstructions" | "step")
}

/// The lines of a list: texts, or steps that have one, in sections or not.
fn lines(value: &Value) -> Vec<String> {
    let (mut lines, mut open) = (Vec::new(), vec![value]);
    while let Some(value) = open.pop().filter(|_| lines.len() < LINES_MAX) {
        match value {
            Value::String(text) => lines.extend(plain_text(text).lines().map(|line| line.trim().to_owned())),
            Value::Array(values) => open.extend(values.iter().rev()),
            Value::Object(fields) => open.extend(["itemListElement", "text"].iter().find_map(|name| fields.get(*name))),
            _ => {}
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

fn type_bits(value: &Value) -> u16 {
    let of_name = |name: &str| {
        let name = name.rsplit('/').next().unwrap_or(name);
        let groups = TYPE_GROUPS.iter().enumerate().filter(|(_, (_, names))| names.contains(&name));
        groups.fold(0, |bits, (index, _)| bits | 1 << index)
    };
    match value {
        Value::String(name) => of_name(name),
        Value::Array(names) => names.iter().filter_map(Value::as_str).fold(0, |bits, name| bits | of_name(name)),
        _ => 0,
    }
}

/// The text of a value that may hold markup, or markup that was escaped once more.
fn plain_text(source: &str) -> String {
    let once = strip_markup(source);
    if once.contains("&lt;") || once.contains('<') { strip_markup(&once) } else { once }
}

/// Takes tags out and resolves the common character references; tags become blanks.
fn strip_markup(source: &str) -> String {
    let mut text = String::with_capacity(source.len());
    let mut rest = source;
    let tags_end = source.rfind('>').unwrap_or(0);
    while let Some(at) = rest.find(['<', '&']) {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        // Behind the last `>` none is looked for, or each `<` there would cost the rest of the text.
        let may_be_tag = source.len() - rest.len() < tags_end;
        let tag = if may_be_tag { tag_length(rest) } else { None };
        let (piece, length) = tag.map_or_else(|| reference(rest), |length| (" ", length));
        text.push_str(piece);
        rest = &rest[length..];
    }
    text.push_str(rest);
    text
}

/// Length of the tag at the start.
fn tag_length(source: &str) -> Option<usize> {
    let name = source.strip_prefix('<')?;
    let is_tag = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!');
    is_tag.then(|| source.find('>')).flatten().map(|end| end + 1)
}

/// What stands for the character reference at the start, and its length; for another letter itself.
fn reference(source: &str) -> (&str, usize) {
    const REFERENCES: [(&str, &str); 12] = [
        ("&amp;", "&"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&#039;", "'"),
        ("&#x27;", "'"),
        ("&nbsp;", " "),
        ("&rsquo;", "’"),
        ("&lsquo;", "‘"),
        ("&ndash;", "–"),
        ("&mdash;", "—"),
    ];
    let known = REFERENCES.iter().find(|(reference, _)| source.starts_with(reference));
    known.map_or((&source[..1], 1), |(reference, text)| (*text, reference.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_texts_are_found_in_graphs() {
        let mut data = StructuredTexts::default();
        data.read_script(
            r#"{"@graph":[{"@type":["Product","Thing"],"description":"<p>A very &amp; good spoon, made of wood.</p>"},
            {"@type":"http://schema.org/NewsArticle","articleBody":"A long body of an article, indeed."}]}"#,
        );
        assert_eq!(data.types, 0b11);
        assert!(data.texts.iter().any(|(kind, text)| *kind == StructuredKind::ProductDescription
            && text.trim() == "A very & good spoon, made of wood."));
        assert!(data.texts.iter().any(|(kind, _)| *kind == StructuredKind::Body));
    }

    #[test]
    fn ingredients_and_steps_are_lists_of_lines() {
        let mut data = StructuredTexts::default();
        data.read_script(
            r#"{"@type":"Recipe","recipeIngredient":["1 cup <b>flour</b>"," salt "],"recipeInstructions":[
            {"@type":"HowToSection","itemListElement":[{"@type":"HowToStep","text":"Mix."},{"text":"Bake."}]},"Eat."]}"#,
        );
        data.read_script(r#"{"@type":"Recipe","recipeInstructions":"Mix.\n\nBake.","ingredients":[]}"#);
        let lists: Vec<Vec<&str>> = data.lists.iter().map(|list| list.iter().map(String::as_str).collect()).collect();
        assert_eq!(lists, [vec!["1 cup  flour", "salt"], vec!["Mix.", "Bake.", "Eat."], vec!["Mix.", "Bake."]]);
    }

    #[test]
    fn broken_scripts_say_nothing() {
        let mut data = StructuredTexts::default();
        data.read_script("{\"@type\": ");
        data.read_script(&"[".repeat(10_000));
        assert!(data.texts.is_empty() && data.types == 0);
    }
}
