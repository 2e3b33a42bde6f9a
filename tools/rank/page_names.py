#!/usr/bin/env python3
"""Queries that are names of pages, made of the titles of collections that are served: pages of a name that no other page has.

A name is what a title begins with, up to a sign that parts it from the rest, without the number of a chapter, of four words at most.

    page_names.py OUT NAME=SERVER...

writes OUT/NAME.queries.jsonl and OUT/NAME.qrels.jsonl for `lopper eval retrieval`: 500 of each collection, by the hash of their address.
"""

import argparse
import hashlib
import json
import re
import sys
import urllib.request
from collections import Counter
from pathlib import Path

# A word that no page has, so that the query without it gives all pages.
ALL_PAGES = "-qzvxwkqzvx"
# Pages of an answer, and of a listing as a whole.
PAGES, PAGES_MAX = 1000, 10_000
QUERIES, WORDS_MAX = 500, 4
PARTED = re.compile(r"\s[-:]\s|\s*[–—|·»]\s*|: |\(")
CHAPTER = re.compile(r"^\d+(\.\d+)*\.?\s+")


def titles(server):
    """Title and address of all pages."""
    for offset in range(0, PAGES_MAX, PAGES):
        url = f"{server}/v1/search?q={ALL_PAGES}&pages={PAGES}&blocks_per_page=1&offset={offset}"
        with urllib.request.urlopen(url) as answer:
            pages = json.load(answer)["pages"]
        yield from ((page["title"], page["url"]) for page in pages)
        if len(pages) < PAGES:
            return


def name(title):
    return CHAPTER.sub("", PARTED.split(title)[0]).strip()


def chosen(pages):
    """Names and addresses."""
    named = [(name(title), url) for title, url in pages]
    counts = Counter(of_page.lower() for of_page, _ in named)
    fits = lambda text: len(text) > 1 and counts[text.lower()] == 1 and len(text.split()) <= WORDS_MAX
    by_hash = sorted((hashlib.sha256(url.encode()).hexdigest(), text, url) for text, url in named if fits(text))
    return [(text, url) for _, text, url in by_hash[:QUERIES]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("servers", nargs="+", metavar="NAME=SERVER")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for collection, server in (pair.split("=", 1) for pair in arguments.servers):
        found = chosen(titles(server))
        queries = [{"qid": f"{collection}-{n}", "type": "name", "query": text} for n, (text, _) in enumerate(found)]
        qrels = [{"qid": f"{collection}-{n}", "url": url, "grade": 1} for n, (_, url) in enumerate(found)]
        for kind, lines in [("queries", queries), ("qrels", qrels)]:
            text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
            (arguments.out / f"{collection}.{kind}.jsonl").write_text(text, encoding="utf-8")
        print(f"{collection}: {len(found)} names")


if __name__ == "__main__":
    sys.exit(main())
