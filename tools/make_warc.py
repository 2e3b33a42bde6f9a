#!/usr/bin/env python3
"""Writes a folder of pages as one WARC.gz, a gzip member a record, for bulk-ingest runs.

usage: make_warc.py PAGES.jsonl HTML_FOLDER OUT.warc.gz [--limit N] [--repeat K]

PAGES.jsonl has an object a line with "url" and "id"; the page is HTML_FOLDER/ID.html or ID.html.gz. Standard library only;
the same arguments give the same bytes. OUT may be "-" for standard output. --repeat writes the pages K times: from the second
time on under other URLs and with words of the copy's own in the text, so that neither pages nor terms are the same.
"""
import argparse
import base64
import gzip
import hashlib
import json
import pathlib
import re
import sys
import uuid
import zlib

WORD = re.compile(rb"\b[a-z]{5,12}\b")
SALTED_EVERY = 50


def member(data: bytes) -> bytes:
    compressor = zlib.compressobj(6, zlib.DEFLATED, 31)
    return compressor.compress(data) + compressor.flush()


def record(kind: str, headers: list, block: bytes) -> bytes:
    lines = ["WARC/1.1", f"WARC-Type: {kind}"] + [f"{name}: {value}" for name, value in headers]
    lines.append(f"Content-Length: {len(block)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + block + b"\r\n\r\n"


def response(url: str, html: bytes) -> bytes:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n" % len(html)
    digest = base64.b32encode(hashlib.sha1(html).digest()).decode()
    return record("response", [
        ("WARC-Record-ID", f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, url)}>"),
        ("WARC-Date", "2026-04-04T00:00:00Z"),
        ("WARC-Target-URI", url),
        ("WARC-Payload-Digest", f"sha1:{digest}"),
        ("Content-Type", "application/http; msgtype=response"),
    ], head + html)


def salted(html: bytes, copy: int) -> bytes:
    """Every 50th word of the visible text gets letters of the copy's number, which makes it a word of its own."""
    salt = bytes(97 + int(digit) for digit in str(copy))
    count = 0

    def change(match: re.Match) -> bytes:
        nonlocal count
        count += 1
        return match.group() + salt if count % SALTED_EVERY == 0 else match.group()

    return re.sub(rb">[^<]+<", lambda text: WORD.sub(change, text.group()), html)


def load(folder: pathlib.Path, name: str) -> bytes:
    packed = folder / f"{name}.html.gz"
    return gzip.decompress(packed.read_bytes()) if packed.exists() else (folder / f"{name}.html").read_bytes()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", type=pathlib.Path)
    parser.add_argument("html", type=pathlib.Path)
    parser.add_argument("out")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--repeat", type=int, default=1)
    args = parser.parse_args()
    # Not splitlines, which also parts at line separators within a title.
    lines = args.pages.read_text(encoding="utf-8").split("\n")
    pages = [json.loads(line) for line in lines if line.strip()][: args.limit]
    for page in pages:
        # A page without an address gets one of its name.
        page["url"] = page.get("url") or f"https://pages.invalid/{page['id']}"
    out = sys.stdout.buffer if args.out == "-" else open(args.out, "wb")
    out.write(member(record("warcinfo", [
        ("WARC-Record-ID", f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, 'warcinfo')}>"),
        ("WARC-Date", "2026-04-04T00:00:00Z"), ("Content-Type", "application/warc-fields"),
    ], b"format: WARC File Format 1.1\r\n")))
    for copy in range(args.repeat):
        for page in pages:
            url, html = page["url"], load(args.html, page["id"])
            if copy > 0:
                url += ("&" if "?" in url else "?") + f"copy={copy}"
                html = salted(html, copy)
            out.write(member(response(url, html)))
    out.flush()
    print(f"{len(pages) * args.repeat} pages", file=sys.stderr)


if __name__ == "__main__":
    main()
