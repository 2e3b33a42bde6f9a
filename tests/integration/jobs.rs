//! Jobs over HTTP: archives by their path, progress, an end before the end, and what became of the records.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use lopper::http::ServeOptions;
use lopper_collection::DataFolder;
use lopper_content::pipeline::ExtractParams;
use serde_json::{Value, json};

use crate::http::{Site, options};

/// A WARC of that many pages, and a picture.
pub(crate) fn warc(name: &str, pages: usize) -> String {
    let record = |url: &str, kind: &str, body: &str| {
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n\r\n{body}");
        let length = block.len();
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {length}\r\n\r\n{block}\r\n\r\n"
        )
    };
    let page = |number: usize| {
        let text = format!("Harbour {number} of {name} has {number} cranes and a lighthouse. ").repeat(30);
        record(
            &format!("http://{name}.example/{number}"),
            "text/html",
            &format!("<title>Harbour {number}</title><p>{text}"),
        )
    };
    (0..pages).map(page).collect::<String>() + &record(&format!("http://{name}.example/a.png"), "image/png", "PNG")
}

/// A server that may take archives in from the folder `crawls` beside its data folder.
fn site(archives: &[(&str, usize)]) -> Site {
    let folder = tempfile::tempdir().unwrap();
    let crawls = folder.path().join("crawls");
    fs::create_dir(&crawls).unwrap();
    for (name, pages) in archives {
        fs::write(crawls.join(format!("{name}.warc")), warc(name, *pages)).unwrap();
    }
    let collection = DataFolder::open_to_write(&folder.path().join("data"), ExtractParams::default()).unwrap();
    let options = ServeOptions { archive_folders: vec![crawls], ..options() };
    Site::serving(folder, collection, options)
}

fn start(site: &Site, body: &Value) -> Value {
    let answer = site.post("/v1/archives", "application/json", &body.to_string());
    assert_eq!(answer.status, 202, "{}", answer.body);
    let job = answer.json();
    assert_eq!(answer.header("location"), Some(format!("/v1/jobs/{}", job["number"]).as_str()));
    job
}

