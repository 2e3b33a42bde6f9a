#!/usr/bin/env python3
"""Writes copies of a labelled set as pages of other kinds: without hints, with the layout of old pages, in other scripts.

usage: perturb.py SET OUT KIND

SET is a folder with `html/ID.html.gz` and `gold.jsonl.gz`; the copy has the same ids, folds and, alike changed, the same gold. KIND:

bare    no classes, ids, roles, properties, JSON-LD, OpenGraph; `article`, `main`, `nav` and their like are `div`
old     bare, and laid out as pages of about 2000: tables in tables, `font`, `center`, text between `br`, bold lines for headings
cjk     each word one to three Chinese characters without blanks, function words those of Chinese, full-width punctuation
cipher  each word one of as many Cyrillic, Greek or Hebrew letters
mixed   of each of these by chance, together

Choices are made by hashes of the page's id, so that a copy is always the same.
"""

import gzip
import hashlib
import json
import os
import re
import sys
from multiprocessing import Pool

from lxml import etree

import scripts

KINDS = ["bare", "old", "cjk", "cipher", "mixed"]
SEMANTIC = {
    "article", "main", "header", "nav", "footer", "aside", "section", "figure", "hgroup", "figcaption", "details", "summary",
}
CONTAINERS = SEMANTIC | {"div"}
INLINE_OF_TODAY = {"time", "mark", "label", "button", "span", "data", "output"}
HEADINGS = {"h1": 6, "h2": 5, "h3": 4, "h4": 3, "h5": 2, "h6": 2}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
RAW = {"script", "style"}
# Attributes that tell nothing of what a part of the page is for.
PLAIN_ATTRIBUTES = {
    "href", "src", "style", "hidden", "type", "content", "name", "charset", "http-equiv", "lang", "colspan", "rowspan", "rel",
}
META_NAMES = {"description", "keywords"}


