package keys

import (
	"strings"
	"sync"
)

// aliases maps other common names of keys, in lower case, to KeyboardEvent.key. The names come from
// Playwright, Selenium, and the labels on keyboards.
var aliases = map[string]string{
	"esc":    "Escape",
	"return": "Enter",
	"del":    "Delete",
	"ins":    "Insert",
	"pgup":   "PageUp", "pgdn": "PageDown",
	"ctrl": "Control",
	"cmd":  "Meta", "command": "Meta",
	"option": "Alt",
	"space":  " ",
	"left":   "ArrowLeft", "up": "ArrowUp", "right": "ArrowRight", "down": "ArrowDown",
}

// names has the strokes by name. The map exact has each KeyboardEvent.key, with Shift and without,
// and each KeyboardEvent.code. The map folded has the names that are longer than one character, in
// lower case. A single character has to match exactly, since "a" and "A" are different strokes;
// among longer names, no two differ only in case.
type names struct{ exact, folded map[string]Stroke }

// known returns the names of all keys. It makes the list at the first call, since most commands
// press no key.
var known = sync.OnceValue(makeNames)

func makeNames() names {
	exact, folded := map[string]Stroke{}, map[string]Stroke{}
	layout := makeLayout()
	add := func(name string, s Stroke) {
		if _, taken := exact[name]; name == "" || taken {
			return
		}
		exact[name] = s
		if len(name) > 1 {
			folded[strings.ToLower(name)] = s
		}
	}
	for _, k := range layout {
		add(k.name, Stroke{key: k, name: k.name})
		add(k.shifted, Stroke{key: k, name: k.shifted})
	}
	for _, k := range layout {
		add(k.code, Stroke{key: k, name: k.name})
	}
	return names{exact, folded}
}

// find returns the stroke for a name; system is a GOOS, on which ControlOrMeta depends. An exact
// name has precedence over an alias, and an alias over a name in another case.
func find(name, system string) (Stroke, bool) {
	if s, ok := known().exact[name]; ok {
		return s, true
	}
	lower := strings.ToLower(name)
	if lower == "controlormeta" {
		lower = "control"
		if system == "darwin" {
			lower = "meta"
		}
	}
	if other, ok := aliases[lower]; ok {
		return known().exact[other], true
	}
	s, ok := known().folded[lower]
	return s, ok
}
