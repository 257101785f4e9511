package around

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"os"
	"testing"

	"chela/test/chromium"
	"chela/test/long"
	"chela/test/pages"
	"chela/test/service"
)

// pasteArea is a field. It writes into the document's title which pictures are pasted.
const pasteArea = `<textarea aria-label="Field"></textarea><script>
	addEventListener('paste', event => { for (const file of event.clipboardData.files) createImageBitmap(file).then(p => document.title = file.type + ' ' + p.width + 'x' + p.height) })
</script>`

// withWindows reports whether the browser has windows. Its clipboard is then the user's clipboard,
// and using it is refused unless the settings allow it.
func withWindows(t *testing.T) bool {
	t.Helper()
	if chromium.Headless() {
		return false
	}
	shared.Do(t, "GET /clipboard", nil).Fails(t, 501, "not_supported", "")
	shared.Do(t, "POST /clipboard/write", args{"text": "x"}).Fails(t, 501, "not_supported", "")
	tab := shared.Open(t, "about:blank")
	tab.Do("POST /permissions/grant", args{"origin": site.URL, "permissions": []string{"clipboard-read"}}).Fails(t, 501, "not_supported", "")
	return true
}

func TestClipboard(t *testing.T) {
	if withWindows(t) {
		return
	}
	one, two := shared.Open(t, html(pasteArea)), shared.Open(t, pages.Elsewhere(html(pasteArea)))
	value := func(tab *service.Tab) string { return tab.Eval("document.querySelector('textarea').value") }
	paste := func(tab *service.Tab) {
		tab.Act("click", args{"ref": tab.Ref("Field")})
		tab.Act("press", args{"key": "Control+V"})
	}

	const text = "two lines,\nand ünïcödé 日本"
	shared.OK(t, "POST /clipboard/write", args{"text": text})
	shared.OK(t, "GET /clipboard", nil).Has(t, "text", text)
	for _, tab := range []*service.Tab{one, two} {
		paste(tab)
		if got := value(tab); got != text {
			t.Errorf("pasted %q, want %q", got, text)
		}
	}

	one.Act("type", args{"ref": one.Ref("Field"), "text": "from the other tab"})
	one.Act("press", args{"key": "Control+A"})
	one.Act("press", args{"key": "Control+C"})
	shared.OK(t, "GET /clipboard", nil).Has(t, "text", "from the other tab")
	one.Act("press", args{"key": "Control+X"})
	if got := value(one); got != "" {
		t.Errorf("cut, and %q is left", got)
	}
	two.Act("type", args{"ref": two.Ref("Field"), "text": ""})
	paste(two)
	if got := value(two); got != "from the other tab" {
		t.Errorf("pasted %q", got)
	}
	shared.OK(t, "POST /clipboard/write", args{"text": ""})
	shared.OK(t, "GET /clipboard", nil).Has(t, "text", "")
}

// A click with the middle button does not paste what the user has selected, as it does on Linux.
func TestMiddleClickDoesNotPaste(t *testing.T) {
	tab := shared.Open(t, html(`<p>selected</p>`, pasteArea))
	tab.Eval("getSelection().selectAllChildren(document.querySelector('p'))")
	tab.Act("press", args{"key": "Shift+ArrowLeft"})
	tab.OK("POST /set/device", args{"name": "iphone 14"}) // this replaces other settings of Blink
	tab.OK("POST /set/device", args{"clear": true})
	tab.Act("click", args{"ref": tab.Ref("Field"), "button": "middle"})
	if got := tab.Eval("document.querySelector('textarea').value"); got != "" {
		t.Errorf("pasted %q", got)
	}
}

// A picture of another kind becomes a PNG, as the clipboard takes no other.
func TestClipboardPicture(t *testing.T) {
	long.Test(t)
	if withWindows(t) {
		return
	}
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, image.NewGray(image.Rect(0, 0, 30, 20)), nil); err != nil {
		t.Fatal(err)
	}
	file := uploads(t, "photo.jpg", "no.png")
	if err := os.WriteFile(file[0], photo.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	tab := shared.Borrow(t, html(pasteArea))
	shared.OK(t, "POST /clipboard/write", args{"path": file[0]})
	tab.Act("press", args{"key": "Control+V"})
	told(t, tab, "image/png 30x20")
	a := shared.OK(t, "GET /clipboard", nil)
	a.Has(t, "text", "")
	f, err := os.Open(a.Text("path"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if size, err := png.DecodeConfig(f); err != nil || size.Width != 30 || size.Height != 20 {
		t.Errorf("read %v, %v", size, err)
	}

	for _, s := range []struct {
		args    args
		message string
	}{
		{args{"path": file[1]}, "no picture"},
		{args{"path": "/etc/passwd"}, "Invalid path"},
		{args{}, "requires either text or path"},
		{args{"text": "a", "path": file[0]}, "requires either text or path"},
	} {
		a := shared.Do(t, "POST /clipboard/write", s.args)
		a.Fails(t, 400, "invalid_request", s.message)
		if a.Text("hint") == "" {
			t.Errorf("no hint: %s", a.Raw)
		}
	}
}
