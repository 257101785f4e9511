package nativehost

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	files "chela/extension"
)

// portFile is the name of a file in the folder of the unpacked extension. The file contains the
// port of the relay, and the name of the host by which the extension reaches this chela. The
// extension reads it each time it connects.
const portFile = "host.json"

// Unpack writes the extension's files to [Host.Folder], with the port of chela's relay.
func (h Host) Unpack(port int) error {
	if err := files.Unpack(h.Folder()); err != nil {
		return err
	}
	return h.writePort(port)
}

// Point writes the port of the relay into an extension that was unpacked before: the configured
// port may have changed. Without an unpacked extension it does nothing.
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
	raw, _ := json.Marshal(map[string]any{"name": h.Name, "port": port}) // strings and numbers always can be encoded
	return append(raw, '\n')
}

// A Copy is the state of the unpacked extension.
type Copy string

const (
	NoCopy    Copy = "none"
	OtherCopy Copy = "other" // the copy is of another version of chela, or was changed
	SameCopy  Copy = "same"
)

// Copy compares the unpacked extension with the one in this program.
func (h Host) Copy(port int) Copy {
	if _, err := os.Stat(h.Folder()); errors.Is(err, fs.ErrNotExist) {
		return NoCopy
	}
	if files.AreIn(h.Folder()) && has(filepath.Join(h.Folder(), portFile), h.portText(port)) {
		return SameCopy
	}
	return OtherCopy
}
