#!/usr/bin/env bash
# Libraries for sorting by the mouse: an item that is dragged onto another one gets its place.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

# item NAME prints the ref of an item.
item() { ref "(listitem|button|generic).*$1"; }

for library in ${LIBRARIES:-jquery sortablejs sortablejs-fallback dndkit pangea angular}; do
	chela open "$1#$library" --label "$library"
	chela wait --text Delta
	names=(Alpha Beta Gamma Delta)
	for from in 0 1 2 3; do
		for to in 0 1 2 3; do
			[[ $from -ne $to ]] || continue
			moved=${names[from]}
			chela drag "$(item "$moved")" "$(item "${names[to]}")"
			rest=("${names[@]:0:from}" "${names[@]:from+1}")
			names=("${rest[@]:0:to}" "$moved" "${rest[@]:to}")
			chela expect --text "Order: ${names[*]}"
		done
	done
	chela close
done
