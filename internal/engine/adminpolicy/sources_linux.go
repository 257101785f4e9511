package adminpolicy

// sources returns the system's folders with policy files.
func sources() (all []source) {
	for _, dir := range []struct{ browser, path string }{
		{"chromium", "/etc/chromium/policies/managed"}, {"chromium", "/etc/chromium-browser/policies/managed"},
		{"chrome", "/etc/opt/chrome/policies/managed"}, {"edge", "/etc/opt/edge/policies/managed"},
		{"brave", "/etc/brave/policies/managed"}, {"vivaldi", "/etc/opt/vivaldi/policies/managed"},
	} {
		all = append(all, source{dir.browser, dir.path, func() policies { return readFolder(dir.path) }})
	}
	return all
}
