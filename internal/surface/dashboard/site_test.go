package dashboard

import (
	"io/fs"
	"mime"
	"path"
	"strings"
	"testing"
)

// The media types of the files do not depend on the machine. On Windows, other programs change what
// the system says of .js, and a browser runs no module of another type.
func TestTypesOfFiles(t *testing.T) {
	for ext, usual := range types {
		if err := mime.AddExtensionType(ext, "text/plain"); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { mime.AddExtensionType(ext, usual) })
	}
	err := fs.WalkDir(site, "site", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		_, got, ok := File(Root + strings.TrimPrefix(name, "site/"))
		if !ok || got == "" || strings.HasPrefix(got, "text/plain") {
			t.Errorf("%s has the type %q", name, got)
		}
		if path.Ext(name) == ".js" && got != "text/javascript; charset=utf-8" {
			t.Errorf("%s has the type %q", name, got)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
