"""What an order of the candidates is worth."""

import numpy as np

TOP = 48  # candidates that are looked at: enough for ten pages and ten blocks
READ_MAX = 2000
DISCOUNT = 1 / np.log2(np.arange(2, 12))


def figures(evidence, scores):
    """nDCG@10, bS@1, bF1@1 and words read of every query; the last three are NaN where the gold block is unknown."""
    top = best(np.where(evidence.known, scores, -np.inf))
    take = lambda column: np.take_along_axis(column, top, axis=1)
    page = take(evidence.page)
    earlier = np.tril(page[:, :, None] == page[:, None, :], -1).sum(axis=2)
    return (
        ndcg(take(evidence.grade), earlier == 0, evidence.ideal),
        *blocks(evidence, take, earlier < evidence.blocks_per_page),
    )


def best(scores):
    """The best candidates, best first; equal ones stay in their order."""
    count = min(TOP, scores.shape[1])
    top = np.sort(np.argpartition(-scores, count - 1, axis=1)[:, :count], axis=1)
    order = np.argsort(-np.take_along_axis(scores, top, axis=1), axis=1, kind="stable")
    return np.take_along_axis(top, order, axis=1)


def ndcg(grade, is_first, ideal):
    place = np.cumsum(is_first, axis=1) - 1
    counts = is_first & (place < 10)
    gain = np.where(counts, grade * DISCOUNT[np.minimum(place, 9)], 0).sum(axis=1)
    return np.divide(gain, ideal, out=np.zeros_like(gain), where=ideal > 0)


def blocks(evidence, take, is_shown):
    hit, f1, words = take(evidence.hit), take(evidence.f1), take(evidence.words)
    is_shown &= np.cumsum(is_shown, axis=1) <= 10
    hit = hit & is_shown
    first = hit.argmax(axis=1)[:, None]
    read = np.take_along_axis(np.cumsum(words * is_shown, axis=1), first, axis=1)[:, 0]
    read = np.where(hit.any(axis=1), np.minimum(read, READ_MAX), READ_MAX)
    where_known = lambda values: np.where(evidence.has_block, values, np.nan)
    return where_known(hit[:, 0].astype(float)), where_known(f1[:, 0]), where_known(read)


def mean(values):
    return float(np.nanmean(values)) if np.isfinite(values).any() else 0.0


def objective(found):
    ndcg, success, f1, read = map(mean, found)
    return ndcg + 0.6 * success + 0.2 * f1 - 0.2 * read / 1000


def report(label, evidence, found):
    """A line for all queries and one for every kind."""
    for kind in ["all", *sorted(set(evidence.kinds))]:
        rows = np.full(len(evidence.kinds), True) if kind == "all" else evidence.kinds == kind
        widths = ("8.4f", "8.4f", "8.4f", "6.0f")
        cells = [figure(values[rows], width) for values, width in zip(found, widths)]
        print(f"{label:18} {kind:8} {rows.sum():6}", *cells, flush=True)


def figure(values, width):
    return f"{mean(values):{width}}" if np.isfinite(values).any() else f"{'-':>{width[0]}}"
