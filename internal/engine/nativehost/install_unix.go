//go:build unix

package nativehost

import (
	"os"
	"path/filepath"
)

func (h Host) script() string { return filepath.Join(h.dir, "host") }

func script(command []string) string { return shell(command) }

func (h Host) register(place Place, manifest []byte) error { return writeManifest(place.At, manifest) }

// Has reports whether a place has the manifest of this host.
func (h Host) Has(place Place) bool { return has(place.At, h.manifest()) }

// unregister removes the manifest of a place. It also removes the folders that register has made,
// if nothing else is in them.
func (h Host) unregister(place Place) error {
	if err := remove(place.At); err != nil {
		return err
	}
	folder := filepath.Dir(place.At)
	if os.Remove(folder) == nil {
		os.Remove(filepath.Dir(folder))
	}
	return nil
}
