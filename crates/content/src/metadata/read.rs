//! One pass over a page's elements for its metadata.

use serde::{Deserialize, Serialize};

use super::StructuredData;
use super::fallbacks::{Fallbacks, add_name, begins_with_year};
use super::json_ld::is_json_ld;
use super::office;
use crate::document::has_controls;
use crate::dom::{AttributeName, Dom, DomId, Tag};

/// What a page says of itself. Texts are trimmed, their white space folded; empty means that the page does not say.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metadata {
    /// `<title>`, else `og:title`, else the first `h1`. `og:title` where `<title>` is the site's name, or says
    /// nothing of an `h1` that is the same as `og:title`.
    pub title: String,
    /// The first `h1`.
    pub heading: String,
    /// The first `h2` or `h3`, or one of the next that is the title; not kept in what is stored.
    #[serde(skip)]
    pub subheading: String,
    /// What the page's generator marks as its title, in no `h1`: Doxygen, gtk-doc, Javadoc; not kept in what is stored.
    #[serde(skip)]
    pub marked_title: String,
    /// `og:title`; not kept in what is stored.
    #[serde(skip)]
    pub shared_title: String,
    /// Whether meta tags or structured data name the author; not kept in what is stored.
    #[serde(skip)]
    pub has_declared_author: bool,
    /// Whether the date is marked as that of publication, and not the only time on the page; not kept in what is stored.
    #[serde(skip)]
    pub has_declared_date: bool,
    /// Meta description, else `og:description`, else that of the structured data.
    pub description: String,
    /// `og:site_name`.
    pub site_name: String,
    /// Author by meta tag, structured data, or the one name that is marked as such; several are parted by commas. An address where there is
    /// no name.
    pub author: String,
    /// Publication date as written: by meta tag, structured data, the one element that is marked as such, or the only time of the page.
    pub published: String,
    /// `lang` of the `html` element, else the language of `og:locale`.
    pub language: String,
    /// `link rel=canonical`, as written.
    pub canonical_url: String,
    /// `og:type`.
    pub kind: String,
    /// `og:image` URLs, as written.
    pub images: Vec<String>,
    /// What schema.org scripts say.
    pub structured: StructuredData,
}

impl Metadata {
    /// Reads a page's metadata. O(nodes).
    pub fn read(dom: &Dom) -> Self {
        let mut metadata = Self::default();
        let mut fallbacks = Fallbacks::default();
        for id in dom.elements() {
            match dom.tag(id) {
                Some(Tag::Title) => set(&mut metadata.title, || title_text(dom, id)),
                Some(Tag::H1) => {
                    set(&mut metadata.heading, || element_text(dom, id));
                    if let Some(title) = title_of_reference(dom, id) {
                        set(&mut metadata.marked_title, || title);
                    }
                }
                Some(Tag::H2 | Tag::H3) => {
                    metadata.read_subheading(dom, id, &mut fallbacks.subheadings);
                    if is_title_of_javadoc(dom, id) {
                        set(&mut metadata.marked_title, || dom.text_content(id));
                    }
                }
                Some(Tag::Div) if is_title_of_doxygen(dom, id) => {
                    set(&mut metadata.marked_title, || own_text(dom, id));
                }
                Some(Tag::Span) if is_title_of_entry(dom, id) => {
                    set(&mut metadata.marked_title, || element_text(dom, id));
                }
                Some(Tag::Html) => set(&mut metadata.language, || attribute(dom, id, AttributeName::Lang)),
                Some(Tag::Meta) => metadata.read_meta(dom, id, &mut fallbacks),
                Some(Tag::Link) => metadata.read_link(dom, id),
                Some(Tag::Script) if is_json_ld(dom, id) => metadata.structured.read(&dom.text_content(id)),
                Some(tag) => {
                    if tag == Tag::P && office::is_title(dom, id) {
                        set(&mut metadata.marked_title, || element_text(dom, id));
                    }
                    fallbacks.note(dom, id, tag);
                }
                None => {}
            }
        }
        metadata.complete(fallbacks);
        metadata
    }

    /// What the page is about in its own words, the query of pruning without a user: title, first heading, description.
    pub fn topic(&self) -> String {
        format!("{}\n{}\n{}", self.title, self.heading, self.description)
    }

