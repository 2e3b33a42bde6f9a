#!/bin/sh
# Takes in the manuals of everyday/translated.*, in several languages or versions on one site: translated.sh LOPPER UNPACKED DATA
# UNPACKED has a folder for each package, named like it, into which it is unpacked. The site is built in a temporary folder.
set -e
lopper=$1 unpacked=$2 data=$3
site=$(mktemp -d)
trap 'rm -rf "$site"' EXIT

# take PACKAGE FOLDER TO: the files of a folder of a package
take() {
    mkdir -p "$site/$3"
    (cd "$unpacked/$1/$2" && find . -name '*.html' ! -type d | while read -r file; do
        mkdir -p "$site/$3/$(dirname "$file")" && cp -L "$file" "$site/$3/$file"
    done)
}

for language in de en es fr it ja; do
    take debian-reference-$language usr/share/debian-reference debian-reference
done
for language in de fr it ja ru; do
    take debian-faq-$language usr/share/doc/debian/FAQ/$language debian-faq
    take developers-reference-$language usr/share/developers-reference/$language developers-reference/$language
    take maint-guide-$language usr/share/doc/maint-guide-$language/html maint-guide
done
take debian-faq usr/share/doc/debian/FAQ debian-faq-all
cp "$site"/debian-faq-all/*.en.html "$site/debian-faq" && rm -r "$site/debian-faq-all"
take developers-reference usr/share/developers-reference developers-reference
take maint-guide usr/share/doc/maint-guide/html maint-guide
for language in en fr it ja ru; do
    take aptitude-doc-$language usr/share/doc/aptitude/html/$language aptitude/$language
done
for language in de-DE en-US es-ES fr-FR it-IT ja-JP; do
    take harden-doc usr/share/doc/harden-doc/html/$language securing-debian/$language
done
take debian-policy usr/share/doc/debian-policy/policy.html debian-policy
take debian-policy-ja usr/share/doc/debian-policy/ja/policy.html debian-policy/ja
take debmake-doc usr/share/doc/debmake-doc/html debmake
take apt-doc usr/share/doc/apt-doc apt
rm -rf "$site"/apt/*.es.html "$site"/apt/*.nl.html "$site"/apt/*.pl.html "$site"/apt/*.pt.html
take clang-14-doc usr/share/doc/clang-14/html clang/14.0
take clang-15-doc usr/share/doc/clang-15/html clang/15.0
take clang-16-doc usr/share/doc/clang-16/html clang/stable
# The whole on one page, and what is no page of the manual.
find "$site" \( -name developers-reference.html -o -name search.html -o -name genindex.html \) -type f -exec rm {} +
"$lopper" ingest --data "$data" --site-url https://manuals.example "$site"
