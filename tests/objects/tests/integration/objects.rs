//! The client by itself.

use std::fs;
use std::io::Read;
use std::sync::Arc;
use std::thread;

use hyper::{Method, StatusCode};
use lopper_objects::{Bucket, BucketAddress, Listed, ObjectError, SINGLE_BYTES_MAX, Settings, WebFile, Written};

use crate::server::{BUCKET, Harm, KEY, SECRET, Server};

/// Bytes that differ everywhere.
fn bytes(len: usize) -> Vec<u8> {
    let mut state = 7_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..len).map(|_| next()).collect()
}

fn told(error: &ObjectError) -> String {
    let source = std::error::Error::source(error).map(|source| format!(": {source}")).unwrap_or_default();
    format!("{error}{source}")
}

#[test]
fn objects_are_written_listed_read_and_removed() {
    let server = Server::start();
    let bucket = server.bucket("some/prefix");
    assert_eq!((bucket.list("").unwrap(), bucket.read("a/one").unwrap()), (vec![], None));
    bucket.write("a/one", b"oak".to_vec()).unwrap();
    bucket.write("a/one", b"elms".to_vec()).unwrap();
    bucket.write("b", Vec::new()).unwrap();
    server.bucket("some/prefix2").write("other", b"x".to_vec()).unwrap();
    let listed = |name: &str, bytes| Listed { name: name.to_owned(), bytes };
    assert_eq!(bucket.list("").unwrap(), [listed("a/one", 4), listed("b", 0)]);
    assert_eq!(bucket.list("a/").unwrap(), [listed("a/one", 4)]);
    assert_eq!(bucket.read("a/one").unwrap().unwrap(), b"elms");
    assert!(bucket.has("b").unwrap() && !bucket.has("c").unwrap());
    bucket.remove("b").unwrap();
    bucket.remove("b").unwrap();
    assert!(!bucket.has("b").unwrap());
}

#[test]
fn of_many_who_create_one_does() {
    let server = Server::start();
    let bucket = server.bucket("p");
    let created = thread::scope(|scope| {
        let all: Vec<_> = (0..8)
            .map(|number: u8| {
                let bucket = bucket.clone();
                scope.spawn(move || bucket.create("one", vec![number]).unwrap() != Written::Existing)
            })
            .collect();
        all.into_iter().map(|one| one.join().unwrap()).filter(|created| *created).count()
    });
    assert_eq!(created, 1);
    let (first, version) = bucket.read_version("one").unwrap().unwrap();
    let version = version.unwrap();
    let second = bucket.replace("one", b"two".to_vec(), &version).unwrap();
    assert!(second.is_some() && bucket.replace("one", first, &version).unwrap().is_none());
    assert_eq!(bucket.read("one").unwrap().unwrap(), b"two");
    assert!(bucket.replace("none", Vec::new(), &version).unwrap().is_none());
}

#[test]
fn large_files_go_in_pieces_and_stay_as_they_are() {
    let server = Server::start();
    let (bucket, folder) = (server.bucket("p"), tempfile::tempdir().unwrap());
    let (large, small) = (bytes(SINGLE_BYTES_MAX as usize + 12_345), bytes(1000));
    let mut told = Vec::new();
    for (name, bytes) in [("large", &large), ("small", &small)] {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        assert!(bucket.create_from(name, &path, &mut |bytes| told.push(bytes)).unwrap() != Written::Existing);
        assert_eq!(&bucket.read(name).unwrap().unwrap(), bytes);
        fs::write(&path, &bytes[1..]).unwrap();
        assert_eq!(bucket.create_from(name, &path, &mut |_| {}).unwrap(), Written::Existing);
        assert_eq!(&bucket.read(name).unwrap().unwrap(), bytes);
    }
    assert_eq!(told, [SINGLE_BYTES_MAX, SINGLE_BYTES_MAX + 12_345]);
    // One that cannot be written to its end is none.
    server.fail(Method::PUT, "partNumber=2", 1, Harm::Status(StatusCode::FORBIDDEN, "AccessDenied"));
    fs::write(folder.path().join("third"), &large).unwrap();
    let error = bucket.create_from("third", &folder.path().join("third"), &mut |_| {}).unwrap_err();
    assert!(matches!(error, ObjectError::Denied { .. }) && !bucket.has("third").unwrap(), "{error}");
    assert!(server.requests().iter().any(|request| request.starts_with("DELETE") && request.contains("uploadId")));
}

#[test]
fn a_busy_server_is_asked_again() {
    let server = Server::start();
    let bucket = server.bucket("p");
    let slow = || Harm::Status(StatusCode::SERVICE_UNAVAILABLE, "SlowDown");
    server.fail(Method::PUT, "/one", 2, slow());
    bucket.write("one", b"oak".to_vec()).unwrap();
    server.fail(Method::GET, "/one", 2, slow());
    assert_eq!(bucket.read("one").unwrap().unwrap(), b"oak");
    // Written, but the answer was lost: the second try is the same.
    server.fail(Method::PUT, "/two", 1, Harm::Lost);
    bucket.write("two", b"elm".to_vec()).unwrap();
    server.fail(Method::GET, "/one", 100, slow());
    let error = told(&bucket.read("one").unwrap_err());
    assert_eq!(error, "cannot read s3://crawls/p/one: SlowDown: as the test says");
}

