#!/usr/bin/env bash
# Proves chela on applications that nobody here wrote: run.sh SWAGGER_SERVER SWAGGER_UI POCKETBASE.
# `make realworld` fetches and builds them, then runs this.
set -euo pipefail
swagger=$PWD/$1 ui=$PWD/$2 pocketbase=$PWD/$3
cd "$(dirname "$0")"

export PATH=$PWD/../../bin:$PATH
work=$(mktemp -d)
export CHELA_STATE_DIR=$work/state
servers=()

finish() {
	local status=$?
	trap - EXIT
	[[ $status -eq 0 ]] || chela screenshot >&2 || true
	chela shutdown || true
	await "the end of chela's server" ended || true
	[[ ${#servers[@]} -eq 0 ]] || kill "${servers[@]}" || true
	wait
	if [[ $status -eq 0 ]]; then
		rm -rf "$work"
	else
		echo "failed; state and logs are in $work" >&2
	fi
	exit "$status"
}
trap finish EXIT

# ended says that chela's server has gone, with its browser: it removes this file last.
ended() { [[ ! -e $CHELA_STATE_DIR/server.json ]]; }

# serve NAME COMMAND... starts a server in the background, with its output in NAME.log.
serve() {
	local name=$1
	shift
	"$@" >"$work/$name.log" 2>&1 </dev/null &
	servers+=($!)
}

answers() { (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

free_port() {
	local port=$((20000 + RANDOM % 10000))
	while answers "$port"; do ((port++)); done
	echo "$port"
}

# await WHAT CONDITION... returns when CONDITION holds, and fails after ten seconds.
await() {
	local what=$1 end=$((SECONDS + 10))
	shift
	until "$@"; do
		((SECONDS < end)) || { echo "$what does not come" >&2; return 1; }
		sleep 0.1
	done
}

port=$(free_port)
serve swagger "$swagger" -addr "127.0.0.1:$port" -ui "$ui"
await "Swagger UI" answers "$port"
./swagger.sh "http://127.0.0.1:$port/"

# Without a PATH, PocketBase finds no browser of the user's to open. Below /tmp
# it would take itself for a program under development, and log each query.
port=$(free_port)
serve pocketbase env PATH= "$pocketbase" serve --dev=false --http "127.0.0.1:$port" --dir "$work/pocketbase"
await PocketBase grep -q "http://.*/pbinstall/" "$work/pocketbase.log"
./pocketbase.sh "$(grep -o 'http://.*/pbinstall/.*' "$work/pocketbase.log")"

echo "Both applications did as they were told."
