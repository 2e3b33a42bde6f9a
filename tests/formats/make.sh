#!/bin/sh
# Makes the fixture of a data version: tests/formats/v<N>, v<N>-broken and v<N>.run.jsonl. README.md says when: once.
set -eu
cd "$(dirname "$0")/../.."
version=v$1
place=tests/formats/$version
[ ! -e "$place" ] || { echo "$place exists: a fixture is never made again" >&2; exit 1; }
archives=tests/archives
# LOPPER: a program that is built already.
lopper() { ${LOPPER:-cargo run --quiet --locked --} "$@"; }

# The second run adds pages, replaces those of an archive of the first, and has duplicates and revisits.
lopper ingest --bodies keep --data "$place" $archives/webrecorder-warcio__example-iana.org-chunked.warc \
    $archives/commoncrawl-ia-web-commons__html-lang-attribute.warc
lopper ingest --bodies keep --again --data "$place" $archives/oduwsdl-ipwb__salam-home.warc $archives/iipc-jwarc__cc.warc.gz \
    $archives/webrecorder-warcio__example-iana.org-chunked.warc $archives/webrecorder-warcio.js__example-bad-length.warc \
    $archives/webrecorder-warcio__example-trunc.warc $archives/netarchivesuite-jwat__invalid-warcfile-record-then-garbage.warc
lopper search --data "$place" -k 3 --queries tests/formats/queries.jsonl --format run >"$place.run.jsonl"

# The broken one: 200 bytes in the middle of the database's log are lost.
cp -R "$place" "$place-broken"
dd if=/dev/zero of="$place-broken/store/db" bs=1 seek=1000 count=200 conv=notrunc 2>/dev/null

# The database's file is mostly empty: kept compressed.
gzip -9n "$place/store/db" "$place-broken/store/db"
