//! Changes the inputs of the tests at random and gives them to what reads the world: pages, archives, queries. What panics, breaks a
//! law or takes too long is written to a file and told. The same seed gives the same inputs.
//!
//! `cargo run --example fuzz -- --seconds 600`; `fuzz/README.md` has the rest.

mod clock;
mod mutate;
mod random;
mod seeds;
mod targets;
mod watchdog;

use std::error::Error;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clock::worked;
use mutate::mutate;
use random::Random;
use seeds::Seeds;
use targets::{Target, Targets};
use watchdog::Watchdog;

/// An input that takes longer of the processor is a find.
const SLOW: Duration = Duration::from_secs(10);

struct Options {
    seconds: u64,
    seed: u64,
    finds: PathBuf,
    only: Option<Target>,
    /// Inputs to run as they are, instead of changed seeds.
    inputs: Vec<PathBuf>,
}

impl Options {
    fn read(mut args: impl Iterator<Item = String>) -> Result<Self, Box<dyn Error>> {
        let mut options =
            Self { seconds: 60, seed: 1, finds: "target/fuzz-finds".into(), only: None, inputs: Vec::new() };
        while let Some(name) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{name} needs a value"));
            match name.as_str() {
                "--seconds" => options.seconds = value()?.parse()?,
                "--seed" => options.seed = value()?.parse()?,
                "--finds" => options.finds = value()?.into(),
                "--only" => options.only = Some(value()?.parse()?),
                _ => options.inputs.push(name.into()),
            }
        }
        Ok(options)
    }
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let options = Options::read(std::env::args().skip(1))?;
    fs::create_dir_all(&options.finds)?;
    let mut session = Session { targets: Targets::new()?, watchdog: Watchdog::start(&options.finds), finds: 0 };
    if options.inputs.is_empty() {
        session.run(&options)?;
    }
    session.targets.try_every_method();
    for input in &options.inputs {
        let target = options.only.ok_or("--only says which of page, archive and query the inputs are")?;
        session.input(target, &fs::read(input)?, &options.finds)?;
    }
    println!("{} finds, in {}", session.finds, options.finds.display());
    Ok(if session.finds == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

struct Session {
    targets: Targets,
    watchdog: Watchdog,
    finds: usize,
}

impl Session {
    fn run(&mut self, options: &Options) -> Result<(), Box<dyn Error>> {
        let seeds = Seeds::read(Path::new(env!("CARGO_MANIFEST_DIR")))?;
        let mut random = Random::new(options.seed);
        let end = Instant::now() + Duration::from_secs(options.seconds);
        let mut counts = [0u64; Target::ALL.len()];
        let mut told = Instant::now();
        while Instant::now() < end {
            let target = options.only.unwrap_or_else(|| Target::any(&mut random));
            let input = mutate(seeds.of(target), &mut random);
            self.input(target, &input, &options.finds)?;
            counts[target as usize] += 1;
            if told.elapsed() > Duration::from_mins(1) {
                told = Instant::now();
                println!("pages, archives, queries: {counts:?}; {} finds", self.finds);
            }
        }
        println!("pages, archives, queries: {counts:?}");
        Ok(())
    }

    fn input(&mut self, target: Target, input: &[u8], finds: &Path) -> Result<(), Box<dyn Error>> {
        self.watchdog.begin(target, input);
        let before = worked();
        let result = catch_unwind(AssertUnwindSafe(|| self.targets.run(target, input)));
        let duration = worked().saturating_sub(before);
        self.watchdog.end();
        let what = match result {
            Err(_) => "panic".to_owned(),
            Ok(Err(law)) => law,
            Ok(Ok(())) if duration > SLOW => format!("slow: {duration:?}"),
            Ok(Ok(())) => return Ok(()),
        };
        self.finds += 1;
        let path = finds.join(format!("{target:?}-{:016x}", lopper_content::weigh::term_hash(&format!("{input:?}"))));
        fs::write(&path, input)?;
        println!("FIND {what}: {}", path.display());
        Ok(())
    }
}
