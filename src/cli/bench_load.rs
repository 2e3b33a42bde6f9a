//! `lopper bench load`: many clients search at the same time, over HTTP.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use lopper_archive::page::{PageOutcome, decode};
use lopper_collection::DataFolder;
use serde_json::{Value, json};
use url::form_urlencoded;

use super::args::{BenchLoadArgs, StatsFormat};
use super::output::{Output, grouped};
use super::serve::options;
use crate::allowance::Allowance;
use crate::config::Config;
use crate::http::{ServeOptions, Server};
use crate::priority::starting_behind;

/// Time that one answer may take before the client gives up.
const ANSWER_DURATION_MAX: Duration = Duration::from_secs(30);

/// What clients measured together.
#[derive(Debug, Default)]
struct Measured {
    /// Of each answer with status 200.
    latencies: Vec<Duration>,
    /// Answers with another status, and none.
    failures: usize,
    /// Answers that were cut short.
    incomplete: usize,
}

/// A figure of a table.
struct Row {
    clients: usize,
    measured: Measured,
    wall: Duration,
    cpu_seconds: Option<f64>,
    posts: usize,
}

/// Serves the folder on a free port of the loopback address, and asks it with ever more clients.
pub(super) fn run(args: &BenchLoadArgs, config: &Config) -> Result<ExitCode> {
    let queries = queries(&args.queries)?;
    let pages = args.post.as_deref().map(|archive| pages(archive, config)).transpose()?.unwrap_or_default();
    let data = super::data_folder(args.data.data.as_ref(), config);
    let collection = match args.post {
        Some(_) => starting_behind(|| DataFolder::open_to_write(&data, config.extract))?,
        None => DataFolder::open_to_read(&data)?,
    };
    let blocks = collection.stats().blocks;
    let listen = SocketAddr::from(([127, 0, 0, 1], 0));
    let server = Server::bind(
        Arc::new(collection),
        ServeOptions { listen, tls: None, per_caller: Allowance::default(), ..options(config) },
    )?;
    let address = server.address();
    thread::spawn(move || server.run());
    let mut rows = Vec::new();
    let duration = Duration::from_secs(args.seconds.get());
    let posted = AtomicUsize::new(0);
    // Once unmeasured, so that the files are in memory.
    let warm = measure(address, 1, duration.min(Duration::from_secs(3)), &queries, &[], &posted)?;
    if warm.queries() == 0 {
        bail!("no query was answered: where the data folder has keys, measure a copy of it without its keys.json");
    }
    for &clients in &args.clients {
        rows.push(measure(address, clients.get(), duration, &queries, &pages, &posted)?);
    }
    print(args.format, &rows, blocks)?;
    Ok(ExitCode::SUCCESS)
}

/// A query a line: as text, or as `query` of a JSON object.
fn queries(path: &Path) -> Result<Vec<String>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read the queries in {}", path.display()))?;
    let query = |line: &str| match serde_json::from_str::<Value>(line) {
        Ok(Value::Object(object)) => object.get("query").and_then(Value::as_str).unwrap_or_default().to_owned(),
        _ => line.to_owned(),
    };
    let queries: Vec<String> = text.lines().map(query).filter(|query| !query.trim().is_empty()).collect();
    if queries.is_empty() {
        bail!("{} holds no query: write one a line", path.display());
    }
    Ok(queries)
}

/// The pages of an archive as bodies of posts, each at an address of its own.
fn pages(archive: &Path, config: &Config) -> Result<Vec<String>> {
    let mut reader = lopper_archive::open(archive, &config.limits)?;
    let mut pages = Vec::new();
    while let Some(item) = reader.next_record() {
        if let Ok(record) = item
            && let Ok(PageOutcome::Page(page)) = decode(record, &config.limits)
        {
            pages
                .push(json!({ "url": format!("http://bench.invalid/{}", pages.len()), "html": page.html }).to_string());
        }
    }
    if pages.is_empty() {
        bail!("{} holds no page to post", archive.display());
    }
    Ok(pages)
}

/// Lets `clients` ask one query after the other for a while; beside them one posts `pages`, if there are any.
fn measure(
    address: SocketAddr,
    clients: usize,
    duration: Duration,
    queries: &[String],
    pages: &[String],
    posted: &AtomicUsize,
) -> Result<Row> {
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let before = (Instant::now(), cpu_seconds(), posted.load(Ordering::Relaxed));
    let measured = thread::scope(|scope| {
        let asking: Vec<_> = (0..clients).map(|_| scope.spawn(|| ask(address, queries, &next, &stop))).collect();
        let posting = (!pages.is_empty()).then(|| scope.spawn(|| post(address, pages, posted, &stop)));
        thread::sleep(duration);
        stop.store(true, Ordering::Relaxed);
        let mut all = Measured::default();
        for client in asking {
            let one = client.join().unwrap_or_else(|_| bail!("a client stopped"))?;
            all.latencies.extend(one.latencies);
            (all.failures, all.incomplete) = (all.failures + one.failures, all.incomplete + one.incomplete);
        }
        if let Some(posting) = posting {
            posting.join().unwrap_or_else(|_| bail!("the client that posts stopped"))?;
        }
        Ok::<_, anyhow::Error>(all)
    })?;
    let cpu_seconds = before.1.zip(cpu_seconds()).map(|(before, after)| after - before);
    let posts = posted.load(Ordering::Relaxed) - before.2;
    Ok(Row { clients, measured, wall: before.0.elapsed(), cpu_seconds, posts })
}

