"""A Lopper server, asked over HTTP with the standard library alone."""

from __future__ import annotations

import http.client
import io
import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from typing import Any, Literal

from ._extract import Comments, Html, Method
from .answers import AddedPage, Answer, Citation, DeleteReport, StoredBlock, StoredPage, read
from .collection import Time, seconds, selection
from .errors import LopperError, NotFoundByServer, ServerError


class Client:
    """A server's `/v1`, described in docs/HTTP.md. `key` is one of `lopper keys add`, `collection` one of several.

    >>> client = Client("http://127.0.0.1:7700", key="…")
    >>> client.search("slow mills").pages               # doctest: +SKIP
    [PageHit(page_id='…', url='https://example.org/mills', …)]

    Errors are `ServerError`s with `status` and `code`; what is not there is `NotFound` as well.
    """

    def __init__(self, url: str, key: str | None = None, *, collection: str | None = None, timeout: float = 60.0):
        if urllib.parse.urlsplit(url).scheme not in ("http", "https"):
            raise ValueError(f"`{url}` is no http or https URL")
        self.url = url.rstrip("/")
        self.timeout = timeout
        self._base = self.url + ("/v1" if collection is None else f"/v1/c/{_part(collection)}")
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        # A redirect would take the key along; proxies of the environment are used as usual.
        self._opener = urllib.request.build_opener(_NoRedirect)

    def search(self, query: str = "", k: int = 10, **options: Any) -> Answer:
        """The best `k` pages for a query; the options are those of `Collection.search`."""
        asked = {"q": query, "pages": k} | {name: value for name, value in options.items() if value is not None}
        return Answer.of(self._json("POST", "/search", asked))

    def suggest(self, text: str) -> dict[str, Any]:
        """How a query that ends in the middle of a word could go on: `queries` and `titles`."""
        return self._json("GET", "/suggest?" + urllib.parse.urlencode({"q": text}))

    def extract(
        self,
        html: str,
        url: str | None = None,
        *,
        format: Literal["markdown", "text", "html", "tei"] = "markdown",
        method: Method = "lopper",
        comments: Comments = "auto",
        links: bool = True,
        images: bool = True,
    ) -> str:
        """The main content of a page; nothing is stored. As `lopper.extract`, by the server's version."""
        asked = {
            "html": html,
            "format": format,
            "method": method,
            "comments": comments,
            "links": "keep" if links else "drop",
            "images": "keep" if images else "drop",
        }
        return self._json("POST", "/extract", asked | ({"url": url} if url else {}))[format]

    def page(self, page_id: str) -> StoredPage:
        """A page with all its blocks."""
        return StoredPage.of(self._json("GET", f"/pages/{_part(page_id)}"))

    def content(self, page_id: str, format: Literal["text", "markdown", "html", "tei"] = "markdown") -> str:
        """The content of a page, read again from its HTML."""
        return self._ask("GET", f"/pages/{_part(page_id)}/content?format={format}").decode()

    def blocks(self, host: str | None = None) -> Iterator[StoredBlock]:
        """All blocks with where they come from, as `Collection.blocks`, read line by line."""
        asked = "?" + urllib.parse.urlencode({"host": host}) if host else ""
        with self._open("GET", "/blocks" + asked) as response:
            # The answer's own lines end in silence where the connection breaks off; what reads into a buffer says so.
            for line in io.BufferedReader(response):
                yield StoredBlock.of(json.loads(line))

    def cite(self, block_id: str) -> Citation:
        """Where a block is from, checked against the page's HTML."""
        return Citation.of(self._json("GET", f"/cite/{_part(block_id)}"))

    def add(self, pages: Iterable[tuple[Html, str] | tuple[Html, str, Time | None]]) -> list[AddedPage]:
        """Takes pages in, each `(html, url)` or `(html, url, captured_at)`, and answers when all are on disk.

        Pages whose HTML is text go many in a request, bytes one by one, since the server finds their charset. A page that is refused is
        an error that names it; those before it, and those that went with it, are taken in.
        """
        added: list[AddedPage] = []
        batch = Batch()
        for html, url, *rest in pages:
            line = None if not isinstance(html, str) else page_line(html, url, *rest)
            if line is None or not batch.has_room(line, url):
                added += self._add_batch(batch)
            if line is None:
                added.append(self._add(html, url, *rest))
            else:
                batch.push(line, url)
        return added + self._add_batch(batch)

    def delete(
        self,
        *,
        page_id: str | None = None,
        url: str | None = None,
        url_prefix: str | None = None,
        host: str | None = None,
        archive: str | None = None,
        query: str | None = None,
        note: str | None = None,
        dry_run: bool = False,
    ) -> DeleteReport:
        """Deletes what exactly one of the arguments selects, as `Collection.delete`."""
        by, value = selection(
            page_id=page_id, url=url, url_prefix=url_prefix, host=host, archive=archive, query=query
        )
        asked = ({"note": note} if note else {}) | ({"dry_run": "true"} if dry_run else {})
        if by == "page_id":
            path = f"/pages/{_part(value)}"
        else:
            path, asked = "/pages", asked | {{"url_prefix": "prefix", "query": "q"}.get(by, by): value}
        return read(DeleteReport, self._json("DELETE", f"{path}?{urllib.parse.urlencode(asked)}"))

    def _add_batch(self, batch: Batch) -> list[AddedPage]:
        """Sends what the batch has, and empties it."""
        lines, urls = batch.take()
        if not lines:
            return []
        answered = self._ask("POST", "/pages", b"".join(lines), "application/x-ndjson")
        answers = [json.loads(line) for line in answered.splitlines()]
        for url, answer in zip(urls, answers):
            if error := answer.get("error"):
                status, code = answer.get("status", 0), error.get("code", "")
                raise ServerError(f"{status} {code}: {url}: {error.get('message', '')}", status=status, code=code)
        if len(answers) != len(urls):
            raise ServerError(f"the server answered for {len(answers)} of {len(urls)} pages; send those again that it does not have")
        return [read(AddedPage, answer) for answer in answers]

    def _add(self, html: bytes, url: str, captured_at: Time | None = None) -> AddedPage:
        asked = urllib.parse.urlencode({"url": url} | captured(captured_at))
        return read(AddedPage, json.loads(self._ask("POST", f"/pages?{asked}", bytes(html), "text/html")))

    def _json(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        return json.loads(self._ask(method, path, data, "application/json"))

    def _ask(self, method: str, path: str, body: bytes | None = None, content_type: str | None = None) -> bytes:
        with self._open(method, path, body, content_type) as response:
            return response.read()

    @contextmanager
    def _open(
        self, method: str, path: str, body: bytes | None = None, content_type: str | None = None
    ) -> Iterator[http.client.HTTPResponse]:
        """The answer, to be read within; what goes wrong then is told as what goes wrong before."""
        headers = self._headers | ({"Content-Type": content_type} if body is not None and content_type else {})
        request = urllib.request.Request(self._base + path, body, headers, method=method)
        try:
            with self._opener.open(request, timeout=self.timeout) as response:
                yield response
        except urllib.error.HTTPError as error:
            with error:
                raise _problem(error) from None
        except http.client.IncompleteRead as error:
            raise ServerError(f"{method} {self._base + path}: the answer broke off before its end") from error
        except (urllib.error.URLError, http.client.HTTPException, TimeoutError, ConnectionError) as error:
            why = getattr(error, "reason", error)
            raise ServerError(f"{method} {self._base + path}: the server cannot be reached: {why}") from error


class Batch:
    """Pages that go in one request: lines of JSON. Of two captures with one URL the second waits, so that it comes second."""

    BYTES_MAX = 4 << 20
    PAGES_MAX = 256

    def __init__(self) -> None:
        self._lines: list[bytes] = []
        self._urls: list[str] = []

    def has_room(self, line: bytes, url: str) -> bool:
        """Whether the page may go with those that are there."""
        size = sum(map(len, self._lines)) + len(line)
        return not self._lines or (size <= self.BYTES_MAX and len(self._urls) < self.PAGES_MAX and url not in self._urls)

    def push(self, line: bytes, url: str) -> None:
        """Adds a page."""
        self._lines.append(line)
        self._urls.append(url)

    def take(self) -> tuple[list[bytes], list[str]]:
        """What is there; afterwards nothing is."""
        taken = (self._lines, self._urls)
        self.__init__()  # type: ignore[misc]
        return taken


def page_line(html: str, url: str, captured_at: Time | None = None) -> bytes:
    """A page as a line of a request."""
    text = html.encode("utf-8", "replace").decode()
    return json.dumps({"url": url, "html": text} | captured(captured_at)).encode() + b"\n"


def captured(captured_at: Time | None) -> dict[str, str]:
    """A capture time as the server takes it."""
    time = seconds(captured_at)
    if time is None:
        return {}
    return {"captured_at": datetime.fromtimestamp(time, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")}


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def _problem(error: urllib.error.HTTPError) -> LopperError:
    """The exception of a problem document (RFC 9457)."""
    try:
        problem = json.loads(error.read())
        detail, code = problem.get("detail") or problem.get("title", ""), problem.get("code", "")
    except (ValueError, AttributeError):
        detail, code = error.reason, ""
    request_id = error.headers.get("X-Request-Id")
    if code == "not_found" or code.endswith("_not_found"):
        return NotFoundByServer(detail, status=error.code, code=code, request_id=request_id)
    return ServerError(f"{error.code} {code}: {detail}", status=error.code, code=code, request_id=request_id)


def _part(name: str) -> str:
    return urllib.parse.quote(name, safe="")
