"""What collections and servers answer, typed.

Each object keeps the JSON that it was made from as `raw`, which may have more than the fields here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

T = TypeVar("T")


def read(kind: type[T], raw: dict[str, Any], **made: Any) -> T:
    """The object of `raw`; fields that it does not have keep their defaults."""
    names = {known.name for known in fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: value for name, value in raw.items() if name in names} | made, raw=raw)


@dataclass(frozen=True)
class Source:
    """The record that a page was read from."""

    archive: str
    """File name of the archive."""
    offset_bytes: int = 0
    record_id: str | None = None
    digest: str | None = None
    """Of the page's HTML (XXH3, 128 bit)."""
    raw: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True)
class Block:
    """A block of a page: a passage with its place."""

    block_id: str
    text: str
    heading_path: list[str] = field(default_factory=list)
    lead: str = ""
    table_head: str = ""
    """Of a part of a table: the rows that head its columns."""
    block_language: str | None = None
    """Where that is another than the page's."""
    ordinal: int = 0
    url: str = ""
    """The page's URL with a text fragment, by which a browser scrolls to the block and marks it."""
    css_path: str = ""
    similarity: float = 0.0
    raw: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, raw: dict[str, Any], **made: Any):
        place = raw["locator"]
        return read(cls, raw, url=place["url"], css_path=place["css_path"], **made)


@dataclass(frozen=True)
class BlockHit(Block):
    """A block that answers."""

    score: float = 0.0
    """Comparable within one answer."""
    passage: str = ""
    """What of the text answers; where a short line stands alone, with what follows it."""
    snippet: str = ""
    missing_words: list[str] = field(default_factory=list)
    """Words of the query that the collection has, but not this block, its headings or its page's title."""

    @classmethod
    def of(cls, raw: dict[str, Any], **made: Any):
        return super().of(raw, snippet=raw["snippet"]["text"], **made)


@dataclass(frozen=True)
class PageHit:
    """A page that answers, with its best blocks, best first."""

    page_id: str
    url: str
    blocks: list[BlockHit]
    title: str = ""
    host: str = ""
    language: str = ""
    page_type: str = ""
    captured_at: str | None = None
    """RFC 3339."""
    score: float = 0.0
    source: Source | None = None
    replay_url: str | None = None
    last_captured_at: str | None = None
    """When the address last gave the same HTML, where that is later; absent with `as_of`."""
    newer_capture: dict[str, Any] | None = None
    """`page_id` and `captured_at` of the newest capture, where it is later and gave other HTML; absent with `as_of`."""
    raw: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, raw: dict[str, Any]):
        return read(cls, raw, blocks=[BlockHit.of(block) for block in raw["blocks"]], source=source(raw))


@dataclass(frozen=True)
class Answer:
    """The answer to a search: pages, best first. It can be iterated over, and is false where nothing matches."""

    query: str
    pages: list[PageHit]
    total_blocks: int = 0
    total_is_exact: bool = True
    is_complete: bool = True
    """Whether the search came to its end; if not, `total_blocks` is a lower bound and pages may be missing."""
    coverage: float | None = None
    """How far to trust it: of queries with such an answer, this share has a right page first; `None` where not known."""
    notes: list[Any] = field(default_factory=list)
    """How the query was understood, where that needs telling."""
    next_offset: int | None = None
    next_cursor: str | None = None
    facets: dict[str, Any] | None = None
    duration_ms: float = 0.0
    raw: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, raw: dict[str, Any]):
        return read(cls, raw, pages=[PageHit.of(page) for page in raw["pages"]])

    def __iter__(self) -> Iterator[PageHit]:
        return iter(self.pages)

    def __len__(self) -> int:
        return len(self.pages)


@dataclass(frozen=True)
class StoredPage:
    """A page of a collection with its blocks, in page order."""

    page_id: str
    url: str
    blocks: list[Block]
    title: str = ""
    description: str = ""
    host: str = ""
    language: str | None = None
    page_type: str | None = None
    captured_at: str | None = None
    source: Source | None = None
    replay_url: str | None = None
    last_captured_at: str | None = None
    """When the address last gave the same HTML, where that is later; absent with `as_of`."""
    newer_capture: dict[str, Any] | None = None
    """`page_id` and `captured_at` of the newest capture, where it is later and gave other HTML; absent with `as_of`."""
    raw: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, raw: dict[str, Any]):
        return read(cls, raw, blocks=[Block.of(block) for block in raw["blocks"]], source=source(raw))


@dataclass(frozen=True)
class StoredBlock(Block):
    """A block with its page, as it is handed on."""

    page_id: str = ""
    page_url: str = ""
    host: str = ""
    title: str = ""
    language: str | None = None
    page_type: str | None = None
    captured_at: str | None = None
    """RFC 3339."""
    source: Source | None = None

    @classmethod
    def of(cls, raw: dict[str, Any]):
        return super().of(raw, page_url=raw["url"], source=source(raw))


@dataclass(frozen=True)
class Citation:
    """Where a block is from, and whether its text was found in the page's HTML again."""

    block_id: str
    page_id: str
    quote: str
    url: str
    title: str
    verification: str
    """`verified`, `differs` (this version cuts the page in another way) or `not_at_hand` (the HTML is gone)."""
    link: str
    """The URL with a text fragment that marks the quote."""
    captured_at: str | None = None
    source: Source | None = None
    replay_url: str | None = None
    last_captured_at: str | None = None
    """When the address last gave the same HTML, where that is later; absent with `as_of`."""
    newer_capture: dict[str, Any] | None = None
    """`page_id` and `captured_at` of the newest capture, where it is later and gave other HTML; absent with `as_of`."""
    raw: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, raw: dict[str, Any]):
        return read(cls, raw, link=raw["locator"]["url"], source=source(raw))

    @property
    def is_verified(self) -> bool:
        """Whether the HTML of that capture is there, and the quote in it at its place."""
        return self.verification == "verified"


@dataclass(frozen=True)
class AddedPage:
    """A page that was taken in."""

    page_id: str
    url: str
    title: str = ""
    language: str | None = None
    blocks: int = 0
    """Number of its blocks."""
    raw: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True)
class IngestReport:
    """What an ingest did."""

    records: dict[str, Any]
    """Records by what became of them: `indexed`, `replaced`, `duplicate`, `revisit`, `skipped`, `failed` …"""
    archives: int = 0
    archives_already_ingested: int = 0
    unreadable: list[str] = field(default_factory=list)
    """Files that could not be opened as an archive."""
    messages: list[str] = field(default_factory=list)
    """The first messages about records that failed."""
    raw: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def pages(self) -> int:
        """Pages that are new or were replaced."""
        return self.records["indexed"] + self.records["replaced"]


@dataclass(frozen=True)
class DeleteReport:
    """What a deletion did, or would do."""

    pages: int
    blocks: int
    captures: int
    takedown: dict[str, Any] | None = None
    """What keeps them out from now on; its `number` lifts it."""
    raw: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)


def source(raw: dict[str, Any]) -> Source | None:
    """The record that the page of `raw` was read from."""
    return read(Source, raw["source"]) if raw.get("source") else None