class Chance:
    """Numbers in [0, 1) by name: always the same for a page."""

    def __init__(self, page):
        self.page = page

    def __call__(self, name):
        digest = hashlib.blake2b(f"{self.page}\0{name}".encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big") / 2**64


class Recipe:
    """What is done to one page."""

    def __init__(self, kind, page):
        self.chance = chance = Chance(page)
        mixed = kind == "mixed"
        self.old = kind == "old" or mixed and chance("old") < 0.35
        bare = lambda part: kind in ("bare", "old") or mixed and (self.old or chance(part) < 0.5)
        self.no_hints, self.no_semantics, self.no_metadata = bare("hints"), bare("semantics"), bare("metadata")
        self.no_address = kind == "old" or mixed and chance("address") < 0.5
        self.script = None
        if kind in ("cjk", "cipher"):
            self.script = kind
        elif mixed and chance("script") < 0.5:
            self.script = "cjk" if chance("which") < 0.5 else "cipher"
        self.text = scripts.mapping(self.script, chance("alphabet"))


class Writer:
    """Writes a page's elements anew by a recipe."""

    def __init__(self, recipe):
        # `cells`: containers that are a cell of a table, with what is written before them; `at`: elements so far, by which chances differ.
        self.recipe, self.parts, self.cells, self.at = recipe, [], {}, 0
        chance = recipe.chance
        self.keeps_paragraphs, self.keeps_lists = chance("paragraphs") < 0.3, chance("lists") < 0.6
        self.keeps_headings = chance("headings") < 0.25

    def page(self, root):
        self.parts.append("" if self.recipe.old else "<!DOCTYPE html>")
        closing = []
        for event, element in etree.iterwalk(root, events=("start", "end")):
            if event == "end":
                self.parts.append(closing.pop())
                self.add_text(element.tail, element.getparent())
                continue
            self.at += 1
            opened, closed = self.element(element)
            self.parts.append(opened)
            closing.append(closed)
            self.add_text(element.text, element)
        return "".join(self.parts)

    def add_text(self, text, parent):
        if not text or parent is None:
            return
        if parent.tag in RAW:
            if is_json_ld(parent) and not self.recipe.no_metadata:
                self.parts.append(self.json(text))
            return
        in_pre = next(parent.iterancestors("pre"), None) is not None or parent.tag == "pre"
        self.parts.append(escape(self.recipe.text(text, keep_lines=in_pre)))

    def json(self, text):
        try:
            return json.dumps(map_json(json.loads(text, strict=False), self.recipe.text), ensure_ascii=False).replace("</", "<\\/")
        except (ValueError, RecursionError):
            return ""

    def element(self, element):
        """What is written before and behind an element's content."""
        tag, recipe = element.tag, self.recipe
        if not isinstance(tag, str) or not re.fullmatch(r"[A-Za-z][\w:.-]*", tag):
            return "", ""
        if tag in ("script", "style", "link", "meta"):
            return self.head_element(element)
        if recipe.old:
            return self.old_element(element)
        if recipe.no_semantics and tag in SEMANTIC:
            tag = "div"
        return self.tagged(tag, element)

    def tagged(self, tag, element):
        attributes = element.attrib.items()
        if self.recipe.no_hints:
            attributes = [(name, value) for name, value in attributes if name in PLAIN_ATTRIBUTES]
        text = "".join(f' {name}="{escape(value)}"' for name, value in attributes if re.fullmatch(r"[A-Za-z_:][\w:.-]*", name))
        return f"<{tag}{text}>", "" if tag in VOID else f"</{tag}>"

    def head_element(self, element):
        recipe, tag = self.recipe, element.tag
        if tag in RAW and recipe.old:
            return "", ""
        if tag == "script" and is_json_ld(element) and recipe.no_metadata:
            return "", ""
        name = (element.get("name") or element.get("property") or "").lower()
        if tag == "meta" and name:
            is_dropped = recipe.no_metadata and name not in META_NAMES or recipe.old and recipe.chance("description") < 0.5
            if is_dropped:
                return "", ""
            if "description" in name or "title" in name or "keywords" in name:
                element.set("content", recipe.text(element.get("content") or ""))
        if tag == "link" and (recipe.no_address or recipe.no_metadata) and element.get("rel") == "canonical":
            return "", ""
        return self.tagged(tag, element)

    def old_element(self, element):
        tag, chance, at = element.tag, self.recipe.chance, self.at
        if element in self.cells:
            opened, closed = self.old_content(element)
            return self.cells.pop(element) + opened, closed + "</td>"
        if tag in CONTAINERS:
            return self.container(element)
        if tag in HEADINGS and not self.keeps_headings:
            size = HEADINGS[tag]
            is_sized = chance(f"size {at}") < 0.6
            return (f"<br><font size={size}><b>", "</b></font><br>") if is_sized else ("<br><b>", "</b><br>")
        return self.old_content(element)

    def old_content(self, element):
        tag = element.tag
        if tag in INLINE_OF_TODAY:
            return "", ""
        if tag == "p" and not self.keeps_paragraphs:
            return "", "<br><br>"
        if tag in ("ul", "ol", "dl") and not self.keeps_lists:
            return "<br>", "<br>"
        if tag in ("li", "dt", "dd") and not self.keeps_lists:
            return "&middot; ", "<br>"
        if tag in CONTAINERS:
            return self.container(element)
        return self.tagged(tag, element)

    def container(self, element):
        """A container as a row of cells, as rows, as a table of one cell, or as nothing but lines."""
        chance, at = self.recipe.chance, self.at
        children = [child for child in element if isinstance(child.tag, str)]
        blocks = [child for child in children if child.tag in CONTAINERS]
        has_text = bool((element.text or "").strip()) or any((child.tail or "").strip() for child in children)
        if len(blocks) >= 2 and len(blocks) == len(children) and not has_text:
            beside = len(blocks) <= 4 and chance(f"beside {at}") < 0.5
            for number, child in enumerate(blocks):
                row = "" if beside and number else "<tr>" if beside else "</tr><tr>" if number else "<tr>"
                self.cells[child] = f"{row}<td valign=top>"
            return "<table width=100% border=0>", "</tr></table>"
        draw = chance(f"container {at}")
        if not blocks and draw < 0.5:
            return "", "<br>"
        if not blocks and draw < 0.55:
            return "<center>", "</center>"
        if not blocks:
            return "<table><tr><td>", "</td></tr></table>"
        return ("", "") if draw < 0.45 else ("<table border=0 cellpadding=2><tr><td>", "</td></tr></table>")


def is_json_ld(element):
    return element.tag == "script" and "ld+json" in (element.get("type") or "").lower()


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def map_json(value, text):
    """All texts of JSON-LD but types and addresses."""
    if isinstance(value, dict):
        return {key: part if key.startswith("@") or key.endswith("Type") else map_json(part, text) for key, part in value.items()}
    if isinstance(value, list):
        return [map_json(part, text) for part in value]
    if isinstance(value, str) and "://" not in value[:12] and not value[:4].isdigit():
        return text(value)
    return value


def perturb_html(html, recipe):
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    root = etree.fromstring(html.replace(b"\0", b" ") or b" ", parser) if html.strip() else None
    return Writer(recipe).page(root) if root is not None else ""


def perturb_gold(record, recipe):
    record = dict(record)
    for name in ("text", "comments"):
        if record.get(name):
            record[name] = recipe.text(record[name], keep_lines=True)
    for name in ("with", "without"):
        if name in record:
            record[name] = [recipe.text(segment) for segment in record[name]]
    if recipe.no_address and "url" in record:
        record["url"] = ""
    return record


def copy_page(job):
    folder, out, kind, record = job
    recipe = Recipe(kind, f"{os.path.basename(os.path.normpath(folder))}/{record['id']}")
    with gzip.open(os.path.join(folder, "html", f"{record['id']}.html.gz"), "rb") as file:
        html = perturb_html(file.read().decode("utf-8", "replace").encode(), recipe)
    with open(os.path.join(out, "html", f"{record['id']}.html.gz"), "wb") as file:
        file.write(gzip.compress(html.encode(), 1, mtime=0))
    return json.dumps(perturb_gold(record, recipe), ensure_ascii=False)


def main():
    if len(sys.argv) != 4 or sys.argv[3] not in KINDS:
        sys.exit(__doc__)
    folder, out, kind = sys.argv[1:]
    os.makedirs(os.path.join(out, "html"), exist_ok=True)
    with gzip.open(os.path.join(folder, "gold.jsonl.gz"), "rt", encoding="utf-8") as file:
        jobs = [(folder, out, kind, json.loads(line)) for line in file]
    with Pool(2) as pool:
        lines = pool.map(copy_page, jobs, chunksize=8)
    with open(os.path.join(out, "gold.jsonl.gz"), "wb") as file:
        file.write(gzip.compress(("\n".join(lines) + "\n").encode(), 6, mtime=0))


if __name__ == "__main__":
    main()
