//! From a page's elements to its document.

use super::{ContentOptions, content_of};
use crate::cst::{self, Profile};
use crate::document::{Block, Document, Inline, TeiHead, to_html, to_markdown, to_tei, to_text};
use crate::dom;
use crate::limits::Limits;

const URL: &str = "https://e.org/a/b";

/// The content of a page of which all runs are kept whose text has no `DROP` in it.
fn content_at(html: &str, url: &str, options: ContentOptions) -> Document {
    let limits = Limits::default();
    let dom = dom::parse(html, &limits);
    let tree = cst::build(&dom, Profile::Modern, &limits);
    let kept: Vec<bool> = tree.runs().iter().map(|run| !tree.run_text(run).contains("DROP")).collect();
    content_of(&dom, &tree, url, &kept, options)
}

pub(super) fn content(html: &str) -> Document {
    content_at(html, URL, ContentOptions::default())
}

pub(super) fn markdown(html: &str) -> String {
    to_markdown(&content(html))
}

const PAGE: &str = "<h1>Mills</h1><p>Old <b>wind</b> mills <a href='../s?a=1&b=2'>turn</a>.<br>Slowly.</p>
    <ul><li>one<li>two<ol><li>first<li>second</ol></ul>
    <table><tr><th>Name<th>Year<tr><td>Red | mill<td>1890</table>
    <pre>let x = 1;\n  y</pre><blockquote><p>Said so</p></blockquote>
    <figure><img src=/m.jpg alt='A mill'><figcaption>The mill</figcaption></figure>
    <dl><dt>sail</dt><dd>a cloth</dd></dl><p><a href='javascript:x()'>bad</a> &lt;b&gt; *star*</p>";

#[test]
fn text_reads() {
    let expected = "Mills\n\nOld wind mills turn.\nSlowly.\n\n- one\n- two\n  - first\n  - second\n\nName | Year\n\
        Red | mill | 1890\n\nlet x = 1;\n  y\n\nSaid so\n\nsail\n    a cloth\n\nbad <b> *star*";
    assert_eq!(to_text(&content(PAGE)), expected);
    assert_eq!(content(PAGE).images(), ["https://e.org/m.jpg"]);
}

#[test]
fn words_that_inline_elements_part_are_two() {
    for (html, expected) in cst::SEAMS.iter().copied() {
        assert_eq!(to_text(&content(html)).replace("\n\n", "\n"), expected, "{html}");
    }
    let html = "<p>In <a href=/x>Store</a>Visit us, <em>Product</em><b>New</b> at <code>get</code>Name";
    assert_eq!(markdown(html), "In [Store](https://e.org/x) Visit us, *Product* **New** at `get`Name\n");
}

#[test]
fn what_kept_text_calls_for_is_there() {
    let figure = "<p>Before.<figure><img src=/b.jpg><figcaption>DROP</figcaption></figure><p>Behind.";
    assert_eq!(markdown(figure), "Before.\n\n![](https://e.org/b.jpg)\n\n*DROP*\n\nBehind.\n");
    assert_eq!(to_text(&content(figure)), "Before.\n\nBehind.");
    let products = "<figure><img src=/a.jpg><figcaption>A red mill</figcaption></figure>";
    assert_eq!(to_text(&content(products)), "A red mill", "all that the page has");
    assert_eq!(to_text(&content(&format!("<p>They grind.{products}"))), "They grind.");
    let code = "<div><p>Run it:</p><figure><figcaption>DROP.py</figcaption><pre>DROP()</pre></figure></div>";
    assert!(markdown(code).contains("```\nDROP()\n```"), "{}", markdown(code));
    let details = "<p>Text.<details open><summary>DROP set-up</summary><p>Measured three times.</details>";
    assert!(markdown(details).contains("DROP set-up\n\nMeasured"), "{}", markdown(details));
    let note = "<p>A claim.<sup id=r1><a href='#fn:1'>1</a></sup><div class=footnotes><ol><li id='fn:1'><p>DROP letter.
        <a href='#r1'>↩</a></ol></div>";
    assert_eq!(markdown(note), "A claim.[^1]\n\n[^1]: DROP letter.\n");
    let source = note.replace("fn:1", "cite_note-1");
    assert!(!markdown(&source).contains("DROP"), "sources are kept where they are judged to be content");
}

