#!/usr/bin/env bash
# Monaco: write a function, then go to its end and call it.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

chela open "$1"
chela wait --text "Write a function"

# The editor's own brackets and indentation are not added to those of the text.
chela type "$(ref 'textbox "Editor content"')" 'function add(a, b) {
  return a + b;
}' --snapshot delta
in_order "function add(a, b) {" "return a + b;" "text: }" "status: 3"

chela press Control+End --snapshot delta
chela press Enter --snapshot delta
chela type "add(1, 2);" --snapshot delta
in_order "return a + b;" "text: }" "add(1, 2);" "status: 4"
