"""Writes the pages of everyday/web.* as one WARC.gz: web_pages.py DATA OUT.warc.gz

DATA holds `wcxb-dev` and `other-dev`: pages (`html/ID.html.gz`) of WCXB, of dragnet-dev and of segments-dev with their addresses. Pages
without an address get one of their host and ID.
"""

import gzip
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from make_warc import member, response


def wcxb(data):
    pages = json.loads((data / "wcxb-dev/metadata.json").read_text("utf-8"))["pages"]
    for name, page in sorted(pages.items()):
        yield page["url"] or f"http://wcxb.invalid/{name}", data / f"wcxb-dev/html/{name}.html.gz"


def other(data, part):
    folder = data / "other-dev" / part
    with gzip.open(folder / "gold.jsonl.gz", "rt", encoding="utf-8") as lines:
        for page in map(json.loads, lines):
            url = page.get("url") or ""
            url = "".join(sign for sign in url if " " < sign < "\x7f") if url.startswith("http") else ""
            yield url or f"http://{page['host']}/{page['id']}", folder / f"html/{page['id']}.html.gz"


def main():
    data, out = Path(sys.argv[1]), sys.argv[2]
    with open(out, "wb") as archive:
        for pages in wcxb(data), other(data, "dragnet-dev"), other(data, "segments-dev"):
            for url, path in pages:
                archive.write(member(response(url, gzip.decompress(path.read_bytes()))))


if __name__ == "__main__":
    main()
