//! Slips in the words of a query: where another word is put, and where it is only asked about.

use serde_json::{Value, json};

use crate::support::{folder, run};

/// Answers queries on pages of these names, languages and texts.
fn asking(pages: &[(String, &str, String)]) -> impl Fn(&str) -> Value {
    let pages: Vec<(String, String)> = pages
        .iter()
        .map(|(name, language, text)| {
            (format!("{name}.html"), format!("<html lang={language}><title>{name}</title><h1>{name}</h1><p>{text}"))
        })
        .collect();
    let files: Vec<(&str, &[u8])> = pages.iter().map(|(name, html)| (name.as_str(), html.as_bytes())).collect();
    let folder = folder(&files);
    run(folder.path(), ["ingest", "--data", "data", "."]).success();
    move |query| run(folder.path(), ["search", "--data", "data", "--format", "json", "--", query]).json()
}

/// As many pages with a text, in which `_` is their number.
fn many(count: usize, name: &str, text: &str) -> Vec<(String, &'static str, String)> {
    (0..count).map(|number| (format!("{name}{number}"), "en", text.replace('_', &number.to_string()))).collect()
}

#[test]
fn a_stem_of_another_language_hides_no_slip() {
    let mut pages =
        many(12, "cookies", "Stir the dark molasses into bowl _ and bake the soft cookies until they are done.");
    let danish = "Sukkeret koges længe, og af de mørke molasser bliver der ikke meget tilbage i gryden.";
    pages.push(("sukker".to_owned(), "da", danish.to_owned()));
    let answer = asking(&pages);
    // In Danish the two have one stem, so the slip was taken for another form of the word, of which it found the Danish page alone.
    let note = answer("molases")["notes"][0]["correction"].clone();
    assert_eq!((&note["given"], &note["suggested"]), (&json!("molases"), &json!("molasses")));
}

#[test]
fn a_rare_word_that_belongs_to_the_query_is_not_asked_about() {
    let mut pages = many(30, "soups", "Boil the bones for hour _ until the broth is clear, and add salt.");
    let text = "Das Naan ist ein Brot aus Indien, und wer Naan backen will, braucht ein heißes Blech.";
    pages.push(("naan".to_owned(), "de", text.to_owned()));
    let answer = asking(&pages);
    assert_eq!(answer("brot")["notes"][0]["correction"]["suggested"], "broth");
    assert_eq!(answer("naan brot")["notes"], json!([]));
}

#[test]
fn a_word_of_one_page_is_only_asked_about() {
    let mut pages = many(1, "rivers", "The boat went down to Manitou in year _, and came back in spring.");
    pages.extend(many(3, "mills", "The miller of village _ grinds corn between the stones."));
    let answer = asking(&pages);
    let applied = |query: &str| answer(query)["notes"][0]["correction"]["applied"].clone();
    assert_eq!([applied("manatou"), applied("manitu"), applied("mitler")], [json!(false), json!(true), json!(true)]);
}

#[test]
fn a_heading_alone_is_shown_with_what_follows() {
    let page = "<html lang=en><title>Cacio e Pepe</title><body><main><h1>Cacio e Pepe</h1><h2>Ingredients</h2>\
         <ul><li>six ounces of bucatini</li><li>two spoons of olive oil</li><li>much black pepper from the mill</li></ul>\
         <h2>Directions</h2><p>Cook the pasta in water with salt, and keep a cup of the water for the sauce of cheese.</p></main>";
    let folder = folder(&[("pepe.html", page.as_bytes())]);
    run(folder.path(), ["ingest", "--data", "data", "."]).success();
    let answer = run(folder.path(), ["search", "--data", "data", "--format", "json", "--", "cacio e pepe"]).json();
    let block = &answer["pages"][0]["blocks"][0];
    let snippet = block["snippet"]["text"].as_str().unwrap();
    assert!(snippet.starts_with("Cacio e Pepe") && snippet.contains("bucatini"), "{block}");
}