#[test]
fn what_is_beside_words_is_left_out() {
    let edit = "<h2><span class=mw-headline>Peace</span><span class=mw-editsection>[<a href=/e>edit</a>]</span></h2>";
    assert_eq!(markdown(edit), "## Peace\n");
    assert_eq!(markdown("<h2>NAME <a href='#top'><span class=top-link>top</span></a></h2>"), "## NAME\n");
    assert_eq!(markdown("<h2>Copy it <button>Copy link</button></h2>"), "## Copy it\n");
    assert_eq!(markdown("<h2><button>How do I pay?</button></h2>"), "## How do I pay?\n");
    let code = "<pre>import os\n<div><a class=viewcode-back href=x>[docs]</a>def mill():\n    <a class=viewcode-back href=y>[docs]</a>return 1</div></pre>";
    assert_eq!(markdown(code), "```\nimport os\ndef mill():\n    return 1\n```\n");
}

#[test]
fn signs_are_those_that_readers_see() {
    assert_eq!(markdown("<p>He said <q>I never saw it </q>to us."), "He said “I never saw it” to us.\n");
    assert_eq!(markdown("<p>An <img class=emoji alt=😀 src=/1f600.png> here."), "An 😀 here.\n");
    assert_eq!(markdown("<p><ruby>東京<rp>(</rp><rt>とうきょう</rt><rp>)</rp></ruby>に"), "東京(とうきょう)に\n");
    let relative = content_at("<p><a href='/a (2).html'>x</a>", "", ContentOptions::default());
    assert_eq!(to_markdown(&relative), "[x](/a%20%282%29.html)\n");
    let mathjax =
        "<p>The formula <mjx-container><mjx-math></mjx-math><mjx-assistive-mml><math alttext='z=3'><mi>DROP</mi>
        </math></mjx-assistive-mml></mjx-container> ends.";
    assert_eq!(markdown(mathjax), "The formula $z=3$ ends.\n");
}

#[test]
fn markdown_keeps_structure_and_escapes_signs() {
    let expected = "# Mills\n\nOld **wind** mills [turn](https://e.org/s?a=1&b=2).  \nSlowly.\n\n- one\n- two\n  1. first\n  2. second\n\n\
        | Name | Year |\n| --- | --- |\n| Red \\| mill | 1890 |\n\n```\nlet x = 1;\n  y\n```\n\n> Said so\n\n\
        ![A mill](https://e.org/m.jpg)\n\n*The mill*\n\nsail\n: a cloth\n\nbad \\<b> \\*star\\*\n";
    assert_eq!(markdown(PAGE), expected);
}

#[test]
fn html_is_clean() {
    let html = to_html(&content(PAGE));
    assert!(html.starts_with("<h1>Mills</h1>\n<p>Old <strong>wind</strong> mills <a href=\"https://e.org/s?a=1&amp;b=2\">turn</a>.<br>Slowly.</p>"));
    assert!(
        html.contains("<ul>\n<li>one</li>\n<li>two\n<ol>\n<li>first</li>\n<li>second</li>\n</ol>\n</li>\n</ul>"),
        "{html}"
    );
    assert!(html.contains("<thead>\n<tr><th>Name</th><th>Year</th></tr>\n</thead>"), "{html}");
    assert!(html.contains("<tbody>\n<tr><td>Red | mill</td><td>1890</td></tr>\n</tbody>"));
    assert!(html.contains("<blockquote>\n<p>Said so</p>\n</blockquote>"));
    assert!(html.contains("<figure>\n<p><img src=\"https://e.org/m.jpg\" alt=\"A mill\"></p>\n<figcaption>The mill</figcaption>\n</figure>"));
    assert!(html.contains("<dl>\n<dt>sail</dt>\n<dd>a cloth</dd>\n</dl>"));
    assert!(html.contains("bad &lt;b&gt; *star*") && !html.contains("javascript"));
}

