#!/bin/sh
# From a list of Common Crawl's WARC paths to a collection.
#
#   curl -sO https://data.commoncrawl.org/crawl-data/CC-MAIN-2024-10/warc.paths.gz
#   zcat warc.paths.gz | head -20 > some.paths
#   deploy/common-crawl.sh some.paths work data [PROCESSES]
#
# Each WARC is fetched, made into a part, and removed; what is done already is not fetched again. HTML is not kept:
# pages refer to archives that are gone, so they are found with their passages, and not shown as they were.
set -eu
paths=$1 work=$2 data=$3 processes=${4:-$(getconf _NPROCESSORS_ONLN)}
export lopper=${LOPPER:-lopper} base=${BASE:-https://data.commoncrawl.org/} work
mkdir -p "$work/warc" "$work/parts" "$work/done"

# shellcheck disable=SC2016
tr '\n' '\0' < "$paths" | xargs -0 -r -n 1 -P "$processes" sh -c '
    set -eu
    name=$(basename "$1") warc=$work/warc/$(basename "$1")
    [ -e "$work/done/$name" ] && exit 0
    curl -sSf --retry 5 -C - -o "$warc" "$base$1"
    "$lopper" worker --output "$work/parts" "$warc" > "$work/done/$name.tmp"
    mv "$work/done/$name.tmp" "$work/done/$name"
    rm "$warc"' -
"$lopper" ingest --data "$data" --bodies none "$work/parts"
