#!/usr/bin/env python3
"""Parts of archives by Ray: one archive a task of one core, and the worker reads it itself; no page goes through Ray's store.

python deploy/ray_job.py LIST PARTS RECEIPTS

LIST has a path a line; PARTS lies where all nodes see it, and so does the program (LOPPER=/path/to/lopper).
"""
import json
import os
import subprocess
import sys

import ray


@ray.remote(num_cpus=1, max_retries=3)
def part(archive: str, parts: str, lopper: str) -> str:
    """The receipt of one archive; a record that hangs is the worker's business, so there is no timeout here."""
    done = subprocess.run([lopper, "worker", "--output", parts, archive], capture_output=True, text=True)
    return done.stdout.strip() or json.dumps({"archive": archive, "code": "worker", "error": done.stderr[-2000:]})


def main() -> None:
    archives = [line.strip() for line in open(sys.argv[1]) if line.strip()]
    parts, receipts, lopper = sys.argv[2], sys.argv[3], os.environ.get("LOPPER", "lopper")
    ray.init()
    found = ray.get([part.remote(archive, parts, lopper) for archive in archives])
    open(receipts, "w").writelines(line + "\n" for line in found)
    failed = [line for line in found if "error" in json.loads(line)]
    print(f"{len(found) - len(failed)} parts, {len(failed)} archives without one")
    sys.exit(1 if failed else 0)


main()
