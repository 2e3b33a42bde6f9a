#!/usr/bin/env python3
"""Times the main content extraction of peers on the pages of a WARC, in one thread, by processor time.

usage: peers.py ARCHIVE.warc.gz [--limit N] [--slow-limit N] [--only PEER]

Prints a JSON line a peer: {"peer", "pages", "html_bytes", "seconds"}, or for PEER alone (`reading`: for none). Reading the archive is
not in the time. trafilatura takes about a hundred times as long as the others and gets the first --slow-limit pages.
"""
import argparse
import json
import time

from fastwarc.warc import ArchiveIterator, WarcRecordType
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.html import HTMLTree


def pages(path: str, limit: int) -> list:
    found = []
    for record in ArchiveIterator(open(path, "rb"), record_types=WarcRecordType.response):
        found.append(record.reader.read().decode("utf-8", "replace"))
        if len(found) == limit:
            break
    return found


def timed(peer: str, found: list, work) -> None:
    start = time.process_time()
    for html in found:
        work(html)
    seconds = time.process_time() - start
    size = sum(len(html.encode()) for html in found)
    print(json.dumps({"peer": peer, "pages": len(found), "html_bytes": size, "seconds": round(seconds, 3)}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("archive")
    parser.add_argument("--limit", type=int, default=500)
    parser.add_argument("--slow-limit", type=int, default=50)
    parser.add_argument("--only")
    args = parser.parse_args()
    found = pages(args.archive, args.limit)
    is_asked = lambda peer: args.only in (None, peer)
    if is_asked("resiliparse parse"):
        timed("resiliparse parse", found, HTMLTree.parse)
    if is_asked("resiliparse main content"):
        timed("resiliparse main content", found, lambda html: extract_plain_text(html, main_content=True))
    if is_asked("trafilatura"):
        import trafilatura  # takes a while, also for those who do not ask for it

        timed("trafilatura", found[: args.slow_limit], trafilatura.extract)


if __name__ == "__main__":
    main()
