//! What generators of references, notebooks and blogs write: declarations, cells, numbers of lines, formulas.

use super::tests::markdown;

#[test]
fn declarations_and_descriptions_of_members_are_the_page_s_own() {
    let copied = "<span class=top-right-position><div class='copy-popup-wrapper popup-to-left'><svg></svg><span>DROP copied</span></div></span>";
    let member = format!(
        "<div class='platform-hinted '><div class='content sourceset-dependent-content'>\
        <div class='symbol monospace'>DROP fun &lt;<a href=t>T</a>&gt; turn(): <a href=t>T</a>{copied}</div>\
        <div class='brief '><p>DROP turns.</p></div></div></div>"
    );
    let page = format!(
        "<h1>Mill</h1><p>Grinds.</p><h2>Functions</h2><div class=table-row><div class=platform-tags><div>common</div></div>\
        {member}</div>"
    );
    let written = "# Mill\n\nGrinds.\n\n## Functions\n\n```kotlin\nDROP fun <T> turn(): T\n```\n\nDROP turns.\n";
    assert_eq!(markdown(&page), written, "Dokka");
    let others = page.replace("platform-hinted", "hinted").replace("sourceset-dependent-content", "set");
    assert!(!markdown(&others).contains("turns."));
    assert_eq!(markdown(&format!("<p>DROP</p>{member}")), "", "of a page of which nothing is kept");
}

#[test]
fn code_in_cells_of_notebooks_stays_with_the_text_before_them() {
    let code = |text: &str| format!("<div class=sourceCode><pre>{text}</pre></div>");
    let output = |text: &str| format!("<div class=cell-output><pre>{text}</pre></div>");
    let cell = format!("<div class=cell>{}{}</div>", code("DROP 1"), output("DROP 2"));
    let folded = format!("<div class=cell><details><summary>DROP code</summary>{}</details></div>", code("DROP 3"));
    let page = format!("<main><p>So:</p>{cell}{folded}<p>DROP end</p></main>");
    let blocks = ["DROP 1", "DROP 2", "DROP code", "DROP 3"];
    assert!(blocks.iter().all(|block| markdown(&page).contains(block)), "{}", markdown(&page));
    assert_eq!(markdown(&page.replace("So:", "DROP:")), "");
    let apart = format!("<main><p>So:</p><p>DROP</p>{cell}<p>End.</p></main>");
    assert_eq!(markdown(&apart), "So:\n\nEnd.\n");
    let elsewhere = format!("<main><div><p>So:</p></div><div>{cell}<p>DROP</p></div></main>");
    assert_eq!(markdown(&elsewhere), "So:\n", "another container");
}

#[test]
fn words_that_lead_from_code_to_code_stay() {
    let page =
        |words: &str| format!("<main><p>So:</p><pre>turn()</pre><p>{words}</p><div><pre>DROP 1</pre></div></main>");
    assert_eq!(markdown(&page("DROP out:")), "So:\n\n```\nturn()\n```\n\nDROP out:\n\n```\nDROP 1\n```\n");
    assert_eq!(markdown(&page("DROP out")), "So:\n\n```\nturn()\n```\n");
    assert_eq!(markdown(&page(&format!("{}DROP:", "many words ".repeat(8)))), "So:\n\n```\nturn()\n```\n");
}

#[test]
fn numbers_of_lines_without_class_are_told_by_their_style() {
    let style = "white-space:pre;-webkit-user-select:none;user-select:none;margin-right:0.4em;color:#7f7f7f";
    let line = |number: &str, text: &str| {
        format!("<span style='display:flex;'><span style='{style}'>{number}</span><span>{text}\n</span></span>")
    };
    let pre = |lines: &str| format!("<pre tabindex=0 style='color:#fff'><code class=language-sh>{lines}</code></pre>");
    let inline = pre(&(line("1", "cd mill") + &line("2", "make")));
    assert_eq!(markdown(&inline), "```sh\ncd mill\nmake\n```\n");
    let old = inline.replace(style, "margin-right:0.4em;padding:0 0.4em 0 0.4em;color:#7f7f7f");
    assert_eq!(markdown(&old), "```sh\ncd mill\nmake\n```\n");
    assert!(markdown(&inline.replace(style, "color:#7f7f7f")).contains("1cd mill"), "numbers may be code");
    assert!(markdown(&inline.replace("'>1<", "'>$<")).contains("$cd mill"), "a prompt");
    let numbers = format!("<pre><code><span style='{style}'>1\n</span><span style='{style}'>2\n</span></code></pre>");
    let table = format!("<table><tr><td>\n{numbers}</td>\n<td>\n{}</td></tr></table>", pre("cd mill\nmake\n"));
    assert_eq!(markdown(&table), "```sh\ncd mill\nmake\n```\n");
}

#[test]
fn older_wikis_name_the_language_of_code() {
    let geshi = |name: &str| {
        format!("<div class=mw-geshi><div class='{name} source-{name}'><pre class=de1>turn();</pre></div></div>")
    };
    assert_eq!(markdown(&geshi("cpp")), "```cpp\nturn();\n```\n");
    assert_eq!(markdown(&geshi("text")), "```\nturn();\n```\n");
}

#[test]
fn links_to_the_source_of_a_member_are_no_text() {
    let link = |words: &str| format!("<a href=/tree/mill.nim#L8 class=link-seesrc>{words}</a>");
    let member =
        format!("<dt><pre>proc turn()</pre></dt><dd>It turns.\n{}&nbsp;&nbsp;{}\n</dd>", link("Source"), link("Edit"));
    assert_eq!(markdown(&format!("<dl>{member}</dl>")).matches("It turns.\n").count(), 1);
    assert!(!markdown(&format!("<dl>{member}</dl>")).contains("Source"));
}

#[test]
fn a_style_sheet_of_a_renderer_says_that_there_are_formulas() {
    let sheet = "<link href=https://cdn.e.org/KaTeX/0.16/katex.min.css rel=stylesheet>";
    let page = "<p>so <span>$a_b$</span> is \\(c_d\\)</p><p>or $5 and $10</p>";
    assert_eq!(markdown(&format!("{sheet}{page}")), "so $a_b$ is $c_d$\n\nor \\$5 and \\$10\n");
    assert!(markdown(page).starts_with("so \\$a_b\\$ is"));
    assert_eq!(markdown("<p>So</p><p class=math-container>\\[a_b\\]</p>"), "So\n\n$$a_b$$\n");
}