#[test]
fn marked_up_code_keeps_its_lines() {
    let code = content("<pre><span>a</span> <span>b</span>\n<span>  c</span>\n\n<b>d</b></pre>");
    assert_eq!(to_text(&code), "a b\n  c\n\nd");
    assert_eq!(to_markdown(&code), "```\na b\n  c\n\nd\n```\n");
}

#[test]
fn code_is_without_line_numbers_and_buttons_and_has_its_language() {
    for html in [
        "<div class='highlight-rust notranslate'><pre><span class=linenos>1</span>a<br><span class=linenos>2</span>  b<button>Copy</button></pre></div>",
        "<pre class='brush: rust; ruler: true'>a\r\n  b</pre>",
        "<pre><code class='hljs rust'><div>a</div><div>  b</div></code></pre>",
        "<pre><code data-lang=Rust><span class=line>a</span><span class=line>  b</span></code></pre>",
        "<pre class=language-rust><span class=line>a</span>\n<span class=line>  b</span></pre>",
        "<div class=lang-rust><pre>   1&nbsp;a\n   2&nbsp;  b</pre></div>",
        "<div class=lang-rust><table><tr><td class=gutter><pre>1\n2</pre><td class=code><pre>a\n  b\n</pre></table></div>",
        "<div class=lang-rust><table><tr><td class=gutter>1<td class=code>a<tr><td class=gutter>2<td class=code><span>  b</span></table></div>",
    ] {
        assert_eq!(markdown(html), "```rust\na\n  b\n```\n", "{html}");
    }
    assert_eq!(markdown("<pre class='language-none'>```</pre>"), "````\n```\n````\n");
}

#[test]
fn code_stands_in_entries_definitions_and_tables() {
    let html = "<ol start=3><li><p>Do<pre>x\n\n  y</pre><p>then<li>go</ol>";
    assert_eq!(markdown(html), "3. Do\n\n   ```\n   x\n\n     y\n   ```\n\n   then\n\n4. go\n");
    let html = "<dl><dt>name<dd>Says<pre>x</pre></dl>";
    assert_eq!(markdown(html), "**name**\n\nSays\n\n```\nx\n```\n");
    let html = "<table><tr><th>a<th>b<tr><td>one<td><pre>x</pre></table>";
    assert_eq!(markdown(html), "a\n\nb\n\none\n\n```\nx\n```\n");
}

#[test]
fn cells_that_span_are_repeated_and_dropped_ones_keep_their_place() {
    let html = "<table><caption>Years</caption><thead><tr><th rowspan=2>Mill<th colspan=2>Built<tr><th>from<th>to</thead>\
        <tr><td>Red<td>1<td>2<tr><td>Blue<td>DROP<td>3<br>4</table>";
    let expected = "*Years*\n\n| Mill | Built | Built |\n| --- | --- | --- |\n| Mill | from | to |\n| Red | 1 | 2 |\n| Blue | DROP | 3<br>4 |\n";
    assert_eq!(markdown(html), expected, "kept whole, since most of it is");
    let Block::Table(table) = &content(html).blocks[0] else { panic!("no table") };
    assert_eq!((table.head_rows, table.rows[0].cells[0].rows, table.rows[0].cells[1].columns), (2, 2, 2));
    let html = "<table><tr><td>a<td>DROP so much that most of it is not kept<tr><td>DROP this and that<td>d</table>";
    assert_eq!(markdown(html), "|  |  |\n| --- | --- |\n| a |  |\n|  | d |\n");
}

#[test]
fn tables_that_lay_out_are_text() {
    for table in [
        "<table><tr><td><p>a<tr><td>b</table>",
        "<table role=presentation><tr><td>a<td>b</table>",
        "<table><tr><td>a<td><table><tr><td>b</table></table>",
    ] {
        assert_eq!(markdown(table), "a\n\nb\n", "{table}");
    }
}

