package extension

import (
	"encoding/json"
	"testing"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"chela/internal/engine/cdp"
)

// nextShared returns the next report about a shared tab.
func nextShared(t *testing.T, conn *cdp.Conn) (s cdp.SharedTab) {
	t.Helper()
	json.Unmarshal(next(t, conn.Root(), cdp.TabShared.Method), &s)
	return s
}

func TestTabsHaveSessions(t *testing.T) {
	r, key, url := newRelay(t)
	known := tab(1, "http://a/")
	known.Name, known.Handle, known.Label, known.Opened = "alpha", "t7", "shop", true
	w := join(t, url, key, 1, hello{Tabs: []Tab{known}})
	conn := drive(t, r)
	if got, want := nextShared(t, conn), (cdp.SharedTab{TargetID: "T1", Session: "alpha", Handle: "t7", Label: "shop", Opened: true}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	attachedTab(t, conn)
	known.Name = "beta"
	w.change(map[string]any{"tab": known})
	if got := nextShared(t, conn); got.Session != "beta" {
		t.Errorf("moved: %+v", got)
	}
	call(t, conn.Root(), cdp.KeepTab, cdp.SharedTab{TargetID: "T1", Session: "gamma", Handle: "t8", Label: "x"})
	if kept := w.command("keep", 1); kept.Name != "gamma" || kept.Handle != "t8" || kept.Label != "x" {
		t.Errorf("kept %+v", kept)
	}
	cdp.Send(conn.Root(), cdp.ReturnTab, cdp.SharedTab{TargetID: "T1"})
	w.command("unshare", 1)
}

func TestTabIsOpenedForASession(t *testing.T) {
	r, key, url := newRelay(t)
	w := join(t, url, key, 1, hello{})
	conn := drive(t, r)
	type params struct {
		URL     string `json:"url"`
		Session string `json:"chelaSession"`
	}
	reply := cdp.Send(conn.Root(), proto.Command[params, target.CreateTargetResult]{Method: "Target.createTarget"}, params{"about:blank", "alpha"})
	f := w.command("open", 0)
	if f.Name != "alpha" || f.URL != "about:blank" {
		t.Errorf("asked for %+v", f)
	}
	w.reply(f, map[string]any{"tab": tab(1, "about:blank")})
	if opened, err := reply.Wait(soon(t)); err != nil || opened.TargetID != "T1" {
		t.Errorf("opened %+v, %v", opened, err)
	}
}

func TestStopIsReported(t *testing.T) {
	r, key, url := newRelay(t)
	w := join(t, url, key, 1, hello{Stopped: true})
	conn := drive(t, r)
	for _, want := range []bool{true, false} {
		var got cdp.Stopping
		if json.Unmarshal(next(t, conn.Root(), cdp.PersonStopped.Method), &got); got.Stopped != want {
			t.Errorf("got %+v, want %v", got, want)
		}
		w.change(map[string]any{"stopped": false})
	}
}

// A flash is answered at once. While the extension shows one, others are dropped.
func TestFlashesAreDropped(t *testing.T) {
	r, key, url := newRelay(t)
	w := join(t, url, key, 1, hello{Tabs: []Tab{tab(1, "http://a/")}})
	s := attachedTab(t, drive(t, r))
	cdp.Send(s, page.Enable, page.EnableParams{})
	w.reply(w.command("attach", 1), nil)
	w.reply(w.command("Page.enable", 1), nil)
	call(t, s, cdp.Flash, cdp.FlashParams{X: 1, Width: 2})
	call(t, s, cdp.Flash, cdp.FlashParams{X: 2, Width: 2})
	first := w.command("flash", 1)
	cdp.Send(s, page.Enable, page.EnableParams{})
	w.reply(w.command("Page.enable", 1), nil) // this command comes next, so the second flash was dropped
	w.reply(first, nil)
	w.event(1, "", "Page.loadEventFired", map[string]any{"timestamp": 1})
	next(t, s, "Page.loadEventFired") // the reply to the flash was handled before this event
	call(t, s, cdp.Flash, cdp.FlashParams{X: 3, Width: 2})
	w.command("flash", 1)
}
