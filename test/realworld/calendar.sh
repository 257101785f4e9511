#!/usr/bin/env bash
# FullCalendar: choose a day and name an event, move an event to another day, stretch one over more days.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

chela open "$1"
chela wait --text "March 2026"

# The calendar asks for the title of what happens on the day.
chela click "$(ref 'gridcell "March 12, 2026"')" --dialog '{"accept": true, "promptText": "Holiday"}' --snapshot delta

chela drag "$(ref 'generic "Dentist"')" "$(ref 'gridcell "March 5, 2026"')" --snapshot delta

# The handle at the end of an event is shown under the mouse.
chela hover "$(ref 'generic "Conference"')" --snapshot delta
chela drag "$(ref 'generic.*\[resize\]')" "$(ref 'gridcell "March 20, 2026"')" --snapshot delta

# The list shows an event on each of its days. The conference was on two of them.
click "$(ref 'button "list"')"
in_order "March 5," "Dentist" "March 12," "Holiday" "March 17," "Conference" "March 20," "Conference"
chela expect --text "Conference" --role cell --count 4
