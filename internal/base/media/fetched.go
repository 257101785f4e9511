package media

import (
	"io"
	"path/filepath"
	"time"
)

// fetchedBounds limit the copies of files from other machines. They cannot be configured, since the
// settings belong to a server and these copies are made by its clients.
var fetchedBounds = Bounds{MaxAge: 24 * time.Hour, MaxBytes: 1000 << 20}

// Keep saves a copy of a file from another machine in a folder for such files, and returns its
// path. The name is like the given one, and no other file has it. The function write writes the
// content. If it returns an error, Keep removes the file and returns that error.
func (r *Roots) Keep(name string, write func(io.Writer) error) (path string, err error) {
	dir := filepath.Join(r.Temp, "fetched")
	if err := makePrivate(dir); err != nil {
		return "", err
	}
	in, out := io.Pipe()
	go func() { out.CloseWithError(write(out)) }()
	name = UniqueName(SuggestedName(name))
	err = writeIn(dir, name, in)
	in.CloseWithError(err)
	if err != nil {
		return "", err
	}
	(&boundedFolder{dir: dir, bounds: fetchedBounds}).add(name)
	return filepath.Join(dir, name), nil
}
