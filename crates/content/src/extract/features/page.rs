//! What holds for the whole page: its metadata, its address, its kinds of elements.

use super::hints::HINTS;
use super::items::Items;
use super::sink::{Name, Sink, UNNUMBERED, share};
use super::units::{Units, is_prose};
use crate::dom::{AttributeName, Dom, DomId, NodeData, Tag};
use crate::extract::structured::{StructuredTexts, TYPE_GROUPS};
use crate::metadata::json_ld::is_json_ld;

/// Groups of words in an address, each a feature.
const URL_GROUPS: [(&str, &[&str]); 6] = [
    (
        "forum",
        &[
            "forum",
            "forums",
            "thread",
            "threads",
            "topic",
            "topics",
            "question",
            "questions",
            "discussion",
            "discussions",
            "t",
            "community",
            "viewtopic",
            "showthread",
            "comments",
            "r",
        ],
    ),
    ("product", &["product", "products", "p", "dp", "item", "items", "itm", "buy", "pd", "prod"]),
    (
        "collection",
        &[
            "category",
            "categories",
            "collection",
            "collections",
            "c",
            "shop",
            "store",
            "catalog",
            "browse",
            "cat",
            "sale",
            "search",
        ],
    ),
    (
        "documentation",
        &[
            "doc",
            "docs",
            "api",
            "wiki",
            "help",
            "guide",
            "manual",
            "reference",
            "documentation",
            "tutorial",
            "learn",
            "latest",
            "stable",
            "en",
        ],
    ),
    (
        "article",
        &[
            "blog", "news", "article", "articles", "post", "posts", "story", "stories", "opinion", "magazine", "press",
            "p",
        ],
    ),
    (
        "listing",
        &[
            "list",
            "tag",
            "tags",
            "archive",
            "archives",
            "author",
            "topics",
            "section",
            "jobs",
            "events",
            "index",
            "best",
            "top",
            "directory",
            "page",
        ],
    ),
];

/// Makers of sites that tell the page's kind, as named in `<meta name="generator">`.
const GENERATORS: [&str; 8] =
    ["wordpress", "discourse", "phpbb", "vbulletin", "docusaurus", "sphinx", "mkdocs", "drupal"];

/// What `og:type` counts as if it is one of articles.
const OG_ARTICLE: f32 = 1.0;

/// What the page says of itself.
#[derive(Debug, Default)]
pub struct PageInfo {
    /// Text of `title`.
    pub title: String,
    /// Text of the first `h1`.
    pub(crate) headline: String,
    /// Its description, as given by a `meta` element.
    pub description: String,
    /// Its address, as given to us or else by the page itself.
    pub url: String,
    /// JSON-LD.
    pub structured: StructuredTexts,
    /// `og:type`: 0 none, 1 article, 2 product, 3 website, 4 other.
    og_type: f32,
    generator: f32,
    has_published_time: bool,
    elements: f32,
    forms: f32,
    inputs: f32,
    text_areas: f32,
    scripts: f32,
    iframes: f32,
    feeds: bool,
}

impl PageInfo {
    /// Reads metadata from all elements, in one pass.
    pub fn new(dom: &Dom, url: &str) -> Self {
        let mut info = Self { url: url.to_owned(), ..Self::default() };
        let mut scripts = Vec::new();
        for id in dom.elements() {
            let NodeData::Element { tag, .. } = dom.data(id) else { continue };
            info.elements += 1.0;
            match tag {
                Tag::Title if info.title.is_empty() => info.title = dom.text_content(id),
                Tag::H1 if info.headline.is_empty() => info.headline = dom.text_content(id),
                Tag::Meta => info.read_meta(dom, id),
                Tag::Link => info.read_link(dom, id),
                Tag::Form => info.forms += 1.0,
                Tag::Input | Tag::Select => info.inputs += 1.0,
                Tag::Textarea => info.text_areas += 1.0,
                Tag::Iframe => info.iframes += 1.0,
                Tag::Script => {
                    info.scripts += 1.0;
                    if is_json_ld(dom, id) {
                        scripts.push(id);
                    }
                }
                _ => {}
            }
        }
        info.structured = StructuredTexts::read(dom, &scripts);
        info
    }

