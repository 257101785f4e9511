package page_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"chela/internal/page"
)

// What only a script listens on can be acted on like what says so itself.
func TestActOnWhatAScriptListensOn(t *testing.T) {
	drop := func(tt *tester) func(context.Context, *page.Element) error {
		zone := tt.ref("[droppable]")
		return func(ctx context.Context, el *page.Element) error {
			onto, err := tt.Element(ctx, zone)
			if err != nil {
				return err
			}
			return el.Drag(ctx, page.DragEnd{Onto: onto})
		}
	}
	for _, s := range []story{
		{"listener", "/listening.html", "Added listener", click, "Added listener", ""},
		{"handler property", "/listening.html", "Handler property", click, "property", ""},
		{"shape of a drawing", "/listening.html", "img: > [clickable]", click, "dot", ""},
		{"entry of a list", "/listening.html", "Second entry", click, "Second entry", ""},
		{"in a frame", "/listening.html", "In a frame", click, "frame", ""},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := open(t, s.path)
			err := tt.on(s.target, s.do)
			if err != nil {
				t.Fatal(err)
			}
			if all := "\n" + tt.log() + "\n"; !strings.Contains(all, "\n"+s.told+"\n") {
				t.Errorf("page told %q, want %q", tt.log(), s.told)
			}
		})
	}
	t.Run("empty drop zone", func(t *testing.T) {
		tt := open(t, "/listening.html")
		if err := tt.on("Item", drop(tt)); err != nil || tt.last() != "dropped" {
			t.Errorf("got %v, page told %q", err, tt.log())
		}
	})
}

// Listeners that come or go between two snapshots are seen by the second.
func TestListenersComeAndGo(t *testing.T) {
	tt := open(t, "/listening.html")
	has := func(words string) bool {
		for line := range strings.Lines(tt.text()) {
			if strings.Contains(line, words) {
				return strings.Contains(line, "[clickable]")
			}
		}
		t.Fatalf("no %q in\n%s", words, tt.text())
		return false
	}
	if has("Listens late") || has("Plain text") || !has("Added listener") {
		t.Errorf("before:\n%s", tt.text())
	}
	run[any](tt, "listen()")
	if !has("Listens late") || has("Plain text") || has("Added listener") {
		t.Errorf("after:\n%s", tt.text())
	}
}

// What a page listens for at last is seen at once, however long it was silent.
func TestListenersOfASilentPage(t *testing.T) {
	tt := open(t, "/frame.html")
	run[any](tt, "document.body.innerHTML = '<p>Silent</p>'; undefined")
	for range 2 {
		if text := tt.text(); strings.Contains(text, "[clickable]") {
			t.Fatalf("before:\n%s", text)
		}
	}
	run[any](tt, "document.querySelector('p').addEventListener('click', () => {})")
	for range 2 {
		if text := tt.text(); strings.Count(text, "[clickable]") != 1 {
			t.Errorf("after:\n%s", text)
		}
	}
}

// A handle that moves with the pointer changes its listeners all the time.
func TestListenersOfAPageOpenedAgainAndAgain(t *testing.T) {
	tt := open(t, "/listening.html")
	for range 15 {
		run[any](tt, "heard.onpointerdown = e => { heard.setPointerCapture(e.pointerId); heard.onpointermove = () => {}; }; "+
			"heard.onpointerup = () => { heard.onpointermove = null; }; undefined")
		if err := tt.on("Added listener", click); err != nil {
			t.Fatal(err)
		}
		tt.text()
		if err := tt.touch(5*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, tt.URL()) }); err != nil {
			t.Fatal(err)
		}
	}
}

// Shadow roots have listeners of their own, at whatever time they come.
func TestListenersInShadowRoots(t *testing.T) {
	for _, mode := range []string{"open", "closed"} {
		t.Run(mode, func(t *testing.T) {
			tt := open(t, "/frame.html")
			run[any](tt, `
				customElements.define('x-outer', class extends HTMLElement {
					constructor() {
						super();
						this.root = this.attachShadow({mode: '`+mode+`'});
						this.root.innerHTML = '<div>Add</div><p>Plain</p><x-inner></x-inner>';
						this.root.firstChild.onclick = () => log('add');
					}
				});
				customElements.define('x-inner', class extends HTMLElement {
					constructor() {
						super();
						this.root = this.attachShadow({mode: '`+mode+`'});
						this.root.innerHTML = '<div>Inner</div><div>Late</div>';
						this.root.firstChild.addEventListener('mousedown', () => log('inner'));
						window.late = this.root.lastChild;
					}
				});
				document.body.innerHTML = '<x-outer></x-outer>'; undefined`)
			for _, target := range []string{"Add", "Inner"} {
				if err := tt.on(target, click); err != nil || tt.last() != strings.ToLower(target) {
					t.Errorf("click on %s: %v, page told %q", target, err, tt.log())
				}
			}
			if text := tt.text(); strings.Count(text, "[ref=") != 2 {
				t.Errorf("want refs on two lines:\n%s", text)
			}
			run[any](tt, "late.onclick = () => log('late'); undefined")
			if err := tt.on("Late", click); err != nil || tt.last() != "late" {
				t.Errorf("click on what listens since: %v, page told %q", err, tt.log())
			}
			run[any](tt, "late.onclick = null; undefined")
			if text := tt.text(); strings.Count(text, "[ref=") != 2 {
				t.Errorf("what listens no more has a ref:\n%s", text)
			}
		})
	}
}

// A page that makes shadow roots and drops them again is not kept in memory.
func TestListenersOfShadowRootsThatGo(t *testing.T) {
	tt := open(t, "/frame.html")
	for i := range 4 {
		run[any](tt, fmt.Sprintf(`document.body.innerHTML = '<x-card></x-card>'.repeat(60);
			document.querySelectorAll('x-card').forEach((card, i) => { const root = card.attachShadow({mode: 'open'});
				root.innerHTML = '<div>Card ' + i + ' of %d</div>'; root.firstChild.onclick = () => {}; }); undefined`, i))
		if text := tt.text(); strings.Count(text, "[clickable]") != 60 || !strings.Contains(text, fmt.Sprintf("Card 59 of %d", i)) {
			t.Errorf("round %d:\n%s", i, text)
		}
	}
}

// Of more elements than can be looked up at a time, the first of the document come first.
func TestListenersOfManyElements(t *testing.T) {
	tt := open(t, "/frame.html")
	run[any](tt, `document.body.innerHTML = '<p>x</p>'.repeat(2100);
		document.querySelectorAll('p').forEach(p => { p.onclick = () => {}; }); undefined`)
	for i, want := range []int{2000, 2100} {
		found := 0
		for line := range strings.Lines(tt.text()) {
			if !strings.Contains(line, "[ref=") {
				break
			}
			found++
		}
		if found != want {
			t.Errorf("snapshot %d: the first %d elements have refs, want %d", i, found, want)
		}
	}
}
