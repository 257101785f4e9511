package media

import (
	"bytes"
	"path/filepath"
	"strings"
)

// Share saves a copy of a picture in the folder of the media folder from which the hosts of agents send files to
// chats, under a short name of the form that they give, and returns its path. The extension is that of
// original. Older copies are removed within the bounds of files from elsewhere; files of OpenClaw's chats stay.
func Share(media, original string, content []byte) (path string, err error) {
	dir := filepath.Join(media, "outbound")
	if err := private(dir); err != nil {
		return "", err
	}
	name := sharedPrefix + uuid() + filepath.Ext(original)
	if err := writeIn(dir, name, bytes.NewReader(content)); err != nil {
		return "", err
	}
	(&bounded{dir: dir, bounds: fetchedBounds, holds: isShared}).add(name)
	return filepath.Join(dir, name), nil
}

// sharedPrefix stands before the unique part of the names of copies.
const sharedPrefix = "chela---"

// isShared reports whether a file is a copy of Share.
func isShared(name string) bool { return strings.HasPrefix(name, sharedPrefix) }
