"""Writes the model file; its layout is described in `crates/content/src/extract/model/format.rs`."""

import struct

import numpy as np

LEAF = 128


def digest(names):
    value = 0x811C9DC5
    for byte in "\n".join(names).encode():
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return value


def threshold(value):
    """The largest single not above a double, so that `x <= t` says the same for every single x."""
    single = np.float32(value)
    if float(single) > value:
        single = np.nextafter(single, np.float32(-np.inf))
    return float(single)


def flatten(root):
    """Nodes with the children behind their parents, and leaves."""
    if "leaf_value" in root:
        return [], [root["leaf_value"]]
    nodes, leaves, queue = [], [], [root]
    for node in queue:
        children = []
        for child in (node["left_child"], node["right_child"]):
            if "leaf_value" in child:
                children.append(LEAF + len(leaves))
                leaves.append(child["leaf_value"])
            else:
                queue.append(child)
                children.append(len(queue) - 1)
        nodes.append((node["split_feature"], threshold(node["threshold"]), children, node["internal_value"]))
    return nodes, leaves


def forest_bytes(booster, base):
    trees = [flatten(tree["tree_structure"]) for tree in booster.dump_model()["tree_info"]]
    values = [v for nodes, leaves in trees for v in leaves + [node[3] for node in nodes]]
    scale = float(np.float32(max(map(abs, values), default=1.0) / 32767))
    scaled = lambda value: int(round(max(-32767, min(32767, value / scale))))
    out = [struct.pack("<ffH", base, scale, len(trees))]
    for nodes, leaves in trees:
        assert len(nodes) < LEAF and len(leaves) == len(nodes) + 1
        out.append(struct.pack("<B", len(nodes)))
        for feature, limit, (left, right), mean in nodes:
            out.append(struct.pack("<HfBBh", feature, limit, left, right, scaled(mean)))
        out.append(struct.pack(f"<{len(leaves)}h", *map(scaled, leaves)))
    return b"".join(out)


def write(path, names, forests):
    """Writes forests, each with what is added to its sums."""
    with open(path, "wb") as file:
        file.write(b"LOPM" + struct.pack("<HIB", 1, digest(names), len(forests)))
        for booster, base in forests:
            file.write(forest_bytes(booster, base))
