package acts

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/test/pages"
	"chela/test/tab"
)

// A modal dialog takes the input from all controls outside of it. Scripts could still change them.
func TestControlsBehindAModalDialog(t *testing.T) {
	const html = `<select aria-label=Plan><option>Free<option>Pro</select><input type=date aria-label=Day><input type=range aria-label=Volume value=50><input aria-label=Name>
		<dialog aria-label=Sure><select aria-label=Size><option>S<option>L</select><input type=date aria-label=Due><button>No</button></dialog>
		<script>document.querySelector('dialog').showModal()</script>`
	const behind = `: covered by dialog "Sure"`
	for _, s := range []struct {
		name, line string
		do         func(context.Context, *page.Element) error
		fails      string
	}{
		{"select", `combobox "Plan"`, tab.Choosing("Pro"), behind},
		{"date", "Day", tab.Typing("2026-12-24"), behind},
		{"range", "Volume", tab.Typing("7"), behind},
		{"text", "Name", tab.Typing("Ada"), behind},
		{"click", `combobox "Plan"`, tab.Click, behind},
		{"select in the dialog", `combobox "Size"`, tab.Choosing("L"), ""},
		{"date in the dialog", "Due", tab.Typing("2026-12-24"), ""},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			tt := tab.Borrow(t, "/frame.html")
			tt.Write(html)
			before := values(tt)
			err := tt.On(s.line, s.do)
			if failed := err != nil; failed != (s.fails != "") || failed && !strings.Contains(err.Error(), s.fails) {
				t.Errorf("got %v, want %q", err, s.fails)
			}
			if changed := values(tt) != before; changed != (s.fails == "") {
				t.Errorf("changed: %v", changed)
			}
		})
	}
}

// A dialog that is not modal for Chromium may make the rest of the page inert. The error names it.
func TestControlsBehindADialogThatMakesThemInert(t *testing.T) {
	const behind = `: inert by dialog "Pick a day"`
	for name, do := range map[string]func(context.Context, *page.Element) error{
		"click": tab.Click, "text": tab.Typing("Ada"), "hover": func(ctx context.Context, el *page.Element) error { return el.Hover(ctx) },
		"focus": func(ctx context.Context, el *page.Element) error { return el.Focus(ctx) },
		"drag": func(ctx context.Context, el *page.Element) error {
			return el.Drag(ctx, page.DragEnd{By: &page.Point{X: 5}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt := tab.Open(t, pages.HTML(`<main inert><input aria-label=Name></main><div role=dialog aria-label="Days"></div>
				<div role=dialog aria-label="Pick a day"><button>Close</button></div>`))
			if err := tt.On(`"Name"`, do); err == nil || !strings.HasSuffix(err.Error(), behind) {
				t.Errorf("got %v, want %q", err, behind)
			}
		})
	}
}

// A popup may make the whole page ignore the mouse instead. What is in the popup, or is open without
// the mouse as well, is not in front.
func TestControlsBehindAPopupThatTakesTheMouse(t *testing.T) {
	const off = `<body style="pointer-events:none"><button>Next</button><label><input type=checkbox> Next day</label>`
	for name, s := range map[string]struct{ html, target, want string }{
		"a popup":            {off + `<div role=dialog aria-label=Days style="pointer-events:auto"><button>1</button></div>`, `button "Next"`, `: inert by dialog "Days"`},
		"a box behind it":    {off + `<div role=dialog aria-label=Days style="pointer-events:auto"><button>1</button></div>`, `checkbox "Next day"`, `: inert by dialog "Days"`},
		"a popup without it": {off + `<div role=dialog aria-label=Days><button>1</button></div>`, `button "Next"`, `: unclickable by html`},
		"a box of a page":    {off, `checkbox "Next day"`, `: unclickable by html`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt := tab.Open(t, pages.HTML(s.html))
			if err := tt.OnRefFor(2*time.Second, tt.Ref(s.target), tab.Click); err == nil || !strings.HasSuffix(err.Error(), s.want) {
				t.Errorf("got %v, want %q", err, s.want)
			}
		})
	}
}

// A part of the page that is inert by itself is behind nothing, whatever is open elsewhere.
func TestControlsInAnInertPart(t *testing.T) {
	for name, s := range map[string]struct{ html, want string }{
		"a slide, beside a banner":      {`<div><div inert><button>Next</button></div><div><button>Now</button></div></div><div role=dialog aria-label=Cookies><button>Accept</button></div>`, ": inert"},
		"a drawer, beside the page":     {`<nav inert><button>Next</button></nav><main>Text</main><div role=dialog aria-label=Cookies><button>Accept</button></div>`, ": inert"},
		"what is behind a modal dialog": {`<nav inert><button>Next</button></nav><p>News</p><div role=dialog aria-modal=true aria-label=Sure><button>Yes</button></div>`, `: inert by dialog "Sure"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt := tab.Open(t, pages.HTML(s.html))
			if err := tt.On(`"Next"`, tab.Click); err == nil || !strings.HasSuffix(err.Error(), s.want) {
				t.Errorf("got %v, want %q", err, s.want)
			}
		})
	}
}

func values(tt *tab.Tab) string {
	return tab.Run[string](tt, "[...document.querySelectorAll('input, select')].map(el => el.value).join()")
}

// Nor does such a control count as enabled.
func TestControlBehindAModalDialogIsNotEnabled(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tt.Write(`<input aria-label=Name><dialog aria-label=Sure><input aria-label=Reason></dialog><script>document.querySelector('dialog').showModal()</script>`)
	for line, enabled := range map[string]bool{"Name": false, "Reason": true} {
		a := page.Assertion{Ref: tt.Ref(line), Enabled: &enabled}
		ctx, cancel := context.WithTimeout(tt.Ctx, 2*time.Second)
		found, err := tt.Assert(ctx, a)
		cancel()
		if err != nil || !found.Holds {
			t.Errorf("%s: %+v, %v, want enabled: %v", line, found, err, enabled)
		}
	}
}

// No user could give files to a file input that is disabled.
func TestFilesForADisabledInput(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(file, []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	tt := tab.Borrow(t, "/frame.html")
	tt.Write(`<input type=file disabled aria-label=File>`)
	err := tt.On("File", func(ctx context.Context, el *page.Element) error { return el.SetFiles(ctx, []string{file}) })
	if err == nil || !strings.Contains(err.Error(), ": disabled") {
		t.Errorf("got %v", err)
	}
}
