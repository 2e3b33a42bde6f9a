//! Files of this machine to objects.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path as FilePath;

use object_store::{MultipartUpload, ObjectStoreExt, PutPayload};

use crate::runtime::wait;
use crate::{Bucket, ObjectError, Written};

/// Bytes that go in one request.
pub const SINGLE_BYTES_MAX: u64 = 8 << 20;

/// Pieces that an object may consist of, by the rules of S3.
const PIECES_MAX: u64 = 10_000;

impl Bucket {
    /// Writes the content of a file unless there is an object of that name. One of more than [`SINGLE_BYTES_MAX`] goes in pieces, after it
    /// was looked whether there is one: of two who do that at the same time, the later one's stays. So give the same name to the same bytes.
    /// `watch` is told the bytes that are there after each piece.
    ///
    /// # Errors
    ///
    /// [`ObjectError`]. What was written in pieces is taken back then; of a process that is killed it stays until the bucket's rules
    /// remove it (`AbortIncompleteMultipartUpload`).
    pub fn create_from(&self, name: &str, path: &FilePath, watch: &mut dyn FnMut(u64)) -> Result<Written, ObjectError> {
        let failed = |source| ObjectError::File { path: path.to_owned(), source };
        if fs::metadata(path).map_err(failed)?.len() <= SINGLE_BYTES_MAX {
            return self.create(name, fs::read(path).map_err(failed)?);
        }
        if self.has(name)? {
            return Ok(Written::Existing);
        }
        let target = self.path(name)?;
        let mut upload = self.told("write", name, wait(self.store.put_multipart(&target)))?;
        let put = self.put_pieces(name, path, upload.as_mut(), watch);
        if put.is_err() {
            // The first error is the one to be told.
            let _ = wait(upload.abort());
        }
        put
    }

    fn put_pieces(
        &self,
        name: &str,
        path: &FilePath,
        upload: &mut dyn MultipartUpload,
        watch: &mut dyn FnMut(u64),
    ) -> Result<Written, ObjectError> {
        let failed = |source| ObjectError::File { path: path.to_owned(), source };
        let mut file = File::open(path).map_err(failed)?;
        let piece_bytes = SINGLE_BYTES_MAX.max(file.metadata().map_err(failed)?.len().div_ceil(PIECES_MAX));
        let mut written = 0;
        loop {
            let mut piece = Vec::new();
            (&mut file).take(piece_bytes).read_to_end(&mut piece).map_err(failed)?;
            if piece.is_empty() {
                break;
            }
            written += piece.len() as u64;
            self.told("write", name, wait(upload.put_part(PutPayload::from(piece))))?;
            watch(written);
        }
        let put = self.told("write", name, wait(upload.complete()))?;
        Ok(Written::Created { version: put.e_tag })
    }
}
