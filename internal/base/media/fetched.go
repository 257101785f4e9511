package media

import (
	"io"
	"path/filepath"
	"time"
)

// fetchedBounds limit the copies of files from other machines. They are fixed, as the settings
// are those of a server.
var fetchedBounds = Bounds{MaxAge: 24 * time.Hour, MaxBytes: 1000 << 20}

// Keep saves a copy of a file from another machine in a folder for such files, under a name
// like the given one that no other file has, and returns its path. Write writes the
// content; its errors are returned, and the file is removed then.
func (r *Roots) Keep(name string, write func(io.Writer) error) (path string, err error) {
	dir := filepath.Join(r.Temp, "fetched")
	if err := private(dir); err != nil {
		return "", err
	}
	in, out := io.Pipe()
	go func() { out.CloseWithError(write(out)) }()
	name = uniqueName(suggestedName(name))
	err = writeIn(dir, name, in)
	in.CloseWithError(err)
	if err != nil {
		return "", err
	}
	(&bounded{dir: dir, bounds: fetchedBounds}).add(name)
	return filepath.Join(dir, name), nil
}
