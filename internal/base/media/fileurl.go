package media

import (
	"net/url"
	"path/filepath"
	"strings"
)

// FileURL returns the file: URL of an absolute path.
func FileURL(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // before the letter of a drive, which would be the host
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
