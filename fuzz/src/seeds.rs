//! Inputs to begin with: those of the tests.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;

use crate::targets::Target;

/// Bytes taken of an input: short ones are run often.
const INPUT_BYTES_MAX: usize = 96 << 10;

/// Queries of every form that the language has.
const QUERIES: [&str; 16] = [
    "oak mill",
    "+oak -mill",
    "\"old mill\"~3 oak",
    "title:(a OR b) -heading:\"c d\"",
    "a AND (b OR NOT c)",
    "mi* wa?er",
    "site:example.org lang:en",
    "date:2020-01..2021 oak",
    "inurl:docs type:documentation",
    "oak NEAR/5 mill",
    "“a b” «c» 東京 домен",
    "((((((a))))))",
    "link:x image:\"y\" text:z",
    "-",
    "NOT NOT NOT a",
    "https://example.org/a?b=c#d e-mail C++",
];

/// Inputs by target.
pub(crate) struct Seeds {
    pages: Vec<Vec<u8>>,
    archives: Vec<Vec<u8>>,
    queries: Vec<Vec<u8>>,
}

impl Seeds {
    pub(crate) fn read(repository: &Path) -> io::Result<Self> {
        let tests = repository.join("tests");
        let mut pages = Vec::new();
        for path in files_below(&tests)? {
            let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
            match extension {
                "html" => pages.push(start_of(File::open(&path)?)?),
                "dat" => pages.extend(html5lib_cases(&fs::read_to_string(&path)?)),
                "gz" if path.starts_with(tests.join("quality")) => {
                    pages.push(start_of(MultiGzDecoder::new(File::open(&path)?))?);
                }
                _ => {}
            }
        }
        let archives = files_below(&tests.join("archives"))?;
        let archives = archives.iter().map(|path| start_of(File::open(path)?)).collect::<io::Result<_>>()?;
        Ok(Self { pages, archives, queries: QUERIES.map(|query| query.as_bytes().to_vec()).to_vec() })
    }

    pub(crate) fn of(&self, target: Target) -> &[Vec<u8>] {
        match target {
            Target::Page => &self.pages,
            Target::Archive => &self.archives,
            Target::Query => &self.queries,
        }
    }
}

/// In the order of their names.
fn files_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    Ok(files)
}

fn start_of(file: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(INPUT_BYTES_MAX as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn html5lib_cases(file: &str) -> Vec<Vec<u8>> {
    let cases = file.split("#data\n").skip(1);
    cases.filter_map(|case| Some(case.split_once("\n#errors")?.0.as_bytes().to_vec())).collect()
}
