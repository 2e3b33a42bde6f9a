#!/usr/bin/env python3
"""Parts of archives by Spark: one archive a task, and the worker reads it itself.

spark-submit deploy/spark_job.py LIST PARTS RECEIPTS

LIST has a path a line; PARTS lies where all executors see it, and so does the program (LOPPER=/path/to/lopper).
"""
import json
import os
import subprocess
import sys

from pyspark.sql import SparkSession


def part(archive: str, parts: str, lopper: str) -> str:
    """The receipt of one archive; a record that hangs is the worker's business, so there is no timeout here."""
    done = subprocess.run([lopper, "worker", "--output", parts, archive], capture_output=True, text=True)
    last = done.stdout.strip() or json.dumps({"archive": archive, "code": "worker", "error": done.stderr[-2000:]})
    return last


def main() -> None:
    archives = [line.strip() for line in open(sys.argv[1]) if line.strip()]
    parts, receipts, lopper = sys.argv[2], sys.argv[3], os.environ.get("LOPPER", "lopper")
    spark = SparkSession.builder.appName("lopper").getOrCreate()
    # As many partitions as archives: Spark would put several into one task.
    lines = spark.sparkContext.parallelize(archives, max(len(archives), 1)).map(lambda one: part(one, parts, lopper))
    found = lines.collect()
    spark.stop()
    open(receipts, "w").writelines(line + "\n" for line in found)
    failed = [line for line in found if "error" in json.loads(line)]
    print(f"{len(found) - len(failed)} parts, {len(failed)} archives without one")
    sys.exit(1 if failed else 0)


main()
