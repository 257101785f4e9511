package media

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// A SizeError says that a file is larger than is read of it.
type SizeError struct{ Max int64 }

func (e *SizeError) Error() string { return fmt.Sprintf("the file is larger than %d bytes", e.Max) }

// Input reads a file that is for chela itself, by the rules of [Roots.Upload], and removes
// it if its caller had sent it to the server: it may hold secrets, and was sent for this.
// Errors are a [*SizeError] if it has more than most bytes, and those of Upload and of
// the file system.
func (r *Roots) Input(path string, most int64) ([]byte, error) {
	f, err := r.Upload(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if name := filepath.Base(f.Name()); filepath.Dir(f.Name()) == r.Inbound && suggestedName(name) != name {
		defer os.Remove(f.Name())
	}
	raw, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(raw)) > most {
		err = &SizeError{most}
	}
	return raw, err
}
