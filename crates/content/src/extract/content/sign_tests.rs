//! What highlighters, generators and signs of a page become.

use super::tests::{content, markdown};
use crate::document::to_text;

#[test]
fn code_is_told_by_what_highlights_it() {
    for (html, expected) in [
        (
            "<div class=fragment><div class=line><span class=lineno>1</span>if (a) {</div><div class=line>  b();</div></div>",
            "```\nif (a) {\n  b();\n```\n",
        ),
        (
            "<table class=crayon-table><tr><td class=crayon-nums><div class=crayon-num>1</div></td><td class=crayon-code>
             <div class=crayon-pre><div class=crayon-line>a</div><div class=crayon-line>&nbsp;b</div></div></td></table>",
            "```\na\n b\n```\n",
        ),
        (
            "<pre><code class=language-js>a</code><code class='language-js cjs'>b</code><button>copy</button></pre>",
            "```js\na\n```\n\n```js\nb\n```\n",
        ),
        ("<pre><div>python</div><div><code class=language-python>a = 1</code></div></pre>", "```python\na = 1\n```\n"),
        (
            "<table class=highlighttable><tr><th class=filename><span class=filename>b.py</span><tr><td class=linenos>1
             <td class=code><pre>y</pre></table>",
            "`b.py`\n\n```\ny\n```\n",
        ),
        ("<div class=member-signature>void <b>borrow</b>()\n  throws X</div>", "```java\nvoid borrow()\n  throws X\n```\n"),
        ("<p><code>for x:<br>&nbsp;&nbsp;print(x)<br>run()</code>", "```\nfor x:\n  print(x)\nrun()\n```\n"),
        ("<p><code>a<br>b</code>", "`a`  \n`b`\n"),
        ("<pre data-enlighter-language=php>a</pre>", "```php\na\n```\n"),
        ("<figure class='highlight python'><pre>a</pre></figure>", "```python\na\n```\n"),
        ("<pre lang=xml>a</pre><pre lang=en>b</pre>", "```xml\na\n```\n\n```\nb\n```\n"),
        (
            "<table><tr><td><pre class=lines>\n\n8\n9</pre></td><td><pre class=code># b.rb\n\ndef a\nend</pre></table>",
            "```\n# b.rb\n\ndef a\nend\n```\n",
        ),
        ("<pre><code class='cpp hljs'>a</code></pre>", "```cpp\na\n```\n"),
        ("<pre><code class=lang-auto>a</code></pre>", "```\na\n```\n"),
        ("<pre>a</pre><div class=line-numbers-wrapper aria-hidden=true><span>1</span></div>", "```\na\n```\n"),
    ] {
        assert_eq!(markdown(html), expected, "{html}");
    }
}

#[test]
fn formulas_need_no_delimiters_of_their_own() {
    let renderer = "<script src=/mathjax.js></script>";
    for (html, expected) in [
        (
            format!("{renderer}<p>so \\begin{{align*}} a_1 &amp;= b \\end{{align*}} is"),
            "so\n\n$$\\begin{align*} a_1 &= b \\end{align*}$$\n\nis\n",
        ),
        (format!("{renderer}<p>so \\begin{{verse}} a"), "so \\begin{verse} a\n"),
        ("<p>so <math-renderer class=js-inline-math>$a_b$</math-renderer> is".to_owned(), "so $a_b$ is\n"),
        ("<p>so <math><msup><mi>a</mi><mn>2</mn></msup></math> is".to_owned(), "so $a^2$ is\n"),
    ] {
        assert_eq!(markdown(&html), expected, "{html}");
    }
}

