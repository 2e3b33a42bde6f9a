//! What generators of sites write: tabs, notes, tables of roles, code in fields.

use super::tests::markdown;

#[test]
fn a_heading_in_an_element_of_its_own_is_kept() {
    let section = "<div class='mw-heading mw-heading2'><h2>DROP</h2><span class=mw-editsection>[<a href=/e>DROP</a>]</span></div>";
    let html = format!("<div><p>Before.{section}<p>Behind.</div>");
    assert_eq!(markdown(&html), "Before.\n\n## DROP\n\nBehind.\n");
    assert_eq!(markdown(&html.replace("DROP", "Kept")), "Before.\n\n## Kept\n\nBehind.\n");
}

#[test]
fn a_citation_above_a_quotation_is_a_line() {
    let quote = |cite: &str| format!("<blockquote><div><cite>{cite}</cite>My amplifier hums.</div></blockquote>");
    assert_eq!(markdown(&quote("Ann wrote:")), "> *Ann wrote:*\n>\n> My amplifier hums.\n");
    assert_eq!(markdown(&quote("Ann")), "> *Ann*\n>\n> My amplifier hums.\n");
    let within = "<blockquote><cite>The Mill</cite> is a book. <cite>He said:</cite> yes</blockquote>";
    assert_eq!(markdown(within), "> *The Mill* is a book. *He said:* yes\n");
}

#[test]
fn a_number_before_a_formula_is_its_tag() {
    let equation = |inner: &str| {
        let page = "<script src=/mathjax.js></script><p>So<div class=math>\
            <span class=eqno>(1)<a class=headerlink href=#e>¶</a></span>";
        markdown(&format!("{page}{inner}</div><p>End <span class=eqno>(2)</span>"))
    };
    assert_eq!(equation("\\[y = a x\\]"), "So\n\n$$y = a x \\tag{1}$$\n\nEnd (2)\n");
    let aligned = equation("\\[\\begin{align}\\begin{aligned}y\\end{aligned}\\end{align}\\]");
    assert!(aligned.contains("\\end{aligned} \\tag{1}\\end{align}$$"), "{aligned}");
    assert_eq!(equation("as above"), "So\n\n(1)as above\n\nEnd (2)\n");
}

#[test]
fn quotations_have_their_sources() {
    let asciidoctor = "<p>So:<div class=quoteblock><blockquote>It turns all night.</blockquote><div class=attribution>&mdash; Ada<br><cite>DROP it</cite></div></div><p>End.";
    assert_eq!(markdown(asciidoctor), "So:\n\n> It turns all night.\n>\n> — Ada  \n> *DROP it*\n\nEnd.\n");
    let behind = "<p>So:<blockquote><p>It turns.</blockquote> <cite>Ada</cite><p>End.";
    assert_eq!(markdown(behind), "So:\n\n> It turns.\n>\n> *Ada*\n\nEnd.\n");
    let sentence = "<p>So:<blockquote><p>It turns.</blockquote><cite>Ada</cite> says so.<p>End.";
    assert_eq!(markdown(sentence), "So:\n\n> It turns.\n\n*Ada* says so.\n\nEnd.\n");
    let later = "<p>So:<blockquote><p>It turns.</blockquote><p>Then</p><cite>Ada</cite><p>End.";
    assert_eq!(markdown(later), "So:\n\n> It turns.\n\nThen\n\n*Ada*\n\nEnd.\n");
}

#[test]
fn words_for_those_who_browse_stand_in_no_heading_or_signature() {
    let link = "<a href=/s><i></i><span class=sr-only>View Source</span></a>";
    assert_eq!(markdown(&format!("<h1>{link}<span>Broker</span></h1><p>Turns.")), "# Broker\n\nTurns.\n", "ExDoc");
    let own = "<a href='#open' class=detail-link><i></i><span class=sr-only>Link to this function</span></a>";
    assert_eq!(
        markdown(&format!("<div>{own}<h2 id=open>open()</h2></div><p>Turns.")),
        "## open()\n\nTurns.\n",
        "ExDoc"
    );
    assert_eq!(markdown(&format!("<p>See {link}.")), "See [View Source](https://e.org/s).\n");
    let label = "<div class='attr class'>class Mill: <label class=view-source-button for=s><span>View Source</span></label></div><p>Turns.";
    assert_eq!(markdown(label), "class Mill:\n\nTurns.\n", "pdoc");
    assert_eq!(markdown(&label.replace("View Source", "Large")), "class Mill: Large\n\nTurns.\n");
}

