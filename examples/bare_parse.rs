//! Reads an archive and parses its pages, and nothing more: what `lopper extract` is measured against.
//!
//! `bare_parse ARCHIVE`: prints how many pages it parsed and how many nodes they have.

use std::error::Error;
use std::path::Path;

use lopper_archive::page::{self, PageOutcome};
use lopper_content::dom;
use lopper_content::limits::Limits;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("usage: bare_parse ARCHIVE")?;
    let limits = Limits::default();
    let mut reader = lopper_archive::open(Path::new(&file), &limits)?;
    let (mut pages, mut nodes) = (0_u64, 0_u64);
    while let Some(record) = reader.next_record() {
        if let Ok(PageOutcome::Page(page)) = page::decode(record?, &limits) {
            pages += 1;
            nodes += dom::parse(&page.html, &limits).len() as u64;
        }
    }
    println!("{pages} pages, {nodes} nodes");
    Ok(())
}
