#!/usr/bin/env python3
"""Trains the default method's model and reports its cross-validated quality.  See README.md for the commands."""

import argparse
import hashlib
import multiprocessing
import os
import subprocess
import sys
from collections import defaultdict

import lightgbm as lgb
import numpy as np

import forest_file
import pages as corpus
import unlabelled

SEED = 1
# Units that are surely not content are many and alike: only some of them are used, with more weight.
THIN_BELOW, THIN_SHARE = 0.1, 0.3
# A page weighs 1, in its units by the square root of their words; a page of segments, with few units labelled, weighs less.
WORD_POWER, SEGMENTS_WEIGHT = 0.5, 0.5
COMMON = dict(
    objective="cross_entropy", max_bin=63, num_threads=1, deterministic=True, force_row_wise=True, verbose=-1, seed=SEED,
    # As `DEPTH` in `crates/content/src/extract/model/forest.rs`: a deeper tree would be refused.
    use_missing=False, max_depth=7, min_data_in_leaf=30, min_sum_hessian_in_leaf=0.03, lambda_l2=0.05,
)
FIRST = dict(COMMON, num_leaves=63, learning_rate=0.12, feature_fraction=0.25), 64
SECOND = dict(COMMON, num_leaves=47, learning_rate=0.07, feature_fraction=0.25), 128
COMMENTS = dict(COMMON, num_leaves=15, learning_rate=0.15, feature_fraction=0.3), 20
# Added to the second pass's log-odds: what the pages' errors have in common makes its sums too sure of themselves.
SECOND_BASE = -0.4
# First-pass probabilities about which the second pass decides: as in `crates/content/src/extract/forest_judge.rs`.
DOUBTFUL = 0.05, 0.95
# What a page without labels weighs beside one with labels.
UNLABELLED_WEIGHT = 0.5
# What a perturbed copy of a page weighs beside the page, and the types of pages that have none.
COPY_WEIGHT, NO_COPIES = 0.2, ["product"]
# Rows whose features are gathered at the same time.
ROWS_TOGETHER = 100_000
# Cuts of a page that its gold chooses from.
CUTS = 150
# Shares of the pages that the learning curve is taken at.
CURVE = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1]
ORDER = ["ALL", "article", "documentation", "service", "forum", "listing", "collection", "product", "dragnet-dev", "segments-dev"]


class Export:
    """What `export_features` wrote of some sets: the features of their units, a row a unit, and the pages with labels.

    `share` is what a page weighs, in training, beside one of another export; nothing, if its type is one of `without`.
    """

    def __init__(self, folder, pages, share, without=()):
        self.folder, self.pages, self.share, self.without = folder, pages, share, without
        self.count = sum(len(page["words"]) for page in self.pages)
        with open(os.path.join(folder, "names.txt"), encoding="utf-8") as file:
            self.names = file.read().split("\n")
        self.own = np.memmap(os.path.join(folder, "features.f32"), "<f4", "r").reshape(self.count, -1)

    def context(self, tool, first, name):
        """The features of the second pass for first-pass probabilities of all units, by the Rust code."""
        paths = [os.path.join(self.folder, f"{name}.{os.getpid()}.{part}.f32") for part in ("first", "context")]
        first.astype("<f4").tofile(paths[0])
        subprocess.run([tool, "context", self.folder, *paths], check=True)
        values = np.fromfile(paths[1], "<f4").reshape(self.count, -1)
        for path in paths:
            os.remove(path)
        return values


