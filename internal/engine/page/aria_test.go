package page_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chela/internal/engine/capture"
	"chela/internal/engine/page"
	"chela/internal/reading/pagejs"
	"chela/internal/reading/snapshot"
	"chela/test/long"
	"chela/test/tab"
)

// aria returns an aria snapshot of the page.
func aria(t *tab.Tab) (nodes []snapshot.AriaNode) {
	t.Helper()
	err := t.InTurn(5*time.Second, func(ctx context.Context) (err error) {
		list, err := t.Aria(ctx, "", snapshot.AriaOptions{})
		nodes = list.Nodes
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return nodes
}

// axRef returns the ref of the n-th node of a role and name in an aria snapshot.
func axRef(t *tab.Tab, role, name string, n int) string {
	t.Helper()
	nodes := aria(t)
	for _, node := range nodes {
		if node.Role == role && node.Name == name {
			if n--; n < 0 {
				return node.Ref
			}
		}
	}
	t.Fatalf("no %s %q in\n%s", role, name, snapshot.AriaList{Nodes: nodes}.Text())
	return ""
}

func TestAriaRefsInFrames(t *testing.T) {
	long.Test(t)
	tt := tab.Borrow(t, "/frames.html?other="+tab.Elsewhere())
	for _, name := range []string{"Press at the top", "Press in srcdoc"} {
		if err := tt.OnRef(axRef(tt, "button", name, 0), tab.Click); err != nil {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if tt.Await("srcdoc pressed"); !strings.HasPrefix(tt.Logged(), "top pressed") {
		t.Errorf("page told %q", tt.Logged())
	}
}

func TestAriaKeepsOrderAndDepth(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tab.Run[any](tt, `document.body.innerHTML = '<main><div><div><h1>Head</h1></div></div><p hidden>No</p></main><button>B</button><ul role=none style="list-style: none"><li>Item</ul><p>End'; undefined`)
	var got []string
	for _, n := range aria(tt) {
		if n.Role != "InlineTextBox" {
			got = append(got, fmt.Sprintf("%d %s %s", n.Depth, n.Role, n.Name))
		}
	}
	want := []string{
		"0 RootWebArea frame", "1 main ", "2 heading Head", "3 StaticText Head", "1 button B", "2 StaticText B", "1 StaticText Item", "1 paragraph ", "2 StaticText End",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A ref of a node of the accessibility tree acts on the node's element. For a text, that is the
// element that contains the text.
func TestAriaRefsOfTexts(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tab.Run[any](tt, `document.body.innerHTML = '<style>#q::before { content: "Mark" }</style><button id=b>Push</button><p id=p>Some <b id=bold>bold</b></p><p id=q></p>'
		+ '<input id=i value=Value><textarea id=t>Area</textarea><ul><li id=l>Item</ul><x-y id=h></x-y>';
		h.attachShadow({ mode: 'closed' }).innerHTML = '<i>Closed</i>';
		for (const el of document.querySelectorAll('[id]')) el.addEventListener('click', e => { e.stopPropagation(); log('clicked ' + el.id) });
		onclick = () => log('clicked outside'); log = what => window.last = what; undefined`)
	for _, s := range []struct {
		role, name string
		want       string
	}{
		{"StaticText", "Push", "clicked b"},
		{"InlineTextBox", "Push", "clicked b"},
		{"StaticText", "bold", "clicked bold"},
		{"InlineTextBox", "bold", "clicked bold"},
		{"StaticText", "Some ", "clicked p"},
		{"StaticText", "Mark", "clicked q"},
		{"InlineTextBox", "Mark", "clicked q"},
		{"StaticText", "Value", "clicked i"},
		{"StaticText", "Area", "clicked t"},
		{"ListMarker", "• ", "clicked l"},
		{"StaticText", "Closed", "clicked h"},
		{"RootWebArea", "frame", "clicked outside"},
	} {
		t.Run(s.role+" "+s.name, func(t *testing.T) {
			ref := axRef(tt, s.role, s.name, 0)
			for name, do := range map[string]func(context.Context, *page.Element) error{
				"click":  tab.Click,
				"hover":  func(ctx context.Context, el *page.Element) error { return el.Hover(ctx) },
				"scroll": func(ctx context.Context, el *page.Element) error { return el.ScrollIntoView(ctx) },
				"picture": func(ctx context.Context, el *page.Element) error {
					_, err := capture.Screenshot(ctx, tt.Page, capture.Shot{Element: el})
					return err
				},
			} {
				if err := tt.OnRef(ref, do); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			if last := tab.Run[string](tt, "last"); last != s.want {
				t.Errorf("page says %q, want %q", last, s.want)
			}
		})
	}
	for _, role := range []string{"StaticText", "InlineTextBox"} {
		if err := tt.OnRef(axRef(tt, role, "Value", 0), tab.Filling("Other")); err != nil || tab.Run[string](tt, "i.value") != "Other" {
			t.Errorf("type by the %s of a field: %v, it has %q", role, err, tab.Run[string](tt, "i.value"))
		}
		tab.Run[any](tt, "i.value = 'Value'")
	}
}

// Errors name the ref that the caller gave.
func TestErrorsNameAriaRefs(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	ref := axRef(tt, "StaticText", "Press", 0)
	clicking := func() error {
		return tt.InTurn(time.Second, func(ctx context.Context) error {
			el, err := tt.Element(ctx, ref)
			if err != nil {
				return err
			}
			return el.Click(ctx, page.Click{})
		})
	}
	stale := func(why page.Fate, url string) {
		t.Helper()
		err := clicking()
		if e, ok := errors.AsType[*page.StaleRefError](err); !ok || e.Ref.String() != ref || e.Why != why || e.URL != url {
			t.Errorf("got %v, want that %s is gone: %s", err, ref, why)
		} else if why == page.ElementRemoved && (e.Was == nil || e.Was.Role != "StaticText" || e.Was.Name != "Press") {
			t.Errorf("it was %v", e.Was)
		}
	}
	tab.Run[any](tt, "document.querySelector('button').style.visibility = 'hidden'")
	err := clicking()
	if e, ok := errors.AsType[*page.ElementError](err); !ok || e.Ref.String() != ref || e.Missing != pagejs.Hidden {
		t.Errorf("got %v, want that %s is hidden", err, ref)
	}
	tab.Run[any](tt, "document.querySelector('button').remove()")
	stale(page.ElementRemoved, tab.Site.URL+"/frame.html")
	if err := tt.InTurn(5*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, tab.Site.URL+"/form.html") }); err != nil {
		t.Fatal(err)
	}
	stale(page.DocumentReplaced, tab.Site.URL+"/form.html")
}

// Text that a person cannot see is left out if that is requested, also in frames. The words of a
// control are always kept.
func TestAriaWithoutHiddenText(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tab.Run[any](tt, `document.body.innerHTML = '<h1>Head <i style="opacity: 0">order</i></h1><p style="color: white">white</p><p>Shown</p>'
		+ '<button style="opacity: 0">Press</button><iframe srcdoc="<p>Inner<p style=opacity:0>deep"></iframe>'
		+ '<iframe style="opacity: 0" srcdoc="<p>Veiled<button>Go</button>"></iframe>'; undefined`)
	for _, omits := range []bool{false, true} {
		var text string
		err := tt.InTurn(5*time.Second, func(ctx context.Context) error {
			list, err := tt.Aria(ctx, "", snapshot.AriaOptions{OmitHidden: omits})
			text = list.Text()
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for word, hidden := range map[string]bool{
			"order": true, "white": true, "deep": true, "Veiled": true, "Head": false, "Shown": false, "Press": false, "Inner": false, "Go": false,
		} {
			if shown := strings.Contains(text, word); shown != !(omits && hidden) {
				t.Errorf("omitted: %v, %q is shown: %v\n%s", omits, word, shown, text)
			}
		}
	}
}

// However many texts are hidden, all are left out. So is what is in a hidden iframe.
func TestAriaWithoutManyHiddenTexts(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tab.Run[any](tt, `document.body.innerHTML = '<p style="opacity: 0">' + 'order<br>'.repeat(5100) + '</p>'
		+ '<iframe style="opacity: 0" srcdoc="<p>Veiled"></iframe>'; undefined`)
	if list, want := ariaWithoutHidden(tt), 5101; list.Unseen.Texts != want {
		t.Errorf("%d texts were left out, want %d", list.Unseen.Texts, want)
	}
}

// A text of ::before or ::after that a person cannot see is left out.
func TestAriaWithoutHiddenPseudoText(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tab.Run[any](tt, `document.body.innerHTML = '<style>.hid::before, .hid2::after { content: "order"; opacity: 0; display: inline-block }'
		+ '.see::before { content: "Before" }</style><p class=hid>One</p><h1 class=hid2>Two</h1><p class=see>Three</p>'; undefined`)
	text := ariaWithoutHidden(tt).Text()
	for _, word := range []string{"One", "Two", "Three", "Before"} {
		if !strings.Contains(text, word) {
			t.Errorf("%s is left out:\n%s", word, text)
		}
	}
	if strings.Contains(text, "order") {
		t.Error(text)
	}
}

// ariaWithoutHidden returns the aria list of a page without the text that a person cannot see.
func ariaWithoutHidden(tt *tab.Tab) (list snapshot.AriaList) {
	tt.Helper()
	if err := tt.InTurn(20*time.Second, func(ctx context.Context) (err error) {
		list, err = tt.Aria(ctx, "", snapshot.AriaOptions{OmitHidden: true})
		return err
	}); err != nil {
		tt.Fatal(err)
	}
	return list
}

// Chromium would be busy for minutes with the tree of a huge page, and the reply would have hundreds of megabytes.
func TestAriaOfHugePage(t *testing.T) {
	for what, script := range map[string]string{
		"elements":         "document.body.innerHTML = '<b></b>'.repeat(1e5)",
		"texts":            "document.body.innerHTML = 'a<br>'.repeat(4e4)",
		"shadow trees":     "for (let i = 0; i < 20; i++) document.body.appendChild(document.createElement('p')).attachShadow({ mode: 'open' }).innerHTML = '<b></b>'.repeat(3e3)",
		"bytes, few nodes": "document.body.innerHTML = ('<button aria-label=' + 'x'.repeat(1e6) + '></button>').repeat(60)",
	} {
		t.Run(what, func(t *testing.T) {
			tt := tab.Borrow(t, "/frame.html")
			tab.Run[any](tt, script+"; undefined")
			err := tt.InTurn(60*time.Second, func(ctx context.Context) error {
				_, err := tt.Aria(ctx, "", snapshot.AriaOptions{})
				return err
			})
			if _, huge := errors.AsType[*page.HugeTreeError](err); !huge {
				t.Errorf("got %v, want a HugeTreeError", err)
			}
		})
	}
}

// Scripts cut texts, also in the middle of an emoji.
func TestAriaOfHalfAnEmoji(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tab.Run[any](tt, `document.body.innerHTML = '<button>x</button>'; document.querySelector('button').ariaLabel = 'cut \ud83d'; undefined`)
	if err := tt.InTurn(20*time.Second, func(ctx context.Context) error {
		list, err := tt.Aria(ctx, "", snapshot.AriaOptions{})
		if !strings.Contains(list.Text(), `button "cut`) {
			t.Errorf("got %s", list.Text())
		}
		return err
	}); err != nil {
		t.Error(err)
	}
}

// A ref of an earlier aria snapshot goes on to mean its node, whoever has taken another one since.
func TestAriaRefsAreNotReused(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tab.Run[any](tt, `document.body.innerHTML = '<button id=b>Cancel</button>'; window.last = ''; onclick = e => window.last = e.target.textContent; undefined`)
	ref := axRef(tt, "button", "Cancel", 0)
	tab.Run[any](tt, `document.body.insertAdjacentHTML('afterbegin', '<button>Delete</button>'); undefined`)
	if other := axRef(tt, "button", "Delete", 0); other == ref {
		t.Errorf("both buttons are %s", ref)
	}
	if err := tt.OnRef(ref, tab.Click); err != nil || tab.Run[string](tt, "last") != "Cancel" {
		t.Errorf("%s has clicked %q, %v", ref, tab.Run[string](tt, "last"), err)
	}
}

// When a list shows other items in the same elements, a ref of an aria snapshot goes with its item, or is stale. Other
// readings before or after that snapshot make no difference.
func TestAriaRefsGoWithTheirItems(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	const remove, read = "items.shift(); draw(); undefined", "read"
	for _, s := range []struct {
		name          string
		before, after []string
		want          string // what the second button of the snapshot deletes
	}{
		{"removed", nil, []string{remove}, "B"},
		{"read since", nil, []string{remove, read}, "B"},
		{"removed and read twice", nil, []string{remove, read, "items.unshift('Z', 'A'); draw(); undefined", read}, "B"},
		{"removed since another reading", []string{read, remove}, nil, "C"},
		{"itself removed", nil, []string{"items.splice(1, 1); draw(); undefined"}, ""},
		{"itself removed, and read since", nil, []string{"items.splice(1, 1); draw(); undefined", read}, ""},
	} {
		t.Run(s.name, func(t *testing.T) {
			do := func(steps []string) {
				for _, step := range steps {
					if step == read {
						tt.Text()
					} else {
						tab.Run[any](tt, step)
					}
				}
			}
			tab.Run[any](tt, `document.body.innerHTML = '<ul></ul>'; window.items = ['A', 'B', 'C', 'D']; window.last = '';
				window.draw = () => {
					const ul = document.querySelector('ul');
					while (ul.children.length > items.length) ul.lastChild.remove();
					while (ul.children.length < items.length) ul.insertAdjacentHTML('beforeend', '<li><span></span> <button>Delete</button></li>');
					[...ul.children].forEach((li, i) => { li.firstChild.textContent = 'Name ' + items[i]; li.lastChild.onclick = () => last = items[i]; });
				};
				draw(); undefined`)
			do(s.before)
			ref := axRef(tt, "button", "Delete", 1)
			do(s.after)
			err := tt.OnRef(ref, tab.Click)
			if got := tab.Run[string](tt, "last"); got != s.want || (err == nil) != (s.want != "") {
				t.Errorf("%s has clicked %q, %v; want %q", ref, got, err, s.want)
			}
		})
	}
}

// The first reading of a page may be an aria snapshot. The ref of a node in an iframe then means no
// element of the main frame.
func TestAriaRefsInFramesWithoutNumber(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	tab.Run[any](tt, `new Promise(loaded => {
		document.body.innerHTML = '<button>One</button><button>Two</button><iframe></iframe>';
		document.querySelector('iframe').onload = loaded;
		document.querySelector('iframe').srcdoc = '<section aria-label=Sum><h1>Total</h1></section>';
	}).then(() => 0)`)
	found, err := assert(tt, time.Second, page.Assertion{Ref: axRef(tt, "region", "Sum", 0), Text: "Total", Count: new(0)})
	if err != nil || found.Holds {
		t.Errorf("got %+v, %v", found, err)
	}
}
