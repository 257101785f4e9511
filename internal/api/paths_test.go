package api

import (
	"reflect"
	"regexp"
	"slices"
	"testing"

	"chela/internal/op"
)

// pathTypes are the types of parameters that name a file. Code that reads or writes such a file
// checks the path by the rules of package media.
var pathTypes = []reflect.Type{
	reflect.TypeFor[op.Upload](), reflect.TypeFor[[]op.Upload](), reflect.TypeFor[op.Input](), reflect.TypeFor[op.Place](), reflect.TypeFor[op.Record](),
}

// likePath matches words that occur in the names and descriptions of parameters that name a file.
var likePath = regexp.MustCompile(`(?i:\bpath|\bfiles?\b|folder|director)|File\b|Dir\b|Path\b`)

// noPaths lists parameters with such words that do not name a file that chela reads or writes. The
// path of a cookie is a part of addresses. The directory of a profile belongs to a browser that the
// user has started; chela does not touch it. An answer of a route has its file in a field of the
// right type. An import of secrets gets the content of its file.
var noPaths = map[string]bool{
	"profiles create.userDataDir": true, "cookies.path": true, "cookies clear.path": true, "cookies set.path": true, "cookies set.url": true,
	"cookies set-many.cookies": true, "trace start.sources": true, "upload.ref": true, "upload.inputRef": true, "upload.element": true,
	"route.url": true, "route.fulfill": true, "secret set.store": true, "secret import.store": true,
	"secret import.csv": true, "screenshot.ifChanged": true,
}

// Each parameter that names a file has a type of pathTypes. A new parameter whose name looks like a
// path must have such a type, or be listed as no path.
func TestPathsAreTyped(t *testing.T) {
	typed := 0
	for _, o := range Table().Ops {
		for _, p := range o.Params() {
			switch {
			case slices.Contains(pathTypes, p.Type):
				typed++
			case likePath.MatchString(p.Name+" "+p.Doc) && !noPaths[o.Name()+"."+p.Name]:
				t.Errorf("%s: does %s name a file? It is a %s: %s", o.Name(), p.Name, p.Type, p.Doc)
			}
		}
	}
	if typed < 9 {
		t.Errorf("%d parameters name files", typed)
	}
}
