package nativehost

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	files "chela/extension"
	"chela/internal/base/config"
)

// A Record lists what [Host.Install] has installed.
type Record struct {
	Command []string `json:"command"` // the command line that the host's script runs
	Places  []Place  `json:"places"`
}

// Installed returns the record of what was installed; the zero value if nothing was.
func (h Host) Installed() (r Record) {
	raw, err := config.ReadFile(h.recordFile())
	if err != nil || json.Unmarshal(raw, &r) != nil {
		return Record{}
	}
	return r
}

// Install lets the extension start a command, in the browsers that look at the given places. Places
// that were installed before stay, and get the new command. The error comes from the file system or
// the registry, or is about a path that cannot be written into a script.
func (h Host) Install(command []string, places []Place) error {
	text, err := scriptText(command)
	if err != nil {
		return err
	}
	r := Record{command, h.Installed().Places}
	for _, place := range places {
		if !slices.Contains(r.Places, place) {
			r.Places = append(r.Places, place)
		}
	}
	if err := os.MkdirAll(h.dir, 0o700); err != nil {
		return err
	}
	record, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	// The record is written first, so that Uninstall knows the files that are written after it.
	if err := errors.Join(write(h.recordFile(), record, 0o600), write(h.script(), []byte(text), 0o700)); err != nil {
		return err
	}
	for _, place := range r.Places {
		if err := h.register(place, h.manifest()); err != nil {
			return fmt.Errorf("register the extension's host for %s: %w", place.Browser, err)
		}
	}
	return nil
}

// manifest returns the manifest that a browser reads before it starts the host.
func (h Host) manifest() []byte {
	raw, _ := json.MarshalIndent(map[string]any{ // strings always can be encoded
		"name": h.Name, "description": "Pairs chela's extension with chela.", "path": h.script(), "type": "stdio",
		"allowed_origins": []string{Origin()},
	}, "", "  ")
	return raw
}

// Origin returns the origin of the extension. A browser passes it as an argument to the host that
// it starts.
func Origin() string { return "chrome-extension://" + files.ID() + "/" }

// Uninstall removes all files that [Host.Install] and [Host.Unpack] have written. It returns the
// places where the host was installed.
func (h Host) Uninstall() (was []Place, err error) {
	was = h.Installed().Places
	for _, place := range was {
		if err := h.unregister(place); err != nil {
			return was, err
		}
	}
	return was, errors.Join(remove(h.script()), os.RemoveAll(h.Folder()), remove(h.recordFile()))
}

// remove removes a file. It is no error if there is none.
func remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// write replaces a file if its content or mode differs.
func write(path string, content []byte, mode fs.FileMode) error {
	if info, err := os.Lstat(path); err == nil && info.Mode() == mode && has(path, content) {
		return nil
	}
	return config.ReplaceWithMode(path, content, mode, config.PastPowerLoss)
}

// has reports whether a file has this content.
func has(path string, content []byte) bool {
	raw, err := config.ReadFile(path)
	return err == nil && bytes.Equal(raw, content)
}

// writeManifest writes a manifest to a file, and makes its folder.
func writeManifest(path string, manifest []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return write(path, manifest, 0o600)
}

// hasControl reports whether a text has a control character, which a line of a script cannot have.
func hasControl(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f })
}
