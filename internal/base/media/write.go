package media

import (
	"io"
	"os"
)

// writeIn writes content to a new file with mode 0600 in a folder. It is an error
// (fs.ErrExist) if there is a file of this name.
func writeIn(dir, name string, content io.Reader) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return write(root, name, content)
}

// write does the same as writeIn, for a folder that is open. If the file cannot be written
// completely, it is removed.
func write(dir *os.Root, name string, content io.Reader) error {
	f, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, content)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		dir.Remove(name)
	}
	return err
}
