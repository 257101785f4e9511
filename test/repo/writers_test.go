package repo

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const secretPackage = "chela/internal/wall/secret"

// unmasked are the files that write without package secret, and why that shows nobody a secret.
var unmasked = map[string]string{
	// What goes to browsers, or comes from their pages as files.
	"internal/engine/cdp/socket.go":                 "commands to a browser",
	"internal/engine/extension/accept.go":           "commands to a browser",
	"internal/engine/extension/link.go":             "commands to a browser",
	"internal/engine/extension/relay.go":            "answers a browser that is not paired, in chela's words",
	"internal/engine/extension/keys.go":             "keys of the extension",
	"internal/engine/chrome/about.go":               "asks a browser for its version",
	"internal/engine/chrome/install.go":             "installs a browser",
	"internal/engine/chrome/launch.go":              "starts a browser, with switches of the configuration",
	"internal/engine/chrome/preferences.go":         "Chromium's own preferences",
	"internal/engine/chrome/process_linux.go":       "starts a browser",
	"internal/engine/chrome/process_otherunix.go":   "lists processes",
	"internal/engine/adminpolicy/sources_darwin.go": "reads the policy of administrators",
	"internal/engine/nativehost/install.go":         "the manifest by which browsers find chela",
	"internal/engine/browser/fetch.go":              "a downloaded file must be as it was sent; its name is masked",
	"internal/engine/browser/shareddownloads.go":    "a downloaded file must be as it was sent; its name is masked",
	"internal/record/video/file.go":                 "a video; the captions in it are masked",

	// What is masked before it comes here.
	"internal/api/report.go":               "package report masks what it writes",
	"internal/reading/vision/command.go":   "a picture; the words for the model are masked in vision.go",
	"internal/reading/vision/provider.go":  "a picture; the words for the model are masked in vision.go",
	"internal/fleet/natsline/line.go":      "messages of a fleet: package node masks answers, and their files",
	"internal/fleet/natsline/service.go":   "messages of a fleet: package node masks answers, and their files",
	"internal/surface/server/dashboard.go": "JSON is masked by outgoing; the rest are files of the program",
	"internal/surface/server/raw.go":       "JSON is masked by outgoing",
	"internal/surface/server/viewer.go":    "texts are masked by outgoing; pictures are no text",
	"internal/surface/server/hold.go":      "a line that is always the same",
	"internal/surface/cli/answer.go":       "answers of the server, which has masked them",
	"internal/surface/cli/log.go":          "the log is masked in serve.go",

	// What has no words of a page or of a person who enters a secret.
	"internal/base/child/process.go":          "starts chela's own child process",
	"internal/base/config/append.go":          "appends to files of the state directory: those who call it mask",
	"internal/base/config/lock.go":            "an empty file",
	"internal/base/config/replace.go":         "the one function for files of the state directory: those who call it mask",
	"internal/fleet/keeper/keys.go":           "keys of a fleet",
	"internal/reading/extract/region.go":      "a log that is discarded",
	"internal/surface/autostart/autostart.go": "the unit that starts the server",
	"internal/surface/cli/cert.go":            "a certificate",
	"internal/surface/cli/dashboard.go":       "opens the dashboard in the user's browser",
	"internal/surface/cli/extension.go":       "files of the extension",
	"internal/surface/cli/man.go":             "manual pages of the program",
	"internal/surface/cli/service.go":         "asks the service manager of the system",
	"internal/surface/cli/start.go":           "starts the server",
	"internal/surface/client/client.go":       "a call to the server, whose arguments are the caller's",
	"internal/surface/client/socket.go":       "a call to the server, whose arguments are the caller's",
	"internal/surface/server/server.go":       "a log that is discarded",
	"internal/surface/shop/shop.go":           "a site for trying chela, in a process of its own",
	"internal/surface/skill/skill.go":         "a file of the program",
	"internal/wall/attack/attack.go":          "a site that attacks, with words of its own",
	"internal/wall/limits/limits.go":          "hosts that sessions may reach, as callers name them",
	"internal/wall/proxy/registry.go":         "an empty file",
	"internal/wall/vault/file.go":             "the encrypted store of secrets",
	"internal/wall/vault/source.go":           "asks a program for a secret, by its name",
}

