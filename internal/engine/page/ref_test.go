package page_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"chela/internal/engine/frame"
	"chela/internal/engine/page"
	"chela/test/pages"
	"chela/test/tab"
)

func TestParseRef(t *testing.T) {
	for _, s := range []struct {
		text, want string
	}{
		{"e12", "e12"}, {"12", "e12"}, {"@e12", "e12"}, {"ref=e12", "e12"}, {"f2e5", "f2e5"}, {"ax7", "ax7"}, {" e1 ", "e1"},
		{"e0", ""}, {"e", ""}, {"f2", ""}, {"e-1", ""}, {"e+1", ""}, {"x1", ""}, {"", ""}, {"e1.5", ""},
	} {
		r, ok := page.ParseRef(s.text)
		if got := r.String(); ok != (s.want != "") || ok && got != s.want {
			t.Errorf("%q: got %s, %v, want %q", s.text, got, ok, s.want)
		}
	}
}

func TestRefs(t *testing.T) {
	gone := func(err error, why page.Fate) bool {
		e, ok := errors.AsType[*page.StaleRefError](err)
		return ok && e.Why == why
	}
	t.Run("stay while the element does", func(t *testing.T) {
		tt := tab.Open(t, "/rerender.html")
		ref := tt.Ref(`Kept > button "Beta"`)
		if err := tt.On(`"Reverse"`, tab.Click); err != nil {
			t.Fatal(err)
		}
		if err := tt.OnRef(ref, tab.Click); err != nil || tt.Last() != "kept Beta" {
			t.Errorf("got %v, page told %q", err, tt.Logged())
		}
	})
	t.Run("go over to the element that stands for it", func(t *testing.T) {
		tt := tab.Open(t, "/rerender.html")
		ref := tt.Ref(`Made anew > button "Beta"`)
		if err := tt.On(`"Reverse"`, tab.Click); err != nil {
			t.Fatal(err)
		}
		if err := tt.OnRef(ref, tab.Click); err != nil || tt.Last() != "replaced Beta" {
			t.Errorf("got %v, page told %q", err, tt.Logged())
		}
	})
	t.Run("are not given to one of two alike", func(t *testing.T) {
		tt := tab.Open(t, "/rerender.html")
		tt.Write(`<ul><li>One <button>×</button></ul>`)
		ref := tt.Ref(`button "×"`)
		tt.Write(`<ul><li>One <button>×</button><li>One <button>×</button></ul>`)
		err := tt.OnRef(ref, tab.Click)
		e, stale := errors.AsType[*page.StaleRefError](err)
		if !stale || len(e.Candidates) != 2 {
			t.Fatalf("got %v", err)
		}
		for _, each := range e.Candidates {
			if err := tt.OnRef(each.String(), tab.Click); err != nil {
				t.Errorf("%s: %v", each, err)
			}
		}
	})
	t.Run("are not given to one among other words", func(t *testing.T) {
		tt := tab.Open(t, "/rerender.html")
		tt.Write(`<p>Ann</p><button onclick="log('deleted')">Delete</button>`)
		ref := tt.Ref(`button "Delete"`)
		tt.Write(`<p>Bob</p><button onclick="log('deleted')">Delete</button>`)
		err := tt.OnRef(ref, tab.Click)
		e, stale := errors.AsType[*page.StaleRefError](err)
		if !stale || len(e.Candidates) != 1 || !e.Moved || tt.Logged() != "" {
			t.Fatalf("got %v, page told %q", err, tt.Logged())
		}
		if err := tt.OnRef(e.Candidates[0].String(), tab.Click); err != nil || tt.Last() != "deleted" {
			t.Errorf("got %v, page told %q", err, tt.Logged())
		}
	})
	t.Run("go with the item", func(t *testing.T) {
		tt := tab.Open(t, pages.HTML(`<script src="log.js"></script><ul><li>Ann <button onclick="log('deleted')">Delete</button></ul><button onclick="document.querySelector('li').firstChild.data = 'Bob '">Next</button>`))
		ref := tt.Ref(`button "Delete"`)
		for _, reads := range []bool{false, true} {
			if err := tt.On(`"Next"`, tab.Click); err != nil {
				t.Fatal(err)
			}
			if reads {
				tt.Text()
			}
			if err := tt.OnRef(ref, tab.Click); !gone(err, page.ElementReused) || tt.Logged() != "" {
				t.Errorf("got %v, page told %q", err, tt.Logged())
			}
		}
	})
	t.Run("go with the element, for who wants that", func(t *testing.T) {
		tt := tab.Open(t, "/rerender.html")
		ref := tt.Ref(`Made anew > button "Beta"`)
		if err := tt.On(`"Reverse"`, tab.Click); err != nil {
			t.Fatal(err)
		}
		err := tt.InAct(func(ctx context.Context) error {
			el, err := tt.Element(ctx, ref)
			if err != nil {
				return err
			}
			return el.Click(frame.ElementRefs(ctx), page.Click{})
		})
		if !gone(err, page.ElementRemoved) || tt.Logged() != "" {
			t.Errorf("got %v, page told %q", err, tt.Logged())
		}
	})
	t.Run("go with the element", func(t *testing.T) {
		tt := tab.Open(t, "/rerender.html")
		ref := tt.Ref(`Made anew > button "Beta"`)
		if err := tt.On(`"Drop Beta"`, tab.Click); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		err := tt.OnRefFor(20*time.Second, ref, tab.Click)
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("answered after %v, not at once", took)
		}
		if !gone(err, page.ElementRemoved) || tt.Logged() != "" {
			t.Errorf("got %v, page told %q", err, tt.Logged())
		}
	})
	t.Run("go with the document", func(t *testing.T) {
		tt := tab.Open(t, "/rerender.html")
		ref := tt.Ref(`button "Beta"`)
		if err := tt.InTurn(5*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, tab.Site.URL+"/rerender.html") }); err != nil {
			t.Fatal(err)
		}
		tt.Text()
		err := tt.OnRef(ref, tab.Click)
		if !gone(err, page.DocumentReplaced) || tt.Logged() != "" {
			t.Errorf("got %v, page told %q", err, tt.Logged())
		}
	})
	t.Run("are not given again in a document that was not walked", func(t *testing.T) {
		tt := tab.Open(t, "/rerender.html")
		ref := tt.Ref(`button "Beta"`)
		if err := tt.InTurn(5*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, tab.Site.URL+"/rerender.html") }); err != nil {
			t.Fatal(err)
		}
		for _, selector := range []string{"button", "h1, h2, p", "body", "ul, ol", "li"} { // each match gets a number
			tt.BySelector(selector)
		}
		err := tt.OnRef(ref, tab.Click)
		if !gone(err, page.DocumentReplaced) && !gone(err, page.ElementRemoved) || tt.Logged() != "" {
			t.Errorf("%s: got %v, page told %q", ref, err, tt.Logged())
		}
	})
	t.Run("that were never given", func(t *testing.T) {
		tt := tab.Open(t, "/rerender.html")
		tt.Text()
		for _, ref := range []string{"e9999", "f9e1", "ax1", "Beta"} {
			err := tt.OnRef(ref, tab.Click)
			if e, ok := errors.AsType[*page.UnknownRefError](err); !ok || e.Ref != ref {
				t.Errorf("%s: got %v", ref, err)
			}
		}
	})
}
