"""Files of evidence as arrays: queries x candidates, the shorter ones filled up."""

import json
import zlib
from dataclasses import dataclass

import numpy as np


@dataclass
class Evidence:
    """One judged set. Arrays are indexed by query, then by candidate."""

    name: str
    parts: list  # names of the columns
    weights: np.ndarray  # those that the candidates were ranked by
    blocks_per_page: int
    kinds: np.ndarray
    groups: np.ndarray  # queries of one group stay in one fold
    ideal: np.ndarray  # discounted gain of the best answer
    has_block: np.ndarray
    x: np.ndarray  # part, query, candidate
    known: np.ndarray  # whether there is a candidate
    page: np.ndarray
    grade: np.ndarray
    hit: np.ndarray
    f1: np.ndarray
    words: np.ndarray

    def select(self, rows):
        """The same of some queries."""
        per_query = ("kinds", "groups", "ideal", "has_block", "known", "page", "grade", "hit", "f1", "words")
        chosen = {name: getattr(self, name)[rows] for name in per_query}
        return Evidence(self.name, self.parts, self.weights, self.blocks_per_page, x=self.x[:, rows], **chosen)


def read(path, every=1, best=400):
    """Reads a file that `lopper eval retrieval --evidence` wrote: of every Nth query the best candidates."""
    with open(path, encoding="utf-8") as file:
        head = json.loads(next(file))
        lines = [parsed(line, best) for number, line in enumerate(file) if number % every == 0]
    shape = (len(lines), max(len(line["page"]) for line in lines))
    x = np.zeros((len(head["parts"]), *shape), np.float32)
    columns = {name: np.zeros(shape, kind) for name, kind in COLUMNS.items()}
    columns["page"] -= 1
    known = np.zeros(shape, bool)
    for row, line in enumerate(lines):
        count = len(line["page"])
        known[row, :count] = True
        for name, column in columns.items():
            column[row, :count] = line[name]
        if count:
            x[:, row, :count] = (line["evidence"] * np.array(line["shares"], np.float32)).T
    return Evidence(
        name=str(path),
        parts=head["parts"],
        weights=np.array(head["weights"], np.float64).round(4),
        blocks_per_page=head["blocks_per_page"],
        kinds=np.array([line["type"] for line in lines]),
        groups=groups(lines),
        ideal=np.array([line["ideal"] for line in lines]),
        has_block=np.array([line["has_block"] for line in lines], bool),
        x=x,
        known=known,
        **columns,
    )


COLUMNS = {"page": np.int32, "grade": np.float32, "hit": bool, "f1": np.float32, "words": np.int32}


def parsed(line, best):
    value = json.loads(line)
    for name in (*COLUMNS, "evidence"):
        value[name] = value[name][:best]
    value["evidence"] = np.array(value["evidence"], np.float32)
    return value


def groups(lines):
    """By host of the relevant page; where there is one host only, each query is its own group."""
    hosts = [line["host"] for line in lines]
    return np.array([line["qid"] for line in lines] if len(set(hosts)) == 1 else hosts)


def folds(groups, count):
    """A fold for every query: groups by size, each to the fold that is smallest so far; ties by a hash."""
    names, sizes = np.unique(groups, return_counts=True)
    order = sorted(range(len(names)), key=lambda i: (-sizes[i], zlib.crc32(names[i].encode()), names[i]))
    filled, fold_of = [0] * count, {}
    for i in order:
        fold = filled.index(min(filled))
        filled[fold] += sizes[i]
        fold_of[names[i]] = fold
    return np.array([fold_of[name] for name in groups])


def halves(groups, seed):
    """0 or 1 for every query: half of the groups, by chance, and the rest."""
    names = np.unique(groups)
    np.random.default_rng(seed).shuffle(names)
    return np.isin(groups, names[len(names) // 2 :]).astype(int)
