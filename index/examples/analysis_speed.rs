//! Measures analysis and indexing: `analysis_speed TEXTS [ROUNDS]`, a file with a language code, a tab and a text a line.
//!
//! Prints MB/s of `Analyzer::analyze` (what pages are weighed with) for each round, then the time and bytes of an index
//! with a block for each line.

use std::error::Error;
use std::time::Instant;

use lopper_analysis::{Analyzer, Language};
use lopper_index::{BlockDocument, BlockIndex, WriterOptions};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("which file?")?;
    let rounds: usize = arguments.next().map_or(Ok(5), |rounds| rounds.parse())?;
    let file = std::fs::read_to_string(path)?;
    let texts: Vec<(Language, &str)> =
        file.lines().filter_map(|line| line.split_once('\t')).map(|(code, text)| (code.into(), text)).collect();
    analyse(&texts, rounds);
    index(&texts)
}

fn analyse(texts: &[(Language, &str)], rounds: usize) {
    let bytes: usize = texts.iter().map(|(_, text)| text.len()).sum();
    let mut analyzer = Analyzer::new();
    for _ in 0..rounds {
        let start = Instant::now();
        let (mut tokens, mut term_bytes) = (0usize, 0usize);
        for (language, text) in texts {
            analyzer.analyze(text, *language, |token| {
                tokens += 1;
                term_bytes += token.term.len();
            });
        }
        let seconds = start.elapsed().as_secs_f64();
        println!("analyze: {:.1} MB/s, {tokens} tokens, {term_bytes} bytes of terms", bytes as f64 / seconds / 1e6);
    }
}

fn index(texts: &[(Language, &str)]) -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let index = BlockIndex::create(dir.path())?;
    let mut writer = index.writer(WriterOptions::default())?;
    let start = Instant::now();
    for (ordinal, (language, text)) in texts.iter().enumerate() {
        writer.add(&BlockDocument {
            block_id: format!("p:{ordinal}"),
            page_id: "p".to_owned(),
            language: *language,
            body: (*text).to_owned(),
            ..BlockDocument::default()
        })?;
    }
    writer.commit("done")?;
    let seconds = start.elapsed().as_secs_f64();
    let mut bytes = std::collections::BTreeMap::<String, u64>::new();
    for entry in std::fs::read_dir(dir.path())? {
        let entry = entry?;
        let kind = entry.path().extension().map_or(String::new(), |kind| kind.to_string_lossy().into_owned());
        *bytes.entry(kind).or_default() += entry.metadata()?.len();
    }
    println!("index: {seconds:.2} s, {} bytes: {bytes:?}", bytes.values().sum::<u64>());
    Ok(())
}
