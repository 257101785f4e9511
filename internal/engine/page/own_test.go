package page_test

import (
	"strings"
	"testing"

	"chela/test/tab"
)

// A control that has the name of an element property hides that property of its form. The content
// of the form can still be read and acted on.
func TestFormsWhosePropertiesAreHidden(t *testing.T) {
	tt := tab.Borrow(t, "/form.html")
	var controls strings.Builder
	for name := range strings.FieldsSeq("localName parentNode parentElement childNodes children firstChild firstElementChild childElementCount " +
		"nodeType nodeName getAttribute hasAttribute hasAttributes getAttributeNames checkVisibility getBoundingClientRect getClientRects " +
		"matches closest contains querySelector querySelectorAll textContent shadowRoot assignedSlot isConnected ownerDocument getRootNode " +
		"namespaceURI id isContentEditable tabIndex clientHeight scrollHeight scrollTop offsetHeight getAnimations scrollIntoView addEventListener dispatchEvent innerText compareDocumentPosition currentCSSZoom") {
		controls.WriteString(`<input type=hidden name=` + name + `>`)
	}
	tt.Write(`<form aria-label=Shop onsubmit="return false"><label>Name <input></label><button onclick="log('bought')">Buy</button>` +
		controls.String() + `</form>`)
	const want = `- form "Shop":
  - textbox "Name" [ref=`
	if got := tt.Text(); !strings.HasPrefix(got, want) || !strings.Contains(got, `- button "Buy" [ref=`) {
		t.Errorf("got\n%s\nwant\n%s…", got, want)
	}
	if err := tt.On(`textbox "Name"`, tab.Typing("Ada")); err != nil {
		t.Error(err)
	}
	if err := tt.On(`button "Buy"`, tab.Click); err != nil || !strings.Contains(tt.Logged(), "bought") {
		t.Errorf("click: %v, page logged %q", err, tt.Logged())
	}
	if got := tt.Text(); !strings.Contains(got, "Ada") {
		t.Errorf("after typing:\n%s", got)
	}
}
