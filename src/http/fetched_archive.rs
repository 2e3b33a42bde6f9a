//! Archives behind URLs that the operator allowed: brought into the data folder by the job that takes them in.

use std::path::PathBuf;

use lopper_collection::ingest::{Bodies, Interrupt, Observer};
use url::Url;

use super::error::{ApiError, ErrorCode};
use super::job_run::Archives;
use super::parameters::{bad, shortened};
use super::received::file_name;
use super::state::State;

/// A file that is brought.
#[derive(Debug, Clone)]
pub(super) struct Fetch {
    url: Url,
    name: String,
}

/// The archive behind `url`, if it begins as the operator allowed. Nothing is asked of it yet.
pub(super) fn archive_behind(state: &State, url: &str) -> Result<Archives, ApiError> {
    let parsed = Url::parse(url).map_err(|error| bad(format!("`url`: {error}")))?;
    if !state.options().archive_urls.iter().any(|prefix| prefix.allows(&parsed)) {
        let message = format!("{} begins with nothing that `archive_urls` in `[serve]` allows", shortened(url));
        return Err(ApiError::new(ErrorCode::PathNotAllowed, message));
    }
    let name = file_name(parsed.path()).ok_or_else(|| bad("`url` has no file name at its end"))?;
    let named = PathBuf::from(&name);
    let fetch = Some(Fetch { url: parsed, name });
    Ok(Archives {
        named,
        files: Vec::new(),
        root: PathBuf::new(),
        bodies: Bodies::default(),
        again: false,
        fetch,
        is_own: false,
    })
}

impl Fetch {
    /// Brings the file, and tells how far it is. `None` when it was told to stop, and then nothing of it is left.
    #[cfg(feature = "s3")]
    pub(super) fn run(
        &self,
        state: &State,
        interrupt: &Interrupt,
        observer: &mut dyn Observer,
    ) -> Result<Option<PathBuf>, ApiError> {
        use std::io::Read;

        use lopper_collection::ingest::Progress;
        use lopper_objects::WebFile;

        use super::received::Place;

        /// Bytes that are read at once.
        const CHUNK_BYTES: u64 = 1 << 20;

        let failed = |error: &(dyn std::error::Error + 'static)| {
            ApiError::new(ErrorCode::ArchiveNotFound, super::error::chain(error))
        };
        let max = state.options().archive_bytes_max;
        let file = WebFile::new(self.url.as_str()).map_err(|error| failed(&error))?.without_redirections();
        let mut reader = file.stream(0, None).map_err(|error| failed(&error))?;
        let total = reader.found().bytes.unwrap_or(0);
        let too_large = || ApiError::new(ErrorCode::TooLarge, format!("the archive has more than {max} bytes"));
        if total > max {
            return Err(too_large());
        }
        let data = state.collection().store().data().to_owned();
        let (place, mut written) = Place::new(&data, &self.name).map_err(|error| ApiError::internal(&error))?;
        let mut read = 0;
        loop {
            let more = std::io::copy(&mut (&mut reader).take(CHUNK_BYTES), &mut written);
            let more = more.map_err(|error| failed(&error))?;
            read += more;
            if interrupt.is_asked() {
                return Ok(None);
            }
            if read > max {
                return Err(too_large());
            }
            observer.progress(&Progress { bytes_read: read, bytes_total: total.max(read), ..Progress::default() });
            if more == 0 {
                return place.keep().map(Some).map_err(|error| ApiError::internal(&error));
            }
        }
    }

    #[cfg(not(feature = "s3"))]
    pub(super) fn run(&self, _: &State, _: &Interrupt, _: &mut dyn Observer) -> Result<Option<PathBuf>, ApiError> {
        let message = format!("{}: this lopper was built without URLs (feature s3)", self.name);
        Err(ApiError::new(ErrorCode::ArchiveNotFound, message))
    }
}
