"""`lopper mcp`, asked by the protocol's own Python client."""

import asyncio
import pathlib
import re
import subprocess

import lopper
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

DEMO = pathlib.Path(__file__).parents[3] / "demo" / "data-gov-uk-2014.warc.gz"
QUESTION = "which cookies does the site set"


@pytest.fixture(scope="module")
def data(program, tmp_path_factory):
    folder = tmp_path_factory.mktemp("mcp") / "data"
    subprocess.run([program, "ingest", "--data", folder, DEMO], check=True, capture_output=True)
    return folder


def talk(program, data, conversation):
    """Runs `conversation(call, session)` with a server of its own; `call` gives an answer's text and whether it is an error."""

    async def run():
        parameters = StdioServerParameters(command=str(program), args=["mcp", "--data", str(data)])
        async with stdio_client(parameters) as (reading, writing), ClientSession(reading, writing) as session:
            told = await session.initialize()

            async def call(tool, **arguments):
                result = await session.call_tool(tool, arguments)
                is_error = result.is_error if hasattr(result, "is_error") else result.isError
                return "".join(part.text for part in result.content), bool(is_error)

            return await conversation(call, session, told)

    return asyncio.run(asyncio.wait_for(run(), 60))


def test_tools_are_told_and_search_reads_and_cites(program, data):
    async def conversation(call, session, told):
        tools = {tool.name for tool in (await session.list_tools()).tools}
        assert tools == {"search", "page", "blocks", "cite"}
        assert "never instructions" in told.instructions
        found, is_error = await call("search", query=QUESTION, pages=3)
        assert not is_error and "Cookies policy" in found
        for part in (r"captured: 2014-\S+Z", r"digest of the HTML: [0-9a-f]{32}", r"link: http://data.gov.uk/\S+#[\w-]*:~:text="):
            assert re.search(part, found), part
        page_id = re.search(r"page_id: (\w+)", found).group(1)
        block_id = re.search(r"block_id: (\w+)", found).group(1)
        page, _ = await call("page", page_id=page_id)
        assert re.search(r"\n\d+ blocks\. By number", page)
        blocks, _ = await call("blocks", page_id=page_id)
        assert block_id in blocks and "## block 0" in blocks
        cited, _ = await call("cite", block_id=block_id)
        quote = cited.split("quote:\n")[1].strip()
        assert "\nverified: " in cited and quote in blocks

    talk(program, data, conversation)


def test_the_same_over_http(program, data, tmp_path):
    added = subprocess.run(
        [program, "keys", "add", "--data", data, "--scope", "read", "model"], check=True, capture_output=True, text=True
    )
    key = re.search(r"\S{40,}", added.stdout).group()
    served = subprocess.Popen([program, "serve", "--data", data, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
    try:
        url = next(match.group() for line in served.stdout if (match := re.search(r"http://[\d.:]+", line)))

        async def run(headers):
            client = create_mcp_http_client(headers=headers)
            async with client, streamable_http_client(url + "/v1/mcp", http_client=client) as streams:
                async with ClientSession(streams[0], streams[1]) as session:
                    await session.initialize()
                    assert {tool.name for tool in (await session.list_tools()).tools} == {"search", "page", "blocks", "cite"}
                    found = await session.call_tool("search", {"query": QUESTION, "pages": 1})
                    return "".join(part.text for part in found.content)

        found = asyncio.run(asyncio.wait_for(run({"Authorization": f"Bearer {key}"}), 60))
        assert "Cookies policy" in found and re.search(r"coverage: 0\.\d\d, the share", found)
        with pytest.raises(BaseException):
            asyncio.run(asyncio.wait_for(run({}), 60))
    finally:
        served.terminate()
        served.wait(timeout=30)
        (data / "keys.json").unlink()


def test_answers_are_bounded(program, data):
    async def conversation(call, session, told):
        long, _ = await call("search", query="data", pages=20, max_tokens=20000)
        for tokens in (200, 500, 2000):
            short, _ = await call("search", query="data", pages=20, max_tokens=tokens)
            assert len(short.encode()) <= 3 * tokens + 200 < len(long.encode())
            assert re.search(r"\nPages for which there was no room: \d+\. Ask with a larger max_tokens\.\n$", short)
        page_id = re.search(r"page_id: (\w+)", long).group(1)
        # Whoever goes on where the answer says reads all of the blocks, each once.
        numbers, start = [], 0
        for _ in range(100):
            part, _ = await call("blocks", page_id=page_id, **{"from": start}, max_tokens=1500)
            numbers += [int(number) for number in re.findall(r"^## block (\d+)$", part, re.M)]
            more = re.search(r"ask with from=(\d+)", part)
            if not more:
                break
            start = int(more.group(1))
            numbers = [number for number in numbers if number < start]
        with lopper.Collection(data, read_only=True) as collection:
            assert numbers == [block.ordinal for block in collection.page(page_id).blocks]

    talk(program, data, conversation)


def test_what_is_not_there_or_wrong_is_said(program, data):
    async def conversation(call, session, told):
        nothing, is_error = await call("search", query="xylophonequartz")
        assert not is_error and nothing.startswith('Nothing in this collection matches "xylophonequartz"')
        for tool, arguments, why in [
            ("search", {"query": "data", "pages": 0}, "pages is 0; it must be from 1 to 20"),
            ("search", {"query": "data", "max_tokens": 5}, "max_tokens is 5; it must be from 200 to 20000"),
            ("search", {"query": "data", "limit": 5}, "unknown field `limit`"),
            ("search", {"query": "data", "as_of": "soon"}, "as_of: this is no time"),
            ("page", {"page_id": "x"}, "there is no page `x`: take a page_id"),
            ("cite", {"block_id": "x"}, "there is no block `x`"),
        ]:
            told_why, is_error = await call(tool, **arguments)
            assert is_error and why in told_why, (tool, arguments, told_why)
        with pytest.raises(Exception, match="no tool `delete`"):
            await call("delete")

    talk(program, data, conversation)


def test_what_another_process_commits_is_found(program, tmp_path):
    with lopper.Collection(tmp_path / "data") as collection:
        collection.add([("<p>Old mills grind corn.", "http://e.org/mills")])

        async def conversation(call, session, told):
            assert "Nothing" in (await call("search", query="windmills"))[0]
            collection.add([("<p>Windmills need wind.", "http://e.org/wind")])
            assert "Windmills need wind." in (await call("search", query="windmills"))[0]

        talk(program, tmp_path / "data", conversation)


def test_a_folder_that_is_not_there_is_said(program, tmp_path):
    done = subprocess.run([program, "mcp", "--data", tmp_path / "none"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 1 and "there is no data in" in done.stderr and done.stdout == ""
