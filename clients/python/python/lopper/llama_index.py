"""Lopper's answers as documents of LlamaIndex (`pip install llama-index-core`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from llama_index.core.readers.base import BaseReader
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import Document, NodeWithScore, QueryBundle, TextNode

from ._blocks import passages
from ._extract import Html, extract_many


class LopperReader(BaseReader):
    """Reads the main content of pages, each `html` or `(html, url)`; on all cores."""

    def lazy_load_data(self, pages: Iterable[Html | tuple[Html, str | None]], **options) -> Iterator[Document]:
        """A document for each page, in order; what the page says of itself is its metadata."""
        for page in extract_many(pages, format="dict", **options):
            told = {name: page[name] for name in ("url", "title", "author", "date", "language") if page[name]}
            yield Document(text=page["text"], metadata=told)


class LopperRetriever(BaseRetriever):
    """Retrieves blocks from a `lopper.Collection` or a `lopper.Client`, each with its provenance."""

    def __init__(self, collection, k: int = 5):
        self.collection, self.k = collection, k
        super().__init__()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        found = passages(self.collection, query_bundle.query_str, self.k)
        return [
            NodeWithScore(node=TextNode(text=text, id_=data["block_id"], metadata=data), score=data["score"])
            for text, data in found
        ]
