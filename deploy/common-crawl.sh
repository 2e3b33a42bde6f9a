#!/bin/sh
# From a list of Common Crawl's WARC paths to a collection.
#
#   curl -sO https://data.commoncrawl.org/crawl-data/CC-MAIN-2024-10/warc.paths.gz
#   zcat warc.paths.gz | head -20 > some.paths
#   deploy/common-crawl.sh some.paths work data [PROCESSES]
#
# Each WARC is read as it comes and made into a part; none is stored, and what is done already is not fetched again. With
# BASE=s3://commoncrawl/ and the variables of object storage it comes from there; with PARTS=s3://bucket/parts the parts
# go there, and many machines can share a list. HTML is not kept: pages are found with their passages, and not shown as
# they were.
set -eu
paths=$1 work=$2 data=$3 processes=${4:-$(getconf _NPROCESSORS_ONLN)}
export lopper=${LOPPER:-lopper} base=${BASE:-https://data.commoncrawl.org/} parts=${PARTS:-$work/parts} work
mkdir -p "$work/done"

# shellcheck disable=SC2016
tr '\n' '\0' < "$paths" | xargs -0 -r -n 1 -P "$processes" sh -c '
    set -eu
    name=$(basename "$1")
    [ -e "$work/done/$name" ] && exit 0
    "$lopper" worker --output "$parts" "$base$1" > "$work/done/$name.tmp"
    mv "$work/done/$name.tmp" "$work/done/$name"' -
"$lopper" ingest --data "$data" --bodies none "$parts"
