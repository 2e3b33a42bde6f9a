//! What an index's commit carries, and the store that agrees with it.

use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use lopper_content::pipeline::ExtractParams;
use lopper_index::BlockIndex;
use lopper_store::{Sequence, Store};
use serde::{Deserialize, Serialize};

use crate::CollectionError;

/// Time between two looks for an index and a store that agree.
pub(crate) const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// What an index commit carries: the store's sequence that it agrees with, and the parameters that made its blocks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Checkpoint {
    pub(crate) sequence: Sequence,
    /// Digest of the parameters.
    params: String,
    /// The parameters themselves; commits of data version 3 have none.
    #[serde(default)]
    extract: Option<ExtractParams>,
}

impl Checkpoint {
    /// Of an index that agrees with the store's commit `sequence`.
    pub(crate) fn new(sequence: Sequence, params: ExtractParams) -> Self {
        Self { sequence, params: params.digest(), extract: Some(params) }
    }

    /// The parameters that made the blocks. Of a commit with no more than a digest they are known when they are the default ones.
    pub(crate) fn params(&self) -> Option<ExtractParams> {
        let default = ExtractParams::default();
        self.extract.or_else(|| (self.params == default.digest()).then_some(default))
    }

    /// Whether blocks made with `params` are like those of the index.
    fn has(&self, params: &ExtractParams) -> bool {
        self.extract.map_or_else(|| self.params.clone(), |own| own.digest()) == params.digest()
    }
}

pub(crate) fn known_params(data: &Path, params: Option<ExtractParams>) -> ExtractParams {
    params.unwrap_or_else(|| {
        tracing::warn!(data = %data.display(), "the folder does not say its parameters; the next ingest with them notes them");
        ExtractParams::default()
    })
}

/// What the index's last commit carries; `None` before the first one.
pub(crate) fn read_checkpoint(data: &Path, index: &BlockIndex) -> Result<Option<Checkpoint>, CollectionError> {
    checkpoint_of(data, index.committed_payload()?.as_deref())
}

/// The same of a payload.
pub(crate) fn checkpoint_of(data: &Path, payload: Option<&str>) -> Result<Option<Checkpoint>, CollectionError> {
    let payload = payload.filter(|payload| !payload.is_empty());
    let checkpoint = payload.map(serde_json::from_str).transpose();
    checkpoint.map_err(|source| CollectionError::Checkpoint { data: data.to_owned(), source })
}

/// The parameters to go on with: those of the folder, which `params` must be too, or the default ones.
pub(crate) fn agreed_params(
    data: &Path,
    checkpoint: Option<&Checkpoint>,
    params: ExtractParams,
) -> Result<ExtractParams, CollectionError> {
    let Some(checkpoint) = checkpoint.filter(|checkpoint| !checkpoint.has(&params)) else { return Ok(params) };
    match checkpoint.params() {
        Some(own) if params.digest() == ExtractParams::default().digest() => {
            tracing::info!(data = %data.display(), "the folder goes on with the parameters that it was made with");
            Ok(ExtractParams { site_memory: params.site_memory, ..own })
        }
        _ => Err(CollectionError::OtherParameters { data: data.to_owned() }),
    }
}

/// What `look` opens of the index, with its checkpoint, and the store at the commit of that. Others may commit meanwhile: then it looks again,
/// until the two agree, or nothing moves any more and they are as a crash left them.
pub(crate) fn agreeing<I>(
    data: &Path,
    mut look: impl FnMut() -> Result<(I, Option<Checkpoint>), CollectionError>,
) -> Result<(I, Option<Checkpoint>, Store), CollectionError> {
    let mut seen = None;
    loop {
        let (index, checkpoint) = look()?;
        let of_index = checkpoint.as_ref().map_or(Sequence(0), |checkpoint| checkpoint.sequence);
        let store = Store::open_at(data, of_index)?;
        let now = Some((of_index, store.sequence()));
        if store.sequence() == of_index || seen == now {
            return Ok((index, checkpoint, store));
        }
        seen = now;
        sleep(BETWEEN_LOOKS);
    }
}
