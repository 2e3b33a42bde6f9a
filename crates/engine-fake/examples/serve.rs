//! Serves the stand-in until it is killed: `cargo run -p lopper-engine-fake --example serve -- quickwit|elasticsearch [SPLIT_DOCUMENTS]`.
//! Prints its address.

use lopper_engine_fake::{FakeEngine, Kind};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let kind =
        if args.first().is_some_and(|kind| kind == "elasticsearch") { Kind::Elasticsearch } else { Kind::Quickwit };
    let engine = FakeEngine::start(kind);
    if let Some(max) = args.get(1).and_then(|max| max.parse().ok()) {
        engine.set_split_documents(max);
    }
    println!("{}", engine.url());
    loop {
        std::thread::park();
    }
}
