"""Main content of web pages, and search in web archives by the blocks of their pages.

>>> import lopper
>>> html = "<nav><a href=/>Home</a></nav><main><h1>Mills</h1><p>The old mill at the river grinds corn.</p></main>"
>>> print(lopper.extract(html))
# Mills
<BLANKLINE>
The old mill at the river grinds corn.
<BLANKLINE>

`extract`, `extract_many` and `bare_extraction` turn pages into content. `Collection` is a searchable folder of pages,
`Client` a server.
"""

from . import answers
from ._extract import Comments, Format, Html, Method, Page, bare_extraction, extract, extract_many
from .client import Client
from .collection import Collection
from .errors import FolderInUse, LopperError, NotFound, ServerError

__all__ = [
    "Client",
    "Collection",
    "Comments",
    "FolderInUse",
    "Format",
    "Html",
    "LopperError",
    "Method",
    "NotFound",
    "Page",
    "ServerError",
    "answers",
    "bare_extraction",
    "extract",
    "extract_many",
]
