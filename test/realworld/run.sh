#!/usr/bin/env bash
# Proves chela on applications and widgets that nobody here wrote: run.sh FOLDER [NAME...].
# `make realworld` fetches and builds them in FOLDER, then runs this. A NAME is that of a script here.
set -euo pipefail
apps=$PWD/$1 npm=$PWD/$1/npm/node_modules made=$PWD/$1/made
shift
cd "$(dirname "$0")"

export PATH=$PWD/../../bin:$PATH
work=$(mktemp -d)
export CHELA_STATE_DIR=$work/state
export CHELA_DANGEROUSLY_ALLOW_PRIVATE_NETWORK=1 # where the applications are
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

# await WHAT CONDITION... returns when CONDITION holds, and fails after thirty seconds.
await() {
	local what=$1 end=$((SECONDS + 30))
	shift
	until "$@"; do
		((SECONDS < end)) || { echo "$what does not come" >&2; return 1; }
		sleep 0.1
	done
}

# Each of the functions below has the name of a script: it starts what the script needs, and runs it.

swagger() {
	local port
	port=$(free_port)
	serve swagger "$apps/swagger" -addr "127.0.0.1:$port" -ui "$npm/swagger-ui-dist"
	await "Swagger UI" answers "$port"
	./swagger.sh "http://127.0.0.1:$port/"
}

# Without a PATH, PocketBase finds no browser of the user's to open. Below /tmp
# it would take itself for a program under development, and log each query.
pocketbase() {
	local port
	port=$(free_port)
	serve pocketbase env PATH= "$apps/pocketbase" serve --dev=false --http "127.0.0.1:$port" --dir "$work/pocketbase"
	await PocketBase grep -q "http://.*/pbinstall/" "$work/pocketbase.log"
	./pocketbase.sh "$(grep -o 'http://.*/pbinstall/.*' "$work/pocketbase.log")"
}

nodered() {
	local port
	port=$(free_port)
	serve nodered node "$npm/node-red/red.js" --userDir "$work/nodered" --settings "$PWD/nodered/settings.js" --port "$port"
	await Node-RED answers "$port"
	./nodered.sh "http://127.0.0.1:$port/"
}

# start_widgets starts the one server of all pages of the folder widgets.
start_widgets() {
	[[ -z ${widgets:-} ]] || return 0
	widgets=$(free_port)
	mkdir -p "$made"
	serve widgets "$apps/widgets" -addr "127.0.0.1:$widgets" -npm "$npm" -files "$made"
	await "the widgets" answers "$widgets"
}

# widget NAME is for a script about a page of the folder widgets.
widget() {
	start_widgets
	"./$1.sh" "http://127.0.0.1:$widgets/$1.html" "$made" "$npm"
}
calendar() { widget calendar; }
grid() { widget grid; }
code() { widget code; }
sortable() { widget sortable; }
sorters() { widget sorters; }
files() { widget files; }
trace() { widget trace; }

state() {
	local port
	port=$(free_port)
	serve state node state/state.mjs serve "$port"
	await "the site with a state" answers "$port"
	PLAYWRIGHT=$npm/playwright-core/index.mjs ./state.sh "http://127.0.0.1:$port/"
}

# rerender is a Go test, as it asks what each of hundreds of refs means after each click.
rerender() { CHELA_TEST_RERENDER=$apps/rerender go test -v -count=1 -timeout 30m ./rerender; }

# report asks axe-core whether everybody can use a report.
report() { CHELA_TEST_AXE=$npm/axe-core go test -trimpath -count=1 -run TestAccessible ../report; }

# dashboard asks the same of all views of the dashboard.
dashboard() { CHELA_TEST_AXE=$npm/axe-core go test -trimpath -count=1 -run TestAccessible ../dashboard; }

# tokens does the tasks of test/tokens by the agent tool, and fails if one takes more tokens than
# its limit.
tokens() {
	local ui base red
	ui=$(free_port)
	serve tokens-swagger "$apps/swagger" -addr "127.0.0.1:$ui" -ui "$npm/swagger-ui-dist"
	await "Swagger UI" answers "$ui"
	base=$(free_port)
	serve tokens-pocketbase env PATH= "$apps/pocketbase" serve --dev=false --http "127.0.0.1:$base" --dir "$work/tokens-pocketbase"
	await PocketBase grep -q "http://.*/pbinstall/" "$work/tokens-pocketbase.log"
	red=$(free_port)
	serve tokens-nodered node "$npm/node-red/red.js" --userDir "$work/tokens-nodered" --settings "$PWD/nodered/settings.js" --port "$red"
	await Node-RED answers "$red"
	start_widgets
	base=$(grep -o 'http://.*/pbinstall/.*' "$work/tokens-pocketbase.log")
	CHELA_TEST_APPS="SWAGGER http://127.0.0.1:$ui/ POCKETBASE $base NODERED http://127.0.0.1:$red/ WIDGETS http://127.0.0.1:$widgets" \
		go test -trimpath -count=1 -run TestTasks ../tokens
}

[[ $# -gt 0 ]] || set -- swagger pocketbase calendar grid code sortable sorters files trace nodered state rerender report dashboard tokens
for name in "$@"; do
	"$name"
done
echo "All of $* did as they were told."
