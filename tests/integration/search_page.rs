//! The search page beyond its results: suggestions, filters that come and go, more like this, pages for what is not there.

use crate::http::Site;

#[test]
fn words_and_titles_are_suggested() {
    let site = Site::new();
    let answer = site.get("/v1/suggest?q=old%20gra").json();
    let queries: Vec<&str> =
        answer["queries"].as_array().unwrap().iter().map(|query| query.as_str().unwrap()).collect();
    assert!(queries.contains(&"old grain") && queries.contains(&"old granary"), "{answer}");
    let titles = site.get("/v1/suggest?q=Water%20mi").json();
    assert_eq!(titles["titles"][0]["title"], "Water mills - Museum");
    assert_eq!(titles["titles"][0]["page_id"].as_str().unwrap().len(), 32);
    for nothing in ["", "g", "gra%20", "site:mu", "%22gra", "zzzzz"] {
        let answer = site.get(&format!("/v1/suggest?q={nothing}")).json();
        assert_eq!(
            (&answer["queries"], &answer["titles"]),
            (&serde_json::json!([]), &serde_json::json!([])),
            "{nothing}"
        );
    }
    assert_eq!(site.get("/v1/suggest").error().1, "bad_parameter");
}

#[test]
fn filters_tick_and_untick() {
    let site = Site::new();
    let page = site.get("/?q=water+OR+grain+site%3Amuseum.example").body;
    for part in [
        "<a class=\"chip\" href=\"?q=water+OR+grain\"><bdi>site: museum.example</bdi>",
        "href=\"?q=water+OR+grain\" aria-current=\"true\"><bdi>museum.example</bdi>",
        "href=\"?q=water+OR+grain+site%3Amuseum.example+lang%3Aen\"><bdi>en</bdi>",
        "<input type=\"hidden\" name=\"q\" value=\"water OR grain site:museum.example\">",
    ] {
        assert!(page.contains(part), "no {part} in {page}");
    }
    let range = site.get("/?q=mill+date%3A2001&from=2007&to=");
    assert_eq!((range.status, range.header("location")), (303, Some("/?q=mill+date%3A2007..")));
}

#[test]
fn what_is_not_shown_is_told() {
    let site = Site::new();
    let page = site.get("/?q=overshot+granary").body;
    assert!(page.contains("missing: <s>granary</s>") && page.contains("missing: <s>overshot</s>"), "{page}");
    assert!(!site.get("/?q=water+mills").body.contains("missing:"), "forms of a word are the word");
    let corrected = site.get("/?q=granarry").body;
    let link = "<a href=\"?q=granary\"><b><bdi>granary</bdi></b></a> instead";
    assert!(corrected.contains(link) && corrected.contains("href=\"?q=%22granarry%22\""), "{corrected}");
}

#[test]
fn more_like_a_block_is_asked_for() {
    let site = Site::new();
    let found = site.get("/v1/search?q=overshot").json();
    let block = found["pages"][0]["blocks"][0]["block_id"].as_str().unwrap().to_owned();
    let page = site.get("/?q=overshot").body;
    assert!(page.contains(&format!("href=\"?like={block}\">More like this")), "{page}");
    assert!(page.contains("href=\"https://web.archive.org/web/20080430204825/http://museum.example/mills\""), "{page}");
    assert!(page.contains("“Water mills - Museum”. </bdi>museum.example. Captured 30 April 2008."), "{page}");
    assert_eq!(site.get(&format!("/?like={block}")).status, 200);
    assert_eq!(site.get("/?like=nothing").status, 404);
}

#[test]
fn what_is_not_there_is_a_page_for_browsers() {
    let site = Site::new();
    let ask = |accept: &str| {
        site.send(&format!("GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept: {accept}\r\n\r\n"))
    };
    let page = ask("text/html,*/*");
    assert!(page.status == 404 && page.body.contains("<h1>Not found</h1>"), "{}", page.body);
    assert_eq!(ask("application/json").error(), (404, "not_found".to_owned()));
}

#[test]
fn a_word_is_completed_though_its_stem_is_shorter() {
    let site = Site::with(&[(
        "http://e.org/",
        "<html lang=en><title>Rules</title><p>Moderation of comments, organized by moderators, is organization.",
    )]);
    let answer = site.get("/v1/suggest?q=modera").json();
    let queries: Vec<&str> =
        answer["queries"].as_array().unwrap().iter().map(|query| query.as_str().unwrap()).collect();
    assert!(queries.contains(&"moderation") || queries.contains(&"moderators"), "{answer}");
}

/// What librarians read: no blocks, hosts and bytes.
#[test]
fn the_page_speaks_of_passages_and_places() {
    let site = Site::new();
    let page = site.get("/?q=overshot").body;
    assert!(page.contains("passage matches") || page.contains("passages match"), "{page}");
    assert!(page.contains("<summary>Website</summary>"), "{page}");
    let wrong = site.get("/?q=overshot+AND+(wheel").body;
    assert!(wrong.contains("(at “(wheel”)") && !wrong.contains("byte"), "{wrong}");
}
