"""Pages a second of Lopper, trafilatura and resiliparse, called from Python on the same pages in one run.

    pip install trafilatura resiliparse
    python clients/python/bench/extract_speed.py PAGES.warc.gz|FOLDER [ROUNDS] [PAGES]

Rounds alternate between the contenders, so that what else the machine does meets all of them. One core is counted in
time of the processor, two threads in time of the clock. A ratio is that of the sums over all rounds; its range is over
the rounds. PAGES takes so many, spread over all.
"""

import gzip
import pathlib
import re
import sys
import time

import lopper

RESPONSE = re.compile(rb"HTTP/1\.[01] 200[^\r]*\r\n(?:[^\r]+\r\n)*?Content-Type: text/html[^\r]*\r\n", re.I)


def pages_of(path: pathlib.Path):
    """The HTML of a folder's files, or of the plain 200 responses of a WARC file."""
    if path.is_dir():
        for file in sorted(path.rglob("*.html*")):
            yield gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        return
    opened = gzip.open(path) if path.suffix == ".gz" else path.open("rb")
    with opened as archive:
        while line := archive.readline():
            if not line.startswith(b"WARC/"):
                continue
            head = b""
            while (line := archive.readline()).strip():
                head += line
            body = archive.read(int(re.search(rb"content-length: *(\d+)", head, re.I).group(1)))
            if b"application/http" in head and RESPONSE.match(body) and b"\r\n\r\n" in body:
                yield body.split(b"\r\n\r\n", 1)[1]


def contenders():
    """Each takes texts of pages, and gives how many characters it extracted."""
    yield "lopper", lambda pages: sum(len(lopper.extract(page, format="text")) for page in pages)
    yield "lopper, many, 1 thread", lambda pages: sum(map(len, lopper.extract_many(pages, format="text", threads=1)))
    yield "lopper, many, 2 threads", lambda pages: sum(map(len, lopper.extract_many(pages, format="text", threads=2)))
    try:
        import trafilatura

        yield "trafilatura", lambda pages: sum(len(trafilatura.extract(page) or "") for page in pages)
        yield "trafilatura, fast", lambda pages: sum(len(trafilatura.extract(page, fast=True) or "") for page in pages)
    except ImportError:
        print("trafilatura is not installed")
    try:
        from resiliparse.extract.html2text import extract_plain_text

        yield "resiliparse, main content", lambda pages: sum(
            len(extract_plain_text(page, main_content=True)) for page in pages
        )
    except ImportError:
        print("resiliparse is not installed")


def main():
    path = pathlib.Path(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    pages = [page.decode("utf-8", "replace") for page in pages_of(path)]
    if len(sys.argv) > 3:
        pages = pages[:: max(1, len(pages) // int(sys.argv[3]))][: int(sys.argv[3])]
    print(f"{len(pages)} pages, {sum(map(len, pages)) // len(pages) // 1000} kB each; {rounds} rounds")
    methods = dict(contenders())
    for run in methods.values():
        run(pages[:3])
    processor, clock = ({name: [] for name in methods} for _ in range(2))
    for _ in range(rounds):
        for name, run in methods.items():
            start = time.process_time(), time.perf_counter()
            run(pages)
            processor[name].append(time.process_time() - start[0])
            clock[name].append(time.perf_counter() - start[1])
    base = processor["lopper"]
    for name, taken in processor.items():
        ratios = [mine / lopper_s for lopper_s, mine in zip(base, taken)]
        rate, ratio = len(pages) * rounds / sum(taken), sum(taken) / sum(base)
        print(f"{name:26}{rate:8.1f} pages per s of one core; its time is {ratio:6.2f} × that of lopper", end="")
        print(f" ({min(ratios):.2f}–{max(ratios):.2f})")
    one, two = clock["lopper, many, 1 thread"], clock["lopper, many, 2 threads"]
    ratios = ", ".join(f"{mine / other:.2f}" for mine, other in zip(one, two))
    print(f"two threads against one, by the clock: {ratios} ×, best against best {min(one) / min(two):.2f} ×")


if __name__ == "__main__":
    main()
