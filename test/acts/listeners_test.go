package acts

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/test/long"
	"chela/test/pages"
	"chela/test/tab"
)

// An element that only a script listens on can be acted on like a button or a link.
func TestActOnWhatAScriptListensOn(t *testing.T) {
	drop := func(tt *tab.Tab) func(context.Context, *page.Element) error {
		zone := tt.Ref("[droppable]")
		return func(ctx context.Context, el *page.Element) error {
			onto, err := tt.Element(ctx, zone)
			if err != nil {
				return err
			}
			return el.Drag(ctx, page.DragEnd{Onto: onto})
		}
	}
	for _, s := range []story{
		{"listener", "/listening.html", "Added listener", tab.Click, "Added listener", ""},
		{"handler property", "/listening.html", "Handler property", tab.Click, "property", ""},
		{"shape of a drawing", "/listening.html", "img: > [clickable]", tab.Click, "dot", ""},
		{"entry of a list", "/listening.html", "Second entry", tab.Click, "Second entry", ""},
		{"in a frame", "/listening.html", "In a frame", tab.Click, "frame", ""},
	} {
		t.Run(s.Name, func(t *testing.T) {
			tt := tab.Borrow(t, s.Path)
			err := tt.On(s.Target, s.Do)
			if err != nil {
				t.Fatal(err)
			}
			if all := "\n" + tt.Logged() + "\n"; !strings.Contains(all, "\n"+s.Logged+"\n") {
				t.Errorf("page told %q, want %q", tt.Logged(), s.Logged)
			}
		})
	}
	t.Run("empty drop zone", func(t *testing.T) {
		tt := tab.Borrow(t, "/listening.html")
		if err := tt.On("Item", drop(tt)); err != nil || tt.Last() != "dropped" {
			t.Errorf("got %v, page told %q", err, tt.Logged())
		}
	})
}

// Listeners that come or go between two snapshots are seen by the second.
func TestListenersComeAndGo(t *testing.T) {
	tt := tab.Borrow(t, "/listening.html")
	has := func(words string) bool {
		for line := range strings.Lines(tt.Text()) {
			if strings.Contains(line, words) {
				return strings.Contains(line, "[clickable]")
			}
		}
		t.Fatalf("no %q in\n%s", words, tt.Text())
		return false
	}
	if has("Listens late") || has("Plain text") || !has("Added listener") {
		t.Errorf("before:\n%s", tt.Text())
	}
	tab.Run[any](tt, "listen()")
	if !has("Listens late") || has("Plain text") || has("Added listener") {
		t.Errorf("after:\n%s", tt.Text())
	}
}

// If a page adds a listener after a long silence, the next snapshot shows it.
func TestListenersOfASilentPage(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tab.Run[any](tt, "document.body.innerHTML = '<p>Silent</p>'; undefined")
	for range 2 {
		if text := tt.Text(); strings.Contains(text, "[clickable]") {
			t.Fatalf("before:\n%s", text)
		}
	}
	tab.Run[any](tt, "document.querySelector('p').addEventListener('click', () => {})")
	for range 2 {
		if text := tt.Text(); strings.Count(text, "[clickable]") != 1 {
			t.Errorf("after:\n%s", text)
		}
	}
}

// A handle that follows the pointer adds and removes a listener at each click. On one new document
// after the other, clicks and snapshots keep working.
func TestListenersOfAPageOpenedAgainAndAgain(t *testing.T) {
	long.Test(t)
	tt := tab.Borrow(t, "/listening.html")
	for range 15 {
		tab.Run[any](tt, "heard.onpointerdown = e => { heard.setPointerCapture(e.pointerId); heard.onpointermove = () => {}; }; "+
			"heard.onpointerup = () => { heard.onpointermove = null; }; undefined")
		if err := tt.On("Added listener", tab.Click); err != nil {
			t.Fatal(err)
		}
		tt.Text()
		if err := tt.InTurn(5*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, tt.URL()) }); err != nil {
			t.Fatal(err)
		}
	}
}

