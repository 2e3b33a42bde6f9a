"""Pages without labels, and what takes the place of labels there: the votes of published methods and the template of the site."""

import hashlib
import json
import os
from collections import Counter, defaultdict

import numpy as np

import pages as corpus

# The type of pages without labels.
TYPE = "unlabelled"
# Published methods that vote on a unit; the votes from which it counts as content at all; those from which it does in a table, where
# fewer say nothing: the methods drop tables of facts as they drop tables that pages are laid out with.
VOTERS, VOTES_LEAST, VOTES_IN_TABLE = 5, 2, 3
# A text is of a site's template if that share of the site's pages have it, and at least so many.
TEMPLATE_SHARE, TEMPLATE_PAGES = 0.3, 3


def load(export):
    """The pages of an export of unlabelled pages, in its order."""
    with open(os.path.join(export, "units.jsonl"), encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    pages = corpus.with_rows([_page(line) for line in lines])
    template = _templates(lines)
    inside = _inside(export, sum(len(line["words"]) for line in lines), ["in_table", "in_td"])
    for page, line in zip(pages, lines):
        in_table, in_cell = inside[page["rows"]].T
        votes = np.array(line["votes"])
        shared = np.array([_plain(text) in template[line["host"]] for text in line["texts"]], bool)
        page["label"] = np.where(shared | (votes < VOTES_LEAST), 0, votes / VOTERS).astype(np.float32)
        # Heads of rows, which like pages have in common, are no template.
        unknown = np.where(shared, in_table & ~in_cell, (in_table | in_cell) & (votes < VOTES_IN_TABLE))
        page["weight"] = (~unknown).astype(np.float32)
    return pages


def _page(line):
    page = {"set": TYPE, "type": TYPE, "id": line["id"], "words": np.array(line["words"], np.float32)}
    page["fold"] = int.from_bytes(hashlib.sha256(line["host"].encode()).digest()[:4], "big") % 5
    page["comment"] = np.zeros_like(page["words"])
    return page


def _inside(export, rows, names):
    """Whether units are inside of elements: of a row for each unit, a column for each of these features."""
    with open(os.path.join(export, "names.txt"), encoding="utf-8") as file:
        columns = file.read().split("\n")
    features = np.memmap(os.path.join(export, "features.f32"), "<f4", "r").reshape(rows, -1)
    return features[:, [columns.index(name) for name in names]] > 0


def _templates(lines):
    """The texts of each host's template."""
    texts = defaultdict(list)
    for line in lines:
        texts[line["host"]].append({_plain(text) for text in line["texts"]})
    return {host: _common(of_pages) for host, of_pages in texts.items()}


def _common(texts_of_pages):
    least = max(TEMPLATE_PAGES, TEMPLATE_SHARE * len(texts_of_pages))
    counts = Counter(text for texts in texts_of_pages for text in texts)
    return {text for text, count in counts.items() if count >= least}


def _plain(text):
    return corpus.BLANKS.sub(" ", text).strip().lower()