#[test]
fn a_table_that_lays_out_formulas_is_formulas_with_their_numbers() {
    let wrong = "<table><tr><td><math><mi>a</mi></math><td>is an area</table>";
    for (html, expected) in [
        (
            "<table class='ltx_equation ltx_eqn_table'><tr><td class=x></td><td><math alttext='a' display=block><mi>a</mi></math></td>
             <td>(1)</td></table>",
            "$$a \\tag{1}$$\n",
        ),
        (
            "<table><tr><td><img alt='$\\displaystyle f(x)$' src=a.png><td><img alt='$= x^2$' src=b.png>,<td>(3.1a)
             <tr><td>&nbsp;<td><img alt='$= x^3$' src=c.png><td class=eqno>&nbsp;</table>",
            "$$f(x) = x^2, \\tag{3.1a}$$\n\n$$= x^3$$\n",
        ),
        (
            "<table><tr><td><td><img alt='\\begin{displaymath}e\\end{displaymath}' src=a.png><td><p></p><td><p><b>(2)</b></table>",
            "$$e \\tag{2}$$\n",
        ),
        (
            "<table><tr><td><!-- MATH $a$ --><img alt='$a$' src=a.png>, <math><mi>b</mi></math><td>(4)
             <tr><td><script type='math/tex'>c</script><td>(5)</table>",
            "$$a, b \\tag{4}$$\n\n$$c \\tag{5}$$\n",
        ),
        // Formulas below heads, formulas beside words, and words beside numbers are none.
        ("<table><tr><th>a<th>b<tr><td><math><mi>a</mi></math><td><math><mi>b</mi></math></table>", "| a | b |\n| --- | --- |\n| $a$ | $b$ |\n"),
        (wrong, "|  |  |\n| --- | --- |\n| $a$ | is an area |\n"),
        ("<table><tr><td><img src=note.png alt=''><td>Mind the gap.</table>", "![](https://e.org/a/note.png)\n\nMind the gap.\n"),
        ("<table><tr><td><ul><li>a<li>b</ul><td>c</table>", "- a\n- b\n\nc\n"),
        ("<table><tr><td><p>sin(x)<td><p>Sine.</table>", "|  |  |\n| --- | --- |\n| sin(x) | Sine. |\n"),
        ("<table><tr><td>a<td>(1)<tr><td>b<td>(2)</table>", "|  |  |\n| --- | --- |\n| a | (1) |\n| b | (2) |\n"),
    ] {
        assert_eq!(markdown(html), expected, "{html}");
    }
}

#[test]
fn signs_are_written_as_what_they_say() {
    for (html, expected) in [
        ("<p>was <del>49</del> <s>a</s> 39", "was ~~49~~ ~~a~~ 39\n"),
        ("<ul><li><input type=checkbox checked disabled> a<li><input type=checkbox> b", "- [x] a\n- [ ] b\n"),
        ("<ul><li>[x] a<li>[ ] b", "- \\[x] a\n- \\[ ] b\n"),
        ("<ol><li value=3>a<li>b<li value=10>c</ol>", "3. a\n4. b\n\n10) c\n"),
        (
            "<table><tr><th>a<th>b<tr><td>c<td><svg aria-label='Not included'><path/></svg></table>",
            "| a | b |\n| --- | --- |\n| c | Not included |\n",
        ),
        ("<div role=heading aria-level=3>a</div><p>b", "### a\n\nb\n"),
        ("<h2>a <small><a href='#' class=toggle>collapse</a></small></h2><p>b", "## a\n\nb\n"),
        ("<h2>a <a href='javascript:void(0)'>[show]</a></h2><p>b", "## a\n\nb\n"),
        ("<h2><a href='#'>Show</a></h2><p>b", "## [Show](https://e.org/a/b#)\n\nb\n"),
        (
            "<p><ruby>東京<rt>とうきょう</rt></ruby>と<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>",
            "東京(とうきょう)と漢(かん)\n",
        ),
        (
            "<p>Write to <a href='/cdn-cgi/l/email-protection' data-cfemail='422b2c242d022f2b2e2e6c2d3025'>[email&#160;protected]</a>",
            "Write to [info@mill.org](mailto:info@mill.org)\n",
        ),
        (
            "<div class='admonitionblock tip'><table><tr><td class=icon><i class='fa icon-tip' title=Tip></i><td>Do it.</table></div>",
            "**Tip**\n\nDo it.\n",
        ),
        (
            "<div class=note><table summary=Note><tr><td rowspan=2><img alt='[Note]' src=n.png></td><th>Note</th><tr><td><p>Do it.</table></div>",
            "Note\n\nDo it.\n",
        ),
        (
            "<div class=note><table><tr><td>a<td>b<tr><td><img alt=c src=c.png><td>d</table></div>",
            "|  |  |\n| --- | --- |\n| a | b |\n| ![c](https://e.org/a/c.png) | d |\n",
        ),
        (
            "<div class=memproto><table class=mlabels><tr><td><table class=memname><tr><td class=memname>void <a href=x>f</a> </td>\
             <td>(</td><td>int&#160;</td><td><em>a</em>, </td><tr><td></td><td></td><td>int&#160;</td><td><em>b</em></td>\
             <tr><td></td><td>)</td><td></td><td> const</td></table></td><td><span class=mlabels><span class=mlabel>inline</span>\
             <span class=mlabel>static</span></span></td></table></div>",
            "```\nvoid f(int a,\n    int b) const\n```\n\ninline static\n",
        ),
        (
            "<table class=memberdecls><tr class=heading><td colspan=2><h2>Types</h2><tr><td class=memItemLeft>int&#160;</td>\
             <td class=memItemRight><a href=#n>next</a> ()</td><tr><td class=mdescLeft>&#160;</td><td class=mdescRight>Goes on.</td></table>",
            "## Types\n\nint [next](https://e.org/a/b#n) ()\n\nGoes on.\n",
        ),
        (
            "<details open><summary class=hideme>Expand description</summary><p>a <a class=src href=x#1>Source</a></details>",
            "a\n",
        ),
    ] {
        assert_eq!(markdown(html), expected, "{html}");
    }
}

