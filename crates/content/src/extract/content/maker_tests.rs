//! What further makers of pages write around their words: wikis, archives of mail, converters of TeX, manuals of programs, laws.

use super::tests::markdown;

#[test]
fn notes_of_gitbook_and_of_laws() {
    let gitbook = "<p>It turns.<sup><a href=#fn_1 id=reffn_1>1</a></sup></p>
        <blockquote id=fn_1>\n<sup>1</sup>. A note.<a href=#reffn_1 title='Jump back to footnote [1] in the text.'> ↩</a>\n</blockquote>";
    assert_eq!(markdown(gitbook), "It turns.[^1]\n\n[^1]: A note.\n");
    let law = "<p>It turns<a class=LegCommentaryLink href=#commentary-c1 id=reference-c1>F1</a>.</p><div class=LegAnnotations>
        <p class=LegAnnotationsHeading>Annotations:<p class=LegAnnotationsGroupHeading>Amendments (Textual)
        <div class=LegCommentaryItem id=commentary-c1><p><span><a href=#reference-c1>F1</a></span>A note.</p></div></div>";
    assert_eq!(markdown(law), "It turns[^1].\n\n[^1]: A note.\n");
    assert_eq!(
        markdown("<blockquote><sup>1</sup> In the beginning.</blockquote>"),
        "> <sup>1</sup> In the beginning.\n"
    );
}

#[test]
fn headings_that_lead_to_the_contents_are_plain() {
    for heading in [
        "<h2 id=Wheels><a href='#toc-Wheels'>Wheels</a> <a class=hdr href='#Wheels'>§</a></h2>",
        "<h2><a name=s1></a> <a href='mill.html#toc1'>Wheels</a></h2>",
    ] {
        assert_eq!(markdown(&format!("{heading}<p>They turn.")), "## Wheels\n\nThey turn.\n");
    }
    let other = "<h2>Wheels of <a href='#water'>water</a></h2><p>They turn.";
    assert_eq!(markdown(other), "## Wheels of [water](https://e.org/a/b#water)\n\nThey turn.\n");
}

#[test]
fn declarations_of_pkg_go_dev_are_bare() {
    let html = "<div class=Documentation-declaration><span class=Documentation-declarationLink><a href=/s>View Source</a></span>
        <pre>var Slow = 1</pre></div><p>Turns.</p><div class=Documentation-exampleButtonsContainer><button>Share</button>
        <button>Format</button><button>Run</button></div>";
    assert_eq!(markdown(html), "```\nvar Slow = 1\n```\n\nTurns.\n");
}

#[test]
fn ornaments_of_headings_are_none_of_them() {
    let icon = |alt: &str| format!("<h2><img src=i.svg {alt}>Mills <a href='#mills'>¶</a></h2><p>They turn.");
    assert_eq!(markdown(&icon("alt=''")), "## Mills\n\nThey turn.\n");
    let photo = icon("alt=''").replace("i.svg", "i.jpg");
    assert_eq!(markdown(&photo), "## ![](https://e.org/a/i.jpg)Mills\n\nThey turn.\n");
    assert_eq!(markdown(&icon("alt=new")), "## ![new](https://e.org/a/i.svg)Mills\n\nThey turn.\n");
}

#[test]
fn wikis_have_no_marks_of_missing_pages_and_sorted_columns() {
    let html = "<div class=twikiToc><ul><li><a href='?#Kinds'>Kinds</a></ul></div><p>See <span class=twikiNewLink>NoMill<a
        rel=nofollow href='/edit/NoMill'>?</a></span> there.</p><table><tr><th><a href='?sortcol=0;table=1;up=0#sorted_table'>Wheel</a>
        <th>Power<tr><td>Overshot<td>12</table>";
    assert_eq!(markdown(html), "See NoMill there.\n\n| Wheel | Power |\n| --- | --- |\n| Overshot | 12 |\n");
}

#[test]
fn quotations_of_hyperkitty_are_such() {
    let html =
        "<p>A. wrote:</p><div class=quoted-switch><a href='#'>...</a></div><div class='quoted-text quoted-text-0'><p>It
        stands.</p></div><p>Open it.</p>";
    assert_eq!(markdown(html), "A. wrote:\n\n> It stands.\n\nOpen it.\n");
}

