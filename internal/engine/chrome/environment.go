package chrome

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// environment returns the variables of a browser: those it inherits of the given ones, and those that
// chela adds.
func environment(base []string, userDataDir string) []string {
	env := inherited(base)
	if runtime.GOOS != "linux" {
		return env
	}
	// Chromium and its libraries write caches to these directories. Without these variables, the
	// caches would not be in the user data directory.
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_CACHE_HOME"} {
		if !slices.ContainsFunc(env, func(v string) bool { return strings.HasPrefix(v, name+"=") }) {
			env = append(env, name+"="+filepath.Join(userDataDir, ".xdg"))
		}
	}
	return withPrograms(env, userDataDir)
}

// inherited returns those of the given variables that the browser inherits. Proxy settings are left
// out, since chela's flags alone decide on the proxy. Variables that may be secret are left out as
// well: other processes of the user can read the browser's variables in /proc.
func inherited(base []string) []string {
	return slices.DeleteFunc(slices.Clone(base), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		name = strings.ToUpper(name)
		return proxies[name] || isSecret(name)
	})
}

// proxies are the variables from which Chromium takes proxy settings, in capitals.
var proxies = map[string]bool{
	"HTTP_PROXY": true, "HTTPS_PROXY": true, "FTP_PROXY": true, "ALL_PROXY": true, "NO_PROXY": true, "AUTO_PROXY": true, "SOCKS_SERVER": true,
}

// isSecret reports whether the name of a variable says that its value is secret. The name is in
// capitals.
func isSecret(name string) bool {
	return slices.ContainsFunc([]string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "API_KEY", "CREDENTIAL"}, func(word string) bool {
		return strings.Contains(name, word)
	})
}
