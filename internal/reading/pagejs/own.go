package pagejs

import (
	"crypto/rand"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A form has its named controls as properties, and these hide the properties of the same names that
// all elements have. In <form><input name="parentNode"></form>, the parentNode of the form is the
// input. Scripts of an isolated world also see the input. So a page could exclude a form from what
// is read, or make the script fail. But a page can only use names that it knows. So in the isolated
// world, each property that the script uses is defined once more on its prototype, under a secret
// name. The secret names replace the usual ones when the script is put together. Reading a property
// by another name takes no longer. Using a symbol as the name, or calling the getter, takes twice
// as long. The function secret returns what is appended to a name to make it secret.
//
// The localName of elements outside of HTML needs more than that. In <svg><select></select></svg>,
// the select is an element of SVG, which has no options and is not drawn. Scripts that build a
// drawing make such elements by mistake. So that the script does not take them for elements of HTML,
// it reads another name for them: see the object foreign in ownFunctions. For elements of HTML
// themselves nothing is computed.

// secret is the end of the secret names.
var secret = sync.OnceValue(func() string { return "_" + rand.Text()[:8] })

// owned are the properties of nodes that the script reads by secret names, with the interfaces that
// have them. If another object, such as the options of a call, had a property of such a name, the
// script would not find it. See ofElements for names that other objects need.
var owned = []struct{ interfaces, names string }{
	{"Node", "nodeType nodeName parentNode parentElement childNodes firstChild nextSibling previousSibling textContent contains isConnected getRootNode ownerDocument baseURI compareDocumentPosition"},
	{"EventTarget", "addEventListener dispatchEvent"},
	{"Element", "namespaceURI id getAttribute getAttributeNS hasAttribute hasAttributes hasAttributeNS getAttributeNames setAttribute " +
		"matches closest getBoundingClientRect getClientRects checkVisibility getAnimations shadowRoot assignedSlot scrollIntoView " +
		"clientTop clientLeft clientHeight clientWidth scrollHeight scrollWidth scrollTop scrollLeft currentCSSZoom hasPointerCapture"},
	{"Element Document DocumentFragment", "querySelector querySelectorAll children firstElementChild childElementCount append"},
	{"Element Document", "getElementsByTagName"},
	{"Element CharacterData", "previousElementSibling nextElementSibling"},
	{"HTMLElement", "isContentEditable offsetHeight offsetWidth innerText"},
	{"HTMLElement SVGElement MathMLElement", "tabIndex"},
	{"Range", "getBoundingClientRect getClientRects"},
	{"Document ShadowRoot", "getAnimations"},
	{"HTMLLabelElement", "control"},
	{"HTMLButtonElement HTMLInputElement HTMLMeterElement HTMLOutputElement HTMLProgressElement HTMLSelectElement HTMLTextAreaElement", "labels"},
	{"Text", "assignedSlot"},
	{"DOMTokenList", "contains"},
}

// ofElements are the names in owned that other objects of the script also have. They are replaced
// by secret names only after a variable called el, which is an element everywhere.
var ofElements = []string{"control", "firstChild", "id", "labels", "matches"}

// ownNames lists the names that are replaced by secret ones, each once.
func ownNames() []string {
	names := []string{"localName"}
	for _, each := range owned {
		for name := range strings.FieldsSeq(each.names) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// ownProperties returns the beginning of the script, which gives the prototypes the properties with
// secret names.
func ownProperties() string {
	var b strings.Builder
	fmt.Fprintf(&b, compact(ownFunctions), secret())
	for _, each := range owned {
		for prototype := range strings.FieldsSeq(each.interfaces) {
			fmt.Fprintf(&b, "own(%s.prototype, '%s');\n", prototype, each.names)
		}
	}
	b.WriteString("own(HTMLElement.prototype, 'localName', Element.prototype);\nown(Element.prototype, 'localName', foreign);\n")
	return b.String()
}

const ownFunctions = `
function own(prototype, names, from = prototype) {
  for (const name of names.split(' ')) Object.defineProperty(prototype, name + '%s', Object.getOwnPropertyDescriptor(from, name));
}

const plainName = Object.getOwnPropertyDescriptor(Element.prototype, 'localName').get;
const namesOfHTML = new Map(); // name -> whether elements of HTML have it
const shared = ['a', 'script', 'style', 'title']; // names that mean the same in HTML and in SVG
const foreign = {
  // localName returns the name of an element that is not of HTML. If it is the name of an element of
  // HTML, a word is added that makes it another name.
  get localName() {
    const name = plainName.call(this);
    let known = namesOfHTML.get(name);
    if (known === undefined) namesOfHTML.set(name, known = isOfHTML(name));
    return known && !(shared.includes(name) && this instanceof SVGElement) ? 'foreign_' + name : name;
  },
};

function isOfHTML(name) {
  return /^[a-z]+[1-6]?$/.test(name) && !(document.createElementNS('http://www.w3.org/1999/xhtml', name) instanceof HTMLUnknownElement);
}
`

var (
	byName = sync.OnceValue(func() *regexp.Regexp {
		plain := slices.DeleteFunc(ownNames(), func(name string) bool { return slices.Contains(ofElements, name) })
		return regexp.MustCompile(`(\.(?:` + strings.Join(plain, "|") + `))\b`)
	})
	byNameOfElement = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(\bel\??\.(?:` + strings.Join(ofElements, "|") + `))\b`)
	})
)

// withOwnNames returns a script in which secret names replace the names in owned.
func withOwnNames(script string) string {
	script = byName().ReplaceAllString(script, "${1}"+secret())
	return byNameOfElement().ReplaceAllString(script, "${1}"+secret())
}