    /// Whether a program of one of these names made the page. Only those that tell a page's kind are known.
    pub(in crate::extract) fn is_made_by(&self, makers: &[&str]) -> bool {
        let known = (self.generator as usize).checked_sub(1).and_then(|index| GENERATORS.get(index));
        known.is_some_and(|generator| makers.contains(generator))
    }

    /// Whether the page says that it is an article: by its data, its `og:type` or a time of publication.
    pub(in crate::extract) fn is_called_article(&self) -> bool {
        self.structured.has_type("article") || self.og_type == OG_ARTICLE || self.has_published_time
    }

    fn read_meta(&mut self, dom: &Dom, id: DomId) {
        let name = dom.attribute(id, AttributeName::Property).or_else(|| dom.attribute(id, AttributeName::Name));
        let (Some(name), Some(content)) = (name, dom.attribute(id, AttributeName::Content)) else { return };
        match name.to_ascii_lowercase().as_str() {
            "description" | "og:description" if self.description.is_empty() => {
                content.clone_into(&mut self.description);
            }
            "og:type" => self.og_type = og_type(content),
            "og:url" if self.url.is_empty() => content.clone_into(&mut self.url),
            "article:published_time" => self.has_published_time = true,
            "generator" => {
                let content = content.to_ascii_lowercase();
                let known = GENERATORS.iter().position(|generator| content.contains(generator));
                self.generator = known.map_or(self.generator, |index| index as f32 + 1.0);
            }
            _ => {}
        }
    }

    fn read_link(&mut self, dom: &Dom, id: DomId) {
        let Some(rel) = dom.attribute(id, AttributeName::Rel) else { return };
        if rel == "canonical" && self.url.is_empty() {
            dom.attribute(id, AttributeName::Href).unwrap_or("").clone_into(&mut self.url);
        }
        let kind = dom.attribute(id, AttributeName::Type).unwrap_or("");
        self.feeds |= rel == "alternate" && kind.contains("rss");
    }
}

fn og_type(content: &str) -> f32 {
    match content.trim().to_ascii_lowercase().as_str() {
        "" => 0.0,
        "article" | "blog" | "news" | "video.other" => OG_ARTICLE,
        "product" | "og:product" | "product.item" | "book" => 2.0,
        "website" => 3.0,
        _ => 4.0,
    }
}

/// Writes the features that all units of a page share.
pub(super) fn put(sink: &mut impl Sink, info: &PageInfo, units: &Units, items: &Items) {
    put_metadata(sink, info);
    put_url(sink, &info.url);
    put_text(sink, info, units);
    put_items(sink, units, items);
}

fn put_metadata(sink: &mut impl Sink, info: &PageInfo) {
    for (index, (name, _)) in TYPE_GROUPS.iter().enumerate() {
        sink.flag(Name("page_schema", UNNUMBERED, name), info.structured.types >> index & 1 != 0);
    }
    let structured: usize = info.structured.texts.iter().map(|(_, text)| text.len()).sum();
    sink.put("page_structured_text", (structured as f32).ln_1p());
    sink.put("page_og_type", info.og_type);
    sink.put("page_generator", info.generator);
    sink.flag("page_published_time", info.has_published_time);
    sink.flag("page_feed", info.feeds);
    sink.put("page_elements", info.elements.ln_1p());
    sink.put("page_forms", info.forms.min(20.0));
    sink.put("page_inputs", info.inputs.ln_1p());
    sink.put("page_text_areas", info.text_areas.min(9.0));
    sink.put("page_scripts", info.scripts.ln_1p());
    sink.put("page_iframes", info.iframes.min(20.0));
}

fn put_url(sink: &mut impl Sink, url: &str) {
    let after_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (path, query) = after_scheme.split_once('?').unwrap_or((after_scheme, ""));
    let (host, path) = path.split_once('/').unwrap_or((path, ""));
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let last = segments.last().copied().unwrap_or("");
    sink.flag("url_known", !url.is_empty());
    sink.put("url_segments", segments.len() as f32);
    sink.put("url_last_hyphens", last.matches(['-', '_']).count().min(20) as f32);
    sink.put("url_last_length", last.len().min(200) as f32);
    sink.put("url_digits", path.bytes().filter(u8::is_ascii_digit).count().min(40) as f32);
    sink.flag("url_query", !query.is_empty());
    sink.flag("url_html", last.contains(".htm") || last.contains(".php"));
    let words = || host.split('.').chain(segments.iter().flat_map(|segment| segment.split(['-', '_', '.'])));
    for (name, list) in URL_GROUPS {
        let is_in = |word: &str| list.iter().any(|known| known.eq_ignore_ascii_case(word));
        sink.flag(Name("url", UNNUMBERED, name), words().any(is_in));
    }
}

