#!/bin/sh
# Scores what lopper and its peers keep of labelled pages: tools/bench/quality.sh TEXTS MODELS SET...
# MODELS is the folder that tools/train/train.py wrote (--cross-validate --leave-out --fold-models MODELS); each page is judged by a model
# that did not see it. Needs a Python with tools/bench/peers/requirements.txt in PEERS_PYTHON and examples/predict in PREDICT. What a
# peer kept stays in TEXTS and is not made again. Prints the tables of docs/lab/EXTRACTION.md.
set -eu
here=$(dirname "$0")
texts=$1
models=$2
shift 2
python=${PEERS_PYTHON:-python3}
predict=${PREDICT:-$here/../../target/release/examples/predict}
[ -e "$here/peers-rs/Cargo.lock" ] || cp "$here/../../Cargo.lock" "$here/peers-rs/Cargo.lock"
cargo build --quiet --release --no-default-features --bin texts --manifest-path "$here/peers-rs/Cargo.toml"
target=${CARGO_TARGET_DIR:-$here/peers-rs/target}

# Joins what the models of a pattern keep of the pages that each of them did not see: ours SET NAME MODEL...
ours() {
    out=$texts/$(basename "$1")
    : >"$out/$2.part"
    ours_set=$1
    ours_name=$2
    shift 2
    for model in "$@"; do
        ids=${model%.model}.$(basename "$ours_set").ids
        [ -e "$ids" ] || continue
        "$predict" "$ours_set" "$out/one.part" --model "$model" --ids "$ids"
        cat "$out/one.part" >>"$out/$ours_name.part"
    done
    [ -s "$out/$ours_name.part" ] && mv "$out/$ours_name.part" "$out/$ours_name.jsonl"
    rm -f "$out"/*.part
}

for set in "$@"; do
    out=$texts/$(basename "$set")
    mkdir -p "$out"
    # Both know more settings by name; these are those of the table.
    "$target/release/texts" "$set" "$out" "dom_smoothie formatted" "rs-trafilatura"
    "$python" "$here/peers/texts.py" "$set" "$out" resiliparse "resiliparse comments off" readability-lxml trafilatura \
        "trafilatura comments off"
    ours "$set" "lopper" "$models"/fold?.model
    ours "$set" "lopper, set unseen" "$models"/without-set-*.model
    ours "$set" "lopper, type unseen" "$models"/without-type-*.model
done
python3 "$here/extraction_quality.py" "$texts" "$@" --ours "lopper" --ours "lopper, set unseen" --ours "lopper, type unseen"