#[test]
fn formulas_are_tex_once() {
    let math = "<math><semantics><mrow><mi>a</mi></mrow><annotation encoding='application/x-tex'>a_b</annotation></semantics></math>";
    for (html, expected) in [
        (format!("<p>so {math} is"), "so $a_b$ is\n"),
        (
            format!(
                "<p>so <span class=katex><span class=katex-mathml>{math}</span><span aria-hidden=true>ab</span></span> is"
            ),
            "so $a_b$ is\n",
        ),
        (
            format!(
                "<p>so <span class=mwe-math-element>{math}<img class=mwe-math-fallback-image-inline alt='a_b'></span> is"
            ),
            "so $a_b$ is\n",
        ),
        (format!("<p>so <mjx-container>{math}</mjx-container> is"), "so $a_b$ is\n"),
        ("<p>so <math alttext='a_b'><mi>a</mi></math> is".to_owned(), "so $a_b$ is\n"),
        ("<p>so <span class='math'>\\(a_b\\)</span> is".to_owned(), "so $a_b$ is\n"),
        (
            "<p>so <span class=MathJax_Preview>ab</span><script type='math/tex'>a_b</script> is".to_owned(),
            "so $a_b$ is\n",
        ),
        ("<p>so <img class=math alt='a_b' src=x.png> is".to_owned(), "so $a_b$ is\n"),
        ("<p>so <img alt='$a_b$' src=x.png> is".to_owned(), "so $a_b$ is\n"),
        ("<script src=MathJax.js></script><p>so \\(a_b\\) is".to_owned(), "so $a_b$ is\n"),
        ("<script>MathJax={inlineMath:[['$','$']]}</script><p>so $a_b$ is".to_owned(), "so $a_b$ is\n"),
        ("<p>so<div class='math'>\\[a\n_b\\]</div>is".to_owned(), "so\n\n$$a _b$$\n\nis\n"),
        ("<p>so</p><script type='math/tex; mode=display'>a_b</script><p>is".to_owned(), "so\n\n$$a_b$$\n\nis\n"),
        (r"<p>so</p><script type='math/tex'>\newcommand{\R}{\mathbb{R}}</script><p>is".to_owned(), "so\n\nis\n"),
        ("<p>so $5 or \\(x\\) is".to_owned(), "so \\$5 or \\\\(x\\\\) is\n"),
    ] {
        assert_eq!(markdown(&html), expected, "{html}");
    }
}

#[test]
fn headings_keep_levels_and_lose_permalinks_and_repetitions() {
    let html = "<h2>One <a class=headerlink href=#one>¶</a></h2><h2>One</h2><p>x<h5><a href=#two>#</a>Two C #</h5><p>y";
    assert_eq!(markdown(html), "## One\n\nx\n\n##### Two C \\#\n\ny\n");
}

#[test]
fn headings_between_kept_runs_stay() {
    let html = "<p>x<h2>DROP a</h2><p>y<h2>DROP b</h2><p>DROP<section><h2>DROP c</h2><p>z</section>";
    assert_eq!(markdown(html), "x\n\n## DROP a\n\ny\n\n## DROP c\n\nz\n");
}

#[test]
fn lists_nest_and_count_on() {
    let html =
        "<ol><li>DROP, longer than the others<li>two<ul><li>a<li>b<p>c</ul><li>three</ol><ul><li>x</ul><ul><li>y</ul>";
    let expected = "2. two\n\n   - a\n\n   - b\n\n     c\n\n3. three\n\n- x\n\n+ y\n";
    assert_eq!(markdown(html), expected);
}

