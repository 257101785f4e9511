package proxy

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"chela/internal/base/process"
)

// A registry is the folder in which all processes of chela of a user list the ports that they
// listen on. It has a folder for each port, and in that an empty file for each process. So a search
// for one port reads one folder, which usually does not exist. An entry counts while its process
// runs.
type registry string

// add lists a port of this process. Another process may be removing the folder of the port
// meanwhile, so add tries several times.
func (r registry) add(port uint16) (err error) {
	for range 10 {
		if err = os.MkdirAll(r.folder(port), 0o700); err != nil {
			return err
		}
		err = os.WriteFile(filepath.Join(r.folder(port), process.Self()), nil, 0o600)
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return err
}

// remove removes the entry that add has made.
func (r registry) remove(port uint16) { r.drop(port, process.Self()) }

// drop removes an entry, and the folder of its port if that was the last one.
func (r registry) drop(port uint16, entry string) {
	os.Remove(filepath.Join(r.folder(port), entry))
	os.Remove(r.folder(port))
}

// has reports whether a process that runs listens on a port. Entries of processes that have ended
// are removed.
func (r registry) has(port uint16) (has bool) {
	entries, _ := os.ReadDir(r.folder(port))
	for _, entry := range entries {
		if process.Runs(entry.Name()) {
			has = true
		} else {
			r.drop(port, entry.Name())
		}
	}
	return has
}

// all returns the ports on which processes that run listen.
func (r registry) all() (ports []uint16) {
	folders, _ := os.ReadDir(string(r))
	for _, folder := range folders {
		port, err := strconv.ParseUint(folder.Name(), 10, 16)
		if err == nil && r.has(uint16(port)) {
			ports = append(ports, uint16(port))
		}
	}
	return slices.Clip(ports)
}

func (r registry) folder(port uint16) string {
	return filepath.Join(string(r), strconv.Itoa(int(port)))
}
