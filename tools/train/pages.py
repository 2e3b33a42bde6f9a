"""Reads what `export_features` wrote, together with the gold of the sets, and labels the units."""

import gzip
import json
import os
import pickle
import re
from collections import Counter
from multiprocessing import Pool

import numpy as np
from rapidfuzz.distance import LCSseq

WORD = re.compile(r"\w+")
# As WORD, but a character of a script without blanks is a word of its own: alignment by characters there.
UNSPACED = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002ffff"
TOKEN = re.compile(f"[{UNSPACED}]|[^\\W{UNSPACED}]+")
LCS_TOKENS_MAX = 60_000
BLANKS = re.compile(r"\s+")


def align(units, gold):
    """Share of each unit's tokens that the gold has: by longest common subsequence and by cover of 4-grams."""
    share = np.zeros(len(units), np.float32)
    ids = {}
    number = lambda text: [ids.setdefault(token, len(ids)) for token in TOKEN.findall(text.lower())]
    tokens = [number(unit) for unit in units]
    wanted = number(gold)
    sequence = [token for unit in tokens for token in unit]
    if not wanted or not sequence:
        return share
    matched = np.zeros(len(sequence), bool)
    if len(sequence) < LCS_TOKENS_MAX and len(wanted) < LCS_TOKENS_MAX:
        for step in LCSseq.opcodes(sequence, wanted):
            if step.tag == "equal":
                matched[step.src_start : step.src_end] = True
    grams = {tuple(wanted[i : i + 4]) for i in range(len(wanted) - 3)}
    lines = {tuple(number(line)) for line in gold.split("\n")}
    start = 0
    for index, unit in enumerate(tokens):
        length = len(unit)
        part = matched[start : start + length].mean() if length else 0.0
        start += length
        if length >= 4:
            covered = np.zeros(length, bool)
            for i in range(length - 3):
                if tuple(unit[i : i + 4]) in grams:
                    covered[i : i + 4] = True
            cover = covered.mean()
            part = max(part if cover > 0.3 else part * 0.6, cover)
        elif length and tuple(unit) in lines:
            part = max(part, 0.8)
        share[index] = part
    return share


def label_segments(units, record):
    """Labels of the units that a wanted or unwanted segment touches; weight 0 elsewhere."""
    label, weight = np.zeros(len(units), np.float32), np.zeros(len(units), np.float32)
    texts = [BLANKS.sub(" ", unit).strip() for unit in units]
    for name, value in (("without", 0.0), ("with", 1.0)):
        for segment in record[name]:
            segment = BLANKS.sub(" ", segment).strip()
            hits = [i for i, text in enumerate(texts) if segment in text]
            for i in hits:
                label[i] = value
                weight[i] = 1.0 / len(hits)
    return label, weight


def read_gold(folder):
    with gzip.open(os.path.join(folder, "gold.jsonl.gz"), "rt", encoding="utf-8") as file:
        return {str(record["id"]): record for record in map(json.loads, file)}


def _page(job):
    line, record = job
    page = {k: line[k] for k in ("set", "id", "structured")}
    texts = line["texts"]
    page["type"] = record.get("page_type") or line["set"]
    page["fold"] = record["fold"]
    page["words"] = np.array(line["words"], np.float32)
    ids = {}
    number = lambda text: np.array([ids.setdefault(w, len(ids)) for w in TOKEN.findall(text.lower())], np.int32)
    page["gold"] = number(record.get("text") or "")
    page["units"] = [number(text) for text in texts]
    page["counts"] = np.array([len(unit) for unit in page["units"]], np.float32)
    if line["set"].startswith("segments"):
        page["label"], page["weight"] = label_segments(texts, record)
        page["texts"], page["with"], page["without"] = texts, record["with"], record["without"]
    else:
        page["label"] = align(texts, record["text"])
        page["weight"] = np.ones(len(texts), np.float32)
    page["comment"] = align(texts, record["comments"]) if record.get("comments") else np.zeros(len(texts), np.float32)
    return page


def load(export, folders, jobs=2):
    """All pages of an export in its order, labelled; kept in a file beside it."""
    cache = os.path.join(export, "labels.pickle")
    if not os.path.exists(cache):
        gold = {os.path.basename(os.path.normpath(folder)): read_gold(folder) for folder in folders}
        with open(os.path.join(export, "units.jsonl"), encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        with Pool(jobs) as pool:
            pages = pool.map(_page, [(line, gold[line["set"]][line["id"]]) for line in lines], chunksize=8)
        with open(cache, "wb") as file:
            pickle.dump(pages, file)
    with open(cache, "rb") as file:
        pages = pickle.load(file)
    return with_rows(pages)


def with_rows(pages):
    """With each page's rows in the feature matrix."""
    start = 0
    for page in pages:
        page["rows"] = slice(start, start + len(page["words"]))
        start += len(page["words"])
    return pages


def word_f1(page, kept):
    """The scorer's word F1 of a choice of units."""
    gold = page["gold"]
    chosen = [page["units"][i] for i in np.flatnonzero(kept)]
    got = np.concatenate(chosen) if chosen else np.zeros(0, np.int32)
    if not len(gold):
        return float(not len(got))
    if not len(got):
        return 0.0
    size = max(gold.max(), got.max()) + 1
    both = np.minimum(np.bincount(gold, minlength=size), np.bincount(got, minlength=size)).sum()
    return 2.0 * both / (len(gold) + len(got))


def segment_hits(page, kept):
    """Wanted and unwanted segments found in the kept text: (tp, fp, fn)."""
    text = BLANKS.sub(" ", "\n".join(page["texts"][i] for i in np.flatnonzero(kept))).strip()
    found = lambda names: sum(BLANKS.sub(" ", s).strip() in text for s in names)
    tp = found(page["with"])
    return tp, found(page["without"]), len(page["with"]) - tp