#[test]
fn a_stream_goes_on_where_the_connection_broke() {
    let (signed, open) = (Server::start(), Server::open());
    let content = bytes(3_000_000);
    for server in [&signed, &open] {
        fs::create_dir(server.file("p")).unwrap();
        fs::write(server.file("p/one"), &content).unwrap();
    }
    let web = WebFile::new(&format!("{}/{BUCKET}/p/one", open.url())).unwrap();
    for start in [0, 1_234_567] {
        for server in [&signed, &open] {
            server.requests();
            server.fail(Method::GET, "/one", 2, Harm::CutAfter(400_000));
            server.fail(Method::GET, "/one", 1, Harm::Status(StatusCode::SERVICE_UNAVAILABLE, "SlowDown"));
        }
        let streams = [signed.bucket("p").stream("one", start, None), web.stream(start, None)];
        for (stream, server) in streams.into_iter().zip([&signed, &open]) {
            let (mut stream, mut read) = (stream.unwrap(), Vec::new());
            assert_eq!(stream.found().bytes, Some(3_000_000));
            stream.read_to_end(&mut read).unwrap();
            assert!(read == content[start as usize..], "from {start}");
            let requests = server.requests();
            assert_eq!(requests.len(), 4, "{requests:?}");
            let again = requests.last().unwrap().split("bytes=").nth(1).unwrap().split('-').next().unwrap();
            let again: u64 = again.parse().unwrap();
            assert!(again > start && again <= start + 800_000, "only the rest is fetched: {requests:?}");
        }
    }
}

#[test]
fn a_file_that_changes_or_goes_meanwhile_is_an_error() {
    for is_gone in [false, true] {
        let (signed, open) = (Server::start(), Server::open());
        let web = WebFile::new(&format!("{}/{BUCKET}/p/one", open.url())).unwrap();
        for server in [&signed, &open] {
            fs::create_dir(server.file("p")).unwrap();
            fs::write(server.file("p/one"), bytes(2_000_000)).unwrap();
            server.fail(Method::GET, "/one", 1, Harm::CutAfter(400_000));
            let file = server.file("p/one");
            let change = move || if is_gone { fs::remove_file(&file) } else { fs::write(&file, "other") }.unwrap_or(());
            server.fail(Method::GET, "/one", 1, Harm::First(Arc::new(change)));
        }
        for stream in [signed.bucket("p").stream("one", 0, None), web.stream(0, None)] {
            let Ok(mut stream) = stream else { continue };
            let error = stream.read_to_end(&mut Vec::new()).unwrap_err().to_string();
            let expected = if is_gone { "is not there" } else { "is another one than it was before" };
            assert!(error.contains(expected), "{error}");
        }
    }
}

#[test]
fn an_expected_version_is_compared() {
    let server = Server::start();
    let bucket = server.bucket("p");
    bucket.write("one", b"oak".to_vec()).unwrap();
    let version = bucket.read_version("one").unwrap().unwrap().1.unwrap();
    for given in [version.as_str(), version.trim_matches('"')] {
        assert!(bucket.stream("one", 0, Some(given)).is_ok(), "{given}");
    }
    bucket.write("one", b"elm".to_vec()).unwrap();
    assert!(matches!(bucket.stream("one", 0, Some(&version)), Err(ObjectError::Changed { .. })));
}

#[test]
fn what_is_wrong_is_told_with_place_and_advice() {
    let server = Server::start();
    let address = BucketAddress::parse(&format!("s3://{BUCKET}/p")).unwrap();
    let write = |address: &BucketAddress, changed: &[(&str, &str)]| {
        let mut variables: Vec<(String, String)> =
            server.variables().map(|(name, value)| (name.to_owned(), value)).into();
        variables.extend(changed.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        let bucket = Bucket::open(address, &Settings::of(variables)).unwrap();
        let error = told(&bucket.write("one", b"oak".to_vec()).and(bucket.list("")).unwrap_err());
        assert!(!error.contains(SECRET) && !error.contains("other-secret"), "{error}");
        error
    };
    let error = write(&address, &[("AWS_SECRET_ACCESS_KEY", "other-secret")]);
    assert!(error.contains("may not write s3://crawls/p/one: check AWS_ACCESS_KEY_ID"), "{error}");
    let error = write(&address, &[("AWS_ACCESS_KEY_ID", "bob")]);
    assert!(error.contains("may not write s3://crawls/p/one") && !error.contains(KEY), "{error}");
    let error = write(&BucketAddress::parse("s3://nowhere/p").unwrap(), &[]);
    assert!(error.starts_with("there is no bucket nowhere at http://127.0.0.1"), "{error}");
    let error = write(&address, &[("AWS_ENDPOINT_URL", "http://127.0.0.1:9")]);
    assert!(error.contains("nothing answers at http://127.0.0.1:9; check AWS_ENDPOINT_URL"), "{error}");
}
