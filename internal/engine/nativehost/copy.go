package nativehost

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	files "chela/extension"
)

// portFile is beside the files of the extension in chela's copy. It says how to reach this chela:
// the port of the relay, and the name of the host. The extension reads it each time it connects.
const portFile = "host.json"

// Unpack writes the extension to [Host.Folder], as one that finds the relay at this port.
func (h Host) Unpack(port int) error {
	if err := files.Unpack(h.Folder()); err != nil {
		return err
	}
	return h.writePort(port)
}

// Point has an extension that was unpacked before find the relay at this port, which may have been
// configured since.
func (h Host) Point(port int) error {
	if _, err := os.Stat(h.Folder()); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return h.writePort(port)
}

func (h Host) writePort(port int) error {
	return write(filepath.Join(h.Folder(), portFile), h.portText(port), 0o600)
}

func (h Host) portText(port int) []byte {
	raw, _ := json.Marshal(map[string]any{"name": h.Name, "port": port}) // texts and numbers always can be
	return append(raw, '\n')
}

// A Copy is how the unpacked extension is.
type Copy string

const (
	NoCopy    Copy = "none"
	OtherCopy Copy = "other" // of another version of chela, or changed
	SameCopy  Copy = "same"
)

// Copy compares the unpacked extension with that of this program.
func (h Host) Copy(port int) Copy {
	if _, err := os.Stat(h.Folder()); errors.Is(err, fs.ErrNotExist) {
		return NoCopy
	}
	if files.AreIn(h.Folder()) && has(filepath.Join(h.Folder(), portFile), h.portText(port)) {
		return SameCopy
	}
	return OtherCopy
}
