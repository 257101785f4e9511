package page

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// owners says which files may name which fields of Page. All files may name the fields of forAll.
// Add a new file to a line if its topic belongs there. If a line grows long, that part of the state
// should become a type of its own, with methods.
var owners = []struct{ fields, files string }{
	{"turn calls", "turn"},
	{"control", "control"},
	{"end armedAtEnd", "gone turn dialog held"},
	{"carriedOver changed", "events quiet"},
	{"reading", "snapshot"},
	{"listeners", "walk"},
	{"observer", "events journal"},
	{"judged", "policy"},

	{"sessions learning", "session journal requests resources missed"},
	{"settings", "settings session events dialog paint upload"},
	{"frames", "frames owner session events navigation history document walk news ref snapshot aria busy condition box element resources policy missed effects"},

	{"navigations", "navigation navigate history unload refresh cancel wait frames gone act downloads"},
	{"navigationCount mainNavigation", "navigation act expect"},
	{"overtaken", "navigate frames"},
	{"replacing", "history"},
	{"visits", "frames navigate refresh act expect quiet"},
	{"document", "frames navigate history refresh destination requests"},
	{"cancellations", "cancel history"},
	{"requests", "requests events frames navigation quiet expect missed"},
	{"downloads", "downloads effects expect history navigation"},
	{"outcomes", "requests downloads effects frames quiet"},

	{"act", "act effects quiet"},
	{"closing", "act"},
	{"collecting", "effects asks quiet cancel"},
	{"asks", "asks"},
	{"reported", "effects"},

	{"held", "held mouse pointer"},
	{"dialogs", "dialog frames gone turn"},
	{"lastSnapshot", "lastsnapshot delta aria ref"},
	{"upload", "upload session gone"},
	{"filling", "upload expect"},
	{"dragData", "drop mouse"},
	{"highlighted", "highlight"},
	{"flashes", "highlight"},
	{"screencast painting", "screencast paint"},
	{"pressListeners", "input"},
}

// forAll are the fields that all files may name: the mutex, and fields that never change.
var forAll = strings.Fields("ID session ended on mu")

// Each part of the state belongs to a few files. New, in page.go, may name all fields.
func TestFieldsBelongToFiles(t *testing.T) {
	uses := fieldUses(t)
	for _, field := range forAll {
		delete(uses, field)
	}
	for _, owner := range owners {
		files, used := strings.Fields(owner.files), []string{"page"}
		for _, field := range strings.Fields(owner.fields) {
			if _, is := uses[field]; !is {
				t.Errorf("Page has no field %s", field)
			}
			for _, file := range uses[field] {
				if used = append(used, file); file != "page" && !slices.Contains(files, file) {
					t.Errorf("%s.go names Page.%s, which belongs to %v", file, field, files)
				}
			}
			delete(uses, field)
		}
		for _, file := range files {
			if !slices.Contains(used, file) {
				t.Errorf("%s.go names none of %s", file, owner.fields)
			}
		}
	}
	for field := range uses {
		t.Errorf("Page.%s belongs to no file", field)
	}
}

// The package comment names each file once. A package of more than 75 files does not fit into a
// head: move a topic into a package of its own.
func TestDocumentNamesFiles(t *testing.T) {
	shelves := map[string]int{}
	for _, f := range parse(t, token.NewFileSet(), "doc.go") {
		for line := range strings.Lines(f.Doc.Text()) {
			if len(line) > 17 && strings.HasPrefix(line, "\t") {
				for _, name := range strings.Fields(line[17:]) {
					shelves[name]++
				}
			}
		}
	}
	if n := len(sources(t)); n > 75 {
		t.Errorf("the package has %d files", n)
	}
	for _, name := range sources(t) {
		if name != "doc.go" && shelves[strings.TrimSuffix(name, ".go")] != 1 {
			t.Errorf("doc.go names %s %d times", name, shelves[strings.TrimSuffix(name, ".go")])
		}
		delete(shelves, strings.TrimSuffix(name, ".go"))
	}
	for name := range shelves {
		t.Errorf("there is no %s.go", name)
	}
}

// fieldUses lists for each field of Page the files that name it. Only this package is type-checked:
// the types of other packages are not needed to know what is a Page.
func fieldUses(t *testing.T) map[string][]string {
	t.Helper()
	set := token.NewFileSet()
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: nothing{}, Error: func(error) {}}
	checked, _ := config.Check("page", set, parse(t, set, sources(t)...), info)
	page := checked.Scope().Lookup("Page").Type().Underlying().(*types.Struct)
	uses := map[string][]string{}
	for field := range page.Fields() {
		uses[field.Name()] = nil
	}
	for id, object := range info.Uses {
		field, is := object.(*types.Var)
		if !is || !slices.Contains(slices.Collect(page.Fields()), field) {
			continue
		}
		file := strings.TrimSuffix(set.Position(id.Pos()).Filename, ".go")
		if !slices.Contains(uses[field.Name()], file) {
			uses[field.Name()] = append(uses[field.Name()], file)
		}
	}
	return uses
}

// sources are the files of the package without its tests.
func sources(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(names, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
}

func parse(t *testing.T, set *token.FileSet, names ...string) (files []*ast.File) {
	t.Helper()
	for _, name := range names {
		f, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

// nothing is an importer for package types: it returns an empty package for each import.
type nothing struct{}

func (nothing) Import(name string) (*types.Package, error) {
	imported := types.NewPackage(name, path.Base(name))
	imported.MarkComplete()
	return imported, nil
}