    /// The first heading of a section, unless one of the next says the title: on some pages the first is the site's name.
    fn read_subheading(&mut self, dom: &Dom, id: DomId, count: &mut usize) {
        /// Headings that are looked at.
        const HEADINGS_MAX: usize = 4;
        *count += 1;
        if *count > HEADINGS_MAX {
            return;
        }
        let is_title = |text: &str| text.eq_ignore_ascii_case(&self.title) && !text.is_empty();
        let text = folded(&element_text(dom, id));
        if self.subheading.is_empty() || (is_title(&text) && !is_title(&self.subheading)) {
            self.subheading = text;
        }
    }

    fn read_meta(&mut self, dom: &Dom, id: DomId, fallbacks: &mut Fallbacks) {
        let name = dom.attribute(id, AttributeName::Name).or_else(|| dom.attribute(id, AttributeName::Property));
        let Some(name) = name else { return fallbacks.note(dom, id, Tag::Meta) };
        let content = || attribute(dom, id, AttributeName::Content);
        match name.to_ascii_lowercase().as_str() {
            "description" => set(&mut self.description, content),
            "author" | "article:author" | "dc.creator" | "parsely-author" => {
                let author = content();
                if is_address(&author) {
                    set(&mut fallbacks.author_address, || author);
                } else if name.eq_ignore_ascii_case("author") {
                    add_name(&mut fallbacks.named, &author);
                } else {
                    set(&mut self.author, || author);
                }
            }
            "citation_author" => fallbacks.authors.push(content()),
            "citation_authors" => fallbacks.authors.extend(content().split(';').map(|name| name.trim().to_owned())),
            "article:published_time"
            | "date"
            | "dc.date"
            | "dc.date.issued"
            | "dcterms.date"
            | "dcterms.issued"
            | "dcterms.created"
            | "parsely-pub-date"
            | "pubdate"
            | "publishdate"
            | "publish-date"
            | "publish_date"
            | "datepublished"
            | "sailthru.date"
            | "article:published"
            | "og:article:published_time"
            | "dc.date.created"
            | "citation_date"
            | "citation_online_date"
            | "citation_publication_date" => set(&mut self.published, content),
            // Not `00:00:00`, which LibreOffice writes where it does not know.
            "created" if begins_with_year(&content()) => set(&mut fallbacks.created, content),
            "og:title" => set(&mut self.shared_title, content),
            "og:description" => set(&mut fallbacks.description, content),
            "og:locale" => set(&mut fallbacks.locale, content),
            "og:site_name" => set(&mut self.site_name, content),
            "og:type" => set(&mut self.kind, content),
            "og:image" | "og:image:url" => self.images.push(content()),
            _ => {}
        }
    }

    fn read_link(&mut self, dom: &Dom, id: DomId) {
        let rel = dom.attribute(id, AttributeName::Rel).unwrap_or("");
        if rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("canonical")) {
            set(&mut self.canonical_url, || attribute(dom, id, AttributeName::Href));
        }
    }

    fn complete(&mut self, fallbacks: Fallbacks) {
        let heading = self.heading.clone();
        let structured = self.structured.clone();
        let structured_author = structured.author().unwrap_or_default();
        let is_of_site =
            self.title == self.site_name || (self.heading == self.shared_title && !self.title.contains(&self.heading));
        if is_of_site && !self.shared_title.is_empty() {
            self.title = String::new();
        }
        set(&mut self.title, || self.shared_title.clone());
        set(&mut self.title, || heading);
        set(&mut self.description, || fallbacks.description);
        set(&mut self.description, || structured.description.unwrap_or_default());
        // Several tags are several authors, and each of them may begin with `By`.
        if !fallbacks.named.is_empty() {
            self.author = fallbacks.named.join(", ");
        }
        set(&mut self.author, || structured_author);
        set(&mut self.author, || fallbacks.authors.join(", "));
        self.has_declared_author = !self.author.is_empty() || !fallbacks.author_address.is_empty();
        set(&mut self.author, || if let [name] = &fallbacks.marked[..] { name.clone() } else { String::new() });
        set(&mut self.author, || fallbacks.author_address);
        set(&mut self.published, || structured.date_published.unwrap_or_default());
        set(&mut self.published, || if let [date] = &fallbacks.dates[..] { date.clone() } else { String::new() });
        self.has_declared_date = !self.published.is_empty();
        set(&mut self.published, || if let [date] = &fallbacks.times[..] { date.clone() } else { String::new() });
        set(&mut self.published, || fallbacks.created);
        set(&mut self.language, || fallbacks.locale.replace('_', "-"));
    }
}

