"""How bodies that are no JSON are sent."""

import schemathesis


@schemathesis.serializer("text/html", "application/x-ndjson", "application/octet-stream")
def as_is(ctx, value):
    return value if isinstance(value, bytes) else str(value).encode()
