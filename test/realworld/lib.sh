# What the scripts of this folder share. They are plain chela commands, as an agent would write them.

fail() {
	echo "$(basename "$0"): $*" >&2
	exit 1
}

# chela shows each command before it runs, as a terminal would. With UNSEEN=1 it then looks
# whether text that can be seen counts as hidden.
chela() {
	printf '$ chela%s\n' "$(printf ' %q' "$@")" >&2
	command chela "$@" || return
	[[ -n ${UNSEEN:-} && " open navigate wait click type press scroll drag select check " == *" $1 "* ]] || return 0
	./unseen.sh >&2
}

# click REF clicks and waits until the page has come to rest, so that the next
# command sees what the click led to.
click() { chela click "$1" --snapshot delta; }

# ref PATTERN [AFTER] prints the ref of the first element of the snapshot whose line matches PATTERN,
# looking only below the first line that matches AFTER.
ref() {
	local pattern=$1 after=${2:-} snapshot line
	snapshot=$(chela snapshot --interactive)
	while IFS= read -r line; do
		if [[ -n $after ]]; then
			[[ $line =~ $after ]] && after=
		elif [[ $line =~ $pattern && $line =~ \[ref=([a-z0-9]+)\] ]]; then
			echo "${BASH_REMATCH[1]}"
			return
		fi
	done <<<"$snapshot"
	fail "no line matches '$pattern' in"$'\n'"$snapshot"
}

# found WORDS... prints the refs of the lines that have the words, also those that only describe what has no name.
found() { chela find "$@" | grep -o 'ref=[a-z0-9]*' | cut -d = -f 2; }

# says TEXT... fails unless the page shows each TEXT.
says() {
	local text snapshot
	snapshot=$(chela snapshot)
	for text in "$@"; do
		[[ $snapshot == *"$text"* ]] || fail "'$text' is not in"$'\n'"$snapshot"
	done
}

# in_order TEXT... fails unless the page shows the texts, each below the one before it.
in_order() {
	local text snapshot rest
	snapshot=$(chela snapshot)
	rest=$snapshot
	for text in "$@"; do
		[[ $rest == *"$text"* ]] || fail "'$text' is not in its place in"$'\n'"$snapshot"
		rest=${rest#*"$text"}
	done
}