#[test]
fn headings_stay_beside_links_to_them() {
    let heading = "<h2 id=run>DROP it</h2><a href='#run'><span class=sr-only>DROP Section titled it</span></a>";
    assert_eq!(markdown(&format!("<p>A</p><div>{heading}</div><p>B</p>")), "A\n\n## DROP it\n\nB\n");
    let kept = heading.replace("DROP ", "");
    assert_eq!(markdown(&format!("<p>A</p><div>{kept}</div><p>B</p>")), "A\n\n## it\n\nB\n");
    let other = kept.replace("#run", "#all").replace("Section titled it", "All");
    assert_eq!(markdown(&format!("<div>{other}</div><p>B</p>")), "## it\n\n[All](https://e.org/a/b#all)\n\nB\n");
    let version = "<h2>Mill API<span><small><pre> 1.0 </pre></small></span></h2><p>Turns.";
    assert_eq!(markdown(version), "## Mill API `1.0`\n\nTurns.\n", "Swagger UI");
}

#[test]
fn lists_of_lines_in_code_are_code() {
    let inner =
        "<ul><li><div>DROP \"id\": 1,</div></li><li><div>\"of\": [<ul><li><div>2</div></li></ul>]</div></li></ul>";
    let html = format!("<p>A</p><div><code><button></button><span>{{</span>{inner}<span>}}</span></code></div><p>B");
    let code = "{\n  DROP \"id\": 1,\n  \"of\": [\n    2\n  ]\n}";
    assert_eq!(markdown(&html), format!("A\n\n```\n{code}\n```\n\nB\n"), "Redoc");
}

#[test]
fn settings_of_highlighters_name_languages() {
    let code = "<div class='code panel'><pre data-syntaxhighlighter-params='brush: sql; gutter: false' class=syntaxhighlighter-pre>select 1</pre></div>";
    assert_eq!(markdown(code), "```sql\nselect 1\n```\n", "Confluence");
    assert_eq!(markdown(&code.replace("sql", "text")), "```\nselect 1\n```\n");
    assert_eq!(markdown("<pre><code class=ts>let a</code></pre>"), "```ts\nlet a\n```\n", "TypeDoc");
}

#[test]
fn lines_of_a_stanza_belong_together() {
    let stanza = "<div class=stanza><div class='verse indent0'>The wheel goes round,</div>
        <div class=verse>the water falls.<br></div>
        <div class=verse>So.</div></div>";
    let expected = "The wheel goes round,  \nthe water falls.  \nSo.\n";
    assert_eq!(markdown(&format!("<p>A</p>{stanza}{stanza}<p>B")), format!("A\n\n{expected}\n{expected}\nB\n"));
    let block =
        "<div class=line-block><div class=line>one</div><div class=line><br></div><div class=line>two</div></div>";
    assert_eq!(markdown(block), "one\n\ntwo\n");
}

#[test]
fn tables_of_roles_are_tables() {
    let html = "<p>Sizes:<div role=table><div role=rowgroup><div role=row><span role=columnheader>DROP</span>
        <span role=columnheader>Size</span></div></div><div role=row><span role=cell>Rose</span><span role=cell>90 cm</span></div></div>
        <p>End.";
    assert_eq!(markdown(html), "Sizes:\n\n| DROP | Size |\n| --- | --- |\n| Rose | 90 cm |\n\nEnd.\n");
    let layout = "<div role=grid><div role=row><div role=gridcell>One</div><div role=gridcell>Two</div></div></div>";
    assert_eq!(markdown(layout), "One\n\nTwo\n");
}

#[test]
fn blocks_between_the_cells_of_a_table_of_divisions_are_not_lost() {
    let cells = "<div class='col-first x'>int</div><ul><li>in between</ul><div class='col-last x'>turn()</div>";
    let table = markdown(&format!("<div class=summary-table>{cells}</div><p>End."));
    assert_eq!(table, "|  |  |\n| --- | --- |\n| int | turn() |\n\n- in between\n\nEnd.\n");
}

#[test]
fn code_in_a_field_is_code() {
    let html = "<p>Example:</p><textarea class='Example code'>\nfunc main() {\n\tplant()\n}\n</textarea><p>It plants.";
    assert_eq!(markdown(html), "Example:\n\n```\nfunc main() {\n\tplant()\n}\n```\n\nIt plants.\n");
    assert_eq!(markdown(&html.replace(" code", "")), "Example:\n\nIt plants.\n");
}

