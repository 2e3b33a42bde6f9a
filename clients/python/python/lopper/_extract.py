"""From a page's HTML to its content."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Literal, TypeAlias, TypedDict, overload

from ._native import ExtractMany
from ._native import extract as _extract

Html: TypeAlias = str | bytes | bytearray
"""A page: text, or bytes in whatever encoding, which is found as browsers find it."""

Format: TypeAlias = Literal["markdown", "text", "html", "tei", "json"]
"""The form of the content. `json` is the dictionary of `bare_extraction` as text."""

Method: TypeAlias = Literal[
    "lopper", "cst", "bte", "bte-original", "distribution", "punctuation", "link-density", "full-text"
]
"""Who says what is content: the trained model, a published method, or nobody (`full-text`)."""

Comments: TypeAlias = Literal["auto", "keep", "drop"]
"""Readers' comments: `auto` leaves them out except where they are the content, as in a forum."""


class Page(TypedDict):
    """What a page says of itself, and its content. What it does not say is `None`."""

    title: str | None
    author: str | None
    date: str | None
    """As the page writes it."""
    url: str | None
    """As it was given, else the page's canonical one."""
    hostname: str | None
    description: str | None
    site_name: str | None
    language: str | None
    """ISO 639-1 code, told by the text."""
    page_type: (
        Literal["article", "documentation", "service", "forum", "listing", "collection", "product"] | None
    )
    """`None` where it is not sure enough."""
    method: str
    images: list[str]
    """URLs of the images in the content."""
    cut_short: str | None
    """The limit that the page is beyond: its end is missing."""
    text: str
    """The content as plain text."""
    blocks: list[dict[str, Any]]
    """The content as blocks, each with its `type`: `heading`, `paragraph`, `list`, `table`, `code`, `quote` …"""


def _options(format: str, method: str, variant: str, comments: str, links: bool, images: bool, body_only: bool):
    return {
        "format": "json" if format == "dict" else format,
        "method": method,
        "variant": variant,
        "comments": comments,
        "links": links,
        "images": images,
        "body_only": body_only,
    }


def extract(
    html: Html,
    url: str | None = None,
    *,
    format: Format = "markdown",
    method: Method = "lopper",
    variant: Literal["best", "literal"] = "best",
    comments: Comments = "auto",
    links: bool = True,
    images: bool = True,
    body_only: bool = False,
) -> str:
    """The main content of a page. Never fails because of the page: of one without text it is empty.

    `url` makes links absolute, and the model looks at it. `links=False` leaves the words of links; `images=False`
    leaves images out; `body_only` leaves out title, standfirst, byline, date and captions. `variant` is the reading
    of a published method: the one that measured best, or the paper to the letter.

    >>> html = "<main><h1>Mills</h1><p>The <a href=/old>old mill</a> at the river still grinds.</p></main>"
    >>> print(extract(html, "https://example.org/", format="text"))
    Mills
    <BLANKLINE>
    The old mill at the river still grinds.
    >>> "[old mill](https://example.org/old)" in extract(html, "https://example.org/")
    True
    >>> extract(html, method="guess")
    Traceback (most recent call last):
    ...
    ValueError: no method is called `guess`: use one of `lopper`, `cst`, ...
    """
    return _extract(html, url, _options(format, method, variant, comments, links, images, body_only))


def bare_extraction(
    html: Html,
    url: str | None = None,
    *,
    method: Method = "lopper",
    variant: Literal["best", "literal"] = "best",
    comments: Comments = "auto",
    links: bool = True,
    images: bool = True,
    body_only: bool = False,
) -> Page:
    """The same as a dictionary: what the page says of itself, its text, and its blocks.

    >>> html = "<title>Mills</title><p>The old mill at the river still grinds.</p>"
    >>> page = bare_extraction(html, "https://example.org/")
    >>> page["title"], page["hostname"], page["author"]
    ('Mills', 'example.org', None)
    >>> page["blocks"]
    [{'type': 'paragraph', 'content': [{'type': 'text', 'text': 'The old mill at the river still grinds.'}]}]
    """
    return json.loads(_extract(html, url, _options("dict", method, variant, comments, links, images, body_only)))


@overload
def extract_many(
    pages: Iterable[Html | tuple[Html, str | None]],
    *,
    format: Format = "markdown",
    method: Method = "lopper",
    variant: Literal["best", "literal"] = "best",
    comments: Comments = "auto",
    links: bool = True,
    images: bool = True,
    body_only: bool = False,
    threads: int | None = None,
) -> Iterator[str]: ...
@overload
def extract_many(
    pages: Iterable[Html | tuple[Html, str | None]],
    *,
    format: Literal["dict"],
    method: Method = "lopper",
    variant: Literal["best", "literal"] = "best",
    comments: Comments = "auto",
    links: bool = True,
    images: bool = True,
    body_only: bool = False,
    threads: int | None = None,
) -> Iterator[Page]: ...
def extract_many(
    pages,
    *,
    format="markdown",
    method="lopper",
    variant="best",
    comments="auto",
    links=True,
    images=True,
    body_only=False,
    threads=None,
):
    """The content of many pages, in their order, on all cores (or `threads` of them).

    Takes any iterable, also an endless one, of `html` or `(html, url)`. Takes no more than 8 pages a thread, or 64 MB,
    before they are given back, so memory is bounded. With `format="dict"` gives dictionaries as `bare_extraction`.

    >>> pages = ("<p>Mill number %d at the river still grinds corn.</p>" % number for number in range(1000))
    >>> texts = extract_many(pages, format="text")
    >>> next(texts)
    'Mill number 0 at the river still grinds corn.'
    >>> sum(1 for text in texts)
    999

    What is wrong with the iterable is raised in its place, behind the pages before:

    >>> list(extract_many([None]))
    Traceback (most recent call last):
    ...
    TypeError: page 0 of the iterable: ...
    """
    many = ExtractMany(pages, _options(format, method, variant, comments, links, images, body_only), threads)
    return map(json.loads, many) if format == "dict" else many
