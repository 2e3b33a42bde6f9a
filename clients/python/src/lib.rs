//! `lopper._native`: what the Python package `lopper` calls. Its face, with documents and types, is in `python/lopper`.

mod collection;
mod error;
mod extract;
mod html;
mod many;
mod options;
mod submission;
mod told;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::collection::OpenCollection;
    #[pymodule_export]
    use crate::collection::StoredBlocks;
    #[pymodule_export]
    use crate::error::FolderInUse;
    #[pymodule_export]
    use crate::error::LopperError;
    #[pymodule_export]
    use crate::extract::extract;
    #[pymodule_export]
    use crate::many::ExtractMany;
}
