#!/bin/sh
# Takes in the manuals of everyday/manuals.*: manuals.sh LOPPER UNPACKED DATA
# UNPACKED has a folder for each package of everyday/manuals.txt, named like it, into which it is unpacked.
set -e
lopper=$1 unpacked=$2 data=$3

grep -v '^#' "$(dirname "$0")/everyday/manuals.txt" | while read -r site package _ folder; do
    "$lopper" ingest --data "$data" --site-url "https://$site.manuals.example" "$unpacked/$package/$folder"
done
