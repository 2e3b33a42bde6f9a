#!/bin/sh
# Counts the instructions of lopper and its peers on the same pages: tools/bench/instructions.sh ARCHIVE.warc.gz [PAGES]
# Needs valgrind, and a Python with tools/bench/peers/requirements.txt in PEERS_PYTHON. What each takes is less what reading takes.
# Counts do not depend on what else the machine does; they take some minutes. Prints millions, and ratios to lopper's text.
set -eu
here=$(dirname "$0")
archive=$1
pages=${2:-50}
[ -e "$here/peers-rs/Cargo.lock" ] || cp "$here/../../Cargo.lock" "$here/peers-rs/Cargo.lock"
cargo build --quiet --release --manifest-path "$here/peers-rs/Cargo.toml" --bin peers
peers=${CARGO_TARGET_DIR:-$here/peers-rs/target}/release/peers

# Instructions of a program: counted PROGRAM ARGUMENT...
counted() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 >/dev/null | sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

# A line for each of $contestants: lines COMMAND...; COMMAND gets the contestant as its last argument.
lines() {
    reading=$(counted "$@" reading)
    for contestant in $contestants; do
        name=$(echo "$contestant" | tr . ' ')
        echo "$(($(counted "$@" "$name") - reading)) $name"
    done
}

contestants="lopper.text lopper.Markdown lopper.main.content lopper.parse html5ever.parse.to.rcdom dom_smoothie.main.content"
ours=$(lines "$peers" "$archive" "$pages")
contestants="resiliparse.parse resiliparse.main.content"
theirs=$(lines "${PEERS_PYTHON:-python3}" "$here/peers/peers.py" "$archive" --limit "$pages" --only)
printf '%s\n%s\n' "$ours" "$theirs" | awk '
    NR == 1 { base = $1; print "| what | million instructions | of lopper'"'"'s text |"; print "|---|--:|--:|" }
    { count = $1; $1 = ""; printf "|%s | %.0f | %.2f |\n", $0, count / 1e6, count / base }'
