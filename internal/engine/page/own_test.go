package page_test

import (
	"context"
	"strings"
	"testing"

	"chela/internal/engine/page"
	"chela/test/pages"
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
		"namespaceURI id control labels inert isContentEditable tabIndex clientHeight scrollHeight scrollTop offsetHeight getAnimations scrollIntoView addEventListener dispatchEvent innerText compareDocumentPosition currentCSSZoom") {
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

// A field named control is not the control of its form, as if the form were a label. What covers the
// field takes its clicks.
func TestFieldNamedControl(t *testing.T) {
	tt := tab.Borrow(t, "/form.html")
	tt.Write(`<form style="position:relative"><input name=control aria-label=Way><div onclick="log('covering')" style="position:absolute;inset:0">Loading</div></form>`)
	tab.Story{Target: `textbox "Way"`, Do: tab.Click, Fails: "covered by"}.In(tt)
}

// What covers a button may be inside a form. The names of the form's fields do not hide that.
func TestCoveredByAFormWhosePropertiesAreHidden(t *testing.T) {
	tt := tab.Borrow(t, "/form.html")
	tt.Write(`<form><input type=hidden name=matches><input type=hidden name=control><div style="position:absolute;inset:0 auto auto 0;width:300px;height:80px;z-index:2"></div></form>
		<button style="position:absolute;left:10px;top:10px">Go</button>`)
	tab.Story{Target: `button "Go"`, Do: tab.Click, Fails: "covered by"}.In(tt)
}

// Elements of HTML are the same in a document of XML, where their nodeName is in small letters.
func TestActsInXHTML(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<html xmlns="http://www.w3.org/1999/xhtml"><script src="/log.js"></script><body>
		<label>Name <input /></label> <label>Text <textarea></textarea></label> <label>Day <input type="date" /></label>
		<label>Size <select><option>S</option><option>L</option></select></label></body></html>`)+"&type=application/xhtml%2bxml")
	for _, act := range []struct {
		target string
		do     func(context.Context, *page.Element) error
		want   string
	}{
		{`textbox "Name"`, tab.Typing("Ada"), `textbox "Name" [active] [ref=e1]: Ada`},
		{`textbox "Text"`, tab.Typing("Words"), `textbox "Text" [active] [ref=e2]: Words`},
		{`"Day"`, tab.Typing("2026-01-02"), `: 2026-01-02`},
		{`combobox "Size"`, tab.Choosing("L"), `option "L" [selected]`},
	} {
		if err := tt.On(act.target, act.do); err != nil {
			t.Errorf("%s: %v", act.target, err)
		}
		if got := tt.Text(); !strings.Contains(got, act.want) {
			t.Errorf("%q is not in\n%s", act.want, got)
		}
	}
}

// A trace has the elements of such a document by the names and with the masks that they have in
// documents of HTML.
func TestDocumentOfXHTML(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<html xmlns="http://www.w3.org/1999/xhtml"><body><script>1</script><input type="password" value="geheim" />
		<svg xmlns="http://www.w3.org/2000/svg"><linearGradient /></svg></body></html>`)+"&type=application/xhtml%2bxml")
	html := string(documents(t, tt, "")[0].HTML)
	for _, part := range []string{`["INPUT",{"type":"password","value":"••••••","__playwright_value_":"••••••"}]`, `["linearGradient"`} {
		if !strings.Contains(html, part) {
			t.Errorf("%s is not in %s", part, html)
		}
	}
	if strings.Contains(html, `"1"`) {
		t.Errorf("there is a script in %s", html)
	}
}