fn put_text(sink: &mut impl Sink, info: &PageInfo, units: &Units) {
    let total = units.between(0, units.len() as u32);
    let mut lengths: Vec<f32> = units.list.iter().map(|unit| unit.text.words).collect();
    lengths.sort_by(f32::total_cmp);
    let count = units.len().max(1) as f32;
    sink.put("page_words", (total.words as f32).ln_1p());
    sink.put("page_units", count.ln());
    sink.put("page_link_share", share(total.link_chars as f32, total.chars as f32));
    sink.put("page_prose", share(total.prose as f32, total.words as f32));
    sink.put("page_prose_words", (total.prose as f32).ln_1p());
    sink.put("page_paragraph", share(total.paragraph as f32, total.words as f32));
    sink.put("page_function_words", share(total.function_words as f32, total.words as f32));
    sink.put("page_headings", share(total.headings as f32, count));
    sink.put("page_images", (total.images as f32).ln_1p());
    sink.put("page_median_words", lengths.get(lengths.len() / 2).copied().unwrap_or(0.0));
    sink.put("page_markup", share(info.elements, total.words as f32).min(50.0));
    let sum_of = |f: fn(&super::units::Unit) -> f32| units.list.iter().map(f).sum::<f32>();
    sink.put("page_unspaced", share(sum_of(|unit| unit.text.unspaced), total.chars as f32));
    sink.put("page_currencies", share(sum_of(|unit| unit.text.currencies), count));
    sink.put("page_years", share(sum_of(|unit| unit.text.years), count));
    sink.put("page_comment_words", share(sum_of(|unit| f32::from(unit.text.classes[3])), count));
    sink.put("page_forum_words", share(sum_of(|unit| f32::from(unit.text.classes[9])), count));
    sink.put("page_shop_words", share(sum_of(|unit| f32::from(unit.text.classes[6])), count));
    let longest = units.list.iter().filter(|unit| is_prose(unit)).map(|unit| unit.text.words).fold(0.0, f32::max);
    sink.put("page_longest_prose", longest.ln_1p());
}

fn put_items(sink: &mut impl Sink, units: &Units, items: &Items) {
    let total = units.words(0, units.len() as u32);
    let largest = |tag: Tag| {
        let of_tag = items.list.iter().filter(|item| item.tag == tag);
        of_tag.map(|item| units.words(item.first, item.end)).fold(0.0, f32::max)
    };
    let count = |tag: Tag| items.list.iter().filter(|item| item.tag == tag).count() as f32;
    sink.put("page_main_share", share(largest(Tag::Main), total));
    sink.put("page_article_share", share(largest(Tag::Article), total));
    sink.put("page_articles", count(Tag::Article).ln_1p());
    sink.put("page_sections", count(Tag::Section).ln_1p());
    sink.put("page_rows", share(count(Tag::Tr), items.list.len() as f32));
    sink.put("page_list_items", share(count(Tag::Li), items.list.len() as f32));
    sink.put("page_paragraphs", share(count(Tag::P), items.list.len() as f32));
    sink.put("page_preformatted", share(count(Tag::Pre), items.list.len() as f32));
    let mut hinted = [0.0_f32; HINTS];
    for item in &items.list {
        for (category, hits) in hinted.iter_mut().enumerate() {
            *hits += f32::from((item.hints >> category & 1) as u8);
        }
    }
    for (name, category) in
        [("comment", 13), ("forum", 14), ("card", 15), ("product", 16), ("post", 1), ("document", 20)]
    {
        let name = Name("page_hint", UNNUMBERED, name);
        sink.put(name, share(hinted[category], items.list.len() as f32));
    }
}
