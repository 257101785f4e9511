// Package nativehost lets chela's extension in a browser ask the chela on this machine for a key,
// by Chromium's native messaging.
//
// The extension names a program (the host). The browser starts that program if a manifest of that
// name allows it for the extension. Each state directory of chela has a host with a name of its own
// (host.go). The manifest is put where browsers look for it (install.go, places.go). The program is
// a script that starts chela (script.go). The unpacked extension, which users load into their
// browser, contains the name (copy.go). The messages between extension and host are in message.go.
package nativehost

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"

	"chela/internal/base/config"
)

// A Host is the program that the extension may start, for one state directory of chela.
type Host struct {
	Name string // the extension asks for the program by this name
	dir  string // directory of the files that this package writes
}

// For returns the host of a state directory. The name has a hash of the directory's path, because a
// name may have only small letters, digits, points and underscores.
func For(state config.State) Host {
	sum := sha256.Sum256([]byte(state.Dir))
	return Host{"dev.chela.s" + hex.EncodeToString(sum[:8]), filepath.Join(state.Dir, "extension")}
}

// Folder returns the folder of the unpacked extension.
func (h Host) Folder() string { return filepath.Join(h.dir, "unpacked") }

// recordFile returns the path of the file with the [Record]. The file exists while a host is
// installed.
func (h Host) recordFile() string { return filepath.Join(h.dir, "host.json") }
