#!/usr/bin/env python3
"""Writes some pages of each site of documentation as a set for `export_page_types`.  See README.md for the commands."""

import argparse
import gzip
import hashlib
import json
import lzma
import os
import sys
from urllib.parse import urlsplit

FOLDS = 5


def responses(path):
    """Address and body of each response of a WARC, which may be a gzip or xz stream."""
    openers = {".gz": gzip.open, ".xz": lzma.open}
    with openers.get(os.path.splitext(path)[1], open)(path, "rb") as file:
        while file.readline():
            head = {}
            while (line := file.readline().strip()):
                name, _, value = line.decode("utf-8", "replace").partition(":")
                head[name.strip().lower()] = value.strip()
            block = file.read(int(head["content-length"]))
            file.readline(), file.readline()
            if head["warc-type"] == "response":
                yield head["warc-target-uri"].strip("<>"), block.partition(b"\r\n\r\n")[2]


def sample(archives, count):
    """The pages of each host that come first by a hash of their address."""
    chosen = {}
    for archive in archives:
        for url, html in responses(archive):
            key = hashlib.sha256(url.encode()).hexdigest()
            pages = chosen.setdefault(urlsplit(url).hostname, [])
            pages.append((key, url, html))
            pages.sort()
            del pages[count:]
    return chosen


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", help="folder of the set")
    parser.add_argument("archives", nargs="+", help="WARC files of documentation")
    parser.add_argument("--pages", type=int, default=20, help="pages of each site")
    arguments = parser.parse_args()
    os.makedirs(os.path.join(arguments.out, "html"), exist_ok=True)
    gold, labels = [], {}
    for fold, (host, pages) in enumerate(sorted(sample(arguments.archives, arguments.pages).items())):
        for number, (_, url, html) in enumerate(pages):
            page = f"{host}-{number:02}"
            with gzip.open(os.path.join(arguments.out, "html", f"{page}.html.gz"), "wb", compresslevel=6) as file:
                file.write(html)
            gold.append(json.dumps({"id": page, "url": url}))
            labels[page] = {"domain": host, "fold": fold % FOLDS, "page_type": "documentation", "url": url}
    with gzip.open(os.path.join(arguments.out, "gold.jsonl.gz"), "wt") as file:
        file.write("\n".join(gold) + "\n")
    with open(os.path.join(arguments.out, "metadata.json"), "w", encoding="utf-8") as file:
        json.dump({"name": "documentation", "pages": labels}, file, indent=0, sort_keys=True)
    print(f"{len(gold)} pages of {len(set(label['domain'] for label in labels.values()))} sites")


if __name__ == "__main__":
    sys.exit(main())
