package contract

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"chela/internal/api"
	"chela/internal/op"
	tests "chela/test/service"
)

// Whatever names a file, in any operation, names one in the folders for it, or is refused. It is
// refused before the page or the file is touched, and the error says what the caller can do.
func TestPathsStayInTheirFolders(t *testing.T) {
	tab := shared.borrow(t, page("<button>button</button><input type=file>"))
	ref := shared.ref(t, tab, "button")
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	folder, err := os.MkdirTemp(tests.UploadRoot(t), "hostile-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	link, hard := filepath.Join(folder, "link"), filepath.Join(folder, "hard")
	if err := os.Symlink(secret, link); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(secret, hard); err != nil {
		t.Fatal(err)
	}
	hostile := []string{
		secret, "/etc/passwd", "../../x", "a/../../../x", "/proc/self/environ", "/dev/zero", "file:///etc/passwd", link, hard, folder,
		filepath.Join(folder, "..", "..", "..", "x"), "media://inbound/..%2f..%2ftoken", "media://inbound/%00", "media://other/x", "MEDIA:" + secret,
		strings.Repeat("n", 300), "a\x00b",
	}
	required := map[string]any{"ref": ref, "targetId": tab, "url": "https://example.com/none", "name": "a", "value": "b"}
	tried := 0
	for _, o := range api.Table().Ops {
		for _, p := range o.Params() {
			if !namesFile(p) {
				continue
			}
			tried++
			for _, path := range hostile {
				args := map[string]any{p.Name: path, "timeoutMs": 2000}
				if p.Type.Kind() == reflect.Slice {
					args[p.Name] = []string{path}
				}
				for _, other := range o.Params() {
					if other.Required && other.Name != p.Name {
						args[other.Name] = required[other.Name]
					}
				}
				args["targetId"] = tab
				if route := o.Routes[0]; route.Field != "" {
					args[route.Field] = route.Value
				}
				body, _ := json.Marshal(args)
				a := shared.do(t, o.Routes[0].Method+" "+o.Routes[0].Path, string(body))
				switch {
				case a.Status == 409 && o.Name() == "trace stop": // no trace is being recorded
				case a.Status != 400 || strings.Contains(a.Text("error"), "secret\n"):
					t.Errorf("%s with %s %.80q: %d %.200s", o.Name(), p.Name, path, a.Status, a.Raw)
				}
			}
		}
	}
	if tried < 9 {
		t.Errorf("%d parameters name files", tried)
	}
}

func namesFile(p op.Param) bool {
	return slices.Contains([]reflect.Type{
		reflect.TypeFor[op.Upload](), reflect.TypeFor[[]op.Upload](), reflect.TypeFor[op.Input](), reflect.TypeFor[op.Place](),
	}, p.Type)
}
