#!/usr/bin/env python3
"""Prints what `run.sh` measured: pages a second of processor time, and how many times that lopper does of the same work."""
import json
import sys

rows = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
rate = {row["peer"]: row["pages"] / row["seconds"] for row in rows}
speed = {row["peer"]: row["html_bytes"] / row["seconds"] / 1e6 for row in rows}
print(f"| {'what':<28} | pages/s | MB/s | lopper's |")
print("|---|--:|--:|--:|")
for peer in rate:
    # Ratios by bytes: the slow peers see fewer pages.
    ours = "lopper parse" if " parse" in peer else "lopper main content"
    print(f"| {peer:<28} | {rate[peer]:7.1f} | {speed[peer]:4.0f} | {speed[ours] / speed[peer]:7.2f}× |")
