package chrome

import (
	"fmt"
	"io"
	"os"
	"syscall"
)

// maxFile is the size, in bytes, of the largest file of a user data directory that is read.
// Preferences have some 100 kB.
const maxFile = 16 << 20

// readFile reads a file in a user data directory, which a caller may have named. It may be
// anything, such as a pipe that nobody writes to, or a link to a device that has no end. So
// readFile reads only a regular file of a bounded size, without waiting.
func readFile(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // to open a pipe would wait for a writer
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
	return io.ReadAll(io.LimitReader(f, maxFile)) // it may have grown
}