fn is_address(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with("http://") || text.starts_with("https://")
}

fn set(slot: &mut String, value: impl FnOnce() -> String) {
    if slot.is_empty() {
        *slot = folded(&value());
    }
}

/// The text with its white space folded, without control characters.
pub(super) fn folded(text: &str) -> String {
    let seen = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    if has_controls(text) {
        return seen(&text.replace(|c: char| c.is_control() && !c.is_whitespace(), ""));
    }
    seen(text)
}

fn attribute(dom: &Dom, id: DomId, name: AttributeName) -> String {
    dom.attribute(id, name).unwrap_or("").to_owned()
}

/// The text of a `<title>` outside of images (`svg` has titles as well).
fn title_text(dom: &Dom, id: DomId) -> String {
    let in_svg = std::iter::successors(dom.parent(id), |at| dom.parent(*at)).any(|at| dom.tag(at) == Some(Tag::Svg));
    if in_svg { String::new() } else { dom.text_content(id) }
}

/// An element's text with blanks between its pieces, so that words of different elements are not glued.
fn element_text(dom: &Dom, id: DomId) -> String {
    dom.descendants(id).filter_map(|node| dom.text(node)).collect::<Vec<_>>().join(" ")
}

/// The text in an element that is in none of its own elements: not the groups that a class belongs to.
fn own_text(dom: &Dom, element: DomId) -> String {
    dom.children(element).filter_map(|id| dom.text(id)).collect()
}

/// Whether an element is the name that an entry of gtk-doc has as its heading.
fn is_title_of_entry(dom: &Dom, element: DomId) -> bool {
    let heading = dom.parent(element).and_then(|around| dom.tag(around)).and_then(Tag::heading_level);
    dom.attribute(element, AttributeName::Class) == Some("refentrytitle") && heading.is_some()
}

/// The title of a page of rustdoc, Epydoc or gi-docgen, which the declared title does not begin with, letters as they are shown: no blanks
/// between the parts of a path, and the signs between these that are drawn.
fn title_of_reference(dom: &Dom, heading: DomId) -> Option<String> {
    let class = |id: DomId| dom.attribute(id, AttributeName::Class).unwrap_or_default();
    let has_separator = || dom.children(heading).any(|id| class(id) == "sep");
    let is_marked = matches!(class(heading), "fqn" | "epydoc")
        || dom.parent(heading).is_some_and(|around| class(around) == "main-heading");
    if !is_marked && !has_separator() {
        return None;
    }
    let (mut title, mut at) = (String::new(), dom.first_child(heading));
    while let Some(id) = at {
        let is_button = dom.tag(id) == Some(Tag::Button);
        if class(id) == "sep" {
            title.push('.');
        }
        title.push_str(dom.text(id).unwrap_or_default());
        at = if is_button { dom.following_after(id, heading) } else { dom.following(id, heading) };
    }
    Some(title)
}

/// Whether a heading is the title of a page of Javadoc 7 to 9, which has no `h1`.
fn is_title_of_javadoc(dom: &Dom, heading: DomId) -> bool {
    let has = |id: DomId, class: &str| dom.attribute(id, AttributeName::Class) == Some(class);
    has(heading, "title")
        && dom.attribute(heading, AttributeName::Title).is_some()
        && dom.parent(heading).is_some_and(|around| has(around, "header"))
}

