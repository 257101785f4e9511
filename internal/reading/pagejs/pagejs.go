// Package pagejs holds the script that runs beside every page. The script looks at the document and
// says what is there, so that Go can decide and act.
//
// The script lives in an isolated world of each frame, where the page can neither see nor replace
// it. It is plain JavaScript, one topic per file, all in one function scope. Each file adds the
// functions that Go calls to the object chela.
//
// walk.js goes through the document once and writes a line per element: its role (role.js), its
// name (name.js) and its state (state.js). Text that a person cannot see is found by unseen.js.
// Whether a style can hide text is known from the rules that could match an element (hiding.js,
// selectors.js). So most elements need not be asked for their computed style. Nested blocks that
// begin at the same place are measured once (flow.js).
//
// A ref is given in refs.js and belongs to one element until the element is removed. Then the ref
// passes to the element that has replaced the removed one, if carry.js finds it. No other element
// ever gets the ref. ready.js waits until an element can be acted on, and guard.js swallows input
// that would reach another element.
package pagejs

import (
	"crypto/sha256"
	"embed"
	"fmt"
	"io"
	"strings"
	"sync"
)

// World is the name of the isolated world that the script is made for.
const World = "chela"

//go:embed *.js
var files embed.FS

// order lists the files in the order in which they are put together. While a file is loaded, it may
// use only the files above it.
var order = []string{
	"run.js",
	"listen.js",
	"dom.js",
	"embedded.js",
	"pre.js",
	"refs.js",
	"shadow.js",
	"internals.js",
	"role.js",
	"owns.js",
	"sheets.js",
	"pseudo.js",
	"variables.js",
	"declared.js",
	"selectors.js",
	"hiding.js",
	"color.js",
	"background.js",
	"tint.js",
	"outline.js",
	"squeeze.js",
	"painted.js",
	"clip.js",
	"unseen.js",
	"flow.js",
	"uses.js",
	"value.js",
	"name.js",
	"look.js",
	"modal.js",
	"twin.js",
	"state.js",
	"hint.js",
	"label.js",
	"delegate.js",
	"items.js",
	"days.js",
	"repeated.js",
	"region.js",
	"phrases.js",
	"reuse.js",
	"touched.js",
	"carry.js",
	"line.js",
	"lines.js",
	"place.js",
	"walk.js",
	"describe.js",
	"selector.js",
	"guard.js",
	"hold.js",
	"keys.js",
	"handled.js",
	"boxes.js",
	"nested.js",
	"widget.js",
	"motion.js",
	"reaction.js",
	"spot.js",
	"hover.js",
	"reach.js",
	"ready.js",
	"slider.js",
	"edit.js",
	"setvalue.js",
	"holds.js",
	"richtext.js",
	"secret.js",
	"subject.js",
	"login.js",
	"awaits.js",
	"focus.js",
	"check.js",
	"choose.js",
	"chooser.js",
	"option.js",
	"scrolllist.js",
	"listbox.js",
	"chosen.js",
	"drag.js",
	"drageffect.js",
	"wheel.js",
	"drop.js",
	"change.js",
	"quiet.js",
	"wait.js",
	"news.js",
	"facts.js",
	"text.js",
	"flatten.js",
	"fields.js",
	"clipboard.js",
	"storage.js",
}

// Picker is a JavaScript function that must run in the world of the page, and not in that of the
// page script. For some time it answers the pickers of the file system in place of the browser. Its
// parameter is the time in milliseconds; null means for ever.
//
//go:embed picker.js
var Picker string

// Handlers is a JavaScript function that must run in the world of the page, and not in that of the
// page script. It finds the handlers that frameworks call for the events of elements. Its parameter
// says whether an element of the page listens for as many kinds of events as a framework's root
// does.
//
//go:embed handlers.js
var Handlers string

// Seed is a JavaScript function that fills the sessionStorage of a new document. Its parameter has
// the entries by origin.
//
//go:embed seed.js
var Seed string

// IndexedDB is a script that adds the functions of indexeddb.js to chela. It is run only in the
// documents whose databases are saved or loaded. Reading it takes time in each document, and hardly
// any document needs it.
var IndexedDB = sync.OnceValue(func() string {
	var b strings.Builder
	b.WriteString("(() => {\n'use strict';\n")
	for _, name := range []string{"encode.js", "indexeddb.js"} {
		b.WriteString(compact(read(name)))
	}
	b.WriteString("})();\n")
	return b.String()
})

// Document is a JavaScript function that describes the document for a trace. It uses the page
// script and runs in its world. Its argument and its answer are explained in the file.
//
//go:embed document.js
var Document string

// Source returns the whole page script. Run in a document, it sets globalThis.chela. If the same
// version has run in the same world before, the script does nothing: the refs of the first run stay
// valid. That is so when a server was killed, and the next one takes over a tab that has stayed
// attached. Scripts of the page cannot set chelaVersion: they have another global object.
//
// The script is put together at the first call.
var Source = sync.OnceValue(build)

func build() string {
	var b strings.Builder
	sum := sha256.New()
	for _, name := range order {
		text := compact(read(name))
		io.WriteString(sum, text)
		b.WriteString(withOwnNames(text))
	}
	version := fmt.Sprintf("'%.8x'", sum.Sum(nil))
	return "(() => {\n'use strict';\nif (Object.hasOwn(globalThis, 'chelaVersion') && globalThis.chelaVersion === " + version + ") return;\n" +
		"const chela = {};\n" + ownProperties() + b.String() + "globalThis.chela = chela;\nglobalThis.chelaVersion = " + version + ";\n})();\n"
}

// read returns a file of this folder. It panics if the file is missing, since then the build is
// wrong.
func read(name string) string {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return string(text)
}
