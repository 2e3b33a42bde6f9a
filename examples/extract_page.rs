//! The main content of a page as Markdown: `cargo run --example extract_page -- PAGE.html [URL]`.

use std::process::ExitCode;

use lopper_content::{ExtractOptions, extract};

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let Some(Ok(html)) = args.next().map(std::fs::read_to_string) else {
        eprintln!("usage: extract_page PAGE.html [URL]");
        return ExitCode::FAILURE;
    };
    let content = extract(&html, &ExtractOptions::for_url(args.next().unwrap_or_default()));
    println!("{} ({})\n\n{}", content.metadata.title, content.language, content.markdown());
    ExitCode::SUCCESS
}