#[test]
fn lines_of_code_stand_as_they_are_seen() {
    let tip = "<div class=ttc><div class=ttname>m.h</div><div class=ttdoc>The mill.</div></div>";
    for html in [
        // Doxygen, with and without numbers.
        format!("<div class=fragment><div class=line>a</div>\n<div class=line>  b</div>\n<div class=line></div>\n{tip}\n</div>"),
        "<div class=fragment><div class=line><span class=lineno> 1</span>&#160;a</div>\n<div class=line><span class=lineno> 2</span>&#160;  b</div></div>"
            .to_owned(),
        // Pygments, with numbers in line.
        "<pre><span class=linenos>1</span> a\n<span class=linenos>2</span>   b\n<span class=linenos>3</span>\n</pre>".to_owned(),
        "<pre><span class=linenos>1</span>a\n<span class=linenos>2</span>  b</pre>".to_owned(),
        // GitHub.
        "<table>\n <tr>\n  <td class=lineno>1</td>\n  <td class=code>a</td>\n </tr>\n <tr>\n  <td class=lineno>2</td>\n  <td class=code><span>  b</span></td>\n </tr>\n</table>"
            .to_owned(),
    ] {
        assert_eq!(markdown(&html), "```\na\n  b\n```\n", "{html}");
    }
    let parted = "<pre><div class=line>a</div>\n<div class=line>b</div></pre>";
    assert_eq!(markdown(parted), "```\na\n\nb\n```\n", "a line end in preformatted text is one");
}

#[test]
fn parts_of_a_page_around_code_are_no_languages() {
    for class in ["code-tabs", "code-window", "language-switcher", "lang-switch", "highlight-source"] {
        assert_eq!(markdown(&format!("<div class={class}><pre>a b</pre></div>")), "```\na b\n```\n", "{class}");
    }
    assert_eq!(markdown("<div class=code-python><pre>a b</pre></div>"), "```python\na b\n```\n");
}

#[test]
fn labels_of_tabs_stand_above_their_panels() {
    let panels = |panel: &str| format!("<div {panel}><p>apt</div><div {panel}><p>brew</div>");
    let labels = "<label>Linux</label><label>macOS</label>";
    let tabs = [
        format!(
            "<div class=tabbed-labels>{labels}</div><div class=tabbed-content>{}</div>",
            panels("class=tabbed-block")
        ),
        format!("<div class=tabs>{labels}</div><div class=blocks>{}</div>", panels("class=language-sh")),
        format!("<ul role=tablist><li role=tab>Linux<li role=tab>macOS</ul><div>{}</div>", panels("role=tabpanel")),
        format!("<div class='ulist tablist'><ul><li><p>Linux<li><p>macOS</ul></div>{}", panels("class=tabpanel")),
        "<label class=sd-tab-label>Linux</label><div class=sd-tab-content><p>apt</div>\
         <label class=sd-tab-label>macOS</label><div class=sd-tab-content><p>brew</div>"
            .to_owned(),
    ];
    for tabs in tabs {
        let html = format!("<p>Install:<div class=vp-code-group>{tabs}</div>");
        assert_eq!(markdown(&html), "Install:\n\n**Linux**\n\napt\n\n**macOS**\n\nbrew\n", "{html}");
    }
    // Labels without panels are a list, panels without labels are text.
    assert_eq!(markdown("<ul role=tablist><li role=tab>Linux<li role=tab>macOS</ul>"), "- Linux\n- macOS\n");
    assert_eq!(markdown("<div><div role=tabpanel>apt</div><div role=tabpanel>brew</div></div>"), "apt\n\nbrew\n");
    let many = "<div class=tab-pane><p>x</div>".repeat(200);
    assert!(markdown(&format!("<ul class=nav-tabs>{}</ul><div>{many}</div>", "<li>l".repeat(200))).contains('x'));
}

