#!/usr/bin/env bash
# AG Grid: scroll to row 500 of 1,000, of which only those in view are in the page; sort; edit a cell.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

chela open "$1"
chela wait --text "Animal 0"

# Each row is 42 pixels high.
grid=$(ref '^- grid ')
chela scroll "$grid" --delta-y 21000 --snapshot delta
chela expect --text "Animal 500" --role gridcell

# Sort by the score: ascending, then descending.
chela scroll "$grid" --to top --snapshot delta
click "$(ref 'columnheader "Score"')"
click "$(ref 'columnheader "Score"')"
in_order 'gridcell "Animal 765"' 'gridcell "1008"' 'gridcell "1007"' 'gridcell "1006"'

chela click "$(ref 'gridcell "Animal 765"')" --double --snapshot delta
chela type "$(ref textbox)" "Old Homer" --submit --snapshot delta
in_order 'gridcell "Old Homer"' 'gridcell "1008"'