// Each file that writes something masks secrets in it, or says why it need not.
func TestWritersMaskSecrets(t *testing.T) {
	t.Chdir(root)
	needless := map[string]bool{}
	for file := range unmasked {
		needless[file] = true
	}
	for _, root := range []string{"internal", "cmd"} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			path = filepath.ToSlash(path)
			writes := writersIn(parsed)
			switch {
			case len(writes) == 0 || importsSecret(parsed):
			case unmasked[path] == "":
				t.Errorf("%s writes by %s, and does not import %s", path, strings.Join(writes, ", "), secretPackage)
			default:
				delete(needless, path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for file := range needless {
		t.Errorf("%s is listed, and does not write without a masker", file)
	}
}

// The test finds each kind of writer.
func TestWritersAreFound(t *testing.T) {
	t.Chdir(root)
	for source, want := range map[string]string{
		`os.WriteFile("a", nil, 0)`:                     "os.WriteFile",
		`os.OpenFile("a", os.O_RDONLY|x.O_NONBLOCK, 0)`: "",
		`os.OpenFile("a", os.O_CREATE|os.O_WRONLY, 0)`:  "os.OpenFile",
		`regular.OpenFile("a", os.O_CREATE|os.O_RDWR)`:  "regular.OpenFile",
		`s.conn.Write(ctx, websocket.MessageText, b)`:   "websocket.MessageText",
		`w.Write(b)`:                           "w.Write",
		`io.WriteString(w, "b")`:               "io.WriteString(w)",
		`http.Error(w, "b", 500)`:              "http.Error(w)",
		`b.Write(nil)`:                         "",
		`slog.New(h)`:                          "slog.New",
		`json.NewEncoder(b)`:                   "json.NewEncoder",
		`json.NewEncoder(&b)`:                  "",
		`http.NewRequest("POST", "u", body)`:   "http.NewRequest",
		`http.NewRequest("GET", "u", nil)`:     "",
		`exec.CommandContext(ctx, "a", b)`:     "exec.CommandContext",
		`l.conn.Publish(a, b)`:                 "conn.Publish",
		`s.state.WriteProfileFile(a, b, c, d)`: "state.WriteProfileFile",
		`config.AppendLine(a, b)`:              "config.AppendLine",
		`config.ReplaceFile(a, b, c)`:          "config.ReplaceFile",
		`config.ReplaceWithMode(a, b, c, d)`:   "config.ReplaceWithMode",
	} {
		parsed, err := parser.ParseFile(token.NewFileSet(), "a.go", "package a\nfunc f(w http.ResponseWriter) {"+source+"}", 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(writersIn(parsed), ", "); got != want {
			t.Errorf("%s: got %q, want %q", source, got, want)
		}
	}
}

func importsSecret(file *ast.File) bool {
	return slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"`+secretPackage+`"` })
}

// writersIn names the calls of a file by which something leaves this process.
func writersIn(file *ast.File) (found []string) {
	responses := map[string]bool{} // names of parameters and fields that are an http.ResponseWriter
	ast.Inspect(file, func(n ast.Node) bool {
		if field, ok := n.(*ast.Field); ok && nameOf(field.Type) == "http.ResponseWriter" {
			for _, name := range field.Names {
				responses[name.Name] = true
			}
			if len(field.Names) == 0 {
				responses["ResponseWriter"] = true
			}
		}
		return true
	})
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if name := writer(call, responses); name != "" && !slices.Contains(found, name) {
			found = append(found, name)
		}
		return true
	})
	return found
}

// writer names a call that writes; "" for any other.
func writer(call *ast.CallExpr, responses map[string]bool) string {
	name := nameOf(call.Fun)
	of, method, _ := strings.Cut(name, ".")
	args := make([]string, len(call.Args))
	for i, arg := range call.Args {
		args[i] = nameOf(arg)
	}
	switch name {
	case "json.NewEncoder":
		if args[0] != "" { // else it is the address of a variable: a buffer
			return name
		}
	case "os.WriteFile", "os.Create", "os.CreateTemp", "config.Append", "config.AppendLine", "config.ReplaceFile", "config.ReplaceWithMode", "slog.New", "exec.Command", "exec.CommandContext":
		return name
	case "os.OpenFile", "regular.OpenFile":
		if strings.Contains(args[1], "O_WRONLY") || strings.Contains(args[1], "O_RDWR") {
			return name
		}
	case "http.NewRequest", "http.NewRequestWithContext":
		if args[len(args)-1] != "nil" {
			return name
		}
	case "io.WriteString", "http.Error", "fmt.Fprint", "fmt.Fprintf", "fmt.Fprintln", "io.Copy", "io.CopyN":
		if responses[args[0]] {
			return name + "(" + args[0] + ")"
		}
	}
	switch {
	case slices.Contains(args, "websocket.MessageText"):
		return "websocket.MessageText"
	case method == "Publish" || method == "PublishRequest":
		return name
	case method == "Write" && responses[of]:
		return name
	case of == "state" && strings.HasPrefix(method, "Write"):
		return name
	}
	return ""
}

// nameOf returns the last two parts of a name, as in conn.Write for c.conn.Write. For an expression
// with operators, it has the names of all its parts.
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		of := nameOf(e.X)
		return of[strings.LastIndex(of, ".")+1:] + "." + e.Sel.Name
	case *ast.BinaryExpr:
		return fmt.Sprint(nameOf(e.X), "|", nameOf(e.Y))
	}
	return ""
}
