#!/bin/sh
# Parts of archives by several processes of one machine.
#
#   deploy/xargs.sh LIST PARTS [PROCESSES]
#
# LIST has a path a line. Receipts go to standard output. To use many machines that share PARTS, replace the last line by
#   parallel --sshloginfile HOSTS -j "$processes" --retries 3 "$lopper" worker --output "$parts" :::: "$list"
set -eu
list=$1 parts=$2 processes=${3:-$(getconf _NPROCESSORS_ONLN)}
lopper=${LOPPER:-lopper}

tr '\n' '\0' < "$list" | xargs -0 -r -n 1 -P "$processes" "$lopper" worker --output "$parts"
