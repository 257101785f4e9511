package config

import (
	"cmp"
	"os"
	"sync"
)

// A Variable is an environment variable that chela reads.
type Variable struct {
	Name     string
	OpenClaw string // OpenClaw's name of the variable, which is read if the one called Name is not set
	Doc      string
}

// Environment lists the variables.
var Environment = []Variable{
	{"CHELA_STATE_DIR", "OPENCLAW_STATE_DIR", "state directory (~/.chela)"},
	{"CHELA_CONFIG_PATH", "OPENCLAW_CONFIG_PATH", "configuration file (chela.json in the state directory, else openclaw.json there)"},
	{"CHELA_PORT", "", "control port"},
	{"OPENCLAW_GATEWAY_PORT", "", "port of the gateway, has precedence over gateway.port; the control port is greater by two"},
	{"CHELA_URL", "", "server that commands call; if it is not set, that of browser.controlUrl or of the state directory"},
	{"CHELA_FINGERPRINT", "", "SHA-256 fingerprint of the certificate of that server, which may then be self-signed; no other certificate is accepted"},
	{"CHELA_TOKEN", "OPENCLAW_GATEWAY_TOKEN", "token that the server accepts and commands send; has precedence over gateway.auth.token"},
	{"CHELA_PASSWORD", "OPENCLAW_GATEWAY_PASSWORD", "password that the server accepts and commands send; has precedence over gateway.auth.password"},
	{AllowPrivateNetwork, "", "1: browsers may open private addresses, unless the configuration file has a policy; for tests"},
	{"CHELA_HEADLESS", "OPENCLAW_BROWSER_HEADLESS", "1: browsers have no windows, 0: they have; has precedence over the configuration file"},
	{"CHELA_NATS", "", "URL of the NATS server by which servers reach the nodes of their fleet; has precedence over fleet.url"},
	{"CHELA_SESSION", "", "session that commands are called in; see --session"},
	{"CHELA_CALLER", "", "name of the caller in the server's log"},
	{"OPENCLAW_EAGER_BROWSER_CONTROL_SERVER", "", "has no effect: a server starts when a command needs it, or by chela serve"},
	{"OPENCLAW_SKIP_BROWSER_CONTROL_SERVER", "", "has no effect, for the same reason"},
	{"OPENCLAW_BROWSER_CONTROL_MODULE", "", "has no effect on chela: OpenClaw's gateway reads it, see docs/from-openclaw.md"},
	{"PLAYWRIGHT_BROWSERS_PATH", "", "where browsers that Playwright installed are looked for (~/.cache/ms-playwright)"},
}

// taken has the secrets that TakeSecrets has removed from the environment, by the name of the
// variable.
var taken sync.Map

// Env returns the value of one of the variables, or else of the variable with OpenClaw's name; ""
// if neither is set.
func Env(name string) string {
	secret, _ := taken.Load(name)
	text, _ := secret.(string)
	return cmp.Or(os.Getenv(name), openClawEnv(name), text)
}

// openClawEnv returns the value of the variable with OpenClaw's name for one of the variables.
func openClawEnv(name string) string {
	for _, v := range Environment {
		if v.Name == name && v.OpenClaw != "" {
			return os.Getenv(v.OpenClaw)
		}
	}
	return ""
}

// TakeSecrets removes the secrets from the environment of this process, and keeps them for [Env].
// Programs that the server starts must not inherit them. When the configuration is read again, they
// are still needed.
func TakeSecrets() {
	for _, v := range Environment {
		if v.Name == "CHELA_TOKEN" || v.Name == "CHELA_PASSWORD" {
			taken.Store(v.Name, Env(v.Name))
			os.Unsetenv(v.Name)
			os.Unsetenv(v.OpenClaw)
		}
	}
}

// HeadlessByEnv returns what the environment says about headless mode; nil if it says nothing.
func HeadlessByEnv() *bool {
	switch Env("CHELA_HEADLESS") {
	case "1", "true":
		return new(true)
	case "0", "false":
		return new(false)
	}
	return nil
}

// AllowPrivateNetwork is a variable for tests and benchmarks, with which browsers may open servers
// of this machine. Users allow that in the configuration instead.
const AllowPrivateNetwork = "CHELA_DANGEROUSLY_ALLOW_PRIVATE_NETWORK"

// PrivateNetworkByEnv reports whether the environment allows private addresses.
func PrivateNetworkByEnv() bool { return os.Getenv(AllowPrivateNetwork) == "1" }