/// Whether an element is the title of a page of Doxygen's, which has no `h1`.
fn is_title_of_doxygen(dom: &Dom, element: DomId) -> bool {
    let has = |id: DomId, class: &str| dom.attribute(id, AttributeName::Class) == Some(class);
    has(element, "title") && dom.parent(element).is_some_and(|around| has(around, "headertitle"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom;
    use crate::limits::Limits;

    fn read(html: &str) -> Metadata {
        Metadata::read(&dom::parse(html, &Limits::default()))
    }

    #[test]
    fn a_page_speaks_for_itself() {
        let metadata = read(
            "<html lang=de><head><title> A \n title </title><meta name=Description content='About it'>
             <meta property=og:title content=Other><link rel=canonical href=/x><meta property=og:site_name content=Site>
             <script type=application/ld+json>{\"author\":{\"name\":\"Ann\"},\"datePublished\":\"2020-01-02\"}</script>
             <body><h1>Head<b>ing</b></h1>",
        );
        assert_eq!((metadata.title.as_str(), metadata.heading.as_str()), ("A title", "Head ing"));
        assert_eq!((metadata.description.as_str(), metadata.language.as_str()), ("About it", "de"));
        assert_eq!((metadata.author.as_str(), metadata.published.as_str()), ("Ann", "2020-01-02"));
        assert_eq!((metadata.canonical_url.as_str(), metadata.site_name.as_str()), ("/x", "Site"));
        assert_eq!(metadata.topic(), "A title\nHead ing\nAbout it");
    }

    #[test]
    fn the_heading_that_says_the_title_is_the_subheading() {
        let first = |html: &str| read(&format!("<title>Open a gate</title>{html}")).subheading;
        assert_eq!(first("<h2>The C interface</h2><h2>Open a gate</h2>"), "Open a gate");
        assert_eq!(first("<h2>The C interface</h2><h2>Close a gate</h2>"), "The C interface");
        assert_eq!(first(&format!("{}<h2>Open a gate</h2>", "<h2>The C interface</h2>".repeat(9))), "The C interface");
        let titled = |html: &str| read(html).marked_title;
        assert_eq!(titled("<p class=MsoTitle>A <b>mill</b></p><h1>1 Ground</h1>"), "A mill");
        assert_eq!(titled("<body class=doc-content><p class='c1 title'>A mill</p>"), "A mill");
        assert_eq!(titled("<p class=title>A mill</p>"), "");
    }

    #[test]
    fn authors_are_names() {
        let facebook = "<meta property=article:author content='https://www.facebook.com/x'>";
        let author = |html: &str| read(&format!("{facebook}{html}")).author;
        assert_eq!(author("<meta name=author content=Jane>"), "Jane");
        assert_eq!(author(""), "https://www.facebook.com/x");
        let json = |json: &str| format!("<script type=application/ld+json>{json}</script>");
        assert_eq!(author(&json(r#"{"author":[{"name":"Ann"},{"name":"Bo"},"Cy"]}"#)), "Ann, Bo, Cy");
        assert_eq!(
            author("<meta name=citation_author content='Roe, A'><meta name=citation_author content=B>"),
            "Roe, A, B"
        );
        let review =
            r#"{"@type":"Product","review":[{"@type":"Review","author":{"name":"Dot"},"datePublished":"2011-01-01"}]}"#;
        let of_product = read(&json(review));
        assert_eq!((of_product.author.as_str(), of_product.published.as_str()), ("", ""));
    }

    #[test]
    fn a_marked_date_is_that_of_the_page_if_there_is_one() {
        let time = |date: &str| format!("<time itemprop=datePublished datetime={date}>today</time>");
        let published = |html: &str| read(html).published;
        assert_eq!(published(&time("2020-01-02")), "2020-01-02");
        assert_eq!(published("<time class='entry-date published' datetime=2020-01-02>"), "2020-01-02");
        assert_eq!(published(&format!("{}{}", time("2020-01-02"), time("2020-01-03"))), "");
        let review = format!("<div itemscope itemtype=http://schema.org/Review>{}</div>", time("2020-01-02"));
        assert_eq!(published(&review), "");
        assert_eq!(published("<meta name=citation_publication_date content=2020/01/02>"), "2020/01/02");
    }

    #[test]
    fn a_marked_author_is_that_of_the_page_if_there_is_one() {
        let author = |html: &str| read(html).author;
        for html in [
            "<a rel='nofollow author' href=/jane>Jane Doe</a>",
            "<span itemprop=author><span itemprop=name>Jane Doe</span>, editor</span>",
            "<div itemprop=author><a>Jane Doe</a><span>1,204</span></div>",
            "<span class='author vcard'><a class='url fn n'>Jane Doe</a></span>",
            "<div class=ltx_authors><span class=ltx_personname>Jane Doe</span></div>",
            "<meta name=author content='By Jane Doe'>",
            "<a rel=author>par Jane Doe</a>",
        ] {
            assert_eq!(author(html), "Jane Doe", "{html}");
            assert!(read(&format!("{html}<h1>x</h1>")).has_declared_author == html.starts_with("<meta"), "{html}");
        }
        assert_eq!(author("<meta name=author content=Ann><meta name=author content=Bo>"), "Ann, Bo");
        assert_eq!(author("<a rel=author>Ann</a><a rel=author>Bo</a>"), "", "of several articles");
        for none in ["<a rel=author>Read all that Jane Doe wrote</a>", "<a rel=author>By</a>"] {
            assert_eq!(author(none), "", "{none}");
        }
        let beside = "<span class='vcard author'><a>More posts</a> <b>Jane Doe</b></span>";
        assert_eq!(author(beside), "More posts Jane Doe");
        assert_eq!(author("<div itemtype=http://schema.org/Comment><a rel=author>Ann</a></div>"), "");
    }

    #[test]
    fn times_are_dates_where_there_is_one() {
        let published = |html: &str| read(html).published;
        assert_eq!(published("<abbr class=published title=2012-03-04>today</abbr>"), "2012-03-04");
        assert_eq!(published("<meta itemprop=datePublished content=2012-03-04>"), "2012-03-04");
        assert_eq!(published("<time datetime=2012-03-04>today</time>"), "2012-03-04");
        assert_eq!(published("<time datetime=2012-03-04>a</time><time datetime=2012-03-05>b</time>"), "");
        for none in ["PT30M", "18:00", "12345-1"] {
            assert_eq!(published(&format!("<time datetime={none}>a</time>")), "", "{none}");
        }
        let changed =
            "<time itemprop=dateModified datetime=2025-03-28></time><time class=updated datetime=2025-03-29></time>";
        assert_eq!(published(changed), "");
        let twice = "<meta itemprop=datePublished content=2018-07-18T14:50:09><b itemprop=datePublished content=2018-07-18></b>";
        assert_eq!(published(&format!("{twice}{changed}")), "2018-07-18T14:50:09");
        let created = |date: &str| read(&format!("<meta name=created content={date}>"));
        assert_eq!(created("2012-03-04T10:00:00.00").published, "2012-03-04T10:00:00.00");
        assert!(!created("2012-03-04").has_declared_date && created("00:00:00").published.is_empty());
        assert_eq!(published("<time datetime=2012-03-04>a</time><b itemprop=datePublished content=2011></b>"), "2011");
    }

    #[test]
    fn the_title_is_not_the_site_s_name() {
        let title =
            |head: &str| read(&format!("{head}<meta property=og:title content='Old mills'><h1>Old mills</h1>")).title;
        assert_eq!(title("<title>Miller</title><meta property=og:site_name content=Miller>"), "Old mills");
        assert_eq!(title("<title>Miller</title>"), "Old mills");
        assert_eq!(title("<title>Old mills | Miller</title>"), "Old mills | Miller");
    }

    #[test]
    fn references_mark_their_titles() {
        for (html, title) in [
            (
                "<h1 class=fqn>Function <a>std</a>::<wbr><a>fs</a>::<a>read</a><button>Copy</button></h1>",
                "Function std::fs::read",
            ),
            ("<div class=main-heading><h1>Struct <span>Vec</span><button>Copy</button></h1></div>", "Struct Vec"),
            ("<h1 class=epydoc>Class Log</h1>", "Class Log"),
            ("<h1><a>Adw</a><span class=sep></span><a>Page</a><span class=sep></span>get</h1>", "Adw.Page.get"),
            ("<h1><a>Adw</a> pages</h1>", ""),
            (
                "<div class=header><p>org.e<h2 title='Class Mill' class=title>Class Mill&lt;<a>G</a>&gt;</h2></div>",
                "Class Mill<G>",
            ),
            ("<div class=header><h2 class=title>Mills of the world</h2></div>", ""),
        ] {
            assert_eq!(read(html).marked_title, title, "{html}");
        }
    }

    #[test]
    fn fallbacks_stand_in_and_svg_titles_do_not() {
        let metadata = read("<svg><title>icon</title></svg><h1>Only heading</h1>");
        assert_eq!(metadata.title, "Only heading");
        assert_eq!(read("").title, "");
    }
}
