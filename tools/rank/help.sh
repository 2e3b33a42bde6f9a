#!/bin/sh
# Takes in the handbooks of everyday/help.*: help.sh LOPPER SHARE DATA
# SHARE is the folder usr/share of the unpacked packages.
set -e
lopper=$1 share=$2 data=$3

# take LANGUAGE PART FOLDER
take() {
    "$lopper" ingest --data "$data" --site-url "https://$1.help.example/$2" "$share/$3"
}

for language in en:en-US zh:zh-CN ja ko de fr es ru fi vi; do
    take "${language%%:*}" office "libreoffice/help/${language##*:}"
done
for language in en ja de fr es ru; do
    take $language gimp "gimp/2.0/help/$language"
done
for language in en zh:zh_CN ja ko; do
    take "${language%%:*}" install "doc/installation-guide-amd64/${language##*:}"
done
