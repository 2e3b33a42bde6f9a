//! What an answer says of the language of a block.

use lopper_analysis::Language;
use lopper_index::BlockDocument;
use lopper_store::StoredPage;

/// The language of a page.
pub(super) fn page_language(page: &StoredPage) -> Language {
    Language::from_code(page.language.as_deref().unwrap_or_default())
}

/// A block's language, where it is another than its page's.
pub(super) fn block_language(block: &BlockDocument, page: Language) -> Option<String> {
    (block.language != page).then(|| block.language.to_string())
}
