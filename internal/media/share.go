package media

import (
	"bytes"
	"path/filepath"
	"strings"
)

// Share saves a copy of a picture in the folder of the media folder from which the hosts of agents send files to
// chats, under a name as they give them, and returns its path. Older copies are removed within the
// bounds of files from elsewhere; files of OpenClaw's chats stay.
func Share(media, name string, content []byte) (path string, err error) {
	dir := filepath.Join(media, "outbound")
	if err := private(dir); err != nil {
		return "", err
	}
	kind := filepath.Ext(name)
	name = SafeName(strings.TrimSuffix(filepath.Base(name), kind)) + sharedMark + uuid() + kind
	if err := writeIn(dir, name, bytes.NewReader(content)); err != nil {
		return "", err
	}
	(&bounded{dir: dir, bounds: fetchedBounds, holds: isShared}).add(name)
	return filepath.Join(dir, name), nil
}

// sharedMark stands before the unique part of the names of copies.
const sharedMark = "-shared---"

// isShared reports whether a file is a copy of Share.
func isShared(name string) bool { return strings.Contains(name, sharedMark) }
