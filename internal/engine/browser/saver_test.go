package browser

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/target"

	"chela/internal/base/media"
	"chela/internal/base/sitedata"
	"chela/internal/engine/frame"
	"chela/internal/engine/page"
	"chela/internal/engine/setting"
)

// saving returns a browser with the tabs that listed makes. Its memory is written by the function
// write.
func saving(words string, write func(Memory) error) *Browser {
	b := &Browser{changed: make(chan struct{}), closing: map[string]bool{}, saver: saver{write: write}, conn: endedConn(), settings: newSettings()}
	b.BrowserContext.browser, b.kept.late, b.tabs.kept = b, func() {}, &b.kept
	for _, t := range listed(words).list {
		t.browser, t.context = b, &b.BrowserContext
		t.page = page.Gone(t.page.ID, t.url, page.Callbacks{Changed: b.kept.raise})
		b.tabs.list = append(b.tabs.list, t)
	}
	return b
}

// keep writes the memory of a browser, even if nothing has changed.
func keep(b *Browser) {
	b.kept.raise()
	b.saver.save(b)
}

// The memory of a browser is written when it has changed, and again if writing has failed. Nothing
// is written after the browser was closed or its memory was taken.
func TestSaver(t *testing.T) {
	written, failure := 0, error(nil)
	b := saving("t1=A@http://one/", func(Memory) error { written++; return failure })
	save := func(what string, want int) {
		t.Helper()
		written = 0
		if b.saver.save(b); written != want {
			t.Errorf("%s: written %d times, want %d", what, written, want)
		}
	}
	change := func() { b.tabs.list[0].SetLabel("mine") }
	keep(b)
	save("no change yet", 0)
	change()
	save("a label", 1)
	save("no change", 0)
	failure = errors.New("the disk is full")
	change()
	save("a change that cannot be written", 1)
	save("nothing more", 1)
	failure = nil
	save("there is room again", 1)
	save("nothing more", 0)
	b.saver.write = func(Memory) error { written++; change(); return nil }
	change()
	save("a change during another", 1)
	save("that change", 1)
	b.closed = true
	save("a change of a browser that was closed", 0)
	b.closed = false
	b.saver.stop()
	save("a change after its memory was taken", 0)
}

// A memory that is read while a browser restores the last one is whole: it has nothing yet, or all.
func TestSaveDuringARestore(t *testing.T) {
	var m Memory
	for i := range maxIsolated {
		m.Isolated = append(m.Isolated, fmt.Sprint(i))
	}
	b := saving("", nil)
	restored := make(chan struct{})
	go func() {
		defer close(restored)
		b.restore(m)
	}()
	for read := 0; read < maxIsolated; {
		if read = len(b.memory().Isolated); read != 0 && read != maxIsolated {
			t.Errorf("%d of %d isolated sessions would be written", read, maxIsolated)
			break
		}
	}
	<-restored
}

// Changes that no call has made are also written.
func TestLateSave(t *testing.T) {
	writes := make(chan struct{}, 10)
	b := saving("", func(Memory) error { writes <- struct{}{}; return nil })
	b.kept.late = func() { b.saver.save(b) }
	for range 5 {
		b.kept.raise()
	}
	<-writes
	if len(writes) > 0 {
		t.Error("each change is written alone")
	}
}

