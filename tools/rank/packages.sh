#!/bin/sh
# Takes in the pages of everyday/SET.*, `projects` or `subjects`: packages.sh SET LOPPER UNPACKED DATA
# UNPACKED has a folder for each package of everyday/SET.txt, named like it, into which it is unpacked.
set -e
set=$1 lopper=$2 unpacked=$3 data=$4

grep -v '^#' "$(dirname "$0")/everyday/$set.txt" | while read -r package _; do
    "$lopper" ingest --data "$data" --site-url "https://$package.$set.example" "$unpacked/$package"
done