#[test]
fn sets_of_tabs_have_their_own_labels() {
    let set = |words: [&str; 2]| {
        let panels = words.map(|word| format!("<div role=tabpanel><p>{word}</p></div>")).concat();
        format!("<div class=tabs><ul role=tablist><li role=tab>Linux</li><li role=tab>macOS</li></ul>{panels}</div>")
    };
    let both = format!("{}<p>Between.</p>{}", set(["apt", "brew"]), set(["dpkg", "port"]));
    let expected = "**Linux**\n\napt\n\n**macOS**\n\nbrew\n\nBetween.\n\n**Linux**\n\ndpkg\n\n**macOS**\n\nport\n";
    assert_eq!(markdown(&both), expected);
    let list =
        "<ul role=tablist><li role=presentation><a role=tab>Linux</a><li role=presentation><a role=tab>macOS</a></ul>";
    let wrapped = format!(
        "<div class=tablist-wrapper>{list}</div><div role=tabpanel><p>apt</div><div role=tabpanel><p>brew</div>"
    );
    assert_eq!(markdown(&wrapped), "**Linux**\n\napt\n\n**macOS**\n\nbrew\n", "Starlight");
}

#[test]
fn dots_that_are_drawn_part_the_names_of_headings() {
    let html = "<h1>Adw<span class=sep></span>Page<span class=sep></span>get</h1><p>Gets <b>it</b><span class=sep></span> all.";
    assert_eq!(markdown(html), "# Adw.Page.get\n\nGets **it** all.\n");
}

#[test]
fn code_in_tabs_is_kept_between_kept_text() {
    let html =
        "<p>Run it.<div><ul class='nav nav-tabs'><li><a>DROP sh</a><li><a>DROP fish</a></ul><div class=tab-content>
        <div class=tab-pane><pre>DROP a</pre></div><div class=tab-pane><pre>DROP b</pre></div></div></div><p>It ran.";
    assert_eq!(
        markdown(html),
        "Run it.\n\n**DROP sh**\n\n```\nDROP a\n```\n\n**DROP fish**\n\n```\nDROP b\n```\n\nIt ran.\n"
    );
}

#[test]
fn footnotes_of_generators_are_footnotes() {
    let texinfo = "<p>It turns<a class=footnote id=DOCF8 href='#FOOT8'><sup>8</sup></a>.</p><div class=footnote><h4>Footnotes</h4>
        <h5><a id=FOOT8 href='#DOCF8'>(8)</a></h5><p>A note.</p></div>";
    assert_eq!(markdown(texinfo), "It turns[^1].\n\n#### Footnotes\n\n[^1]: A note.\n");
    for (from, html) in [
        (
            "docutils 0.17",
            "<p>It turns<a class='footnote-reference brackets' href='#id3' id=id1>1</a>.</p><dl class='footnote brackets'>
             <dt class=label id=id3><span class=brackets><a class=fn-backref href='#id1'>1</a></span></dt><dd><p>A note.</p></dd></dl>",
        ),
        (
            "docutils 0.17, cited twice",
            "<p>It turns<a class='footnote-reference brackets' href='#id3' id=id1>1</a>.</p><dl class='footnote brackets'>
             <dt class=label id=id3><span class=brackets>1</span><span class=fn-backref>(<a href='#id1'>1</a>,<a href='#id2'>2</a>)</span></dt>
             <dd><p>A note.</p></dd></dl>",
        ),
        (
            "docutils' tables",
            "<p>It turns<a class=footnote-reference href='#id3' id=id1>[1]</a>.</p><table class='docutils footnote' id=id3>
             <colgroup><col class=label><col></colgroup><tbody><tr><td class=label><a class=fn-backref href='#id1'>[1]</a></td>
             <td>A note.</td></tr></tbody></table>",
        ),
        (
            "Asciidoctor",
            "<p>It turns<sup class=footnote>[<a id=_footnoteref_1 class=footnote href='#_footnotedef_1'>1</a>]</sup>.</p>
             <div id=footnotes><hr><div class=footnote id=_footnotedef_1><a href='#_footnoteref_1'>1</a>. A note.</div></div>",
        ),
        (
            "HeVeA",
            "<p>It turns<sup><a id=text1 href='#note1'>1</a></sup>.</p><dl class=thefootnotes>
             <dt class=dt-thefootnotes><a id=note1 href='#text1'>1</a></dt><dd><div class=footnotetext>A note.</div></dd></dl>",
        ),
        (
            "mdBook",
            "<p>It turns<sup class=footnote-reference><a href='#1'>1</a></sup>.</p>
             <div class=footnote-definition id=1><sup class=footnote-definition-label>1</sup><p>A note.</p></div>",
        ),
        (
            "WordPress",
            "<p>It turns<sup data-fn=ab class=fn><a href='#ab' id=ab-link>1</a></sup>.</p>
             <ol class=wp-block-footnotes><li id=ab>A note. <a href='#ab-link'>↩︎</a></li></ol>",
        ),
    ] {
        let expected = "It turns[^1].\n\n[^1]: A note.\n";
        let written = markdown(html).replace("\n***\n", "");
        assert_eq!(written, expected, "{from}");
    }
    let cited = "<p>It turns<sup><a href='#fn1'>1</a></sup>.<ol><li id=fn1>A note.<li>Another.</ol>";
    assert_eq!(markdown(cited), "It turns[^1].\n\n2. Another.\n\n[^1]: A note.\n");
    let table = "<table><thead><tr><th>Mill<th>Power<tbody><tr><td>Wind<td>much<a href='#ftn.w' class=footnote><sup id=w>[a]</sup></a>
        <tr><td colspan=2><div id=ftn.w class=footnote><p><a href='#w' class=para><sup>[a] </sup></a>If it blows.</div></table><p>End.";
    assert_eq!(markdown(table), "| Mill | Power |\n| --- | --- |\n| Wind | much[^1] |\n\n[^1]: If it blows.\n\nEnd.\n");
}

