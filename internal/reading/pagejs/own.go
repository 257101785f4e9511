package pagejs

import (
	"crypto/rand"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A form has its controls as properties by their names, before those that all elements
// have: of <form><input name="parentNode"></form>, the parentNode is the input, for scripts
// of an isolated world as well. So a page could take a form out of what is read, or make
// the script fail. But it can only use names that it knows. So the prototypes of the
// isolated world get the properties that the script uses under secret names, too, and the
// script is written with these when it is put together. Reading a property by another name
// takes no longer; by a symbol, or by calling the getter, it takes twice as long.

// secret is the end of the secret names.
var secret = sync.OnceValue(func() string { return "_" + rand.Text()[:8] })

// owned are the properties of nodes that the script reads by secret names, by the interfaces
// that have them. Another object, such as the options of a call, must have no property of such a
// name that the script reads: it would not find it. See ofElements for those that need one.
var owned = []struct{ interfaces, names string }{
	{"Node", "nodeType nodeName parentNode parentElement childNodes firstChild nextSibling previousSibling textContent contains isConnected getRootNode ownerDocument baseURI compareDocumentPosition"},
	{"EventTarget", "addEventListener dispatchEvent"},
	{"Element", "localName namespaceURI id getAttribute getAttributeNS hasAttribute hasAttributes hasAttributeNS getAttributeNames setAttribute " +
		"matches closest getBoundingClientRect getClientRects checkVisibility getAnimations shadowRoot assignedSlot scrollIntoView " +
		"clientTop clientLeft clientHeight clientWidth scrollHeight scrollWidth scrollTop scrollLeft currentCSSZoom hasPointerCapture"},
	{"Element Document DocumentFragment", "querySelector querySelectorAll children firstElementChild childElementCount append"},
	{"Element Document", "getElementsByTagName"},
	{"Element CharacterData", "previousElementSibling nextElementSibling"},
	{"HTMLElement", "isContentEditable offsetHeight offsetWidth innerText"},
	{"HTMLElement SVGElement MathMLElement", "tabIndex"},
	{"Range", "getBoundingClientRect getClientRects"},
	{"Document ShadowRoot", "getAnimations"},
	{"Text", "assignedSlot"},
	{"DOMTokenList", "contains"},
}

// ofElements are those of the names that other objects of the script have, too. They are
// read by secret names where the variable is called el, which is an element everywhere.
var ofElements = []string{"firstChild", "id", "matches"}

// ownNames lists the names in owned, each once.
func ownNames() (names []string) {
	for _, each := range owned {
		for name := range strings.FieldsSeq(each.names) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// ownProperties is the beginning of the script, which makes the properties.
func ownProperties() string {
	var b strings.Builder
	for _, each := range owned {
		for prototype := range strings.FieldsSeq(each.interfaces) {
			fmt.Fprintf(&b, "own(%s.prototype, '%s');\n", prototype, each.names)
		}
	}
	fmt.Fprintf(&b, "function own(prototype, names) {\nfor (const name of names.split(' '))"+
		" Object.defineProperty(prototype, name + '%s', Object.getOwnPropertyDescriptor(prototype, name));\n}\n", secret())
	return b.String()
}

var (
	byName = sync.OnceValue(func() *regexp.Regexp {
		plain := slices.DeleteFunc(ownNames(), func(name string) bool { return slices.Contains(ofElements, name) })
		return regexp.MustCompile(`(\.(?:` + strings.Join(plain, "|") + `))\b`)
	})
	byNameOfElement = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(\bel\??\.(?:` + strings.Join(ofElements, "|") + `))\b`)
	})
)

// withOwnNames writes a script with the secret names in the place of the others.
func withOwnNames(script string) string {
	script = byName().ReplaceAllString(script, "${1}"+secret())
	return byNameOfElement().ReplaceAllString(script, "${1}"+secret())
}
