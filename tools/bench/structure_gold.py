#!/usr/bin/env python3
"""Tells what the main elements of manuals hold: code, tables, formulas, headings, list entries, as `score_structure.py` reads it.

usage: structure_gold.py ARCHIVE.warc[.gz|.xz] OUT [--pages N]

Takes N pages (30) of each site below, those whose addresses have the smallest hashes, and all with formulas; writes
OUT/html/ID.html.gz and OUT/gold.jsonl.gz. The main element is known by the site's make. Left out of the gold: lists of contents, signs of permanent links,
line numbers, tables that lay out (nested, of one column, with code in them) or are folded. Needs lxml.
"""
import argparse
import gzip
import hashlib
import json
import lzma
import os
import re
from urllib.parse import urlsplit

from lxml import html

MAIN = {
    "python": "//div[@class='body']",
    "linux": "//div[@itemprop='articleBody']",
    "sqlalchemy": "//div[@id='docs-body']",
    "django": "//div[@id='yui-main']//div[@class='yui-b']",
    "pandas": "//main",
    "git": "//body",
}
LEFT_OUT = """.//a[contains(@class, 'headerlink')]|.//script|.//style|.//td[contains(@class, 'linenos')]
    |.//*[contains(@class, 'contents') and contains(@class, 'topic')]|.//div[@id='toc']|.//div[@id='footer']|.//nav
    |.//div[contains(@class, 'prev-next')]"""
BLOCKS = {"p", "div", "ul", "ol", "dl", "pre", "table", "blockquote", "section", "h1", "h2", "h3", "h4", "h5", "h6", "figure", "details"}
MATH = "@class and contains(concat(' ', normalize-space(@class), ' '), ' math ')"


def squeeze(text):
    return " ".join(text.split())


def text_of(element):
    """All text, formulas of images by their alternative text, a blank for a line break."""
    parts = [element.get("alt") or "" if element.tag == "img" and "math" in (element.get("class") or "") else element.text or ""]
    for child in element:
        if isinstance(child.tag, str):
            parts.append(" " if child.tag == "br" else text_of(child))
        parts.append(child.tail or "")
    return "".join(parts)


def first_words(entry):
    """The text of a list entry up to its second block."""
    parts = [entry.text or ""]
    for child in entry:
        if isinstance(child.tag, str) and child.tag in BLOCKS:
            if squeeze("".join(parts)):
                break
            if child.tag not in ("p", "div"):
                break
            return squeeze(first_words(child) if child.tag == "div" else text_of(child))
        if isinstance(child.tag, str):
            parts.append(" " if child.tag == "br" else text_of(child))
        parts.append(child.tail or "")
    return squeeze("".join(parts))


def table(element):
    """Rows of cells, a spanning cell in each of its places; nothing for a table that lays out."""
    if element.xpath(".//table|.//pre|ancestor::table|ancestor::details"):
        return None
    rows, spans = [], {}
    for y, tr in enumerate(element.xpath("./tr|./thead/tr|./tbody/tr|./tfoot/tr")):
        row, x = [], 0
        for cell in tr.xpath("./td|./th"):
            while spans.get((y, x)) is not None:
                row.append(spans[y, x])
                x += 1
            number = lambda name: max(1, int(re.sub(r"\D", "", cell.get(name) or "") or 1))
            words = squeeze(text_of(cell))
            for dy in range(number("rowspan")):
                for dx in range(number("colspan")):
                    spans[y + dy, x + dx] = words
            for _ in range(number("colspan")):
                row.append(words)
                x += 1
        while spans.get((y, x)) is not None:
            row.append(spans[y, x])
            x += 1
        rows.append(row)
    return rows if len(rows) > 1 and max(map(len, rows)) > 1 else None


def gold(source, main):
    root = html.document_fromstring(source)
    found = root.xpath(main)
    if not found:
        return None
    body = found[0]
    for element in body.xpath(LEFT_OUT):
        element.drop_tree()
    depth = lambda entry: len(entry.xpath("ancestor::ul|ancestor::ol")) - len(body.xpath("ancestor::ul|ancestor::ol"))
    math = body.xpath(f".//span[{MATH}]|.//div[{MATH}]|.//img[{MATH}]")
    return {
        "code": [code for code in ("".join(pre.itertext()) for pre in body.xpath(".//pre")) if code.strip()],
        "tables": [rows for rows in map(table, body.xpath(".//table")) if rows],
        "math": [squeeze(text_of(one)) for one in math if not one.xpath(f"ancestor::*[{MATH}]") and squeeze(text_of(one))],
        "headings": [[int(one.tag[1]), squeeze(text_of(one))] for one in body.xpath(".//h1|.//h2|.//h3|.//h4|.//h5|.//h6")],
        "items": [[depth(one), one.getparent().tag == "ol", first_words(one)[:60].rstrip()]
                  for one in body.xpath(".//ul/li|.//ol/li") if not one.xpath("ancestor::table")],
    }


def records(path):
    """Address and source of the pages of a WARC whose records are not chunked."""
    opened = {".gz": gzip.open, ".xz": lzma.open}.get(os.path.splitext(path)[1], open)
    with opened(path, "rb") as file:
        while line := file.readline():
            if not line.startswith(b"WARC/"):
                continue
            head = {}
            while (line := file.readline().strip()):
                name, _, value = line.partition(b":")
                head[name.lower()] = value.strip().decode("utf-8", "replace")
            block = file.read(int(head[b"content-length"]))
            if head.get(b"warc-type") == "response":
                yield head[b"warc-target-uri"].strip("<>"), block.partition(b"\r\n\r\n")[2]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive")
    parser.add_argument("out")
    parser.add_argument("--pages", type=int, default=30)
    arguments = parser.parse_args()
    by_site = {site: [] for site in MAIN}
    for url, source in records(arguments.archive):
        site = urlsplit(url).netloc.split(".")[0]
        if site in by_site:
            by_site[site].append((hashlib.sha256(url.encode()).hexdigest(), source))
    os.makedirs(os.path.join(arguments.out, "html"), exist_ok=True)
    with gzip.open(os.path.join(arguments.out, "gold.jsonl.gz"), "wt", encoding="utf-8") as out:
        for site, pages in by_site.items():
            pages.sort()
            for digest, source in pages[: arguments.pages] + [page for page in pages[arguments.pages :] if b'class="math' in page[1]]:
                held = gold(source, MAIN[site])
                if held is None:
                    continue
                name = f"{site}__{digest[:10]}"
                with open(os.path.join(arguments.out, "html", f"{name}.html.gz"), "wb") as page:
                    page.write(gzip.compress(source, mtime=0))
                print(json.dumps({"id": name, "set": site, **held}, ensure_ascii=False), file=out)


if __name__ == "__main__":
    main()
