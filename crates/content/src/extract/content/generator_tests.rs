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
fn tables_of_roles_are_tables() {
    let html = "<p>Sizes:<div role=table><div role=rowgroup><div role=row><span role=columnheader>DROP</span>
        <span role=columnheader>Size</span></div></div><div role=row><span role=cell>Rose</span><span role=cell>90 cm</span></div></div>
        <p>End.";
    assert_eq!(markdown(html), "Sizes:\n\n| DROP | Size |\n| --- | --- |\n| Rose | 90 cm |\n\nEnd.\n");
    let layout = "<div role=grid><div role=row><div role=gridcell>One</div><div role=gridcell>Two</div></div></div>";
    assert_eq!(markdown(layout), "One\n\nTwo\n");
}

#[test]
fn code_in_a_field_is_code() {
    let html = "<p>Example:</p><textarea class='Example code'>\nfunc main() {\n\tplant()\n}\n</textarea><p>It plants.";
    assert_eq!(markdown(html), "Example:\n\n```\nfunc main() {\n\tplant()\n}\n```\n\nIt plants.\n");
    assert_eq!(markdown(&html.replace(" code", "")), "Example:\n\nIt plants.\n");
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
fn titles_of_notes_and_formulas_between_text_are_kept() {
    let note = "<p>Before.<div class='dropdown admonition'><p class=admonition-title>DROP it</p><p>A note of some length.</div>";
    assert_eq!(markdown(note), "Before.\n\nDROP it\n\nA note of some length.\n");
    let gone = note.replace("A note", "DROP a note");
    assert_eq!(markdown(&gone), "Before.\n");
    let formula = "<p>In full:<div class='math notranslate'>\\[DROP = x\\]</div><p>Behind.";
    assert_eq!(markdown(formula), "In full:\n\n$$DROP = x$$\n\nBehind.\n");
}

#[test]
fn boxes_of_tasks_may_stand_in_labels() {
    let html = "<ul><li><label><input type=checkbox checked><span></span></label> done<li><label><input type=checkbox></label> open</ul>";
    assert_eq!(markdown(html), "- [x] done\n- [ ] open\n");
    let code = "<p>Run:<div class='language-bash x'><span class=lang>bash</span><pre><code>ls</code></pre></div>";
    assert_eq!(markdown(code), "Run:\n\n```bash\nls\n```\n");
}
