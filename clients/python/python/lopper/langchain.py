"""Lopper's answers as documents of LangChain (`pip install langchain-core`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from ._blocks import passages
from ._extract import Html, extract_many


class LopperLoader(BaseLoader):
    """Loads the main content of pages, each `html` or `(html, url)`, as text; on all cores."""

    def __init__(self, pages: Iterable[Html | tuple[Html, str | None]], **options):
        self.pages, self.options = pages, options

    def lazy_load(self) -> Iterator[Document]:
        """A document for each page, in order; what the page says of itself is its metadata."""
        for page in extract_many(self.pages, format="dict", **self.options):
            told = {name: page[name] for name in ("title", "author", "date", "language") if page[name]}
            yield Document(page_content=page["text"], metadata={"source": page["url"]} | told)


class LopperRetriever(BaseRetriever):
    """Retrieves blocks from a `lopper.Collection` or a `lopper.Client`, each with its provenance."""

    collection: object
    k: int = 5

    def _get_relevant_documents(self, query: str, *, run_manager=None) -> list[Document]:
        return [Document(page_content=text, metadata=data) for text, data in passages(self.collection, query, self.k)]
