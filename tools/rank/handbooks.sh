#!/bin/sh
# Takes in the translated handbooks of everyday/handbooks.*: handbooks.sh LOPPER UNPACKED DATA
# UNPACKED has a folder for each package of everyday/handbooks.txt, named like it, into which it is unpacked.
set -e
lopper=$1 unpacked=$2 data=$3

grep -v '^#' "$(dirname "$0")/everyday/handbooks.txt" | while read -r book package _ folder; do
    case $book in
    */*) url=https://${book%%/*}.handbooks.example/${book#*/} ;;
    *) url=https://$book.handbooks.example ;;
    esac
    "$lopper" ingest --data "$data" --site-url "$url" "$unpacked/$package/$folder"
done
