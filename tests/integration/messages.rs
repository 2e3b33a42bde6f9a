//! What people are told: of keys that are wrong, of archives without records, of nothing found, of what is known already.

use serde_json::Value;

use crate::http::Site;
use crate::support::{folder, run};

const MILLS: &[u8] = b"<title>Mills</title><h1>Mills</h1><p>Old mills grind slowly but well.</p>";

#[test]
fn takedowns_tell_their_query() {
    let folder = folder(&[("mills.html", MILLS)]);
    run(folder.path(), ["ingest", "--data", "data", "mills.html"]).success();
    run(folder.path(), ["delete", "--data", "data", "--query", "slowly mills", "--note", "by request"]).success();
    let listed = run(folder.path(), ["takedowns", "--data", "data"]).success();
    assert!(listed.contains("by the query `slowly mills`  (by request)"), "{listed}");
    let listed = run(folder.path(), ["takedowns", "--data", "data", "--format", "json"]).json();
    assert_eq!(listed[0]["query"], "slowly mills");
    let site = Site::new();
    assert_eq!(site.with_headers("DELETE", "/v1/pages?q=overshot", "").status, 200);
    let listed: Value = site.get("/v1/takedowns").json();
    assert_eq!(listed["takedowns"][0]["query"], "overshot", "{listed}");
}
