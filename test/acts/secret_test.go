package acts

import (
	"context"
	"errors"
	"fmt"
	"image"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/internal/wall/secret"
	"chela/test/pages"
	"chela/test/tab"
)

// entering enters a secret that is for the origins. Its value is a number, since some fields take
// nothing else.
func entering(origins ...string) func(context.Context, *page.Element) error {
	return func(ctx context.Context, el *page.Element) error {
		differs, err := el.EnterSecret(ctx, secretFor(origins...))
		if differs {
			return fmt.Errorf("differs")
		}
		return err
	}
}

func secretFor(origins ...string) secret.Secret {
	s := secret.Secret{Name: "test/password", Value: "1234567890"}
	for _, origin := range origins {
		s.For = append(s.For, secret.Place(origin))
	}
	return s
}

// A secret goes into fields for secrets of the origins that it is for, and nowhere else.
func TestSecretFields(t *testing.T) {
	own := entering(tab.Site.URL)
	entered := "10 trusted insertText"
	for _, s := range []story{
		{"text", "/secret.html", `textbox "Text"`, own, entered, ""},
		{"password", "/secret.html", `textbox "Password"`, own, entered, ""},
		{"e-mail", "/secret.html", `textbox "E-mail"`, own, entered, ""},
		{"phone", "/secret.html", `textbox "Phone"`, own, entered, ""},
		{"number", "/secret.html", `"Number"`, own, entered, ""},
		{"in place of a text", "/secret.html", `textbox "Old"`, own, entered, ""},
		{"in a closed shadow root", "/secret.html", `textbox "Closed"`, own, "", ""},
		{"form of a script", "/secret.html", `textbox "Posted by a script"`, own, entered, ""},
		{"field that gives the focus away later", "/secret.html", `textbox "Thief"`, own, entered, ""},
		{"longer than the field takes", "/secret.html", `textbox "Code"`, own, "6 trusted insertText", "differs"},
		{"shortened by the page", "/secret.html", `textbox "Shortened"`, own, "3 trusted insertText", "differs"},
		{"taken out by the page", "/secret.html", `textbox "Refusing"`, own, "0 trusted insertText", "differs"},
		{"of a framework that tracks the value", "/secret.html", `textbox "Tracked"`, own, "changed", ""},
		{"editable late", "/late.html", `"Editable late"`, own, "editable 1234567890", ""},

		{"search", "/secret.html", `searchbox "Search"`, own, "", ": kind"},
		{"address", "/secret.html", `textbox "URL"`, own, "", ": kind"},
		{"check box", "/secret.html", `checkbox "Check"`, own, "", ": kind"},
		{"text area", "/secret.html", `textbox "Long"`, own, "", ": kind"},
		{"rich text", "/secret.html", `textbox "Rich"`, own, "", ": kind"},
		{"button", "/form.html", `button "Send" `, own, "", ": kind"},
		{"read only", "/secret.html", `textbox "Read only"`, own, "", ": readonly"},
		{"transparent", "/secret.html", `textbox "Transparent"`, own, "", ": unseen"},
		{"tiny", "/secret.html", `textbox "Tiny"`, own, "", ": unseen"},
		{"of another site", "/secret.html", `textbox "Text"`, entering("https://example.com"), "", tab.Site.URL + ": origin"},
		{"of another port", "/secret.html", `textbox "Text"`, entering("http://127.0.0.1"), "", ": origin"},
		{"for no place", "/secret.html", `textbox "Text"`, entering(), "", ": origin"},
		{"form that is sent elsewhere", "/secret.html", `textbox "Posted elsewhere"`, own, "", "https://elsewhere.example: target"},
		{"form with a field called action", "/secret.html", `textbox "Posted elsewhere too"`, own, "", ": target"},
		{"button that sends elsewhere", "/secret.html", `textbox "With a button that posts elsewhere"`, own, "", ": target"},
		{"picture that sends elsewhere", "/secret.html", `textbox "With a picture that posts elsewhere"`, own, "", ": target"},
		{"form apart", "/secret.html", `textbox "Of a form that posts elsewhere"`, own, "", ": target"},
		{"form that changes when it gets the focus", "/secret.html", `textbox "Posted elsewhere late"`, own, "", ": target"},
		{"form sent to another place of the secret", "/secret.html", `textbox "Posted elsewhere"`, entering(tab.Site.URL, "https://*.elsewhere.example", "https://elsewhere.example"), entered, ""},
	} {
		s.test(t)
	}
}

// A secret is entered in the frames whose origins it is for, in whatever process they are.
func TestSecretInFrames(t *testing.T) {
	other := pages.Elsewhere(tab.Site.URL)
	tt := tab.Open(t, "/frames.html?other="+other)
	for _, frame := range []struct{ name, origin, fails string }{
		{"same", tab.Site.URL, ""},
		{"inner", tab.Site.URL, ""},
		{"other", other, ""},
		{"other-inner", other, ""},
		{"other", tab.Site.URL, other + ": origin"},
		{"same", other, ": origin"},
		{"sandbox", tab.Site.URL, "null: origin"},
	} {
		ref := fieldIn(tt, "In "+frame.name)
		err := tt.OnRefFor(5*time.Second, ref, entering(frame.origin))
		switch {
		case frame.fails == "" && err != nil, frame.fails != "" && (err == nil || !strings.Contains(err.Error(), frame.fails)):
			t.Errorf("%s: got %v, want %q", frame.name, err, frame.fails)
		case err == nil:
			tt.Await(frame.name + " typed 1234567890")
		}
	}
}

