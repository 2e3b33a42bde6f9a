"""The example for RAG, and the adapters. The frameworks are stood in for by the names that the adapters take from them."""

import pathlib
import subprocess
import sys
import types

import lopper
import pytest

ROOT = pathlib.Path(__file__).parents[3]
DEMO = ROOT / "demo" / "data-gov-uk-2014.warc.gz"
MILLS = "<title>Mills</title><meta name=author content=Ann><p>The old mill at the river grinds corn for the valley.</p>"


def run_example(*arguments):
    example = ROOT / "clients" / "python" / "examples" / "rag.py"
    return subprocess.run([sys.executable, example, *arguments], capture_output=True, text=True, timeout=120)


def test_the_example_cites_what_it_found():
    done = run_example(DEMO, "which cookies does the site set")
    assert done.returncode == 0, done.stderr
    assert "29 pages" in done.stdout and "[1] Cookies policy" in done.stdout
    assert "http://data.gov.uk/cookies-policy#main-content:~:text=" in done.stdout
    assert "data-gov-uk-2014.warc.gz at byte" in done.stdout


def test_the_example_says_when_nothing_matches():
    done = run_example(DEMO, "xylophonequartz")
    assert done.returncode == 1 and "Nothing in the collection matches." in done.stderr


class Kept:
    """Stands for a class of a framework: keeps what it is made with."""

    def __init__(self, **given):
        self.__dict__.update(given)


@pytest.fixture
def demo(tmp_path):
    with lopper.Collection(tmp_path / "data") as collection:
        collection.ingest(DEMO)
        yield collection


def stand_in(monkeypatch, **modules):
    for path, names in modules.items():
        path = path.replace("__", ".")
        parts = path.split(".")
        for depth in range(1, len(parts)):
            parent = ".".join(parts[:depth])
            if parent not in sys.modules:
                monkeypatch.setitem(sys.modules, parent, types.ModuleType(parent))
        module = types.ModuleType(path)
        module.__dict__.update(names)
        monkeypatch.setitem(sys.modules, path, module)


def test_langchain(monkeypatch, demo):
    if not _is_there("langchain_core"):
        stand_in(
            monkeypatch,
            langchain_core__document_loaders={"BaseLoader": object},
            langchain_core__documents={"Document": Kept},
            langchain_core__retrievers={"BaseRetriever": Kept},
        )
    from lopper.langchain import LopperLoader, LopperRetriever

    [page] = LopperLoader([(MILLS, "http://e.org/mills")]).lazy_load()
    assert page.page_content == "The old mill at the river grinds corn for the valley."
    assert page.metadata == {"source": "http://e.org/mills", "title": "Mills", "author": "Ann", "language": "en"}
    found = LopperRetriever(collection=demo, k=2)._get_relevant_documents("which cookies does the site set")
    assert len(found) == 2 and "cookie" in found[0].page_content.lower()
    assert demo.cite(found[0].metadata["block_id"]).link == found[0].metadata["source"]


def test_llama_index(monkeypatch, demo):
    if not _is_there("llama_index"):
        names = {name: Kept for name in ("Document", "NodeWithScore", "QueryBundle", "TextNode")}
        stand_in(
            monkeypatch,
            llama_index__core__readers__base={"BaseReader": object},
            llama_index__core__retrievers={"BaseRetriever": object},
            llama_index__core__schema=names,
        )
    from llama_index.core.schema import QueryBundle
    from lopper.llama_index import LopperReader, LopperRetriever

    [page] = LopperReader().lazy_load_data([(MILLS, "http://e.org/mills")])
    assert page.text == "The old mill at the river grinds corn for the valley."
    assert page.metadata["author"] == "Ann" and page.metadata["url"] == "http://e.org/mills"
    found = LopperRetriever(demo, 2)._retrieve(QueryBundle(query_str="which cookies does the site set"))
    assert len(found) == 2 and found[0].score >= found[1].score
    assert demo.cite(found[0].node.metadata["block_id"]).is_verified


def _is_there(module):
    try:
        __import__(module)
    except ImportError:
        return False
    return True
