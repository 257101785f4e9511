package chrome

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// environment is what the browser inherits of base: not the proxies, which
// would go around ours, and nothing that may be a secret, since whoever reads
// the browser's memory or its /proc entry would have it.
func environment(base []string, userDataDir string) []string {
	env := slices.DeleteFunc(slices.Clone(base), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		name = strings.ToUpper(name)
		return proxies[name] || isSecret(name)
	})
	if runtime.GOOS != "linux" {
		return env
	}
	// What Chromium and its libraries keep beside the profile goes with it.
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_CACHE_HOME"} {
		if !slices.ContainsFunc(env, func(v string) bool { return strings.HasPrefix(v, name+"=") }) {
			env = append(env, name+"="+filepath.Join(userDataDir, ".xdg"))
		}
	}
	return env
}

var proxies = map[string]bool{"HTTP_PROXY": true, "HTTPS_PROXY": true, "FTP_PROXY": true, "ALL_PROXY": true, "NO_PROXY": true, "AUTO_PROXY": true, "SOCKS_SERVER": true}

func isSecret(name string) bool {
	if strings.HasPrefix(name, "CHELA_") || strings.HasPrefix(name, "OPENCLAW_") {
		return true
	}
	return slices.ContainsFunc([]string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "API_KEY", "CREDENTIAL"}, func(word string) bool {
		return strings.Contains(name, word)
	})
}
