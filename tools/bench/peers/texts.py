#!/usr/bin/env python3
"""Writes what the peers in Python keep of a labelled set's pages.

usage: texts.py SET OUT [PEER...]

SET is a folder with html/ID.html.gz and gold.jsonl.gz; a line {"id", "text"} a page goes to OUT/PEER.jsonl. A page on which a peer
fails gets the empty text, and is counted; a peer whose file is there is left out. A peer sees what Lopper sees: the source as text,
and the address where the set has one.
"""
import gzip
import json
import logging
import os
import sys

import html_text
import readability
import trafilatura
from resiliparse.extract.html2text import extract_plain_text


def trafilatura_with(**options):
    return lambda html, url: trafilatura.extract(html, url=url, **options)


def resiliparse_with(**options):
    return lambda html, _: extract_plain_text(html, main_content=True, **options)


def readability_lxml(html, url):
    return html_text.extract_text(readability.Document(html, url=url).summary())


PEERS = {
    "resiliparse": resiliparse_with(),
    "resiliparse comments off": resiliparse_with(comments=False),
    "resiliparse noscript": resiliparse_with(noscript=True),
    "readability-lxml": readability_lxml,
    "trafilatura": trafilatura_with(),
    "trafilatura comments off": trafilatura_with(include_comments=False),
    "trafilatura recall": trafilatura_with(favor_recall=True),
    "trafilatura precision": trafilatura_with(favor_precision=True),
}


def pages(folder):
    with gzip.open(os.path.join(folder, "gold.jsonl.gz"), "rt", encoding="utf-8") as gold:
        records = sorted((str(record["id"]), record.get("url") or "") for record in map(json.loads, gold))
    for name, url in records:
        url = url if url.startswith("http") else None  # some sets have names in its place
        with gzip.open(os.path.join(folder, "html", f"{name}.html.gz"), "rb") as html:
            yield name, url, html.read().decode("utf-8", "replace")


def write(folder, out, peer):
    path = os.path.join(out, f"{peer}.jsonl")
    if os.path.exists(path):
        return
    extract, count, failed = PEERS[peer], 0, 0
    with open(path + ".part", "w", encoding="utf-8") as file:
        for name, url, html in pages(folder):
            count += 1
            try:
                text = extract(html, url)
            except Exception:  # whatever a peer throws at a page counts as nothing kept
                text, failed = "", failed + 1
            print(json.dumps({"id": name, "text": text or ""}), file=file)
    os.rename(path + ".part", path)
    print(f"{os.path.basename(os.path.normpath(folder))}: {peer}: {failed} of {count} pages failed", file=sys.stderr)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    logging.disable(logging.CRITICAL)
    folder, out, *peers = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    for peer in peers or PEERS:
        write(folder, out, peer)


if __name__ == "__main__":
    main()
