#!/usr/bin/env bash
# Tries chela with the agent tool of OpenClaw, and with its command line by its gateway: run.sh FOLDER, where the folder
# has the package, which is used as it is. chela reads the gateway's own configuration.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
chela=$(cd "$here/../.." && pwd)/bin/chela
cd "$1"
export PATH=$PWD/node_modules/.bin:$PATH NODE_COMPILE_CACHE=$PWD/compiled # commands start in half the time
openclaw=node_modules/openclaw
port=19600

OPENCLAW_STATE_DIR=$(mktemp -d)
export HOME=$OPENCLAW_STATE_DIR OPENCLAW_STATE_DIR
unset CHELA_STATE_DIR CHELA_PORT CHELA_TOKEN CHELA_CONFIG_PATH OPENCLAW_CONFIG_PATH
token=$(head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n')
cat >"$OPENCLAW_STATE_DIR/openclaw.json" <<END
{
  gateway: { mode: "local", port: $port, bind: "loopback", auth: { mode: "token", token: "$token" } },
  browser: {
    headless: true,
    noSandbox: $([[ $(id -u) = 0 ]] && echo true || echo false),
    profiles: { work: { cdpPort: 18890 } },
    ssrfPolicy: { dangerouslyAllowPrivateNetwork: true, blockedHostnames: ["blocked.test"] },
  },
}
END

gateway=
end() {
	[[ -z $gateway ]] || { kill "$gateway" && wait "$gateway" || true; }
	"$chela" shutdown >/dev/null 2>&1 || true
	rm -rf "$OPENCLAW_STATE_DIR"
}
trap end EXIT

"$chela" tabs >/dev/null # starts the server
OPENCLAW_LOG_LEVEL=error node "$here/tool.mjs" "$openclaw" "http://127.0.0.1:$((port + 2))"
OPENCLAW_LOG_LEVEL=error node "$here/compare.mjs" "$openclaw" "http://127.0.0.1:$((port + 2))"
"$chela" shutdown >/dev/null

"$chela" openclaw-module >chela.mjs 2>/dev/null
log=$OPENCLAW_STATE_DIR/gateway.log
touch "$log" # tail may start before the gateway
OPENCLAW_EAGER_BROWSER_CONTROL_SERVER=1 OPENCLAW_BROWSER_CONTROL_MODULE=$PWD/chela.mjs node "$openclaw/openclaw.mjs" gateway run >"$log" 2>&1 &
gateway=$!
timeout 180 grep -q "its browser server is chela" <(tail -n +1 -f --pid=$gateway "$log") || { cat "$log"; exit 1; }
node "$here/cli.mjs" "$openclaw" "http://127.0.0.1:$port" "$token" || { tail "$log"; exit 1; }

kill "$gateway" && wait "$gateway" || true
gateway=
! "$chela" status | grep -q 'running: true' || { echo "the browser outlives the gateway"; exit 1; }
