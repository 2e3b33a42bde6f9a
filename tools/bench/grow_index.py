"""Writes a data folder whose index has the segments of another one several times, to see how searches grow with the index.

    grow_index.py DATA TIMES OUT

DATA is a folder that was compacted (`lopper compact`). The copies are hard links, so they take no room, and their pages are those of
DATA: what is found is found TIMES times. Nothing may be written into OUT; remove it after the measurement.
"""

import json
import os
import shutil
import sys
import uuid


def grow(data, times, out):
    shutil.copytree(data, out, copy_function=os.link, ignore=shutil.ignore_patterns("index", "store", "lock"))
    # What a program opens to write is copied.
    for name in ("store", "lock"):
        path = os.path.join(data, name)
        copy = shutil.copytree if os.path.isdir(path) else shutil.copy
        if os.path.exists(path):
            copy(path, os.path.join(out, name))
    index, grown = os.path.join(data, "index"), os.path.join(out, "index")
    os.mkdir(grown)
    with open(os.path.join(index, "meta.json"), encoding="utf-8") as file:
        meta = json.load(file)
    segments, names = list(meta["segments"]), []
    for name in os.listdir(index):
        if not name.endswith(".json") and "." not in name:
            shutil.copy(os.path.join(index, name), grown)
    for number in range(times):
        for segment in segments:
            old = segment["segment_id"].replace("-", "")
            new = uuid.uuid5(uuid.NAMESPACE_OID, f"{old} {number}")
            for name in os.listdir(index):
                if name.startswith(old):
                    names.append(new.hex + name[len(old):])
                    os.link(os.path.join(index, name), os.path.join(grown, names[-1]))
            meta["segments"].append({**segment, "segment_id": str(new)})
    meta["segments"] = meta["segments"][len(segments):]
    for name, content in (("meta.json", meta), (".managed.json", names + ["meta.json"])):
        with open(os.path.join(grown, name), "w", encoding="utf-8") as file:
            json.dump(content, file)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    grow(sys.argv[1], int(sys.argv[2]), sys.argv[3])