class Data:
    """The units of all exports, one export after another, with labels and weights."""

    def __init__(self, exports, tool):
        self.exports, self.tool, self.names = exports, tool, exports[0].names
        rows = sum(export.count for export in exports)
        self.label, self.weight, self.comment = (np.zeros(rows, np.float32) for _ in range(3))
        self.fold, self.kind = np.zeros(rows, np.int8), np.zeros(rows, np.int8)
        # Rows of the pages as they are; the others are of perturbed copies.
        self.original = np.zeros(rows, bool)
        self.kinds = sorted({page["type"] for export in exports for page in export.pages})
        start = 0
        for export in exports:
            export.rows = slice(start, start + export.count)
            for page in export.pages:
                self._add(page, export, start)
            start += export.count
        self.original[exports[0].rows] = True

    def _add(self, page, export, start):
        at = page["rows"] = slice(start + page["rows"].start, start + page["rows"].stop)
        self.label[at], self.comment[at] = page["label"], page["comment"]
        self.fold[at], self.kind[at] = page["fold"], self.kinds.index(page["type"])
        weight = page["weight"] * np.maximum(page["words"], 1) ** WORD_POWER
        total = weight.sum()
        if total > 0 and page["type"] not in export.without:
            self.weight[at] = weight / total * export.share * (SEGMENTS_WEIGHT if page["type"] == "segments-dev" else 1)

    def of(self, *kinds):
        """The rows of pages of those types, a mask."""
        return np.isin(self.kind, [number for number, kind in enumerate(self.kinds) if kind in kinds])

    def values(self, rows, context=None):
        """Their features; with `context`, those of the second pass too."""
        own = np.concatenate([export.own[rows[export.rows]] for export in self.exports])
        return own if context is None else np.hstack([own, context[rows]])

    def predict(self, forest, rows, context=None, raw_score=False):
        """What a forest says of some rows, in their order."""
        found = []
        for at in np.array_split(np.flatnonzero(rows), max(1, rows.sum() // ROWS_TOGETHER)):
            some = np.zeros(len(rows), bool)
            some[at] = True
            found.append(forest.predict(self.values(some, context), raw_score=raw_score, num_threads=1) if len(at) else np.zeros(0))
        return np.concatenate(found)

    def context(self, first, name):
        """The features of the second pass for first-pass probabilities of all units."""
        return np.concatenate([export.context(self.tool, first[export.rows], name) for export in self.exports])


def fit(setting, data, label, rows, context=None):
    """A forest from those rows of the (thinned) training data."""
    parameters, rounds = setting
    random = np.random.default_rng(SEED).random(len(label))
    low = label < THIN_BELOW
    used = rows & (data.weight > 0) & ~(low & (random > THIN_SHARE))
    weight = np.where(low, data.weight / THIN_SHARE, data.weight)[used]
    binning = dict(max_bin=63, verbose=-1, force_row_wise=True)
    return lgb.train(parameters, lgb.Dataset(data.values(used, context), label[used], weight=weight, params=binning), rounds)


class Plan:
    """First-pass forests by the rows that they are trained on, grown in processes side by side."""

    def __init__(self, data, jobs):
        self.data, self.jobs, self.wanted, self.grown = data, jobs, {}, {}

    def want(self, rows, inner):
        """Names the forests of a stack: one on all its rows, one without each inner group of folds."""
        masks = [rows] + [rows & ~np.isin(self.data.fold, group) for group in inner]
        keys = [hashlib.sha256(mask.tobytes()).hexdigest() for mask in masks]
        for key, mask in zip(keys, masks):
            if key not in self.grown:
                self.wanted[key] = mask
        return keys

    def grow(self):
        tasks = sorted(self.wanted.items())
        grown = in_processes(self._grow, [mask for _, mask in tasks], self.jobs)
        self.grown.update((key, text) for (key, _), text in zip(tasks, grown))
        self.wanted = {}

    def _grow(self, mask):
        return fit(FIRST, self.data, self.data.label, mask).model_to_string()

    def forest(self, key):
        return lgb.Booster(model_str=self.grown[key])


TASKS = {}


def _task(index):
    function, tasks = TASKS["now"]
    return function(tasks[index])


def in_processes(function, tasks, jobs):
    """Results in the order of the tasks; the processes share the memory that is there when they start."""
    if jobs == 1:
        return [function(task) for task in tasks]
    TASKS["now"] = function, tasks
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        return pool.map(_task, range(len(tasks)), chunksize=1)


class Stack:
    """First and second pass, trained on some rows: the second on first-pass probabilities of rows unseen by it."""

    def __init__(self, plan, rows, inner, keys):
        data = plan.data
        self.data, self.first = data, plan.forest(keys[0])
        self.probability = np.zeros(len(rows), np.float32)
        unseen = ~rows
        self.probability[unseen] = data.predict(self.first, unseen)
        for group, key in zip(inner, keys[1:]):
            held = np.isin(data.fold, group) & rows
            self.probability[held] = data.predict(plan.forest(key), held)
        self.context = data.context(self.probability, keys[0])
        self.second = fit(SECOND, data, data.label, rows, self.context)
        self.comments = fit_comments(data, rows, self.context)

    def predict(self, rows):
        """As the Rust code: units of which the first pass is sure (outside `DOUBTFUL`) keep its probability."""
        first = self.probability[rows]
        second = 1 / (1 + np.exp(-(self.data.predict(self.second, rows, self.context, raw_score=True) + SECOND_BASE)))
        return np.where((first < DOUBTFUL[0]) | (first > DOUBTFUL[1]), first, second)

    def write(self, path):
        forests = [(self.first, 0.0), (self.second, SECOND_BASE), (self.comments, 0.0)]
        forest_file.write(path, self.data.names, forests)


def fit_comments(data, rows, context):
    """Comments are labelled in dragnet only; the content of other labelled pages that are no forum is none."""
    content = ~data.of("dragnet-dev", "forum", unlabelled.TYPE) & (data.label > 0.5)
    return fit(COMMENTS, data, data.comment, rows & (data.of("dragnet-dev") | content), context)


def cut(probability, words):
    """The units with the highest expected F1, as `crates/content/src/extract/cut.rs` has it."""
    kept = np.zeros(len(probability), bool)
    if not len(probability):
        return kept
    words = np.maximum(words, 0.5)
    order = np.argsort(-probability, kind="stable")
    hits = np.cumsum(probability[order] * words[order])
    expected = 2 * hits / (np.cumsum(words[order]) + hits[-1])
    kept[order[: int(np.argmax(expected)) + 1]] = True
    return kept


def gold_cut(probability, page):
    """Of `CUTS` cuts of a page's units, in the order of their probabilities, the one that its gold likes best."""
    order = np.argsort(-probability, kind="stable")
    best, best_score = cut(probability, page["words"]), -1.0
    for end in np.unique(np.linspace(0, len(order), CUTS, dtype=int)):
        kept = np.zeros(len(order), bool)
        kept[order[:end]] = True
        if page["type"] == "segments-dev":
            found, wrong, missing = corpus.segment_hits(page, kept)
            score = 2 * found / max(1, 2 * found + wrong + missing)
        else:
            score = corpus.word_f1(page, kept)
        if score > best_score:
            best, best_score = kept, score
    return best


def report(title, data, probability, kinds=None, by_gold=False):
    scores, segments = defaultdict(list), np.zeros(3)
    for page in data.exports[0].pages:
        if kinds and page["type"] not in kinds:
            continue
        of_page = probability[page["rows"]]
        kept = gold_cut(of_page, page) if by_gold else cut(of_page, page["words"])
        if page["type"] == "segments-dev":
            segments += corpus.segment_hits(page, kept)
            continue
        f1 = corpus.word_f1(page, kept)
        scores[page["type"]].append(f1)
        if page["set"] == "wcxb-dev":
            scores["ALL"].append(f1)
    figures = {kind: float(np.mean(values)) for kind, values in scores.items()}
    if segments.sum():
        figures["segments-dev"] = 2 * segments[0] / (2 * segments[0] + segments[1] + segments[2])
    print(title, "  ".join(f"{kind} {figures[kind]:.4f}" for kind in ORDER if kind in figures), flush=True)
    return figures


def five_fold(data, plan, trained, inner, jobs, see=lambda fold, stack: None):
    """Probabilities of the pages as they are, each fold's by a stack that was trained on the rows `trained(fold)`, over the groups
    `inner(fold)` of folds; `see` gets each stack."""
    keys = [plan.want(trained(fold), inner(fold)) for fold in range(5)]
    plan.grow()
    held = lambda fold: data.original & (data.fold == fold)

    def fold_task(fold):
        stack = Stack(plan, trained(fold), inner(fold), keys[fold])
        see(fold, stack)
        return stack.predict(held(fold))

    probability = np.zeros(len(data.label), np.float32)
    for fold, result in enumerate(in_processes(fold_task, list(range(5)), jobs)):
        probability[held(fold)] = result
    return probability


def cross_validate(data, plan, models, jobs, bounds):
    def see(fold, stack):
        if models:
            write_held(data, stack, models, f"fold{fold}", lambda page: page["fold"] == fold)

    singles = lambda fold: [[g] for g in range(5) if g != fold]
    probability = five_fold(data, plan, lambda fold: data.fold != fold, singles, jobs, see)
    report("five-fold:", data, probability)
    if bounds:
        report("five-fold, cut by the gold:", data, probability, by_gold=True)


def write_held(data, stack, models, name, held):
    """A model and the ids, by set, of the pages that it did not see and is scored on."""
    os.makedirs(models, exist_ok=True)
    stack.write(os.path.join(models, f"{name}.model"))
    ids = defaultdict(list)
    for page in filter(held, data.exports[0].pages):
        ids[page["set"]].append(page["id"])
    for in_set, of_set in ids.items():
        with open(os.path.join(models, f"{name}.{in_set}.ids"), "w", encoding="utf-8") as file:
            file.write("\n".join(of_set) + "\n")


def leave_out(data, models, jobs, what, bounds):
    """For each set, and if `what` is `all` each page type: trained on all others, scored on it."""
    inner = [[0, 1, 2], [3, 4]]
    sets = [kind for kind in data.kinds if kind.endswith("-dev")]
    types = [kind for kind in data.kinds if not kind.endswith("-dev") and kind != unlabelled.TYPE]

    def group_task(group):
        held = data.of(*group)
        plan = Plan(data, 1)
        keys = plan.want(~held, inner)
        plan.grow()
        probability = np.zeros(len(data.label), np.float32)
        stack = Stack(plan, ~held, inner, keys)
        held &= data.original
        probability[held] = stack.predict(held)
        name = "wcxb-dev" if len(group) > 1 else group[0]
        if models:
            left = "set" if name.endswith("-dev") else "type"
            write_held(data, stack, models, f"without-{left}-{name}", lambda page: page["type"] in group)
        report(f"without {name}:", data, probability, set(group))
        if bounds:
            report(f"without {name}, cut by the gold:", data, probability, set(group), by_gold=True)

    singles = [[name] for name in types] if what == "all" else []
    in_processes(group_task, [[name] for name in sets] + [types] + singles, jobs)


def learning_curve(data, jobs):
    """Five-fold F1 when only a share of the pages is trained on; the second pass is stacked over two groups of folds, not four."""
    chance = np.zeros(len(data.label), np.float32)
    for export in data.exports:
        for page in export.pages:
            digest = hashlib.sha256(f"{page['set']} {page['id']}".encode()).digest()
            chance[page["rows"]] = int.from_bytes(digest[:4], "little") / 2**32
    halves = lambda others: [others[:2], others[2:]]
    inner = lambda fold: halves([g for g in range(5) if g != fold])
    for share in CURVE:
        trained = lambda fold: (data.fold != fold) & (chance < share)
        report(f"share {share}:", data, five_fold(data, Plan(data, jobs), trained, inner, jobs))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("export", help="folder that export_features wrote")
    parser.add_argument("sets", nargs="+", help="folders of the labelled sets, as given to export_features")
    parser.add_argument("--copies", nargs=2, metavar=("EXPORT", "FOLDER"), help="export and folder of copies of the sets (perturb.py)")
    parser.add_argument("--unlabelled", metavar="EXPORT", help="export of pages without labels")
    parser.add_argument("--tool", required=True, help="the export_features program")
    parser.add_argument("--model", help="train on everything and write the model here")
    parser.add_argument("--cross-validate", action="store_true")
    parser.add_argument("--fold-models", help="write each fold's (and left-out kind's) model and page ids here")
    parser.add_argument("--leave-out", nargs="?", const="all", choices=["all", "sets"])
    parser.add_argument("--bounds", action="store_true", help="also what the best cut of each page would give")
    parser.add_argument("--learning-curve", action="store_true")
    parser.add_argument("--jobs", type=int, default=2, help="processes side by side; no influence on the results")
    arguments = parser.parse_args()
    exports = [Export(arguments.export, corpus.load(arguments.export, arguments.sets), 1)]
    if arguments.copies:
        export, folder = arguments.copies
        names = [os.path.basename(os.path.normpath(folder)) for folder in arguments.sets]
        copies = corpus.load(export, [os.path.join(folder, name) for name in names])
        exports.append(Export(export, copies, COPY_WEIGHT, NO_COPIES))
    if arguments.unlabelled:
        exports.append(Export(arguments.unlabelled, unlabelled.load(arguments.unlabelled), UNLABELLED_WEIGHT))
    data = Data(exports, arguments.tool)
    plan = Plan(data, arguments.jobs)
    if arguments.cross_validate:
        cross_validate(data, plan, arguments.fold_models, arguments.jobs, arguments.bounds)
    if arguments.model:
        everything, inner = np.ones(len(data.label), bool), [[g] for g in range(5)]
        keys = plan.want(everything, inner)
        plan.grow()
        Stack(plan, everything, inner, keys).write(arguments.model)
        print("model:", os.path.getsize(arguments.model), "bytes")
    if arguments.learning_curve:
        learning_curve(data, arguments.jobs)
    if arguments.leave_out:
        leave_out(data, arguments.fold_models, arguments.jobs, arguments.leave_out, arguments.bounds)


if __name__ == "__main__":
    sys.exit(main())