#[test]
fn feet_of_tables_are_at_their_ends() {
    let table =
        "<table><thead><tr><th>Mill<th>Sacks<tfoot><tr><td>All<td>3<tbody><tr><td>Wind<td>1<tr><td>Water<td>2</table>";
    let expected = "| Mill | Sacks |\n| --- | --- |\n| Wind | 1 |\n| Water | 2 |\n| All | 3 |\n";
    assert_eq!(markdown(table), expected);
}

#[test]
fn titles_of_notes_and_formulas_between_text_are_kept() {
    let note = "<p>Before.<div class='dropdown admonition'><p class=admonition-title>DROP it</p><p>A note of some length.</div>";
    assert_eq!(markdown(note), "Before.\n\nDROP it\n\nA note of some length.\n");
    let gone = note.replace("A note", "DROP a note");
    assert_eq!(markdown(&gone), "Before.\n");
    let formula = "<p>In full:<div class='math notranslate'>\\[DROP = x\\]</div><p>Behind.";
    assert_eq!(markdown(formula), "In full:\n\n$$DROP = x$$\n\nBehind.\n");
}

#[test]
fn kinds_titles_and_tasks_that_classes_alone_tell_stand_once() {
    let icon = |inner: &str| {
        format!(
            "<p>It turns.<div class='admonitionblock tip'><table><tr><td class=icon>{inner}</td>
             <td class=content>Oil it.</td></tr></table></div>"
        )
    };
    for inner in ["<div class=title>Tip</div>", "<img src=t.png alt=Tip>", "<i class=icon-tip></i>"] {
        assert_eq!(markdown(&icon(inner)), "It turns.\n\n**Tip**\n\nOil it.\n", "{inner}");
    }
    let listing = "<div class=listingblock><div class=title>DROP.yml</div><div class=content><pre>a</pre></div></div>";
    assert_eq!(markdown(&format!("<p>Run:{listing}<p>It turns.")), "Run:\n\nDROP.yml\n\n```\na\n```\n\nIt turns.\n");
    let tasks = "<ul class=inline-task-list><li class=checked><span>Oil it</span><li><span>Turn it</span></ul>";
    assert_eq!(markdown(tasks), "- [x] Oil it\n- [ ] Turn it\n", "Confluence");
}

#[test]
fn boxes_of_tasks_may_stand_in_labels() {
    let html = "<ul><li><label><input type=checkbox checked><span></span></label> done<li><label><input type=checkbox></label> open</ul>";
    assert_eq!(markdown(html), "- [x] done\n- [ ] open\n");
    let code = "<p>Run:<div class='language-bash x'><span class=lang>bash</span><pre><code>ls</code></pre></div>";
    assert_eq!(markdown(code), "Run:\n\n```bash\nls\n```\n");
}

#[test]
fn a_colon_behind_the_sign_of_a_footnote_begins_no_footnote() {
    let page = |before: &str| {
        format!("<p>{before}<sup><a href='#fn1'>1</a></sup>: all of them</p><div id=fn1><p>A letter.</div>")
    };
    assert_eq!(markdown(&page("The crew")), "The crew[^1]: all of them\n\n[^1]: A letter.\n");
    assert_eq!(markdown(&page("")), "[^1] : all of them\n\n[^1]: A letter.\n");
}

