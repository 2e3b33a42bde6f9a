"""What can go wrong. All are `LopperError`s; wrong arguments are `ValueError`s and `TypeError`s."""

from ._native import FolderInUse, LopperError

__all__ = ["FolderInUse", "LopperError", "NotFound", "ServerError"]


class NotFound(LopperError):
    """There is no such page, block, takedown, archive, job or collection."""


class ServerError(LopperError):
    """A server does not do what it was asked for."""

    def __init__(self, message: str, *, status: int | None = None, code: str = "", request_id: str | None = None):
        super().__init__(message)
        self.status = status
        """HTTP status; `None` where the server cannot be reached."""
        self.code = code
        """Stable code, see docs/HTTP.md."""
        self.request_id = request_id
        """By which the server's log knows the request."""


class NotFoundByServer(NotFound, ServerError):
    """A server says so: it is a `NotFound`, with the `status` and `code` of a `ServerError`."""