fn ask(address: SocketAddr, queries: &[String], next: &AtomicUsize, stop: &AtomicBool) -> Result<Measured> {
    let mut connection = Connection::open(address)?;
    let mut measured = Measured::default();
    while !stop.load(Ordering::Relaxed) {
        let query = &queries[next.fetch_add(1, Ordering::Relaxed) % queries.len()];
        let query: String = form_urlencoded::byte_serialize(query.as_bytes()).collect();
        let started = Instant::now();
        let request = format!("GET /v1/search?q={query} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        match connection.send(&request) {
            Ok((200, body)) => {
                measured.latencies.push(started.elapsed());
                measured.incomplete += usize::from(is_incomplete(&body));
            }
            // A query that cannot be understood is answered, too.
            Ok((400, _)) => measured.latencies.push(started.elapsed()),
            Ok(_) => measured.failures += 1,
            Err(_) => {
                measured.failures += 1;
                connection = Connection::open(address)?;
            }
        }
    }
    Ok(measured)
}

fn is_incomplete(body: &[u8]) -> bool {
    const SAID: &[u8] = b"\"is_complete\":false";
    body.windows(SAID.len()).any(|part| part == SAID)
}

fn post(address: SocketAddr, pages: &[String], posted: &AtomicUsize, stop: &AtomicBool) -> Result<()> {
    let mut connection = Connection::open(address)?;
    while !stop.load(Ordering::Relaxed) {
        let page = &pages[posted.load(Ordering::Relaxed) % pages.len()];
        let head = "POST /v1/pages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json";
        let (status, body) = connection.send(&format!("{head}\r\nContent-Length: {}\r\n\r\n{page}", page.len()))?;
        match status {
            201 | 422 => posted.fetch_add(1, Ordering::Relaxed),
            _ => bail!("a page was refused with status {status}: {}", String::from_utf8_lossy(&body)),
        };
    }
    Ok(())
}

/// A connection that is kept open.
struct Connection(BufReader<TcpStream>);

impl Connection {
    fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(ANSWER_DURATION_MAX))?;
        stream.set_nodelay(true)?;
        Ok(Self(BufReader::new(stream)))
    }

    /// The status and the body of the answer.
    fn send(&mut self, request: &str) -> Result<(u16, Vec<u8>)> {
        self.0.get_mut().write_all(request.as_bytes())?;
        let (mut status, mut length) = (None, None);
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line)? == 0 {
                bail!("the server closed the connection");
            }
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            match line.split_once(": ") {
                None => status = line.split(' ').nth(1).and_then(|status| status.parse().ok()),
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.parse().ok(),
                Some(_) => {}
            }
        }
        let (Some(status), Some(length)) = (status, length) else { bail!("the answer has no status or length") };
        let mut body = vec![0; length];
        self.0.read_exact(&mut body)?;
        Ok((status, body))
    }
}

/// CPU time of this process, clients included, where the system tells it: of Linux in ticks of 10 ms.
fn cpu_seconds() -> Option<f64> {
    const TICKS_A_SECOND: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks = |place: usize| fields.split_whitespace().nth(place)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / TICKS_A_SECOND)
}

impl Row {
    fn queries(&self) -> usize {
        self.measured.latencies.len()
    }

    fn per_second(&self) -> f64 {
        self.queries() as f64 / self.wall.as_secs_f64()
    }

    fn cpu_ms(&self) -> Option<f64> {
        Some(self.cpu_seconds? * 1000.0 / self.queries().max(1) as f64)
    }

    /// Of the latencies in order: that which so large a share does not exceed.
    fn latency_ms(sorted: &[Duration], share: f64) -> f64 {
        let place = (sorted.len() as f64 * share) as usize;
        sorted.get(place.min(sorted.len().saturating_sub(1))).map_or(0.0, |latency| latency.as_secs_f64() * 1000.0)
    }
}

fn print(format: StatsFormat, rows: &[Row], blocks: u64) -> Result<()> {
    let mut out = Output::of("the measurement");
    if format == StatsFormat::Text {
        writeln!(out, "{} blocks; answers of ten pages", grouped(blocks))?;
        writeln!(
            out,
            "{:>8} {:>10} {:>9} {:>9} {:>9} {:>9} {:>8} {:>6} {:>7}",
            "clients", "queries/s", "p50 ms", "p95 ms", "p99 ms", "CPU ms", "failed", "cut", "posts/s"
        )?;
    }
    for row in rows {
        let mut sorted = row.measured.latencies.clone();
        sorted.sort_unstable();
        let [p50, p95, p99] = [0.5, 0.95, 0.99].map(|share| Row::latency_ms(&sorted, share));
        let (per_second, posts) = (row.per_second(), row.posts as f64 / row.wall.as_secs_f64());
        let Measured { failures, incomplete, .. } = row.measured;
        match format {
            StatsFormat::Text => writeln!(
                out,
                "{:>8} {per_second:>10.0} {p50:>9.1} {p95:>9.1} {p99:>9.1} {:>9} {failures:>8} {incomplete:>6} {posts:>7.1}",
                row.clients,
                row.cpu_ms().map_or("-".to_owned(), |ms| format!("{ms:.1}"))
            )?,
            StatsFormat::Json => writeln!(
                out,
                "{}",
                json!({
                    "clients": row.clients, "queries": row.queries(), "queries_per_second": per_second,
                    "p50_ms": p50, "p95_ms": p95, "p99_ms": p99, "cpu_ms_per_query": row.cpu_ms(),
                    "failed": failures, "cut_short": incomplete, "posts_per_second": posts,
                })
            )?,
        }
    }
    Ok(())
}
