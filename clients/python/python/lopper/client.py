"""A Lopper server, asked over HTTP with the standard library alone."""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable
from datetime import datetime, timezone
from typing import Any, Literal

from ._extract import Comments, Html, Method
from .answers import AddedPage, Answer, Citation, DeleteReport, StoredPage, read
from .collection import Time, seconds, selection
from .errors import LopperError, NotFound, ServerError


class Client:
    """A server's `/v1`, described in docs/HTTP.md. `key` is one of `lopper keys add`.

    >>> client = Client("http://127.0.0.1:7700", key="…")
    >>> client.search("slow mills").pages               # doctest: +SKIP
    [PageHit(page_id='…', url='https://example.org/mills', …)]

    Errors are `ServerError`s with `status` and `code`; what is not there is `NotFound`.
    """

    def __init__(self, url: str, key: str | None = None, *, timeout: float = 60.0):
        if urllib.parse.urlsplit(url).scheme not in ("http", "https"):
            raise ValueError(f"`{url}` is no http or https URL")
        self.url = url.rstrip("/")
        self.timeout = timeout
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        # A redirect would take the key along; proxies of the environment are used as usual.
        self._opener = urllib.request.build_opener(_NoRedirect)

    def search(self, query: str = "", k: int = 10, **options: Any) -> Answer:
        """The best `k` pages for a query; the options are those of `Collection.search`."""
        asked = {"q": query, "pages": k} | {name: value for name, value in options.items() if value is not None}
        return Answer.of(self._json("POST", "/v1/search", asked))

    def suggest(self, text: str) -> dict[str, Any]:
        """How a query that ends in the middle of a word could go on: `queries` and `titles`."""
        return self._json("GET", "/v1/suggest?" + urllib.parse.urlencode({"q": text}))

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
        return self._json("POST", "/v1/extract", asked | ({"url": url} if url else {}))[format]

    def page(self, page_id: str) -> StoredPage:
        """A page with all its blocks."""
        return StoredPage.of(self._json("GET", f"/v1/pages/{_part(page_id)}"))

    def content(self, page_id: str, format: Literal["text", "markdown", "html", "tei"] = "markdown") -> str:
        """The content of a page, read again from its HTML."""
        return self._ask("GET", f"/v1/pages/{_part(page_id)}/content?format={format}").decode()

    def cite(self, block_id: str) -> Citation:
        """Where a block is from, checked against the page's HTML."""
        return Citation.of(self._json("GET", f"/v1/cite/{_part(block_id)}"))

    def add(self, pages: Iterable[tuple[Html, str] | tuple[Html, str, Time | None]]) -> list[AddedPage]:
        """Takes pages in, each `(html, url)` or `(html, url, captured_at)`, one after another."""
        return [self._add(html, url, *rest) for html, url, *rest in pages]

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
            path = f"/v1/pages/{_part(value)}"
        else:
            path, asked = "/v1/pages", asked | {{"url_prefix": "prefix", "query": "q"}.get(by, by): value}
        return read(DeleteReport, self._json("DELETE", f"{path}?{urllib.parse.urlencode(asked)}"))

    def _add(self, html: Html, url: str, captured_at: Time | None = None) -> AddedPage:
        time = seconds(captured_at)
        asked = {"url": url}
        if time is not None:
            asked["captured_at"] = datetime.fromtimestamp(time, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        kind, body = "text/html", bytes(html) if not isinstance(html, str) else html.encode("utf-8", "replace")
        if isinstance(html, str):
            kind += "; charset=utf-8"
        return read(AddedPage, json.loads(self._ask("POST", f"/v1/pages?{urllib.parse.urlencode(asked)}", body, kind)))

    def _json(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        return json.loads(self._ask(method, path, data, "application/json"))

    def _ask(self, method: str, path: str, body: bytes | None = None, content_type: str | None = None) -> bytes:
        headers = self._headers | ({"Content-Type": content_type} if body is not None and content_type else {})
        request = urllib.request.Request(self.url + path, body, headers, method=method)
        try:
            with self._opener.open(request, timeout=self.timeout) as response:
                return response.read()
        except urllib.error.HTTPError as error:
            with error:
                raise _problem(error) from None
        except (urllib.error.URLError, TimeoutError, ConnectionError) as error:
            why = getattr(error, "reason", error)
            raise ServerError(f"{method} {self.url + path}: the server cannot be reached: {why}") from error


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
    if code in ("page_not_found", "block_not_found", "takedown_not_found"):
        return NotFound(detail)
    request_id = error.headers.get("X-Request-Id")
    return ServerError(f"{error.code} {code}: {detail}", status=error.code, code=code, request_id=request_id)


def _part(name: str) -> str:
    return urllib.parse.quote(name, safe="")
