"""A server, asked from Python: with a key, without, and when it is gone."""

import json
import pathlib
import re
import socket
import subprocess
import threading
import urllib.request

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
    blocks = list(client.blocks("data.gov.uk"))
    assert block.block_id in [known.block_id for known in blocks] and not list(client.blocks("e.org"))
    assert {known.host for known in blocks} == {"data.gov.uk"} and blocks[0].source.archive == DEMO.name
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


def test_blocks_that_break_off_are_an_error():
    block = {"block_id": "b", "page_id": "p", "url": "http://e.org/", "text": "t", "locator": {"url": "u", "css_path": "c"}}
    line = json.dumps(block).encode() + b"\n"
    for end, is_whole in ((b"0\r\n\r\n", True), (b"", False), (b"40\r\n{", False)):
        with socket.create_server(("127.0.0.1", 0)) as listening:
            thread = threading.Thread(target=answer_once, args=(listening, line, end))
            thread.start()
            client = lopper.Client(f"http://127.0.0.1:{listening.getsockname()[1]}")
            if is_whole:
                assert [block.block_id for block in client.blocks()] == ["b"]
            else:
                with pytest.raises(lopper.ServerError, match="broke off before its end"):
                    list(client.blocks())
            thread.join()


def answer_once(listening, line, end):
    """Sends a line as a chunk, then `end`."""
    connection, _ = listening.accept()
    with connection:
        connection.recv(1 << 16)
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"
        connection.sendall(head + f"{len(line):x}\r\n".encode() + line + b"\r\n" + end)


def test_pages_go_many_in_a_request_in_their_order(server):
    url, keys, _ = server
    client = lopper.Client(url, keys["admin"])
    pages = [(f"<title>Weir {n}</title><p>Weir number {n} keeps the water back.</p>", f"http://weirs.example/{n}") for n in range(300)]
    # Of two captures of one URL the later one is the later page; bytes tell their charset themselves.
    pages.insert(10, ("<p>Weir three, as it was built.</p>", "http://weirs.example/3", "1999-01-01"))
    pages.append(("<meta charset=latin-1><p>Ein Stauwehr hält Wasser zurück.</p>".encode("latin-1"), "http://weirs.example/de"))
    added = client.add(pages)
    assert [page.url for page in added] == [page[1] for page in pages] and all(page.blocks for page in added)
    assert client.search('"Wasser zurück"').pages[0].page_id == added[-1].page_id
    with pytest.raises(lopper.ServerError, match="422 no_page: http://weirs.example/empty: ") as refused:
        client.add([("<p>A weir more.</p>", "http://weirs.example/more"), (" ", "http://weirs.example/empty")])
    assert refused.value.status == 422 and client.search("weir more", 1).pages[0].url.endswith("/more")
    assert client.delete(host="weirs.example").pages == 303


def test_collections_are_asked_by_name(server):
    url, keys, _ = server
    client = lopper.Client(url, keys["admin"], collection="mills")
    with pytest.raises(lopper.ServerError, match="there is no collection `mills`") as missing:
        client.search("mills")
    assert isinstance(missing.value, lopper.NotFound)
    assert (missing.value.status, missing.value.code) == (404, "collection_not_found")
    made = urllib.request.Request(url + "/v1/collections", b'{"name": "mills"}', method="POST")
    made.add_header("Authorization", f"Bearer {keys['admin']}")
    made.add_header("Content-Type", "application/json")
    urllib.request.urlopen(made).close()
    [added] = client.add([(MILLS, "http://e.org/mills")])
    answer = client.search("slow mills of stone")
    assert answer.pages[0].page_id == added.page_id and 0 <= answer.coverage <= 1
    others = lopper.Client(url, keys["admin"]).search("slow mills of stone")
    assert added.page_id not in [page.page_id for page in others]


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
