package files

import (
	"fmt"
	"os"
	"path/filepath"
)

// A Place is where a download is to be when it is whole.
type Place struct {
	temp string // the root of all that is moved
	root string
	rel  string
}

// Path is the path of the file.
func (p Place) Path() string { return filepath.Join(p.root, p.rel) }

// Download checks a path that a caller wants a download to be at: in an
// existing folder below the downloads root; a plain file there is replaced.
func (r *Roots) Download(path string) (Place, error) {
	rel, ok := within(r.Downloads, path)
	p := Place{r.Temp, r.Downloads, rel}
	if !ok || p.check() != nil {
		return Place{}, p.refused()
	}
	return p, nil
}

func (p Place) refused() error {
	return &PathError{Message: "Invalid path: must stay within downloads directory", Root: p.root}
}

// NewDownload is a place of its own for a download that a server named.
func (r *Roots) NewDownload(suggested string) Place {
	return Place{r.Temp, r.Downloads, unique(suggested)}
}

// check reports why nothing may be put there.
func (p Place) check() error {
	dir, err := os.OpenRoot(p.root)
	if err != nil {
		return err
	}
	defer dir.Close()
	parent, err := plainDir(dir, filepath.Dir(p.rel))
	if err != nil {
		return err
	}
	defer parent.Close()
	info, err := parent.Lstat(filepath.Base(p.rel))
	if err == nil && (!info.Mode().IsRegular() || links(info) != 1) {
		return fmt.Errorf("%s is not a plain file", p.rel)
	}
	return nil
}

// plainDir opens a folder below dir whose path has no links.
func plainDir(dir *os.Root, rel string) (*os.Root, error) {
	for at := rel; at != "."; at = filepath.Dir(at) {
		info, err := dir.Lstat(at)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			return nil, fmt.Errorf("%s is not a folder", at)
		}
	}
	return dir.OpenRoot(rel)
}

// Put moves a whole file, which is in a staging folder, to the place, over what
// was there. Both are named below the temp root, so no link leads out of it.
func (p Place) Put(from string) error {
	if p.check() != nil {
		return p.refused()
	}
	temp, err := os.OpenRoot(p.temp)
	if err != nil {
		return err
	}
	defer temp.Close()
	source, ok := within(p.temp, from)
	if !ok {
		return fmt.Errorf("%s is not in a staging folder", from)
	}
	dest, _ := within(p.temp, p.Path())
	if err := temp.Chmod(source, 0o600); err != nil {
		return err
	}
	return temp.Rename(source, dest)
}
