#!/bin/sh
# Takes in the references of everyday/api.* and the handbooks of everyday/more.*: api.sh LOPPER USR_SHARE API_DATA MORE_DATA
# USR_SHARE is the folder usr/share of the unpacked packages.
set -e
lopper=$1 share=$2 api=$3 more=$4

"$lopper" ingest --data "$api" --site-url https://cpp.api.example "$share/cppreference/doc/html"
"$lopper" ingest --data "$api" --site-url https://java.api.example "$share/doc/openjdk-17-jre-headless/api"
"$lopper" ingest --data "$api" --site-url https://qt.api.example "$share/qt5/doc"
"$lopper" ingest --data "$api" --site-url https://ghc.api.example "$share/doc/ghc-doc/html"
"$lopper" ingest --data "$more" --site-url https://gis.more.example "$share/doc/grass-doc/html"
"$lopper" ingest --data "$more" --site-url https://faq.more.example "$share/doc/anarchism/html"
