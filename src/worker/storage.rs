//! Parts in object storage.
//!
//! ```text
//! NAME.part.ndjson.zst               a part
//! NAME.part.ndjson.zst.counts        its counts; there before the part is
//! NAME.part.ndjson.zst.receipt.json  what is told of it; there after the part, or made when it is asked for
//! ```
//! Each is written once. What a worker leaves that is killed is made good by whoever does the job again.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use lopper_collection::ingest::PartFetch;
use lopper_collection::parts::{PartError, PartFolder, Published, Receipt};
use lopper_objects::{Bucket, BucketAddress, ObjectError, Settings, WebFile, Written, is_s3};
use tempfile::TempPath;

use super::child::COUNTS_ENDING;
use super::remote::failed;

/// How the names of receipts end.
const RECEIPT_ENDING: &str = ".receipt.json";

/// Objects below an address, and the folder that parts are made in.
pub(crate) struct PartStorage {
    bucket: Bucket,
    made_in: PartFolder,
}

impl PartStorage {
    pub(super) fn open(output: &str, made_in: PartFolder) -> Result<Self, PartError> {
        let address = BucketAddress::parse(output);
        let bucket = address.and_then(|address| Bucket::open(&address, &Settings::from_env()));
        Ok(Self { bucket: bucket.map_err(|error| failed(output, &error))?, made_in })
    }

    pub(super) fn made_in(&self) -> &PartFolder {
        &self.made_in
    }

    fn told<T>(&self, name: &str, result: Result<T, ObjectError>) -> Result<T, PartError> {
        result.map_err(|error| failed(&self.bucket.address().of(name), &error))
    }

    pub(super) fn has(&self, name: &str) -> Result<bool, PartError> {
        self.told(name, self.bucket.has(name))
    }

    pub(super) fn send(&self, name: &str, watch: &mut dyn FnMut(u64)) -> Result<Published, PartError> {
        let counts = format!("{name}{COUNTS_ENDING}");
        watch(0);
        self.told(&counts, self.bucket.create_from(&counts, &self.made_in.path(&counts), watch))?;
        watch(0);
        let sent = self.told(name, self.bucket.create_from(name, &self.made_in.path(name), watch))?;
        watch(0);
        let published = if sent == Written::Existing { Published::Existing } else { Published::Created };
        let receipt = Receipt::of("", &self.made_in.path(name), Published::Created)?;
        self.keep_receipt(name, &receipt)?;
        for made in [name, &counts] {
            // Where they stay, they are made again or removed with the folder.
            let _ = fs::remove_file(self.made_in.path(made));
        }
        Ok(published)
    }

    fn keep_receipt(&self, name: &str, receipt: &Receipt) -> Result<(), PartError> {
        let object = format!("{name}{RECEIPT_ENDING}");
        let bytes = serde_json::to_vec(receipt).unwrap_or_default();
        self.told(&object, self.bucket.create(&object, bytes)).map(drop)
    }

    /// The receipt that is kept; where there is none, the part is read, and it is kept then.
    pub(super) fn receipt(&self, archive: &str, name: &str, published: Published) -> Result<Receipt, PartError> {
        let object = format!("{name}{RECEIPT_ENDING}");
        let kept = self.told(&object, self.bucket.read(&object))?;
        let kept = kept.and_then(|bytes| serde_json::from_slice::<Receipt>(&bytes).ok());
        let receipt = if let Some(receipt) = kept {
            receipt
        } else {
            let part = fetched(&self.bucket.address().of(name), &self.made_in.path(name))?;
            let receipt = Receipt { part: name.to_owned(), ..Receipt::of("", &part, Published::Created)? };
            self.keep_receipt(name, &receipt)?;
            receipt
        };
        Ok(Receipt { archive: archive.to_owned(), published, ..receipt })
    }
}

/// The object or file at `address`, in a file beside `beside` that goes when what is given back is dropped.
fn fetched(address: &str, beside: &Path) -> Result<TempPath, PartError> {
    let io_error = |source| PartError::Io { doing: "fetch", path: PathBuf::from(address), source };
    let folder = beside.parent().unwrap_or(Path::new("."));
    let (mut file, path) =
        tempfile::Builder::new().suffix(".fetched").tempfile_in(folder).map_err(io_error)?.into_parts();
    let mut stream = stream(address).map_err(|error| failed(address, &error))?;
    io::copy(&mut stream, &mut file).map_err(io_error)?;
    Ok(path)
}

fn stream(address: &str) -> Result<lopper_objects::ObjectReader, ObjectError> {
    if is_s3(address) {
        let (address, name) = BucketAddress::parse_object(address)?;
        Bucket::open(&address, &Settings::from_env())?.stream(&name, 0, None)
    } else {
        WebFile::new(address)?.stream(0, None)
    }
}

/// Brings parts from object storage and the web to a folder, one at a time.
#[derive(Debug)]
pub(crate) struct PartsElsewhere {
    folder: tempfile::TempDir,
}

impl PartsElsewhere {
    /// With a folder among the system's temporary ones.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self { folder: tempfile::tempdir()? })
    }
}

impl PartFetch for PartsElsewhere {
    fn fetch(&self, address: &Path) -> Result<Box<dyn AsRef<Path> + Send>, PartError> {
        let part = fetched(&address.to_string_lossy(), &self.folder.path().join("part"))?;
        Ok(Box::new(part))
    }
}

/// The objects at an address whose names end in `ending`, by their addresses, in order.
///
/// # Errors
///
/// [`ObjectError`].
pub(crate) fn addresses(address: &str, ending: &str) -> Result<Vec<String>, ObjectError> {
    if address.ends_with(ending) {
        return Ok(vec![address.to_owned()]);
    }
    let address = BucketAddress::parse(address)?;
    let bucket = Bucket::open(&address, &Settings::from_env())?;
    let listed = bucket.list("")?.into_iter().filter(|listed| listed.name.ends_with(ending));
    Ok(listed.map(|listed| address.of(&listed.name)).collect())
}

/// The bytes of an object.
///
/// # Errors
///
/// [`ObjectError`].
pub(crate) fn bytes(address: &str) -> Result<Vec<u8>, ObjectError> {
    let (address, name) = BucketAddress::parse_object(address)?;
    let read = Bucket::open(&address, &Settings::from_env())?.read(&name)?;
    read.ok_or_else(|| ObjectError::Missing { what: address.of(&name) })
}
