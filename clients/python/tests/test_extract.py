"""Extraction from Python: forms, inputs, order, errors."""

import json
import pathlib
import subprocess
import sys
import textwrap
import time

import lopper
import pytest

PAGES = pathlib.Path(__file__).parents[3] / "tests" / "pages"
ARTICLE = (PAGES / "article" / "source.html").read_text(encoding="utf-8")
MILLS = "<title>Mills</title><nav><a href=/>Home</a></nav><main><h1>Mills</h1><p>The <a href=/old>old mill</a> at the river still grinds corn.<img src=m.png alt=mill></p></main>"


def test_forms():
    at = "https://example.org/mills"
    assert lopper.extract(MILLS, at).startswith("# Mills\n\nThe [old mill](https://example.org/old) at")
    assert lopper.extract(MILLS, at, format="text") == "Mills\n\nThe old mill at the river still grinds corn."
    assert '<a href="https://example.org/old">' in lopper.extract(MILLS, at, format="html")
    assert '<idno>https://example.org/mills</idno>' in lopper.extract(MILLS, at, format="tei")
    assert json.loads(lopper.extract(MILLS, at, format="json")) == lopper.bare_extraction(MILLS, at)


def test_choices():
    plain = lopper.extract(MILLS, links=False, images=False)
    assert "The old mill at" in plain and "](" not in plain
    assert "Home" in lopper.extract(MILLS, method="full-text")
    assert "Home" not in lopper.extract(MILLS)
    assert lopper.extract(MILLS, body_only=True, format="text") == "The old mill at the river still grinds corn."


def test_a_dictionary_says_what_the_page_says():
    page = lopper.bare_extraction(ARTICLE, "https://rivers.example/blog/how-a-tide-mill-works")
    assert page["hostname"] == "rivers.example"
    assert page["page_type"] == "article"
    assert page["language"] == "en"
    assert page["method"] == "lopper"
    assert page["text"] == lopper.extract(ARTICLE, "https://rivers.example/blog/how-a-tide-mill-works", format="text")
    assert {block["type"] for block in page["blocks"]} >= {"heading", "paragraph"}
    assert set(page) == set(lopper.Page.__annotations__)


def test_the_same_as_the_program(program):
    source = PAGES / "article" / "source.html"
    printed = subprocess.run([program, "extract", "--format", "markdown", source], capture_output=True, check=True)
    assert printed.stdout.decode().strip() == lopper.extract(source.read_bytes()).strip()


@pytest.mark.parametrize("encoding", ["utf-8", "windows-1252", "utf-16"])
def test_bytes_are_decoded_as_browsers_do(encoding):
    html = f"<meta charset={encoding}><p>Die alte Mühle am Fluß mahlt für das ganze Tal das Korn.</p>"
    for page in (html.encode(encoding), bytearray(html.encode(encoding))):
        assert lopper.extract(page, format="text") == "Die alte Mühle am Fluß mahlt für das ganze Tal das Korn."


@pytest.mark.parametrize("html", ["", "<", "\0", "\ud800 lone", "<p>" * 100_000, b"", b"\xff\xfe\x00", "<![CDATA["])
def test_no_page_fails(html):
    assert isinstance(lopper.extract(html), str)


def test_what_is_wrong_is_said():
    with pytest.raises(TypeError, match="`str` or `bytes`, not `NoneType`"):
        lopper.extract(None)
    with pytest.raises(ValueError, match="no format `pdf`"):
        lopper.extract("", format="pdf")
    with pytest.raises(ValueError, match="comments cannot be `some`"):
        lopper.extract("", comments="some")
    with pytest.raises(ValueError, match="threads is 0"):
        lopper.extract_many([], threads=0)


def test_many_pages_come_in_order():
    pages = [(f"<p>Mill number {n} at the <a href=x>river</a> grinds.</p>" + "<i>x</i>" * (n % 7 * 300), f"https://e.org/{n}/")
             for n in range(200)]
    expected = [lopper.extract(html, url) for html, url in pages]
    for threads in (1, 2, 5, None):
        assert list(lopper.extract_many(iter(pages), threads=threads)) == expected
    first = next(lopper.extract_many(pages, format="dict"))
    assert first == lopper.bare_extraction(*pages[0])


def test_many_pages_take_bounded_memory():
    taken = 0

    def endless():
        nonlocal taken
        while True:
            taken += 1
            yield "<p>The old mill at the river grinds corn for the whole valley.</p>"

    texts = lopper.extract_many(endless(), threads=2)
    for given in range(1, 100):
        next(texts)
        assert taken - given <= 2 * 8


def test_large_pages_count_by_their_bytes():
    taken = 0

    def large():
        nonlocal taken
        while True:
            taken += 1
            yield b"<p>Mill.</p>" + b" " * (24 << 20)

    next(lopper.extract_many(large(), threads=4))
    assert taken <= 4


def test_a_slow_iterable_holds_nothing_back():
    def slow():
        for _ in range(20):
            yield MILLS
            time.sleep(0.2)

    start = time.monotonic()
    next(lopper.extract_many(slow(), threads=1))
    assert time.monotonic() - start < 2


def test_a_broken_iterable_breaks_in_its_place():
    def broken():
        yield MILLS
        yield MILLS
        raise OSError("the crawl is gone")

    texts = lopper.extract_many(broken())
    assert next(texts) and next(texts)
    with pytest.raises(OSError, match="the crawl is gone"):
        next(texts)
    assert list(texts) == []
    with pytest.raises(TypeError, match="page 1 of the iterable: .*not `int`"):
        list(lopper.extract_many([MILLS, 7]))
    with pytest.raises(TypeError):
        lopper.extract_many(None)


def test_ctrl_c_ends_a_long_call():
    """One thread is kept busy by large pages; SIGINT comes while the iterator waits for it."""
    script = textwrap.dedent("""
        import lopper, os, signal, threading
        signal.signal(signal.SIGINT, signal.default_int_handler)  # A shell's background ignores it.
        page = "<div>" + "".join(f"<p>Word{n} mill river <b>corn</b>.</p>" for n in range(60000))
        texts = lopper.extract_many([page] * 50, threads=1)
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            for text in texts: pass
            print("not interrupted")
        except KeyboardInterrupt:
            print("interrupted")
    """)
    start = time.monotonic()
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "interrupted", done.stderr
    assert time.monotonic() - start < 15
