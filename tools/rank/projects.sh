#!/bin/sh
# Takes in the documentation of everyday/projects.*: projects.sh LOPPER UNPACKED DATA
# UNPACKED has a folder for each package of everyday/projects.txt, named like it, into which it is unpacked.
set -e
lopper=$1 unpacked=$2 data=$3

grep -v '^#' "$(dirname "$0")/everyday/projects.txt" | while read -r package _; do
    "$lopper" ingest --data "$data" --site-url "https://$package.projects.example" "$unpacked/$package"
done
