package chrome

import (
	"fmt"
	"io"
	"os"
	"syscall"
)

// maxFile limits, in bytes, the size of a file that is read from a user data directory. Preferences
// have some 100 kB.
const maxFile = 16 << 20

// readFile reads a file in a user data directory. A caller may have named the directory. So the
// path may lead to anything, such as a pipe that nobody writes to, or an endless device. Therefore
// readFile only reads a regular file of at most maxFile bytes, and never waits for a writer.
func readFile(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // without O_NONBLOCK, opening a pipe would wait for a writer
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, fmt.Errorf("%s is no file of at most %d MB", path, maxFile>>20)
	}
	return io.ReadAll(io.LimitReader(f, maxFile)) // the file may have grown beyond the limit meanwhile
}
