"""A server, asked from Python: with a key, without, and when it is gone."""

import pathlib
import re
import subprocess

import lopper
import pytest

DEMO = pathlib.Path(__file__).parents[3] / "demo" / "data-gov-uk-2014.warc.gz"
MILLS = "<title>Mills</title><h1>Mills</h1><p>Old mills grind slowly but well.</p>"


@pytest.fixture(scope="module")
def server(program, tmp_path_factory):
    """A server with keys, and its folder."""
    data = tmp_path_factory.mktemp("served") / "data"
    subprocess.run([program, "ingest", "--data", data, DEMO], check=True, capture_output=True)
    keys = {}
    for scope in ("read", "admin"):
        added = subprocess.run(
            [program, "keys", "add", "--data", data, "--scope", scope, scope], check=True, capture_output=True, text=True
        )
        keys[scope] = re.search(r"\S{40,}", added.stdout).group()
    process = subprocess.Popen(
        [program, "serve", "--data", data, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True
    )
    url = next(match.group() for line in process.stdout if (match := re.search(r"http://[\d.:]+", line)))
    yield url, keys, data
    process.terminate()
    process.wait(timeout=30)


def test_all_of_it(server):
    url, keys, _ = server
    client = lopper.Client(url + "/", keys["admin"])
    answer = client.search("which cookies does the site set", 2, blocks_per_page=1, facets=True)
    assert answer.pages[0].title.startswith("Cookies policy") and len(answer.pages[0].blocks) == 1
    block = answer.pages[0].blocks[0]
    assert client.cite(block.block_id).is_verified
    assert block.block_id in [known.block_id for known in client.page(answer.pages[0].page_id).blocks]
    assert "cookie" in client.content(answer.pages[0].page_id).lower()
    assert any("cookie" in query for query in client.suggest("cook")["queries"])
    [added] = client.add([(MILLS, "http://e.org/ä?a=b c", "2020-05-01T12:00:00Z")])
    assert client.page(added.page_id).captured_at == "2020-05-01T12:00:00Z"
    assert client.search("slow mills").pages[0].page_id == added.page_id
    assert client.delete(page_id=added.page_id, dry_run=True).pages == 1
    assert client.delete(query="\"mills grind slowly\"", note="a test").takedown["note"] == "a test"
    with pytest.raises(lopper.NotFound, match="no page"):
        client.page(added.page_id)
    with pytest.raises(lopper.ServerError, match="takedown") as taken_down:
        client.add([(MILLS, "http://e.org/ä?a=b c", "2020-05-01T12:00:00Z")])
    assert (taken_down.value.status, taken_down.value.code) == (409, "taken_down")


def test_extraction_is_the_same_there(server):
    url, keys, _ = server
    client = lopper.Client(url, keys["read"])
    for format in ("markdown", "text", "html", "tei"):
        at = "http://e.org/mills"
        assert client.extract(MILLS, at, format=format, links=False) == lopper.extract(MILLS, at, format=format, links=False)


def test_errors_say_what_and_where(server):
    url, keys, _ = server
    with pytest.raises(lopper.ServerError) as missing:
        lopper.Client(url).search("mills")
    assert (missing.value.status, missing.value.code) == (401, "key_required") and missing.value.request_id
    with pytest.raises(lopper.ServerError) as scope:
        lopper.Client(url, keys["read"]).delete(host="e.org")
    assert (scope.value.status, scope.value.code) == (403, "scope_missing")
    client = lopper.Client(url, keys["read"])
    with pytest.raises(lopper.ServerError, match="bad_parameter: .*pages is 0"):
        client.search("mills", 0)
    with pytest.raises(lopper.NotFound, match="no block `../x`"):
        client.cite("../x")
    with pytest.raises(lopper.ServerError, match="http://127.0.0.1:9/v1/search: the server cannot be reached"):
        lopper.Client("http://127.0.0.1:9").search("mills")
    with pytest.raises(ValueError, match="no http or https URL"):
        lopper.Client("file:///etc")


def test_the_folder_of_a_server_is_read_beside_it(server):
    _, _, data = server
    with pytest.raises(lopper.FolderInUse, match="lopper serve.*lopper.Client"):
        lopper.Collection(data)
    with lopper.Collection(data, read_only=True) as reader:
        assert reader.search("cookies")
