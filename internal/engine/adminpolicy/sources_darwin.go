package adminpolicy

import (
	"context"
	"os/exec"
	"os/user"
	"path/filepath"
	"time"
)

// sources returns the preferences that a management server has put on the machine, for all its
// users or for this one.
func sources() (all []source) {
	folders := []string{"/Library/Managed Preferences"}
	if me, err := user.Current(); err == nil {
		folders = append(folders, filepath.Join(folders[0], me.Username))
	}
	for _, folder := range folders {
		for _, of := range []struct{ browser, domain string }{
			{"chromium", "org.chromium.Chromium"}, {"chrome", "com.google.Chrome"}, {"edge", "com.microsoft.Edge"},
			{"brave", "com.brave.Browser"}, {"vivaldi", "com.vivaldi.Vivaldi"},
		} {
			path := filepath.Join(folder, of.domain+".plist")
			all = append(all, source{of.browser, path, func() policies { return readPreferences(path) }})
		}
	}
	return all
}

// readPreferences reads a preferences file, which the system's plutil converts to JSON.
func readPreferences(path string) policies {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	raw, err := exec.CommandContext(ctx, "plutil", "-convert", "json", "-o", "-", path).Output()
	if err != nil {
		return nil
	}
	return parse(raw)
}
