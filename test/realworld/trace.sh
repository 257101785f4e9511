#!/usr/bin/env bash
# Playwright's trace viewer shows a trace, and har-validator accepts an archive: trace.sh PAGE FOLDER NODE_MODULES.
# The viewer and the FOLDER are served beside the PAGE. Pictures of the viewer are left in the FOLDER, to be looked at.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
page=$1 folder=$2 npm=$3
viewer=${page%/*}/npm/playwright-core/lib/vite/traceViewer/index.html?trace=${page%/*}/files/trace.zip

chela open "$page" --label traced
chela trace start
name=$(ref 'textbox "Name"')
chela type "$name" Ada
greet=$(ref 'button "Greet"')
click "$greet"
click "$(ref 'button "Fail"')"
click "$(ref 'button "Dive"')"
chela click e999 || true
chela batch --actions "[{\"kind\": \"hover\", \"ref\": \"$greet\"}, {\"kind\": \"press\", \"key\": \"Tab\"}]"
chela reload
chela trace stop --out "$folder/trace.zip"
chela har --out "$folder/requests.har"
node "$(dirname "$0")/har.js" "$folder/requests.har" "$npm"

chela open "$viewer" --label viewer
chela resize 1500 900
chela wait --text "click $greet"
says "type $name Ada" "click e999" "batch" "reload"

# The page after the click: what was typed, a fetched file, style sheets, the shadow root, the frame.
chela click "$(ref "treeitem \"click $greet")"
chela click "$(ref 'tab "After"')"
chela wait --text "Hello Ada"
says 'textbox "Name"' "Hello Ada" "in the shadow" "20 m below"
chela screenshot --out "$folder/snapshot.png"

chela click "$(ref 'tab "Console')"
says "Hello Ada" "greeted once more" "no such fish"
chela screenshot --out "$folder/console.png"
chela click "$(ref 'tab "Network')"
says "trace.css" "trace.svg" "200"
chela screenshot --out "$folder/network.png"
chela click "$(ref 'tab "Errors')"
says 'Unknown ref' 'take a new snapshot'
chela screenshot --out "$folder/errors.png"
chela click "$(ref 'tab "Log"')"
says "began: changed"
