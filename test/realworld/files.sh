#!/usr/bin/env bash
# Dropzone, and a plain drop area: drop files on them.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

# One of the folders that files may be uploaded from.
folder=$CHELA_STATE_DIR/media/inbound
mkdir -p "$folder"
echo "Feed the crabs" >"$folder/monday.txt"
echo "Wash the rocks" >"$folder/tuesday.txt"

chela open "$1"
chela wait --text "Drop files here"

chela drop "$(ref 'form ')" "$folder/monday.txt" --snapshot delta
chela expect --text "monday.txt has 15 bytes"

chela drop "$(ref 'generic "Drop text files here"')" "$folder/monday.txt" "$folder/tuesday.txt" --snapshot delta
chela expect --text "monday.txt: Feed the crabs"
chela expect --text "tuesday.txt: Wash the rocks"