#[test]
fn tables_of_divisions_are_tables() {
    let cell = |class: &str, text: &str| format!("<div class='{class}'>{text}</div>");
    let head = cell("table-header col-first", "Type") + &cell("table-header col-last", "Description");
    let row = |name: &str| cell("col-first even", &format!("<code>{name}</code>")) + &cell("col-last", "DROP it");
    let rows = row("void") + &row("int") + &row("a longer type");
    let html =
        format!("<ul class=summary-list><li><h2>Methods</h2><div class=summary-table>{head}{rows}</div></ul><p>b");
    let expected = "## Methods\n\n| Type | Description |\n| --- | --- |\n| `void` | DROP it |\n| `int` | DROP it |\n\
        | `a longer type` | DROP it |\n\nb\n";
    assert_eq!(markdown(&html), expected);
    let head = cell("table-header col-first", "Constructor") + &cell("table-header col-last", "Description");
    let row = |name: &str| cell("col-constructor-name even", name) + &cell("col-last", "DROP it");
    let html = format!("<div class=summary-table>{head}{}{}</div>", row("Mill()"), row("Mill(int)"));
    let expected = "| Constructor | Description |\n| --- | --- |\n| Mill() | DROP it |\n| Mill(int) | DROP it |\n";
    assert_eq!(markdown(&html), expected);
}

#[test]
fn signatures_of_haddock_are_code() {
    let links = "<a href=src/M.html#grind class=link>Source</a> <a href=#v:grind class=selflink>#</a>";
    let html = format!(
        "<div class=top><p class=src><a id=v:grind class=def>grind</a> :: <a href=C.html>Corn</a> -&gt; IO () {links}</p>
         <div class=doc><p>Grinds it.</div></div><p class=src>By <a class=link href=//r.org>R</a>, 2020</p>"
    );
    let expected = "```\ngrind :: Corn -> IO ()\n```\n\nGrinds it.\n\nBy [R](https://r.org/), 2020\n";
    assert_eq!(markdown(&html), expected);
}

#[test]
fn headings_are_no_links_to_themselves() {
    for (html, expected) in [
        ("<h2 id=w><a class=header href=#w>Wind</a></h2>", "## Wind\n"),
        ("<a href=#w id=w><h2>Wind</h2></a>", "## Wind\n"),
        ("<h2><a name=w></a><a href=#w>Wind</a></h2>", "## Wind\n"),
        ("<h2>Wind<a href=#w id=w>#w</a></h2>", "## Wind\n"),
        ("<h2><a href=#rust>#rust</a></h2>", "## [#rust](https://e.org/a/b#rust)\n"),
        ("<ul><li><a href=#more>More...</a></ul>", "- [More...](https://e.org/a/b#more)\n"),
        ("<h2 id=w><a href=#v>Wind</a></h2>", "## [Wind](https://e.org/a/b#v)\n"),
        ("<h2 id=w><a href=/w#w>Wind</a></h2>", "## [Wind](https://e.org/w#w)\n"),
        ("<p>Mills grind. <a href=#more>More...</a></p>", "Mills grind.\n"),
    ] {
        assert_eq!(markdown(html), expected, "{html}");
    }
}

#[test]
fn cells_of_plain_text_stand_in_their_columns() {
    let html = "<table><tr><th></th><th>Free<th>Pro<tr><td>Backups<td></td><td>yes<tr><td rowspan=2>Limits<td>10<td>20
        <tr><td>1 GB<td></td></table>";
    assert_eq!(to_text(&content(html)), " | Free | Pro\nBackups |  | yes\nLimits | 10 | 20\n | 1 GB");
}

#[test]
fn footnotes_are_found_by_the_address_of_their_page() {
    let html = "<p>Good<a class=footnote-anchor href='https://e.org/a/b#footnote-1'>1</a> it is.
        <div class=footnote><a id=footnote-1 class=footnote-number href='#footnote-anchor-1'>1</a><div><p>DROP hundred.</div></div>";
    assert_eq!(markdown(html), "Good[^1] it is.\n\n[^1]: DROP hundred.\n");
}
