package config

import "slices"

// openClawKeys are keys of OpenClaw's configuration that chela does not use, by the object that
// they are in. They are not mistakes: OpenClaw's file can be used as it is.
var openClawKeys = map[string][]string{
	"": {
		"$schema", "acp", "approvals", "audio", "auth", "bindings", "broadcast", "canvasHost", "channels", "cli", "commands", "cron",
		"diagnostics", "discovery", "env", "hooks", "logging", "mcp", "memory", "messages", "meta", "models", "plugins", "secrets",
		"session", "skills", "talk", "ui", "update", "web", "wizard",
	},
	"gateway": {
		"allowRealIpFallback", "channelHealthCheckMinutes", "controlUi", "customBindHost", "http", "mode", "push", "reload", "remote",
		"tailscale", "tools", "trustedProxies",
	},
	"gateway.tls":                     {"autoGenerate", "caPath", "certPath", "enabled", "keyPath"},
	"gateway.auth":                    {"allowTailscale", "rateLimit", "trustedProxy"},
	"gateway.nodes":                   {"allowCommands", "denyCommands", "pairing"},
	"agents":                          {"list"},
	"agents.defaults.sandbox.browser": sandboxed,
	"tools.media":                     {"audio", "video", "concurrency", "asyncCompletion"},
	"tools.media.image":               {"attachments", "deepgram", "echoFormat", "echoTranscript", "language", "providerOptions", "request"},
	"browser.models[]":                {"deepgram", "language", "providerOptions", "request"},
}

// sandboxed are OpenClaw's settings of browsers in sandboxes.
var sandboxed = []string{
	"allowedControlHosts", "allowedControlPorts", "allowedControlUrls", "autoStart", "autoStartTimeoutMs", "binds", "cdpPort",
	"cdpSourceRange", "containerPrefix", "enableNoVnc", "headless", "image", "network", "noVncPort", "vncPort",
}

// isOpenClawKey reports whether a key in the object at path is a setting of OpenClaw that chela
// does not use. In some objects, such as tools, every unknown key is such a setting.
func isOpenClawKey(path, key string) bool {
	all := []string{"agents.defaults", "agents.defaults.sandbox", "tools"}
	return slices.Contains(all, path) || slices.Contains(openClawKeys[generalPath(path)], key)
}
