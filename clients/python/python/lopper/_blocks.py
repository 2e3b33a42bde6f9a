"""Blocks as other frameworks take them: a text with flat data."""

from __future__ import annotations

from typing import Any

DATA = ("block_id", "score", "source", "url", "title", "captured_at", "headings", "archive", "digest")
"""Names in the data of a passage. `source` is the link that marks the passage on its page."""


def passages(collection: Any, query: str, k: int) -> list[tuple[str, dict[str, Any]]]:
    """The best `k` blocks for a query, of the best pages first, each with its provenance; of a part of a table with its head."""
    found = [(page, block) for page in collection.search(query, k, blocks_per_page=1) for block in page.blocks]
    return [(_text(block), dict(zip(DATA, _data(page, block)))) for page, block in found]


def _text(block):
    return f"{block.table_head}\n{block.passage}" if block.table_head else block.passage


def _data(page, block):
    headings = " > ".join(block.heading_path)
    archive, digest = (page.source.archive, page.source.digest) if page.source else (None, None)
    place = (page.url, page.title, page.captured_at, headings, archive, digest)
    return (block.block_id, block.score, block.url, *place)
