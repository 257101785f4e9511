#!/usr/bin/env bash
# Tries chela with MCP's TypeScript SDK and with the command line of its inspector, over both
# transports.
# run.sh FOLDER, where the folder has their packages. The server is one of its own.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
chela=$(cd "$here/../.." && pwd)/bin/chela
cd "$1"
cp "$here/client.mjs" .

CHELA_STATE_DIR=$(mktemp -d)
export CHELA_STATE_DIR CHELA_DANGEROUSLY_ALLOW_PRIVATE_NETWORK=1
trap '"$chela" shutdown >/dev/null || true; rm -rf "$CHELA_STATE_DIR"' EXIT

"$chela" start >/dev/null
url=$(grep -o '"port": *[0-9]*' "$CHELA_STATE_DIR/server.json" | grep -o '[0-9]*' | sed 's|.*|http://127.0.0.1:&/mcp|')
token=$("$chela" token)

inspect() { node_modules/.bin/mcp-inspector --cli "$@" 2>/dev/null; }

for transport in stdio http; do
	node client.mjs "$transport" "$chela" "$url" "$token"
	case $transport in
	stdio) server=("$chela" mcp) ;;
	http) server=("$url" --transport http --header "Authorization: Bearer $token") ;;
	esac
	inspect "${server[@]}" --method tools/list | grep -q '"name": "browser"'
	inspect "${server[@]}" --method tools/call --tool-name browser --tool-arg action=status | grep -q 'running'
	inspect "${server[@]}" --method resources/list | grep -q '"resources"'
	echo "inspector over $transport: ok"
done
! inspect "$url" --transport http --method tools/list || { echo "the inspector needs no token"; exit 1; }
