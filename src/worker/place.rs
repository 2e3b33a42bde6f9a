//! Where parts go: to a folder, or to object storage by way of a folder.

use std::path::Path;

use lopper_collection::parts::{PartError, PartFolder, Published, Receipt};

/// Where parts go.
pub(crate) enum PartPlace {
    /// A folder.
    Folder(PartFolder),
    /// Objects below an address.
    #[cfg(feature = "s3")]
    Storage(super::storage::PartStorage),
}

/// Whether parts go to object storage, and so need a folder to be made in.
pub(crate) fn is_storage(output: &str) -> bool {
    output.starts_with("s3://")
}

impl PartPlace {
    /// The place `output`: a folder, or an address of object storage, for which parts are made in the folder `made_in`.
    ///
    /// # Errors
    ///
    /// [`PartError`] for a folder that cannot be made, and an address that is none.
    pub(crate) fn open(output: &str, made_in: Option<&Path>) -> Result<Self, PartError> {
        match made_in {
            Some(made_in) if is_storage(output) => Self::storage(output, PartFolder::open(made_in)?),
            _ => Ok(Self::Folder(PartFolder::open(Path::new(output))?)),
        }
    }

    #[cfg(feature = "s3")]
    fn storage(output: &str, made_in: PartFolder) -> Result<Self, PartError> {
        super::storage::PartStorage::open(output, made_in).map(Self::Storage)
    }

    #[cfg(not(feature = "s3"))]
    fn storage(output: &str, _made_in: PartFolder) -> Result<Self, PartError> {
        let reason = "this lopper was built without object storage (feature s3)".to_owned();
        Err(PartError::Fetch { archive: output.to_owned(), code: "no_object_storage", reason })
    }

    /// The folder that parts are made in.
    pub(super) fn folder(&self) -> &PartFolder {
        match self {
            Self::Folder(folder) => folder,
            #[cfg(feature = "s3")]
            Self::Storage(storage) => storage.made_in(),
        }
    }

    /// Whether the part is there.
    pub(super) fn has(&self, name: &str) -> Result<bool, PartError> {
        match self {
            Self::Folder(folder) => Ok(folder.path(name).exists()),
            #[cfg(feature = "s3")]
            Self::Storage(storage) => storage.has(name),
        }
    }

    /// Takes the part, which is in the folder, to where it goes; `published` says what became of it in the folder. `watch` is told of bytes.
    pub(super) fn send(
        &self,
        name: &str,
        published: Published,
        watch: &mut dyn FnMut(u64),
    ) -> Result<Published, PartError> {
        match self {
            Self::Folder(_) => {
                let _ = watch;
                Ok(published)
            }
            #[cfg(feature = "s3")]
            Self::Storage(storage) => storage.send(name, watch),
        }
    }

    /// What is told of a part that is there.
    pub(super) fn receipt(&self, archive: &str, name: &str, published: Published) -> Result<Receipt, PartError> {
        match self {
            Self::Folder(folder) => Receipt::of(archive, &folder.path(name), published),
            #[cfg(feature = "s3")]
            Self::Storage(storage) => storage.receipt(archive, name, published),
        }
    }
}
