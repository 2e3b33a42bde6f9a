#!/bin/sh
# Times lopper and its peers on the same pages in one run: tools/bench/run.sh ARCHIVE.warc.gz [PAGES]
# Needs a Python with tools/bench/peers/requirements.txt in PEERS_PYTHON. Prints a table of pages a second and ratios.
set -eu
here=$(dirname "$0")
archive=$1
pages=${2:-500}
lines=$(mktemp)
trap 'rm -f "$lines"' EXIT
# The same versions of what both need; whatever was built for lopper serves again.
[ -e "$here/peers-rs/Cargo.lock" ] || cp "$here/../../Cargo.lock" "$here/peers-rs/Cargo.lock"
cargo build --quiet --release --manifest-path "$here/peers-rs/Cargo.toml" --bin peers
target=${CARGO_TARGET_DIR:-$here/peers-rs/target}
"$target/release/peers" "$archive" "$pages" >>"$lines"
"${PEERS_PYTHON:-python3}" "$here/peers/peers.py" "$archive" --limit "$pages" >>"$lines"
python3 "$here/table.py" "$lines"
