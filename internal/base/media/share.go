package media

import (
	"bytes"
	"path/filepath"
	"strings"
)

// Share saves a copy of a picture in a subfolder of the media folder, and returns its path. From
// that folder, programs that run agents send files to chats. The name is short, in the form that
// these programs use, with the extension of the original. Share removes older copies that exceed
// fetchedBounds. It does not remove files of OpenClaw's chats.
func Share(media, original string, content []byte) (path string, err error) {
	dir := filepath.Join(media, "outbound")
	if err := makePrivate(dir); err != nil {
		return "", err
	}
	name := sharedPrefix + uuid() + filepath.Ext(original)
	if err := writeIn(dir, name, bytes.NewReader(content)); err != nil {
		return "", err
	}
	(&boundedFolder{dir: dir, bounds: fetchedBounds, isBounded: isShared}).add(name)
	return filepath.Join(dir, name), nil
}

// sharedPrefix stands before the unique part of the names of copies.
const sharedPrefix = "chela---"

// isShared reports whether a file is a copy of Share.
func isShared(name string) bool { return strings.HasPrefix(name, sharedPrefix) }