fn ended(site: &Site, job: &Value) -> Value {
    let begun = Instant::now();
    loop {
        let job = site.get(&format!("/v1/jobs/{}", job["number"])).json();
        if job["state"] != "running" {
            return job;
        }
        assert!(begun.elapsed() < Duration::from_mins(1), "{job}");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn archives_of_an_allowed_folder_are_taken_in_by_their_path() {
    let site = site(&[("north", 3), ("south", 2)]);
    let all = ended(&site, &start(&site, &json!({"path": "north.warc", "bodies": "keep"})));
    assert_eq!((&all["state"], &all["archive"]), (&"done".into(), &"north.warc".into()), "{all}");
    assert_eq!(all["report"]["records"]["indexed"], 3);
    fs::remove_file(site.folder().join("crawls/north.warc")).unwrap();
    let id = site.page_id("lighthouse");
    assert_eq!(site.get(&format!("/v1/pages/{id}/content")).status, 200, "its HTML is kept");
    let south = ended(&site, &start(&site, &json!({"path": "south.warc"})));
    assert_eq!(south["report"]["records"]["indexed"], 2, "{south}");
    let refused = |body: Value| site.post("/v1/archives", "application/json", &body.to_string()).error();
    let outside = site.folder().join("data/LOPPER");
    for (body, error) in [
        (json!({"path": "../data/LOPPER"}), (400, "bad_parameter")),
        (json!({"path": outside.to_str().unwrap()}), (400, "bad_parameter")),
        (json!({"path": "none.warc"}), (404, "archive_not_found")),
        (json!({"path": "south.warc", "bodies": "all"}), (400, "bad_body")),
        (json!({"url": "http://e.org/a.warc"}), (403, "path_not_allowed")),
    ] {
        assert_eq!(refused(body.clone()), (error.0, error.1.to_owned()), "{body}");
    }
    let other = Site::new();
    let refused = other.post("/v1/archives", "application/json", r#"{"path": "pages.warc"}"#);
    assert_eq!(refused.error(), (403, "path_not_allowed".to_owned()), "nothing is allowed unless it is said");
}

#[test]
fn the_ledger_tells_what_became_of_a_jobs_records() {
    let site = site(&[("north", 3), ("south", 2)]);
    let folder = site.folder().join("crawls");
    fs::write(folder.join("broken.warc"), warc("broken", 1).replace("WARC-Date: 2020", "WARC-Date: nonsense")).unwrap();
    let first = ended(&site, &start(&site, &json!({"path": "north.warc"})));
    fs::create_dir(folder.join("more")).unwrap();
    for name in ["south.warc", "broken.warc"] {
        fs::rename(folder.join(name), folder.join("more").join(name)).unwrap();
    }
    let second = ended(&site, &start(&site, &json!({"path": "more"})));
    let records = |address: &str| {
        let answer = site.get(address);
        assert!(answer.status == 200 && !answer.body.contains(folder.to_str().unwrap()), "{}", answer.body);
        answer.json()
    };
    let of = |job: &Value, more: &str| records(&format!("/v1/jobs/{}/records{more}", job["number"]));
    let states = |answer: &Value| -> Vec<String> {
        let records = answer["records"].as_array().unwrap().iter();
        records.map(|record| record["state"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(states(&of(&first, "")), ["indexed", "indexed", "indexed", "skipped"]);
    let skipped = of(&first, "?state=skipped");
    assert_eq!(
        (&skipped["records"][0]["reason"], &skipped["records"][0]["archive"]),
        (&"media_type".into(), &"north.warc".into())
    );
    let page = of(&first, "")["records"][0]["page_id"].clone();
    assert_eq!(site.get(&format!("/v1/pages/{}", page.as_str().unwrap())).status, 200);
    let all = of(&second, "");
    let names: Vec<&Value> = all["records"].as_array().unwrap().iter().map(|record| &record["archive"]).collect();
    assert!(names.contains(&&"south.warc".into()) && !names.contains(&&"north.warc".into()), "{all}");
    // Part by part, every record once.
    let (mut offset, mut parts) = (0, Vec::new());
    loop {
        let part = of(&second, &format!("?records=2&offset={offset}"));
        parts.extend(part["records"].as_array().unwrap().clone());
        match part["next_offset"].as_u64() {
            Some(next) => offset = next,
            None => break,
        }
    }
    assert_eq!(Value::from(parts), all["records"]);
    let archives = records("/v1/archives");
    let first = records("/v1/archives?archives=1");
    assert_eq!((&first["archives"][0], &first["next_offset"]), (&archives["archives"][0], &1.into()));
    let second = records("/v1/archives?archives=1&offset=1");
    assert_eq!((&second["archives"][0], &second["archives_total"]), (&archives["archives"][1], &3.into()));
    let last = records("/v1/archives?archives=1&offset=2");
    assert!(last["next_offset"].is_null() && records("/v1/archives?offset=9")["archives"] == serde_json::json!([]));
    assert_eq!(site.get("/v1/archives?archives=0").error(), (400, "bad_parameter".to_owned()));
    let north = archives["archives"].as_array().unwrap().iter().find(|entry| entry["archive"] == "north.warc").unwrap();
    assert_eq!((&north["finished"], &north["records"]), (&true.into(), &4.into()));
    let own = records(&format!("/v1/archives/{}/records?state=indexed", north["id"].as_str().unwrap()));
    assert_eq!(states(&own).len(), 3);
    for (address, error) in [
        ("/v1/archives/00/records", (404, "archive_not_found")),
        ("/v1/archives/x/records", (404, "archive_not_found")),
        ("/v1/jobs/9/records", (404, "job_not_found")),
        ("/v1/jobs/1/records?state=best", (400, "bad_parameter")),
        ("/v1/jobs/1/records?records=0", (400, "bad_parameter")),
        ("/v1/jobs/x", (404, "job_not_found")),
        ("/v1/jobs/9/events", (404, "job_not_found")),
    ] {
        assert_eq!(site.get(address).error(), (error.0, error.1.to_owned()), "{address}");
    }
    assert_eq!(site.post("/v1/jobs/1/cancel", "text/plain", "").error(), (409, "job_ended".to_owned()));
}

/// The jobs in a stream of events, with the names of these.
fn events(body: &str) -> Vec<(String, Value)> {
    let field = |event: &str, name: &str| event.lines().find_map(|line| Some(line.strip_prefix(name)?.to_owned()));
    let body = body.replace('\r', "");
    let all = body.split("\n\n").filter_map(|event| Some((field(event, "event: ")?, field(event, "data: ")?)));
    all.map(|(name, data)| (name, serde_json::from_str(&data).unwrap())).collect()
}

#[test]
fn a_job_is_followed_to_its_end() {
    let site = site(&[("north", 400)]);
    let job = start(&site, &json!({"path": "north.warc"}));
    let address = format!("/v1/jobs/{}/events", job["number"]);
    let followed = site.with_headers("GET", &address, "Accept-Encoding: gzip\r\n");
    assert_eq!(followed.header("content-type"), Some("text/event-stream"));
    let events = events(&followed.body);
    let (name, last) = events.last().unwrap();
    assert_eq!((name.as_str(), &last["state"]), ("end", &"done".into()), "{events:?}");
    assert_eq!(last["report"]["records"]["indexed"], 400);
    assert!(events.iter().rev().skip(1).all(|(name, job)| name == "progress" && job["state"] == "running"));
}

fn cancel(site: &Site, job: &Value) -> Value {
    let answer = site.post(&format!("/v1/jobs/{}/cancel", job["number"]), "text/plain", "");
    assert_eq!(answer.status, 202, "{}", answer.body);
    answer.json()
}

#[test]
fn what_was_committed_before_a_job_is_cancelled_stays_and_the_rest_is_not_read() {
    let pages = 3000;
    let site = site(&[("north", pages)]);
    let job = start(&site, &json!({"path": "north.warc"}));
    let begun = Instant::now();
    while site.get("/v1/search?q=lighthouse").json()["total_blocks"] == 0 {
        assert!(begun.elapsed() < Duration::from_mins(1), "what is committed is found while the job goes on");
    }
    assert_eq!(cancel(&site, &job)["is_cancelled"], true);
    let job = ended(&site, &job);
    assert_eq!(job["state"], "cancelled", "{job}");
    let indexed = job["report"]["records"]["indexed"].as_u64().unwrap() as usize;
    assert!(indexed > 0 && indexed < pages, "{indexed}");
    assert_eq!(site.get("/healthz").json()["pages"], indexed);
    let again = ended(&site, &start(&site, &json!({"path": "north.warc"})));
    assert_eq!(again["report"]["records"]["indexed"], pages - indexed, "the next one goes on: {again}");
    assert!(Path::new(&site.folder().join("crawls/north.warc")).exists());
}

/// A server of files, which answers so many requests.
fn web(answers: Vec<(&'static str, String)>) -> String {
    use std::io::{BufRead, BufReader, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/crawls/", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for (status, body) in answers {
            let (mut connection, _) = listener.accept().unwrap();
            let head = BufReader::new(connection.try_clone().unwrap()).lines().map_while(Result::ok);
            head.take_while(|line| !line.is_empty()).for_each(drop);
            let length = body.len();
            let location = "Location: http://127.0.0.1:9/secret\r\n";
            let head = format!("HTTP/1.1 {status}\r\n{location}Content-Length: {length}\r\nConnection: close\r\n\r\n");
            connection.write_all((head + &body).as_bytes()).unwrap();
        }
    });
    address
}

#[test]
fn sent_files_that_nothing_refers_to_are_not_kept() {
    let site = Site::new();
    let send = |name: &str, content: &str| {
        let sent = site.post(&format!("/v1/archives?name={name}"), "application/octet-stream", content);
        assert_eq!(sent.status, 202, "{}", sent.body);
        ended(&site, &sent.json())
    };
    let names = || -> Vec<_> {
        let files = fs::read_dir(site.folder().join("data/uploads")).unwrap();
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
    };
    assert_eq!(send("north.warc", &warc("north", 3))["state"], "done");
    assert_eq!(names(), ["north.warc"]);
    assert_eq!(send("north.warc", &warc("north", 3))["report"]["archives_already_ingested"], 1);
    assert_eq!(send("garbage.warc", "no archive at all")["state"], "failed");
    assert_eq!(names(), ["north.warc"]);
    let id = site.page_id("harbour");
    let content = || site.get(&format!("/v1/pages/{id}/content?format=text")).status;
    assert_eq!(content(), 200, "the first copy is still there");
    // A copy of what was lost takes its place.
    for name in ["north.warc", "copy.warc"] {
        for file in names() {
            fs::remove_file(site.folder().join("data/uploads").join(file)).unwrap();
        }
        send(name, &warc("north", 3));
        assert_eq!((content(), names()), (200, vec![name.to_owned()]));
    }
}

#[cfg(feature = "s3")]
#[test]
fn an_archive_behind_a_url_that_is_allowed_is_brought_and_taken_in() {
    let prefix = web(vec![
        ("200 OK", warc("north", 3)),
        ("302 Found", String::new()),
        ("404 Not Found", String::new()),
        ("200 OK", "x".repeat(200_000)),
    ]);
    let folder = tempfile::tempdir().unwrap();
    let collection = DataFolder::open_to_write(&folder.path().join("data"), ExtractParams::default()).unwrap();
    let archive_urls = vec![prefix.clone().try_into().unwrap()];
    let options = ServeOptions { archive_urls, archive_bytes_max: 100_000, ..options() };
    let site = Site::serving(folder, collection, options);
    let begin = |name: &str| ended(&site, &start(&site, &json!({"url": format!("{prefix}{name}")})));
    let done = begin("north.warc?key=secret");
    assert_eq!((&done["state"], &done["archive"]), (&"done".into(), &"north.warc".into()), "{done}");
    assert_eq!(
        (&done["progress"]["pages"], site.get("/v1/search?q=harbour").json()["pages"].as_array().unwrap().len()),
        (&3.into(), 3)
    );
    assert!(site.folder().join("data/uploads/north.warc").exists());
    for (name, why) in
        [("elsewhere.warc", "302"), ("missing.warc", "is not there"), ("large.warc", "more than 100000 bytes")]
    {
        let failed = begin(name);
        let message = failed["message"].as_str().unwrap();
        assert!(failed["state"] == "failed" && message.contains(why), "{failed}");
    }
    let left = fs::read_dir(site.folder().join("data/uploads")).unwrap().count();
    assert_eq!(left, 1, "nothing is left of what was not brought whole");
    let refused = |body: Value| site.post("/v1/archives", "application/json", &body.to_string()).error();
    assert_eq!(refused(json!({"url": "http://127.0.0.1:9/a.warc"})), (403, "path_not_allowed".to_owned()));
    assert_eq!(refused(json!({"url": format!("{prefix}../a.warc")})), (403, "path_not_allowed".to_owned()));
    assert_eq!(refused(json!({"url": "a.warc"})), (400, "bad_parameter".to_owned()));
    assert_eq!(refused(json!({"url": prefix, "path": "a"})), (400, "bad_body".to_owned()));
}
