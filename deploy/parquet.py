#!/usr/bin/env python3
"""Blocks of parts as Parquet, a row a block with its page: PART.parquet beside PART.part.ndjson.zst, for engines that read tables.

python deploy/parquet.py PART...        (pip install pyarrow)

A table appears whole or not at all, and one that is there is left as it is.
"""
import io
import json
import os
import sys

import pyarrow as pa
import pyarrow.parquet as pq

ROWS_A_GROUP = 20_000
TEXT, NUMBER = pa.string(), pa.float32()
PAGE = {"page_id": TEXT, "url": TEXT, "canonical_url": TEXT, "host": TEXT, "title": TEXT, "description": TEXT, "language": TEXT,
        "page_type": TEXT, "captured_at": pa.int64()}
BLOCK = {"block_id": TEXT, "ordinal": pa.int32(), "heading_path": pa.list_(TEXT), "text": TEXT, "anchor": TEXT,
         "css_path": TEXT, "similarity": NUMBER, "weight": NUMBER, "content": NUMBER, "link_share": NUMBER}
SCHEMA = pa.schema({**PAGE, **BLOCK})


def rows(part: str):
    """The blocks of a part, each with what its page has."""
    with io.TextIOWrapper(pa.input_stream(part, compression="zstd"), encoding="utf-8") as lines:
        for line in map(json.loads, lines):
            for block in line.get("blocks", []):
                yield {**{name: line["page"].get(name) for name in PAGE}, **{name: block.get(name) for name in BLOCK}}


def convert(part: str) -> None:
    table, count, group = part.removesuffix(".part.ndjson.zst") + ".parquet", 0, []
    beside = f"{table}.{os.getpid()}.incomplete"
    if os.path.exists(table):
        return
    with pq.ParquetWriter(beside, SCHEMA, compression="zstd") as out:
        for row in rows(part):
            group.append(row)
            if len(group) == ROWS_A_GROUP:
                out.write_table(pa.Table.from_pylist(group, SCHEMA))
                count, group = count + len(group), []
        out.write_table(pa.Table.from_pylist(group, SCHEMA))
    os.rename(beside, table)
    print(f"{table}: {count + len(group)} blocks")


for path in sys.argv[1:]:
    convert(path)