#[test]
fn notes_within_lines_are_footnotes() {
    let note = |text: &str| {
        format!(
            "<span class='ltx_note ltx_role_footnote'><sup class=ltx_note_mark>1</sup><span class=ltx_note_outer>\
             <span class=ltx_note_content><sup class=ltx_note_mark>1</sup><span class='ltx_tag ltx_tag_note'>1</span>{text}</span></span></span>"
        )
    };
    let page = format!("<p>By Burr.{} They <i>grow</i>.{}</p><p>Far.", note("As <b>rows</b>."), note("Slowly."));
    assert_eq!(markdown(&page), "By Burr.[^1] They *grow*.[^2]\n\nFar.\n\n[^1]: As **rows**.\n\n[^2]: Slowly.\n");
    let in_sign = "<p>It turns.<sup class=fn>66<span class=fn-text>As <b>mills</b> do.</span></sup> Far.";
    assert_eq!(markdown(in_sign), "It turns.[^1] Far.\n\n[^1]: As **mills** do.\n", "SWI-Prolog");
    assert_eq!(markdown("<p>It turns.<sup class=fn>66</sup>"), "It turns.<sup>66</sup>\n");
}

#[test]
fn what_is_said_and_shown_stands_once() {
    let price = "<p>For <span class=a-offscreen>$24.90</span><span aria-hidden=true><span>$</span><span>24<span>.</span></span>90</span> now";
    assert_eq!(markdown(price), "For \\$24.90 now\n");
    assert_eq!(markdown("<p><span>24</span><span aria-hidden=true>25</span>"), "2425\n");
}

#[test]
fn lines_of_han_and_kana_are_joined_where_browsers_do() {
    assert_eq!(markdown("<p>日本語の\n  改行は<b>空白</b>\nでない"), "日本語の改行は**空白** でない\n");
    assert_eq!(markdown("<p>한국어\n문장 漢字\n한국"), "한국어 문장 漢字 한국\n");
    assert_eq!(markdown("<p>使用\nLinux\n系统，\n很好"), "使用 Linux 系统，很好\n");
    assert_eq!(markdown("<p>一行<br>\n二行<br>三\n行"), "一行  \n二行  \n三行\n");
    assert_eq!(markdown("<p><code>一\n二</code>"), "`一 二`\n");
    assert_eq!(markdown("<p style='white-space:pre-line'>一\n二"), "一  \n二\n");
    assert_eq!(markdown("<pre>一行\n二行</pre>"), "```\n一行\n二行\n```\n");
}

#[test]
fn line_ends_that_are_shown_part_lines() {
    let plan = "<p style='color:red; white-space:pre-wrap'>Dear all,\n\nThe plan:\n1 July <b>it\nends</b></p>";
    assert_eq!(markdown(plan), "Dear all,\n\nThe plan:  \n1 July **it**  \n**ends**\n");
    assert_eq!(markdown("<p style='white-space: nowrap'>a\nb"), "a b\n");
}

#[test]
fn what_leads_around_the_page_is_no_text() {
    let printed =
        "<p>The first. <span class='printed-page-inline x'><span>Start Printed Page 12</span></span>The second.";
    assert_eq!(markdown(printed), "The first. The second.\n");
    let figure = "<p>Words.<figure><p><a href=/x>Open in a new tab</a></p><figcaption>A mill</figcaption></figure>";
    assert_eq!(markdown(figure), "Words.\n\n*A mill*\n");
    let note = "<p>Claim.<sup>[<a href='#footnote-1' id=c1 rel=footnote>1</a>]</sup></p>
        <div id=footnote-1><p>A letter. <a href='#c1' class=back>Back to Citation</a></div>";
    assert_eq!(markdown(note), "Claim.[^1]\n\n[^1]: A letter.\n");
}

#[test]
fn cells_of_notebooks_are_python() {
    let html = "<div class='CodeMirror cm-s-jupyter'><div class='highlight hl-ipython3'><pre><span></span>a = 1</pre></div></div>";
    assert_eq!(markdown(html), "```python\na = 1\n```\n");
    assert_eq!(markdown("<div class='highlight hl-r'><pre>a</pre></div>"), "```r\na\n```\n");
    assert_eq!(markdown("<div class='hl-main'><pre>a</pre></div>"), "```\na\n```\n");
}

