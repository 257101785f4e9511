package media

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// A SizeError says that a file is larger than the limit.
type SizeError struct{ Max int64 }

func (e *SizeError) Error() string { return fmt.Sprintf("the file is larger than %d bytes", e.Max) }

// Input reads a file that is for chela itself, by the rules of [Roots.Upload]. If the caller had
// sent the file to the server, Input removes it: it may hold secrets, and was sent only for this.
// The error is a [*SizeError] if the file has more than limit bytes. Other errors come from Upload
// and the file system.
func (r *Roots) Input(path string, limit int64) ([]byte, error) {
	f, done, err := r.openInput(path)
	if err != nil {
		return nil, err
	}
	defer done()
	return readAll(f, limit)
}

// readAll reads a file. The error is a [*SizeError] if it has more than limit bytes.
func readAll(f *os.File, limit int64) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(raw)) > limit {
		err = &SizeError{limit}
	}
	return raw, err
}

// openInput opens the file of Input. The function done closes it, and removes it if the caller had
// sent it.
func (r *Roots) openInput(path string) (f *os.File, done func(), err error) {
	f, err = r.Upload(path)
	if err != nil {
		return nil, nil, err
	}
	name := filepath.Base(f.Name())
	sent := filepath.Dir(f.Name()) == r.Inbound && SuggestedName(name) != name
	return f, func() {
		f.Close()
		if sent {
			os.Remove(f.Name())
		}
	}, nil
}