// Shadow roots have listeners of their own, whenever the roots are made.
func TestListenersInShadowRoots(t *testing.T) {
	for _, mode := range []string{"open", "closed"} {
		t.Run(mode, func(t *testing.T) {
			tt := tab.Borrow(t, "/frame.html")
			tab.Run[any](tt, `
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
				if err := tt.On(target, tab.Click); err != nil || tt.Last() != strings.ToLower(target) {
					t.Errorf("click on %s: %v, page told %q", target, err, tt.Logged())
				}
			}
			if text := tt.Text(); strings.Count(text, "[ref=") != 2 {
				t.Errorf("want refs on two lines:\n%s", text)
			}
			tab.Run[any](tt, "late.onclick = () => log('late'); undefined")
			if err := tt.On("Late", tab.Click); err != nil || tt.Last() != "late" {
				t.Errorf("click on what listens since: %v, page told %q", err, tt.Logged())
			}
			tab.Run[any](tt, "late.onclick = null; undefined")
			if text := tt.Text(); strings.Count(text, "[ref=") != 2 {
				t.Errorf("what listens no more has a ref:\n%s", text)
			}
		})
	}
}

// A page that makes shadow roots and drops them again is not kept in memory.
func TestListenersOfShadowRootsThatGo(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	for i := range 4 {
		tab.Run[any](tt, fmt.Sprintf(`document.body.innerHTML = '<x-card></x-card>'.repeat(60);
			document.querySelectorAll('x-card').forEach((card, i) => { const root = card.attachShadow({mode: 'open'});
				root.innerHTML = '<div>Card ' + i + ' of %d</div>'; root.firstChild.onclick = () => {}; }); undefined`, i))
		if text := tt.Text(); strings.Count(text, "[clickable]") != 60 || !strings.Contains(text, fmt.Sprintf("Card 59 of %d", i)) {
			t.Errorf("round %d:\n%s", i, text)
		}
	}
}

// If there are more elements than can be looked up at a time, the first of the document come first.
// The snapshot says that there are more. A shadow root, whose listeners are listed afterwards, does
// not change that.
func TestListenersOfManyElements(t *testing.T) {
	long.Test(t)
	tt := tab.Borrow(t, "/frame.html")
	tab.Run[any](tt, `document.body.innerHTML = '<p>x</p>'.repeat(5100) + '<section></section>';
		document.querySelector('section').attachShadow({mode: 'open'}).innerHTML = '<i>y</i>';
		document.querySelectorAll('p').forEach(p => { p.onclick = () => {}; }); undefined`)
	for i, want := range []int{5000, 5100} {
		text, found := tt.Text(), 0
		note, rest, _ := strings.Cut(text, "\n")
		if more := note == "(100 more elements listen for events: take another snapshot to give them refs)"; more != (i == 0) {
			t.Errorf("snapshot %d begins with %q", i, note)
		} else if more {
			text = rest
		}
		for line := range strings.Lines(text) {
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

// Listeners are looked for in a limited number of shadow roots. The snapshot says in how many they are not.
func TestListenersOfManyShadowRoots(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tab.Run[any](tt, `document.body.innerHTML = '<x-card></x-card>'.repeat(503);
		document.querySelectorAll('x-card').forEach((card, i) => { const root = card.attachShadow({mode: 'open'});
			root.innerHTML = '<div>Card ' + i + '</div>'; root.firstChild.onclick = () => {}; }); undefined`)
	for i, more := range []int{3, 3, 0} {
		if i == 2 {
			tab.Run[any](tt, `document.querySelectorAll('x-card:nth-child(-n + 250)').forEach(card => card.remove()); undefined`)
		}
		text := tt.Text()
		note := fmt.Sprintf("(the page has too many shadow roots: in %d of them, elements that only listen for events get no refs)\n", more)
		if strings.HasPrefix(text, note) != (more > 0) || strings.Count(text, "[clickable]") != strings.Count(text, "Card ")-more {
			t.Errorf("round %d: %d elements\n%.300s", i, strings.Count(text, "[clickable]"), text)
		}
	}
}

// A page decides how much it says about its listeners. Too much is not read, and the snapshot says so.
func TestListenersThatAreTooLong(t *testing.T) {
	for name, script := range map[string]string{
		"of events":      "document.addEventListener('x'.repeat(33 << 20), () => {})",
		"of a framework": "self.__svelte = {}; Array.prototype.flatMap = () => 'x'.repeat(9 << 20)",
	} {
		t.Run(name, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML("<button onclick='x()'>Press</button><script>"+script+"</script>"))
			const note = "(the page has too many event listeners: elements that only listen for events may have no refs)\n"
			if text := tt.Text(); !strings.HasPrefix(text, note) || strings.Count(text, note) != 1 || !strings.Contains(text, "Press") {
				t.Errorf("got %.300q", text)
			}
		})
	}
}