#[test]
fn pages_of_older_javadoc() {
    let eight = "<ul class=blockList><li class=blockList><h4>close</h4><pre>public&nbsp;void&nbsp;close()</pre><div class=block>Closes.
        <pre>close it</pre></div></li></ul>";
    assert_eq!(markdown(eight), "#### close\n\n```java\npublic void close()\n```\n\nCloses.\n\n```\nclose it\n```\n");
    let tabs = "<table><caption><span class=activeTableTab>All</span><span class=tableTab><a href='javascript:show(2)'>Some</a></span>
        </caption><tr><th>Type<th>Name<tr><td>int<td>grind</table>";
    assert_eq!(markdown(tabs), "| Type | Name |\n| --- | --- |\n| int | grind |\n");
    let six = "<table><tr><td class=NavBarCell3>SUMMARY: NESTED | <a href='#m'>METHOD</a></td></tr></table>
        <dl><dt><pre>public class <b>Mill</b><dt>extends Object<dt>implements Wheel</dl></pre><p>It grinds.";
    assert_eq!(markdown(six), "```\npublic class Mill\nextends Object\nimplements Wheel\n```\n\nIt grinds.\n");
}

#[test]
fn floats_and_formulas_of_hevea() {
    let table = "<blockquote class=table><div class=center><div class=center><hr class=floatrule></div><table border=1><tr><td>Wheel<td>Power
        <tr><td>Overshot<td>12</table><div class=caption>Table 1: Wheels</div><div class=center><hr class=floatrule></div></div></blockquote>";
    assert_eq!(markdown(table), "|  |  |\n| --- | --- |\n| Wheel | Power |\n| Overshot | 12 |\n\nTable 1: Wheels\n");
    let formula = "<p>Here</p><table class='display dcenter'><tr><td class=dcell><i>P</i> = <td class=dcell>∫<td class=dcell><table
        class=display><tr><td>h<tr><td><br><tr><td>0</table><td class=dcell><i>Q</i> (1)</table><p>is it.";
    assert_eq!(markdown(formula), "Here\n\n*P* = ∫ h 0 *Q* (1)\n\nis it.\n");
}

#[test]
fn lists_in_lists_alone_are_one() {
    let html = "<ol><ol type=a><li>high<li>low</ol></ol>";
    assert_eq!(markdown(html), "- a. high\n- b. low\n");
    assert_eq!(markdown("<ul><li>one<ul><li>two</ul></ul>"), "- one\n  - two\n");
}

#[test]
fn tables_of_jsdoc_hold_tables_of_properties() {
    let properties = "<h6>Properties</h6><table class=params><thead><tr><th>Name</th><th>Type</th></tr></thead>\
        <tbody><tr><td>wheels</td><td>number</td></tr></tbody></table>";
    let table = |head: &str, cell: &str| {
        format!(
            "<table class=params><thead><tr>{head}</tr></thead><tbody><tr><td>name</td><td>Its name</td></tr>\
             <tr><td>options</td><td>What it is like. {cell}</td></tr></tbody></table>"
        )
    };
    assert_eq!(
        markdown(&table("<th>Name</th><th>Description</th>", properties)),
        "| Name | Description |\n| --- | --- |\n| name | Its name |\n\
         | options | What it is like.<br>Properties<br>Name \\| Type<br>wheels \\| number |\n"
    );
    assert!(!markdown(&table("<td>Name</td><td>Description</td>", properties)).contains("| name |"), "a layout");
}

#[test]
fn bars_of_tables_and_of_code_are_no_text() {
    let table = "<h2>Methods</h2><div class=table-tabs role=tablist><button>All Methods</button>\
        <button>Instance Methods</button></div><div class=summary-table><div class='table-header col-first'>Type</div>\
        <div class='table-header col-last'>Method</div><div class=col-first>int</div><div class=col-last>open()</div></div>";
    assert_eq!(markdown(table), "## Methods\n\n| Type | Method |\n| --- | --- |\n| int | open() |\n");
    let code =
        "<p>As in<div class=codebox><p>Code: <a href='#'>Select all</a></p><pre><code>speed = 8</code></pre></div>";
    assert_eq!(markdown(code), "As in\n\n```\nspeed = 8\n```\n");
}

#[test]
fn whoever_a_quotation_is_of_has_no_image() {
    let quote = "<aside class='quote no-group'><div class=title><img class=avatar src=/a.png> ann:</div>\
        <blockquote><p>It squeaks.</blockquote></aside><p>Oil it.";
    assert_eq!(markdown(quote), "ann:\n\n> It squeaks.\n\nOil it.\n");
}
