#!/usr/bin/env bash
# Swagger UI: expand an operation, try it out, execute it, read the answer.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

chela open "$1"
chela wait --text "List the animals"

# Add an animal.
click "$(ref 'button "POST /animals')"
click "$(ref 'button "Try it out')"
chela type "$(ref textbox 'button "Cancel')" '{"name": "Pinchy", "kind": "crab"}'
click "$(ref 'button "Execute')"
chela wait --text "Response headers"
click "$(ref 'button "POST /animals')"

# List the crabs.
click "$(ref 'button "GET /animals')"
click "$(ref 'button "Try it out')"
chela select "$(ref combobox)" crab
click "$(ref 'button "Execute')"
chela wait --text "Response headers"
says '/animals?kind=crab' Sandy Pinchy
