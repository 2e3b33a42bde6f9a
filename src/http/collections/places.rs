//! Where collections are, and how they were made.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use lopper_collection::DataFolder;
use lopper_content::pipeline::ExtractParams;
use lopper_faults::disk::put_in_place;
use lopper_index::RankingWeights;
use serde::{Deserialize, Serialize};

use super::is_name;

/// The folder of the first collection's data folder that has the others: of each a folder, and beside it what it was made with.
const FOLDER: &str = "collections";

/// How the name of a folder ends that is being removed; no collection is called so.
const GONE: &str = "gone";

/// What a collection is opened with.
#[derive(Debug, Clone)]
pub(in crate::http) struct Place {
    pub(super) data: PathBuf,
    pub(super) extract: ExtractParams,
    /// A file of weights.
    pub(super) weights: Option<PathBuf>,
    /// Weights that were given when it was made.
    pub(super) own_weights: Option<RankingWeights>,
    /// Whether it was made over HTTP, and not by the settings.
    pub(super) is_made: bool,
}

/// A collection that is to be made.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct NewCollection {
    pub(super) name: String,
    /// Parameters of the extraction.
    #[serde(default)]
    extract: ExtractParams,
    /// Weights of the ranking.
    weights: Option<RankingWeights>,
}

/// What a collection was made with, as it is kept.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct MadeWith {
    extract: ExtractParams,
    weights: Option<RankingWeights>,
}

/// The folder of a collection that the settings give none.
pub(super) fn folder(first: &DataFolder, name: &str) -> PathBuf {
    first.store().data().join(FOLDER).join(name)
}

/// The collections that were made over HTTP. One whose file cannot be read is told in the log and left out.
pub(super) fn made_before(data: &Path) -> BTreeMap<String, Place> {
    finish_removals(&data.join(FOLDER));
    let entries = fs::read_dir(data.join(FOLDER)).into_iter().flatten().flatten();
    let files =
        entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    let read = |path: PathBuf| {
        let name = path.file_stem()?.to_str().filter(|name| is_name(name))?.to_owned();
        let made_with = fs::read(&path).map_err(|error| error.to_string());
        match made_with.and_then(|bytes| serde_json::from_slice(&bytes).map_err(|error| error.to_string())) {
            Ok(made_with) => Some((name, place(path.with_extension(""), made_with))),
            Err(error) => {
                tracing::error!(collection = name, error, "what the collection was made with cannot be read");
                None
            }
        }
    };
    files.filter_map(read).collect()
}

fn place(data: PathBuf, MadeWith { extract, weights }: MadeWith) -> Place {
    Place { data, extract, weights: None, own_weights: weights, is_made: true }
}

/// Notes what a collection is made with. Its folder is made when it is first opened.
pub(super) fn make(first: &DataFolder, wanted: &NewCollection) -> io::Result<Place> {
    let data = folder(first, &wanted.name);
    let file = data.with_extension("json");
    let made_with = MadeWith { extract: wanted.extract, weights: wanted.weights.clone() };
    fs::create_dir_all(first.store().data().join(FOLDER))?;
    let part = data.with_extension("part");
    let mut unfinished = File::create(&part)?;
    unfinished.write_all(&serde_json::to_vec_pretty(&made_with)?)?;
    put_in_place(&part, &file)?;
    Ok(place(data, made_with))
}

/// Removes a collection that was made: whole once its folder is renamed, whatever stops the server then.
pub(super) fn remove(place: &Place) -> io::Result<()> {
    let gone = place.data.with_extension(GONE);
    match fs::rename(&place.data, &gone) {
        // It was never opened.
        Err(error) if error.kind() == io::ErrorKind::NotFound => fs::remove_file(place.data.with_extension("json")),
        Err(error) => Err(error),
        Ok(()) => finish_removal(&gone),
    }
}

fn finish_removal(gone: &Path) -> io::Result<()> {
    match fs::remove_file(gone.with_extension("json")) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    fs::remove_dir_all(gone)
}

/// Ends the removals that a former server began.
fn finish_removals(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    for gone in entries.filter(|path| path.extension().is_some_and(|ending| ending == GONE)) {
        if let Err(error) = finish_removal(&gone) {
            tracing::error!(%error, folder = %gone.display(), "a removed collection's folder stays");
        }
    }
}
