"""A collection of pages in a folder of this machine."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from datetime import datetime, timezone
from itertools import islice
from typing import Any, Literal

from . import _native
from ._extract import Html
from .answers import AddedPage, Answer, Citation, DeleteReport, IngestReport, StoredBlock, StoredPage, read
from .errors import NotFound

PAGES_PER_COMMIT = 256
"""Pages that `Collection.add` commits together."""

Time = datetime | str


class Collection:
    """Archives go in, passages come out. One process writes to a folder at a time; any number read it meanwhile.

    The folder is made where there is none. With `read_only=True` it must exist, and another process, such as a server,
    may write to it: what is searched is what was committed when it was opened, or at the last `refresh`.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> collection = Collection(folder)
    >>> page = "<title>Mills</title><h1>Mills</h1><p>Old mills grind slowly but well.</p>"
    >>> [added.title for added in collection.add([(page, "https://example.org/mills")])]
    ['Mills']
    >>> answer = collection.search("slow mills")
    >>> print(answer.pages[0].blocks[0].passage)
    Mills
    Old mills grind slowly but well.
    >>> collection.cite(answer.pages[0].blocks[0].block_id).is_verified
    True
    >>> collection.delete(url="https://example.org/mills").pages
    1
    >>> len(collection.search("slow mills"))
    0
    >>> collection.close()
    """

    def __init__(self, path: str | os.PathLike[str], *, read_only: bool = False):
        self.path = os.fspath(path)
        self.is_read_only = read_only
        self._open = _native.Collection(self.path, read_only)

    def ingest(
        self,
        *paths: str | os.PathLike[str],
        bodies: Literal["keep", "refer", "none"] = "refer",
        again: bool = False,
    ) -> IngestReport:
        """Ingests archives (WARC, WACZ, HAR …), HTML files, and folders of them; what was read before is passed over.

        `bodies="keep"` keeps the pages' HTML in the folder; else it is read again from the archives, as long as they
        stay where they are. Ctrl-C ends the run early: what was read is committed, and the same call goes on.
        """
        report = json.loads(self._open.ingest([os.fspath(path) for path in paths], bodies, again))
        return read(IngestReport, report)

    def add(self, pages: Iterable[tuple[Html, str] | tuple[Html, str, Time | None]]) -> list[AddedPage]:
        """Takes pages in, each `(html, url)` or `(html, url, captured_at)`; their HTML is kept.

        A page of the same URL and capture time is replaced. 256 pages are committed at a time: when one of these is
        none (it is empty, or too large), an error says which, and those before its commit are there.
        """
        pages, added = iter(pages), []
        while part := list(islice(pages, PAGES_PER_COMMIT)):
            submitted = [(url, html, seconds(rest[0]) if rest else None) for html, url, *rest in part]
            added += [read(AddedPage, page) for page in json.loads(self._open.add(submitted))]
        return added

    def search(
        self,
        query: str = "",
        k: int = 10,
        *,
        like: str | None = None,
        as_of: str | None = None,
        offset: int = 0,
        cursor: str | None = None,
        blocks_per_page: int = 3,
        ranking: Literal["blend", "bm25", "cosine"] = "blend",
        documents: str = "blend",
        sort: Literal["relevance", "date"] = "relevance",
        collapse: Literal["captures", "similar", "none"] = "captures",
        facets: bool = False,
        prune: str | None = None,
        explain: bool = False,
    ) -> Answer:
        """The best `k` pages for a query, each with its best blocks.

        The query language and the options are those of `lopper search` and of the HTTP interface (docs/QUERY.md,
        docs/HTTP.md); `like` is the `block_id` of a block that others are wanted like; `as_of`, a date, asks for the
        pages as they were then.
        """
        request = {
            "query": query,
            "like": like,
            "as_of": as_of,
            "pages": k,
            "offset": offset,
            "cursor": cursor,
            "blocks_per_page": blocks_per_page,
            "ranking": ranking,
            "documents": documents,
            "sort": sort,
            "collapse": collapse,
            "facets": facets,
            "prune": prune,
            "explain": explain,
        }
        return Answer.of(json.loads(self._open.search(json.dumps(request))))

    def page(self, page_id: str) -> StoredPage:
        """A page with all its blocks; `NotFound` where there is none."""
        page = self._open.page(page_id)
        if page is None:
            raise NotFound(f"there is no page {page_id} in {self.path}")
        return StoredPage.of(json.loads(page))

    def blocks(self, host: str | None = None) -> Iterator[StoredBlock]:
        """All blocks with where they come from, page by page in the order of their ids; with `host`, those of that host.

        For who puts them elsewhere, such as into a store of vectors.
        """
        for page in self._open.blocks(host):
            yield from map(StoredBlock.of, json.loads(page))

    def cite(self, block_id: str) -> Citation:
        """Where a block is from, checked against the page's HTML; `NotFound` where there is none."""
        citation = self._open.cite(block_id)
        if citation is None:
            raise NotFound(f"there is no block {block_id} in {self.path}")
        return Citation.of(json.loads(citation))

    def delete(
        self,
        *,
        page_id: str | None = None,
        url: str | None = None,
        url_prefix: str | None = None,
        host: str | None = None,
        archive: str | os.PathLike[str] | None = None,
        query: str | None = None,
        note: str | None = None,
        dry_run: bool = False,
    ) -> DeleteReport:
        """Deletes what exactly one of the arguments selects, and keeps it out until the takedown is lifted.

        With `dry_run=True` nothing changes. `note` says why, for the list of takedowns.
        """
        selected = selection(
            page_id=page_id, url=url, url_prefix=url_prefix, host=host, archive=archive, query=query
        )
        return read(DeleteReport, json.loads(self._open.delete(*selected, note, dry_run)))

    def takedowns(self) -> list[dict[str, Any]]:
        """What was deleted and is kept out, in the order of the deletions."""
        return json.loads(self._open.takedowns())

    def lift_takedown(self, number: int) -> None:
        """Lifts a takedown: what it kept out comes back with the next ingest that reads it."""
        if not self._open.lift_takedown(number):
            raise NotFound(f"there is no takedown {number} in {self.path}")

    def refresh(self) -> None:
        """Goes on to what another process has committed meanwhile, where the collection is read only."""
        if self.is_read_only:
            self._open = _native.Collection(self.path, True)

    def close(self) -> None:
        """Lets go of the folder."""
        self._open.close()

    def __enter__(self) -> Collection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def selection(**by: str | os.PathLike[str] | None) -> tuple[str, str]:
    """The one argument that is given, by its name."""
    given = [(name, os.fspath(value)) for name, value in by.items() if value is not None]
    if len(given) != 1:
        raise ValueError(f"give exactly one of {', '.join(by)}")
    return given[0]


def seconds(time: Time | None) -> int | None:
    """Seconds since 1970; times without a zone are in UTC."""
    if time is None:
        return None
    if isinstance(time, str):
        time = datetime.fromisoformat(time.replace("Z", "+00:00"))
    return int((time if time.tzinfo else time.replace(tzinfo=timezone.utc)).timestamp())
