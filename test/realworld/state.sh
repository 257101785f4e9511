#!/usr/bin/env bash
# The state of a site, from Playwright to chela and back: state.sh URL. The site is state/state.mjs, which
# is also Playwright's side; $PLAYWRIGHT is its package.
set -euo pipefail
cd "$(dirname "$0")"
. ./lib.sh
url=$1
files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
chela start
CHROMIUM=$(command chela status --json | grep -o '"detectedExecutablePath": "[^"]*"' | cut -d '"' -f 4)
export CHROMIUM
other=http://storage.example

node state/state.mjs save "$url" "$files/playwright.json"
chela state load "$files/playwright.json" --clear
chela open "$url"
kept='cookie a=1; theme "dark \"mode\"\n"; session undefined; version 2; plain {"plain":[1,"x",null,true]}; cycle true,true,true,true,true; list ,NaN,5,/a+/g,1,255,3,TypeError; tags 1.'
chela wait --text "tags 1."
[[ $(chela evaluate --fn 'document.getElementById("shows").textContent') == "$(printf '%s' "$kept" | sed 's/\\/\\\\/g; s/"/\\"/g; s/^/"/; s/$/"/')" ]] || {
	chela evaluate --fn 'document.getElementById("shows").textContent'
	fail "chela does not show what Playwright has saved"
}

chela evaluate --fn 'sessionStorage.tab = "of chela"' >/dev/null
chela storage local set far away --origin "$other"
chela state save "$files/chela.json"
[[ $(stat -c %a "$files/chela.json") == 600 ]] || fail "the saved state is not for its owner alone"
node state/state.mjs load "$url" "$files/chela.json" "${kept%% session*}"

# chela also loads what it has saved itself, with the sessionStorage for the next tab of that
# origin.
chela tab close
chela state load "$files/chela.json" --clear
chela open "$url"
chela wait --text "session of chela"
[[ $(chela storage local get far --origin "$other") == *'"far": "away"'* ]] || fail "the other origin's storage is gone"
