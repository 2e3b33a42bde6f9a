//! Posts pages to a server, one a request, and searches it at the same time: acknowledged posts a second, and how long each takes.
//!
//! `post_load ADDRESS PAGES.ndjson CLIENTS SECONDS [SEARCHERS QUERIES.jsonl [PAUSE_MS]]`: each line of the pages has `url` and `html`, each of the
//! queries `query`. Every post has a URL and a text of its own. Each searcher waits PAUSE_MS (100) between its searches. With 0 CLIENTS it
//! searches alone. It begins after a second of warming up.

use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

type Failure = Box<dyn Error + Send + Sync>;

/// Time before anything is counted.
const WARM_UP: Duration = Duration::from_secs(1);

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, pages, clients, seconds, searches @ ..] = &arguments[..] else {
        return Err("usage: post_load ADDRESS PAGES.ndjson CLIENTS SECONDS [SEARCHERS QUERIES.jsonl [PAUSE_MS]]".into());
    };
    let pages = lines(pages)?;
    let queries = searches.get(1).map_or(Ok(Vec::new()), |file| lines(file))?;
    let (clients, searchers): (usize, usize) = (clients.parse()?, searches.first().map_or(Ok(0), |n| n.parse())?);
    let pause = Duration::from_millis(searches.get(2).map_or(Ok(100), |pause| pause.parse())?);
    let from = Instant::now() + WARM_UP;
    let until = from + Duration::from_secs(seconds.parse()?);
    let run = std::process::id();
    let (posts, found) = thread::scope(|scope| {
        let post = |client: usize| {
            let (pages, request) = (&pages, move |number: usize, page: &Value| post(page, run, client, number));
            scope.spawn(move || client_loop(address, pages, client, Duration::ZERO, from, until, &request))
        };
        let posts: Vec<_> = (0..clients).map(post).collect();
        let search = |searcher: usize| {
            let queries = &queries;
            scope.spawn(move || {
                client_loop(address, queries, searcher * 17, pause, from, until, &|_, query| search(query))
            })
        };
        let searches: Vec<_> = (0..searchers).map(search).collect();
        let join = |threads: Vec<thread::ScopedJoinHandle<'_, Result<Times, Failure>>>| {
            threads.into_iter().map(|thread| thread.join().expect("no client panics")).collect::<Result<Vec<_>, _>>()
        };
        (join(posts), join(searches))
    });
    let seconds = until.duration_since(from).as_secs_f64();
    print("posts", posts?, seconds);
    print("searches", found?, seconds);
    Ok(())
}

fn lines(file: &str) -> Result<Vec<Value>, Failure> {
    let text = std::fs::read_to_string(file)?;
    let lines: Result<Vec<Value>, _> = text.lines().map(serde_json::from_str).collect();
    Ok(lines?)
}

fn post(page: &Value, run: u32, client: usize, number: usize) -> String {
    let text = |field: &str| page[field].as_str().unwrap_or_default();
    let own = format!("run{run}c{client}n{number}");
    let page =
        json!({ "url": format!("{}?{own}", text("url")), "html": format!("{}<p>Posted as {own}.", text("html")) });
    let body = page.to_string();
    let length = body.len();
    format!(
        "POST /v1/pages HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
}

fn search(query: &Value) -> String {
    let words: Vec<&str> = query["query"].as_str().unwrap_or_default().split_whitespace().collect();
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '+';
    let words: String = words.join("+").chars().filter(|c| plain(*c)).collect();
    format!("GET /v1/search?q={words} HTTP/1.1\r\nhost: localhost\r\n\r\n")
}

/// Times of answers within the time that counts, and how many were errors.
#[derive(Default)]
struct Times {
    taken: Vec<Duration>,
    errors: usize,
}

fn client_loop(
    address: &str,
    inputs: &[Value],
    first: usize,
    pause: Duration,
    from: Instant,
    until: Instant,
    request: &dyn Fn(usize, &Value) -> String,
) -> Result<Times, Failure> {
    let mut connection = BufReader::new(TcpStream::connect(address)?);
    connection.get_ref().set_nodelay(true)?;
    let mut times = Times::default();
    for number in 0.. {
        let request = request(number, &inputs[(first * 31 + number) % inputs.len()]);
        let started = Instant::now();
        if started >= until {
            break;
        }
        connection.get_mut().write_all(request.as_bytes())?;
        let status = answer(&mut connection)?;
        if started >= from {
            times.taken.push(started.elapsed());
            times.errors += usize::from(status >= 400);
        }
        thread::sleep(pause);
    }
    Ok(times)
}

/// Reads an answer and gives its status.
fn answer(connection: &mut BufReader<TcpStream>) -> Result<u16, Failure> {
    let (mut line, mut length) = (String::new(), 0);
    connection.read_line(&mut line)?;
    let status = line.split(' ').nth(1).ok_or("no answer")?.parse()?;
    loop {
        line.clear();
        connection.read_line(&mut line)?;
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse()?;
        }
        if line.trim().is_empty() {
            let mut body = vec![0; length];
            connection.read_exact(&mut body)?;
            return Ok(status);
        }
    }
}

fn print(name: &str, clients: Vec<Times>, seconds: f64) {
    let errors: usize = clients.iter().map(|times| times.errors).sum();
    let mut times: Vec<Duration> = clients.into_iter().flat_map(|times| times.taken).collect();
    times.sort_unstable();
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).map_or(0.0, |time| time.as_secs_f64() * 1e3);
    let rate = times.len() as f64 / seconds;
    println!("{name}: {rate:.1} a second, p50 {:.1} ms, p99 {:.1} ms, {errors} errors", at(0.5), at(0.99));
}