#[test]
fn formulas_of_pandoc_are_the_text_of_their_spans() {
    let html = "<p>Let <span class='math inline'>a_1</span> be <span class='math display'>\\sum x</span></p>";
    assert_eq!(markdown(html), "Let $a_1$ be\n\n$$\\sum x$$\n");
    assert_eq!(markdown("<p>Let <span class='math inline'><em>a</em></span> be"), "Let *a* be\n");
    let image = "<p><img src=//e.org/i class='math display' alt='a_1'></p>";
    assert_eq!(markdown(image), "$$a_1$$\n");
}

#[test]
fn lists_are_numbered_as_their_style_says() {
    let list = |style: &str| markdown(&format!("<ol style='{style}'><li>Mix<li>Bake</ol>"));
    assert_eq!(list("margin: 0; list-style-type: lower-alpha"), "- a. Mix\n- b. Bake\n");
    assert_eq!(list("list-style: inside upper-roman"), "- I. Mix\n- II. Bake\n");
    assert_eq!(list("list-style-type: decimal; color: lower-alpha"), "1. Mix\n2. Bake\n");
}

#[test]
fn slides_have_their_notes() {
    let html = "<section><p>Mills<a href='#/fn1' class=footnote-ref id=fnref1 role=doc-noteref><sup>1</sup></a></p></section>\
        <section class='footnotes footnotes-end-of-document' role=doc-endnotes><ol><li id=fn1><p>Of wind.\
        <a href='#/fnref1' class=footnote-back role=doc-backlink>↩︎</a></p></li></ol></section>";
    assert_eq!(markdown(html), "Mills[^1]\n\n[^1]: Of wind.\n");
}

#[test]
fn lists_and_citations_of_latexml_are_plain() {
    let entry = |sign: &str, text: &str| {
        let tag = format!("<span class='ltx_tag ltx_tag_item'>{sign}</span>");
        format!("<li class=ltx_item style='list-style-type:none;'>{tag} <div class=ltx_para><p>{text}</p></div></li>")
    };
    let items = entry("•", "Mix") + &entry("–", "Bake") + &entry("(R1)", "Eat");
    assert_eq!(markdown(&format!("<ul class=ltx_itemize>{items}</ul>")), "- Mix\n- Bake\n- (R1) Eat\n");
    let items = entry("(a)", "Mix") + &entry("(b)", "Bake");
    assert_eq!(markdown(&format!("<ol class=ltx_enumerate>{items}</ol>")), "- a. Mix\n- b. Bake\n");
    let cite =
        "<p>See <cite class='ltx_cite ltx_citemacro_cite'>[<a href='#b1'>1</a>]</cite> and <cite>Mills</cite>.</p>";
    assert_eq!(markdown(cite), "See [[1](https://e.org/a/b#b1)] and *Mills*.\n");
}

#[test]
fn the_labels_of_panels_of_vuepress_stand_once() {
    let panel = |name: &str, code: &str| {
        format!("<div class=vp-code-tab role=tabpanel><div class=vp-code-tab-title>{name}</div><pre>{code}</pre></div>")
    };
    let labels =
        "<div class=vp-code-tabs-nav role=tablist><button role=tab>Yarn</button><button role=tab>npm</button></div>";
    let tabs = [panel("Yarn", "yarn add mill"), panel("npm", "npm i mill")].concat();
    let html = format!("<p>Install:<div class=vp-code-tabs>{labels}{tabs}</div>");
    let code = "Install:\n\n**Yarn**\n\n```\nyarn add mill\n```\n\n**npm**\n\n```\nnpm i mill\n```\n";
    assert_eq!(markdown(&html), code);
}

#[test]
fn pictures_that_lead_through_a_manual_are_left_out() {
    let link = |name: &str| format!("<a href=x><img src={name}.svg alt={name}></a> ");
    let bar = [link("Previous"), link("Up"), link("Next")].concat();
    assert_eq!(markdown(&format!("<div>{bar}</div><h1>Mills</h1><p>They turn.")), "# Mills\n\nThey turn.\n");
    let shown = bar.replace("Up", "mill");
    assert!(
        markdown(&format!("<div>{shown}</div><h1>Mills</h1><p>They turn.")).contains("mill.svg"),
        "of something else"
    );
}