#[test]
fn lists_that_count_down_do() {
    let reversed = "<ol reversed><li>three<li><h2>two</h2><li><pre>x</pre></ol>";
    assert_eq!(markdown(reversed), "- 3\\. three\n\n- ## 2. two\n\n- 1\\.\n\n  ```\n  x\n  ```\n");
    let document = content("<ol reversed start=9><li>DROP<li>a<li>b<li value=3>c</ol><ol start=2><li>d</ol>");
    assert_eq!(markdown("<ol reversed start=9><li>DROP<li>a<li>b</ol>"), "- 8\\. a\n- 7\\. b\n");
    let lists = document.blocks.iter().filter_map(|block| match block {
        Block::List(list) => Some((list.reversed, list.number(0), list.number(list.entries.len() - 1))),
        _ => None,
    });
    assert_eq!(lists.collect::<Vec<_>>(), [(true, 8, 7), (true, 3, 3), (false, 2, 2)]);
    assert!(to_html(&document).starts_with("<ol reversed start=\"8\">\n<li>a</li>"));
    let tei = to_tei(&document, &TeiHead::default());
    assert!(tei.contains("<item n=\"8\">a</item>\n<item n=\"7\">b</item>"), "{tei}");
    let json = serde_json::to_string(&document).unwrap();
    assert!(json.starts_with(r#"{"blocks":[{"type":"list","ordered":true,"reversed":true,"start":8,"#), "{json}");
    assert_eq!(serde_json::from_str::<Document>(&json).unwrap(), document);
}

#[test]
fn entries_without_a_list_are_one() {
    assert_eq!(markdown("<li>a<li>b<p>c</p></li>d"), "- a\n\n- b\n\n  c\n\nd\n");
}

#[test]
fn quotations_in_a_row_are_one_and_rules_part() {
    let html = "<blockquote>a<p>b</blockquote><blockquote>c</blockquote><hr><hr><p>d<hr>";
    assert_eq!(markdown(html), "> a\n>\n> b\n>\n> c\n\n***\n\nd\n");
}

#[test]
fn links_are_absolute_where_the_address_is_known() {
    let html = "<p><a href=x.html>x</a> <img src=i.png alt=i>";
    assert_eq!(markdown(html), "[x](https://e.org/a/x.html) ![i](https://e.org/a/i.png)\n");
    for (head, url, expected) in [
        ("", "", "[x](x.html) ![i](i.png)\n"),
        ("", "file:///home/a.html", "[x](x.html) ![i](i.png)\n"),
        ("<base href='/c/'>", URL, "[x](https://e.org/c/x.html) ![i](https://e.org/c/i.png)\n"),
        ("<link rel=canonical href=http://f.org/d/e>", "", "[x](http://f.org/d/x.html) ![i](http://f.org/d/i.png)\n"),
        (
            "<link rel=canonical href=http://f.org/d/e>",
            URL,
            "[x](https://e.org/a/x.html) ![i](https://e.org/a/i.png)\n",
        ),
    ] {
        let document = content_at(&format!("{head}{html}"), url, ContentOptions::default());
        assert_eq!(to_markdown(&document), expected, "{head} {url}");
    }
    let bare = content_at(html, URL, ContentOptions { links: false, images: false });
    assert_eq!(to_markdown(&bare), "x\n");
}

#[test]
fn footnotes_are_told_apart_from_links() {
    let html =
        "<p>So<sup><a href=#fn1>1</a></sup> it <a href=#top>is</a>.<ol><li id=fn1><p>A note. <a href=#r1>↩</a></ol>";
    assert_eq!(markdown(html), "So[^1] it [is](https://e.org/a/b#top).\n\n[^1]: A note.\n");
    // DocBook's signs of notes lead back, and are no text of these.
    let xhtml = "<p>So<a id=i1></a><a href='#ftn.i1' class=footnote><sup>[4]</sup></a> it is.<div class=footnotes>
        <div id=ftn.i1 class=footnote><p><a href='#i1'><sup>[4] </sup></a>A note.</p></div></div>";
    assert_eq!(markdown(xhtml), "So[^1] it is.\n\n[^1]: A note.\n");
    let table = "<p>So<a name=A1 href='#FTN.A1'>[4]</a> it is.<h3 class=FOOTNOTES>Notes</h3><table class=FOOTNOTES>
        <tr><td><a name=FTN.A1 href='x.html#A1'>[4]</a></td><td><p>A note.</p><pre>code</pre></td></tr></table>";
    assert_eq!(markdown(table), "So[^1] it is.\n\n### Notes\n\n[^1]: A note.\n\n    ```\n    code\n    ```\n");
    let twice = "<p>So<sup id=r1><a href=#fn1>1</a></sup> it is<sup id=r2><a href=#fn1>1</a></sup>.
        <ol><li id=fn1><a href=#r1>a</a> <a href=#r2>b</a> A note.</ol>";
    assert_eq!(markdown(twice), "So[^1] it is[^1].\n\n[^1]: A note.\n");
    let prices = "<p>So<sup><a href=#fn1>1</a></sup> it is.<table><tr><th>Mill<th>Price<tr><td>Wind<td>12
        <tr><td colspan=2 id=fn1>1. Without tax</table>";
    assert!(markdown(prices).contains("| Mill | Price |"), "one row of notes makes no table of them");
    let word =
        "<p>See the <a href=#notes>(all)</a> of <a href=#note-list>[see]</a> it.<div id=notes>Notes of it.</div>";
    assert!(markdown(word).contains("[(all)](") && !markdown(word).contains("[^1]"), "{}", markdown(word));
    // What holds the reference too is not taken for the note.
    let around = "<div id=fn1><h2>Mills</h2><p>So<sup><a href=#fn1>1</a></sup> it is.</div>";
    assert_eq!(markdown(around), "## Mills\n\nSo<sup>[1](https://e.org/a/b#fn1)</sup> it is.\n");
}

#[test]
fn code_and_lists_are_kept_where_kept_text_leads_to_them() {
    for (html, expected) in [
        ("<p>Run this<pre>DROP</pre>", "Run this\n\n```\nDROP\n```\n"),
        ("<p>Run this<div><pre>DROP</pre></div>", "Run this\n\n```\nDROP\n```\n"),
        ("<div><p>Run this</div><div><pre>DROP</pre><p>DROP</div>", "Run this\n"),
        ("<p>DROP<pre>DROP</pre><p>That was it", "That was it\n"),
        ("<p>There are two:<ul><li>DROP a<li>DROP b</ul>", "There are two:\n\n- DROP a\n- DROP b\n"),
        ("<p>There are two<ul><li>DROP a<li>DROP b</ul>", "There are two\n"),
        ("<p>DROP two:<ul><li>DROP a<li>DROP b</ul><p>So", "So\n"),
        ("<p>Two:<ul><li><h3>DROP</h3>DROP</ul>", "Two:\n"),
        ("<p>One<ul><li>DROP<li>A longer one</ul>", "One\n\n- DROP\n- A longer one\n"),
        ("<p>One<ul><li>DROP a longer one<li>kept</ul>", "One\n\n- kept\n"),
        ("<p>One<ul><li>DROP<li>kept<li>DROP</ul><p>Two", "One\n\n- DROP\n- kept\n- DROP\n\nTwo\n"),
        ("<p>DROP<ul><li>DROP<li>A longer one</ul>", "- A longer one\n"),
    ] {
        assert_eq!(markdown(html), expected, "{html}");
    }
}

#[test]
fn raised_and_lowered_text_and_blanks_stand_where_they_were() {
    assert_eq!(markdown("<p>H<sub>2</sub>O m<sup>2</sup>"), "H<sub>2</sub>O m<sup>2</sup>\n");
    assert_eq!(markdown("<p>a<b> b <i>c </i></b>d"), "a **b _c_** d\n");
    assert_eq!(markdown("<p><code>set <var>x</var> </code>y <code>`</code>"), "`set x` y `` ` ``\n");
    assert_eq!(markdown("<p>a<b>«b»</b>c"), "a<strong>«b»</strong>c\n");
    assert_eq!(markdown("<p><a href=x>a</a><a href=y>b</a>"), "[a](https://e.org/a/x) [b](https://e.org/a/y)\n");
}

#[test]
fn changes_that_are_kept_closed_are_left_out() {
    let table = "<summary>History</summary><table><tr><th>Version<th>Changes<tr><td>1<td>Added</table></details>";
    assert_eq!(markdown(&format!("<p>a<details class=changelog>{table}<p>b")), "a\n\nb\n");
    assert!(markdown(&format!("<p>a<details open class=changelog>{table}<p>b")).contains("Added"));
    assert!(markdown("<details><summary>Question</summary><p>Answer</details>").contains("Answer"));
}

#[test]
fn words_are_not_glued() {
    let document = content("<td>a</td><div>b</div>c<span>d</span> <i>e</i>");
    assert_eq!(to_text(&document), "a\n\nb\n\ncd e");
    assert!(
        matches!(&document.blocks[2], Block::Paragraph { content } if matches!(&content[1], Inline::Emphasis { .. }))
    );
}

#[test]
fn documents_are_json_with_types() {
    let document = content("<h2>a</h2><ol start=2><li>b</ol><table><tr><th colspan=2>c<tr><td>d<td>e</table>");
    let json = serde_json::to_string(&document).unwrap();
    assert!(json.starts_with(r#"{"blocks":[{"type":"heading","level":2,"content":[{"type":"text","text":"a"}]},{"type":"list","ordered":true,"start":2"#));
    assert_eq!(serde_json::from_str::<Document>(&json).unwrap(), document);
}

#[test]
fn nesting_is_bounded() {
    let html = format!("{}deep{}", "<ul><li>".repeat(2000), "</ul>".repeat(2000));
    let document = content(&html);
    assert!(to_text(&document).contains("deep") && to_markdown(&document).contains("deep"));
    assert!(serde_json::from_str::<Document>(&serde_json::to_string(&document).unwrap()).is_ok());
}

#[test]
fn late_parts_stand_where_scripts_put_them() {
    let html =
        "<p>Run:</p><!--$?--><template id=B:0></template><p>Loading<!--/$--></p><!--/$--><p>Then wait.</p><p>DROP</p>
        <div hidden id=S:0><pre>make DROP</pre><img src=m.png></div><script>$RC('B:0','S:0')</script>";
    let html = html.replace("Loading<!--/$--></p>", "Loading</p>");
    assert_eq!(markdown(&html), "Run:\n\n```\nmake DROP\n```\n\n![](https://e.org/a/m.png)\n\nThen wait.\n");
    assert_eq!(
        markdown(&html.replace("'B:0'", "'B:9'")),
        "Run:\n\nLoading\n\nThen wait.\n\n![](https://e.org/a/m.png)\n"
    );
}

#[test]
fn tables_that_lay_out_a_page_or_a_numbered_paragraph_are_text() {
    let words = "The council voted on Tuesday to close the old pool on Mill Street, whose roof could not be repaired. ";
    let long = words.repeat(3);
    let page = format!("<table><tr><td colspan=2>Top<tr><td>Menu<td><p>{long}<p>{long}<tr><td colspan=2>Foot</table>");
    assert!(!markdown(&page).contains('|'), "{}", markdown(&page));
    let headed = format!("<table><tr><td>Menu<td><h2>Pool</h2><p>{long}<tr><td>a<td>b<tr><td>c<td>d</table>");
    assert!(markdown(&headed).contains("## Pool\n\nThe council"), "{}", markdown(&headed));
    let post = "<table class=tborder><tr><td>12 May<tr><td><div>Ossie<div>Senior</div></div><td><div>Whom do I trust?</div></table>";
    assert!(!markdown(post).contains('|'), "{}", markdown(post));
    let thread = "<table><tr><td><td><div class=arrow></div><td>Why do weirs fail?<tr><td colspan=2>
        <td>by ruth<tr><tr><td colspan=2><td>Ours did.<p>Twice.</table>";
    assert_eq!(markdown(thread), "Why do weirs fail?\n\nby ruth\n\nOurs did.\n\nTwice.\n");
    let module = "<table><tr><td colspan=3>&nbsp;<br><b>class Mill</b><tr><td rowspan=2>&nbsp;
        <td colspan=2>Grinds.<tr><td>&nbsp;<td><dl><dt>turn()<dd>Turns.</dl><hr><dl><dt>stop()<dd>Stops.</dl></table>";
    assert!(!markdown(module).contains('|') && markdown(module).contains("turn()\n: Turns."), "{}", markdown(module));
    let ticks = "<table><tr><td>Red<td><i class=tick></i><tr><td>Blue<td><i class=tick></i></table>";
    assert!(markdown(ticks).contains("| Red |"), "{}", markdown(ticks));
    let hours =
        "<table><tr><td colspan=2>Opening times of the old mill museum<tr><td>Mon<td>9-17<tr><td>Sat<td>10-16</table>";
    assert!(markdown(hours).contains("| Sat | 10-16 |"), "{}", markdown(hours));
    let facts = format!("<table><tr><td>Name<td>Pool<tr><td>About<td>{words}<tr><td>Year<td>1904</table>");
    assert!(markdown(&facts).contains("| Year | 1904 |"), "{}", markdown(&facts));
    let keys = format!(
        "<table><tr><td>Purpose<td colspan=2><p>{long}<p>{long}<tr><td>Name<td>a<td>b<tr><td>Use<td colspan=2>c</table>"
    );
    assert!(markdown(&keys).contains("| Name | a | b |"), "{}", markdown(&keys));
    let heads = "<table><tr><td><h3>Name</h3><td><h3>Year</h3><tr><td>Mill<td>1890<tr><td>Kiln<td>1904</table>";
    assert!(markdown(heads).contains("| Kiln | 1904 |"), "{}", markdown(heads));
    let law = "<table><tr><td><p>(1)</p><td><p>It shall be closed.</p></table><table><tr><td>(a)<td>Its keys:
        <table><tr><td>—<td>of brass</table></table><p>End";
    assert_eq!(markdown(law), "(1) It shall be closed.\n\n(a) Its keys:\n\n— of brass\n\nEnd\n");
    for table in [
        "<table><thead><tr><th>No.<th>Meaning</thead><tr><td>1.<td>The first</table>",
        "<table><tr><td><a href=/1>(1)</a><td>It shall</table>",
    ] {
        assert!(markdown(table).contains("| "), "{}", markdown(table));
    }
}

#[test]
fn white_space_of_any_kind_parts_words() {
    assert_eq!(markdown("<p><b>Note:</b>&nbsp;<i>dry</i>, 4&nbsp;<abbr>km</abbr>"), "**Note:** *dry*, 4 km\n");
    assert_eq!(markdown("<p><i>c</i>\u{3000}<i>d</i>"), "*c* *d*\n");
}

#[test]
fn what_is_about_the_file_is_no_text() {
    let number = "<p>She sat<span class=pagenum><a id=p>[12]</a></span> down";
    assert_eq!(markdown(number), "She sat down\n");
    let book = "<section class='pg-boilerplate pgheader'><p>For the use of anyone</section><p>Once";
    assert_eq!(markdown(book), "Once\n");
    let notebook =
        "<div class='prompt input_prompt'>In [1]:</div><div class='jp-InputPrompt x'>[2]</div><pre>a = 1</pre>";
    assert_eq!(markdown(notebook), "```\na = 1\n```\n");
}

#[test]
fn a_cell_that_spans_has_its_images_once() {
    let page =
        "<table><tr><th colspan=2>Pool<tr><td colspan=2><img src=/p.jpg alt=P> In 2019<tr><td>Built<td>1904</table>";
    let expected =
        "| Pool | Pool |\n| --- | --- |\n| ![P](https://e.org/p.jpg) In 2019 | In 2019 |\n| Built | 1904 |\n";
    assert_eq!(markdown(page), expected);
}