// A frame that goes away when its field gets the text leaves no answer, so the secret counts as sent.
func TestSecretInFrameThatGoesAway(t *testing.T) {
	tt := tab.Open(t, "/secret.html")
	ref := fieldIn(tt, "In srcdoc")
	tab.Run[bool](tt, `written.contentDocument.querySelector("input").oninput = () => written.remove(); true`)
	err := tt.OnRef(ref, entering(tab.Site.URL))
	if _, stale := errors.AsType[*page.StaleRefError](err); !stale || !errors.Is(err, page.ErrSent) {
		t.Errorf("got %v, want a stale ref, with the secret sent", err)
	}
}

// A frame that has its document from an attribute is of the origin of its parent. A tab in the
// background is no different.
func TestSecretInBackground(t *testing.T) {
	tt := tab.Open(t, "/secret.html")
	ref := fieldIn(tt, "In srcdoc")
	tab.Open(t, "/form.html")
	for _, ref := range []string{ref, tt.Ref(`textbox "Text"`)} {
		if err := tt.OnRefFor(5*time.Second, ref, entering(tab.Site.URL)); err != nil {
			t.Error(err)
		}
	}
	if got := tab.Run[string](tt, `text.value + " " + written.contentDocument.querySelector("input").value`); got != "1234567890 1234567890" {
		t.Errorf("the fields hold %q", got)
	}
}

// fieldIn returns the ref of the field below a heading.
func fieldIn(t *tab.Tab, heading string) string {
	t.Helper()
	_, below, found := strings.Cut(t.Text(), fmt.Sprintf("heading %q", heading))
	_, below, field := strings.Cut(below, "textbox \"Field\"")
	_, below, ref := strings.Cut(below, "[ref=")
	if !found || !field || !ref {
		t.Fatalf("there is no field below %s in\n%s", heading, t.Text())
	}
	end := strings.IndexByte(below, ']')
	return below[:end]
}

// The field of a secret shows discs until it is empty, whatever the page makes of it, and no
// reading has its value.
func TestSecretShowsDiscs(t *testing.T) {
	tt := tab.Open(t, "/secret.html")
	text, turning := tt.Ref(`textbox "Text"`), tt.Ref(`textbox "Turning"`)
	for _, ref := range []string{text, turning} {
		if err := tt.OnRef(ref, entering(tab.Site.URL)); err != nil {
			t.Fatal(err)
		}
	}
	if kind := tab.Run[string](tt, "turning.type"); kind != "text" {
		t.Fatalf("the page made the field a %s", kind)
	}
	if got := tt.Text(); strings.Contains(got, "1234567890") || strings.Count(got, "••••") != 2 {
		t.Errorf("the page reads\n%s", got)
	}
	if shown, err := tt.ShownTexts(tt.Ctx); err != nil || !shown.Secret {
		t.Errorf("shown texts: %+v, %v", shown, err)
	}
	tab.Run[any](tt, "document.activeElement.blur()")
	discs := tt.Picture("#text")
	if !alike(discs, tt.Picture("#turning")) {
		t.Error("two fields with secrets look different")
	}
	tab.Run[any](tt, `text.removeAttribute("style"); text.type = "password"; text.type = "text"; undefined`)
	if !alike(discs, tt.Picture("#text")) {
		t.Error("a page has removed the discs")
	}
	if err := tt.OnRef(text, tab.Typing("")); err != nil {
		t.Fatal(err)
	}
	if err := tt.OnRef(text, tab.Typing("1234567890")); err != nil {
		t.Fatal(err)
	}
	if got := tt.Text(); !strings.Contains(got, "1234567890") {
		t.Errorf("after another text, the page reads\n%s", got)
	}
	if alike(discs, tt.Picture("#text")) {
		t.Error("another text shows discs")
	}
}

// The user name that belongs to a secret need not be hidden: a snapshot shows it.
func TestSecretUserName(t *testing.T) {
	tt := tab.Borrow(t, "/secret.html")
	name := secretFor(tab.Site.URL)
	name.Name, name.Value = "test/username", "ada@example.com"
	err := tt.On(`textbox "Text"`, func(ctx context.Context, el *page.Element) error {
		_, err := el.EnterSecret(ctx, name)
		return err
	})
	if got := tt.Text(); err != nil || !strings.Contains(got, name.Value) {
		t.Errorf("%v, the page reads\n%s", err, got)
	}
}

// alike reports whether two pictures of fields show the same in the left half.
func alike(a, b image.Image) bool {
	size := a.Bounds().Size()
	if size != b.Bounds().Size() {
		return false
	}
	differ := 0
	for y := range size.Y {
		for x := range size.X / 2 {
			r, g, blue, _ := a.At(a.Bounds().Min.X+x, a.Bounds().Min.Y+y).RGBA()
			r2, g2, blue2, _ := b.At(b.Bounds().Min.X+x, b.Bounds().Min.Y+y).RGBA()
			if diff(r, r2)+diff(g, g2)+diff(blue, blue2) > 0x6000 {
				differ++
			}
		}
	}
	return differ < 60
}

func diff(a, b uint32) uint32 { return max(a, b) - min(a, b) }
