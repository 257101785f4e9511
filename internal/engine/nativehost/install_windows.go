package nativehost

import (
	"errors"
	"path/filepath"

	"golang.org/x/sys/windows/registry"
)

func (h Host) script() string { return filepath.Join(h.dir, "host.cmd") }

func script(command []string) string { return batch(command) }

func (h Host) manifestFile() string { return filepath.Join(h.dir, h.Name+".json") }

// register writes the manifest, which all places share, and puts its path into a key of the
// registry.
func (h Host) register(place Place, manifest []byte) error {
	if err := writeManifest(h.manifestFile(), manifest); err != nil {
		return err
	}
	key, _, err := registry.CreateKey(registry.CURRENT_USER, place.At, registry.SET_VALUE)
	if err != nil {
		return err
	}
	return errors.Join(key.SetStringValue("", h.manifestFile()), key.Close())
}

// Has reports whether a place has the manifest of this host.
func (h Host) Has(place Place) bool {
	key, err := registry.OpenKey(registry.CURRENT_USER, place.At, registry.QUERY_VALUE)
	if err != nil {
		return false
	}
	defer key.Close()
	path, _, err := key.GetStringValue("")
	return err == nil && path == h.manifestFile() && has(path, h.manifest())
}

func (h Host) unregister(place Place) error {
	err := registry.DeleteKey(registry.CURRENT_USER, place.At)
	if errors.Is(err, registry.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, remove(h.manifestFile()))
}
