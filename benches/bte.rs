//! The comparison of the BTE paper (table 2): the original search against the improved one, and against the one in use.
//!
//! Measured is step 2 alone, the search for the interval, over the same token streams; the paper's figures (238.12 s and 24.58 s for
//! 100 pages) are of whole programs. Corpus: the first 100 pages (`.html`, `.html.gz`, by name) of the folder given, by default
//! `tests/pages`. Since the original is cubic, a stream is cut after `TOKENS_MAX` tokens for all three; the two others are
//! measured on the whole streams as well. No randomness.
//!
//! `cargo bench --bench bte -- [FOLDER] [TOKENS_MAX]`

use std::error::Error;
use std::fs::File;
use std::hint::black_box;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lopper_content::cst::{self, Profile};
use lopper_content::dom;
use lopper_content::extract::methods::PageView;
use lopper_content::extract::methods::bte::{TokenStream, encode, search_cubic, search_linear, search_quadratic};
use lopper_content::limits::Limits;

const PAGES_MAX: usize = 100;
const TOKENS_MAX: usize = 2000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let folder = arguments.next().unwrap_or_else(|| "tests/pages".to_owned());
    let tokens_max = arguments.next().map_or(Ok(TOKENS_MAX), |count| count.parse())?;
    let mut paths = Vec::new();
    collect_pages(Path::new(&folder), &mut paths)?;
    paths.sort();
    paths.truncate(PAGES_MAX);
    let streams: Vec<_> = paths.iter().map(|path| read(path).map(|html| tokens(&html))).collect::<Result<_, _>>()?;
    if streams.is_empty() {
        println!("bte: no pages in {folder}; give a folder of .html or .html.gz files");
        return Ok(());
    }
    let lengths: usize = streams.iter().map(Vec::len).sum();
    println!("bte: {} pages of {folder}, {} tokens a page", streams.len(), lengths / streams.len());
    let cut: Vec<_> = streams.iter().map(|tokens| tokens[..tokens.len().min(tokens_max)].to_vec()).collect();
    compare(&cut, tokens_max);
    whole(&streams);
    Ok(())
}

/// All three on streams cut to `tokens_max`.
fn compare(streams: &[Vec<i8>], tokens_max: usize) {
    println!("cut to {tokens_max} tokens:");
    let encoded: Vec<_> = streams.iter().map(|tokens| encode(tokens)).collect();
    let (sums, linear) = timed(&encoded, |encode| search_linear(encode).sum);
    let (quadratic_sums, quadratic) = timed(&encoded, |encode| search_quadratic(encode).sum);
    let (cubic_sums, cubic) = timed(streams, |tokens| search_cubic(tokens).sum);
    assert!(sums == quadratic_sums && sums == cubic_sums, "the searches find intervals of the same sum");
    report("original, O(n³)", cubic, linear);
    report("improved, O(n²)", quadratic, linear);
    report("in use, O(n)", linear, linear);
    println!("  original / improved: {:.1} (paper: 9.7)", cubic.as_secs_f64() / quadratic.as_secs_f64());
}

/// The two that run on run lengths, on whole streams.
fn whole(streams: &[Vec<i8>]) {
    println!("whole streams:");
    let encoded: Vec<_> = streams.iter().map(|tokens| encode(tokens)).collect();
    let (_, linear) = timed(&encoded, |encode| search_linear(encode).sum);
    let (_, quadratic) = timed(&encoded, |encode| search_quadratic(encode).sum);
    report("improved, O(n²)", quadratic, linear);
    report("in use, O(n)", linear, linear);
}

fn timed<T: AsRef<[I]>, I>(streams: &[T], search: impl Fn(&[I]) -> i64) -> (Vec<i64>, Duration) {
    let start = Instant::now();
    let sums = streams.iter().map(|stream| search(black_box(stream.as_ref()))).collect();
    (sums, start.elapsed())
}

fn report(name: &str, duration: Duration, linear: Duration) {
    let ratio = duration.as_secs_f64() / linear.as_secs_f64();
    println!("  {name:<16} {:>14.6} s, {ratio:>12.1} times the one in use", duration.as_secs_f64());
}

fn tokens(html: &str) -> Vec<i8> {
    let limits = Limits::default();
    let dom = dom::parse(html, &limits);
    let tree = cst::build(&dom, Profile::Modern, &limits);
    TokenStream::improved(&PageView::new(&dom, &tree, "")).binary_tokens()
}

fn collect_pages(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(()) };
    for entry in entries {
        let path = entry?.path();
        let name = path.to_string_lossy();
        if path.is_dir() {
            collect_pages(&path, paths)?;
        } else if name.ends_with(".html") || name.ends_with(".html.gz") {
            paths.push(path);
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<String, Box<dyn Error>> {
    let mut bytes = Vec::new();
    let mut file = File::open(path)?;
    if path.extension().is_some_and(|extension| extension == "gz") {
        flate2::read::MultiGzDecoder::new(file).read_to_end(&mut bytes)?;
    } else {
        file.read_to_end(&mut bytes)?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
