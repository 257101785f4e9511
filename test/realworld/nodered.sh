#!/usr/bin/env bash
# Node-RED: place three nodes apart, wire them, deploy, and see a message come through.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

chela open "$1"
chela wait --text "Flow 1"

# Drag the nodes from the palette into the workspace.
chela drag "$(ref 'generic "inject"')" --end-x 300 --end-y 200 --snapshot delta
chela drag "$(ref 'generic "function".*draggable')" --end-x 550 --end-y 300 --snapshot delta
chela drag "$(ref 'generic "debug"')" --end-x 800 --end-y 400 --snapshot delta

# The ports, from left to right: that of inject, both of function, that of debug.
ports=($(found red-ui-flow-port))
chela drag "${ports[0]}" "${ports[1]}" --snapshot delta
chela drag "${ports[2]}" "${ports[3]}" --snapshot delta

click "$(ref 'link "Deploy"')"
chela wait --text "Successfully deployed"

# The button of inject sends a message, and debug shows it in the sidebar.
click "$(found "#debug")"
click "$(found red-ui-flow-node-button --limit 1)"
chela expect --text "msg.payload : number"