// Each change of what is kept raises the generation. A new field of a Memory needs a row here.
func TestGeneration(t *testing.T) {
	fields := map[string]bool{}
	for _, of := range []reflect.Type{reflect.TypeFor[Memory](), reflect.TypeFor[SavedTab]()} {
		for i := range of.NumField() {
			fields[strings.Split(of.Field(i).Tag.Get("json"), ",")[0]] = true
		}
	}
	delete(fields, "-")
	for _, s := range []struct {
		fields string
		change func(b *Browser, tab *Tab)
	}{
		{"tabs lastTab id targetId url owner unowned isolated", func(b *Browser, tab *Tab) {
			fresh := newTab(b, page.Gone("B", "http://two/", page.Callbacks{}))
			fresh.context, fresh.unowned = &BrowserContext{browser: b, isolated: "a"}, true
			b.tabs.add("a", fresh)
		}},
		{"tabs", func(b *Browser, tab *Tab) { b.tabs.remove(tab) }},
		{"tabs", func(b *Browser, tab *Tab) { b.tabs.front(b.tabs.list[1]) }},
		{"tabs", func(b *Browser, tab *Tab) { b.noteClosingLocked(tab, "A") }},
		{"url", func(b *Browser, tab *Tab) { tab.page.MovedTo("http://two/") }},
		{"refs", func(b *Browser, tab *Tab) { tab.page.ContinueRefs(frame.UsedRefs{Numbers: 1}) }},
		{"title", func(b *Browser, tab *Tab) { b.onInfoChanged(&target.Info{TargetID: "A", URL: tab.url, Title: "New"}) }},
		{"label", func(b *Browser, tab *Tab) { tab.SetLabel("mine") }},
		{"lease", func(b *Browser, tab *Tab) { b.Session("a").Lease(tab, time.Hour) }},
		{"person personFrom", func(b *Browser, tab *Tab) {
			tab.control = new(page.Control)
			tab.TakeOver(page.TakeOver{By: "test", Until: time.Now().Add(time.Hour)})
		}},
		{"person givenBack", func(b *Browser, tab *Tab) {
			tab.control = new(page.Control)
			tab.TakeOver(page.TakeOver{By: "test", Until: time.Now().Add(time.Hour)})
			keep(b)
			tab.GiveBack("", "done")
		}},
		{"givenBack", func(b *Browser, tab *Tab) {
			tab.control, tab.last = new(page.Control), &GiveBack{At: time.Now()}
			keep(b)
			b.Session("a").Hear(tab)
		}},
		{"viewport", func(b *Browser, tab *Tab) { tab.setViewport(viewport(8, 6)) }},
		{"lost", func(b *Browser, tab *Tab) { b.addLost([]string{"a cookie"}) }},
		{"downloads", func(b *Browser, tab *Tab) {
			b.downloads.files = new(media.Roots)
			b.addDownload(&Download{Tab: tab, done: make(chan struct{})})
		}},
		{"former targetId", func(b *Browser, tab *Tab) {
			tab.takeOver(newTab(b, page.Gone("B", tab.url, page.Callbacks{})), tab.url, nil)
		}},
		{"lost", func(b *Browser, tab *Tab) {
			tab.lost, tab.recovered = []string{"a cookie"}, true
			keep(b)
			tab.TakeRecovery()
		}},
		{"currents used", func(b *Browser, tab *Tab) { b.tabs.use("", tab) }},
		{"currents", func(b *Browser, tab *Tab) { b.tabs.use("", tab); keep(b); b.Session("").leave(tab) }},
		{"owner", func(b *Browser, tab *Tab) {
			tab.owner = "a"
			b.Session("b").Lease(tab, time.Hour)
			keep(b)
			b.Session("a").forget()
		}},
		{"isolated", func(b *Browser, tab *Tab) { b.isolateLocked("a") }},
		{"cookies", func(b *Browser, tab *Tab) { b.receiveCookies([]*network.Cookie{{Name: "n"}}, nil) }},
		{"grants", func(b *Browser, tab *Tab) { b.keepGrant("http://one", []string{"geolocation"}) }},
		{"origins", func(b *Browser, tab *Tab) { b.AddOrigin("http://one") }},
		{"settings", func(b *Browser, tab *Tab) { b.sendOthers(setting.Common{Offline: true}) }},
		{"tabs swept", func(b *Browser, tab *Tab) {
			tab.owner = "a"
			b.sweeping.limits = func() Cleanup { return Cleanup{Idle: time.Minute} }
			b.sweepLocked()
		}},
		{"pending", func(b *Browser, tab *Tab) { b.giveSessions(t.Context(), loaded("http://one", 1), &Loaded{}) }},
		{"unkept", func(b *Browser, tab *Tab) {
			b.giveSessions(t.Context(), loaded("http://one", maxPendingKept), &Loaded{})
		}},
		{"pending", func(b *Browser, tab *Tab) {
			b.pending = pendingSessions{"http://one": {{{Name: "n"}}}}
			keep(b)
			b.DropPendingSession("http://one")
		}},
	} {
		var before, after Memory
		b := saving("t1=A@http://one/ t2=Z@http://three/", nil)
		b.saver.write = func(m Memory) error { before = m; return nil }
		keep(b)
		s.change(b, b.tabs.byID("t1"))
		b.endBackground()
		b.saver.write = func(m Memory) error { after = m; return nil }
		b.saver.save(b)
		was, is := fieldsOf(before), fieldsOf(after)
		for field := range strings.FieldsSeq(s.fields) {
			if was[field] == is[field] {
				t.Errorf("%s: written was %s, and then %s", field, was[field], is[field])
			}
			delete(fields, field)
		}
	}
	if len(fields) > 0 {
		t.Errorf("nothing changes %q", slices.Sorted(maps.Keys(fields)))
	}
}

// fieldsOf returns the fields of a memory and of all its tabs, as they are written.
func fieldsOf(m Memory) map[string]string {
	fields := map[string]string{}
	add := func(of any) {
		raw, _ := json.Marshal(of)
		var each map[string]json.RawMessage
		json.Unmarshal(raw, &each)
		for name, value := range each {
			fields[name] += string(value) + " "
		}
	}
	add(m)
	for _, t := range m.Tabs {
		add(t)
	}
	return fields
}

// loaded returns sessionStorage of an origin, with a value of this size.
func loaded(origin string, size int) []sitedata.Session {
	return []sitedata.Session{{Origin: origin, Items: []sitedata.StorageItem{{Name: "n", Value: strings.Repeat("v", size)}}}}
}
