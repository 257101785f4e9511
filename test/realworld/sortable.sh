#!/usr/bin/env bash
# SortableJS: move the entries of a list by their handles.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

handle() { ref '☰' "listitem \"$1"; }

chela open "$1"
chela wait --text "To do"

chela drag "$(handle "Wash the rocks")" "$(handle "Change the water")" --snapshot delta
chela expect --text "moved from 1 to 3"
chela drag "$(handle "Count the shrimps")" "$(handle "Feed the crabs")" --snapshot delta
chela expect --text "moved from 4 to 1"
in_order "Count the shrimps" "Feed the crabs" "Change the water" "Wash the rocks"
