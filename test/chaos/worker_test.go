package chaos

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"chela/test/service"
)

// A worker uses one tab, and checks the effects of everything that it does there.
type worker struct {
	*testing.T
	service *service.Service
	site    *site
	rand    *rand.Rand
	page    string // name of the worker's page
	tab     string
	profile string // profile of the browser; "": the default one
	alone   bool   // the worker has a session of its own, so that every second call need not name the tab

	honest []string // failures that calls may have

	done, failed int
}

func (w *worker) open() {
	a, err := w.service.Try(w.Context(), "POST /tabs/open", w.about(args{"url": w.site.page(w.page)}))
	if err != nil || a.Status != http.StatusOK {
		w.Errorf("%s cannot be opened: %v %s", w.page, err, a.Raw)
	}
	w.tab = a.Text("tabId")
}

// about adds the worker's browser to the fields of a request.
func (w *worker) about(fields args) args {
	if w.profile != "" {
		fields["profile"] = w.profile
	}
	if w.alone {
		fields["timeoutMs"] = 50000 // on a small machine, several browsers may need this much time, and each call must succeed
	}
	return fields
}

// answerLimit is how long an answer may take at most, whatever dies. It allows for the longest call,
// and a start of the browser.
const answerLimit = 60 * time.Second

// call sends a request and returns its answer. A failure must say what happened.
func (w *worker) call(request string, fields args) (a service.Answer, ok bool) {
	fields = w.about(fields)
	if !w.alone || w.rand.IntN(2) == 0 {
		fields["targetId"] = w.tab
	}
	if strings.HasPrefix(request, "GET ") {
		query := url.Values{}
		for name, value := range fields {
			query.Set(name, fmt.Sprint(value))
		}
		request, fields = request+"?"+query.Encode(), nil
	}
	ctx, cancel := context.WithTimeout(w.Context(), answerLimit)
	defer cancel()
	a, err := w.service.Try(ctx, request, fields)
	w.done++
	switch {
	case err != nil:
		w.Errorf("%s %v on %s was not answered: %v", request, fields, w.page, err)
	case a.Status != http.StatusOK && !slices.Contains(w.honest, a.Text("code")):
		w.Errorf("%s %v on %s: %d %s", request, fields, w.page, a.Status, a.Raw)
	}
	if a.Status != http.StatusOK {
		w.failed++
	}
	return a, a.Status == http.StatusOK
}

// The errors that a call may have. The page may have replaced the elements by new ones between the
// snapshot and the act. Where things die, calls may have other errors.
var (
	peaceful = []string{"stale_ref"}
	deadly   = []string{"stale_ref", "unknown_ref", "BROWSER_LOST", "tab_crashed", "page_failed", "deadline", "page_busy"}
)

// step does one thing and checks the result.
func (w *worker) step() {
	switch w.rand.IntN(8) {
	case 0, 1, 2:
		w.click()
	case 3:
		w.typing()
	case 4:
		w.batch()
	case 5:
		if a, ok := w.call("POST /find", args{"text": "Button 3."}); ok && !strings.Contains(a.Text("matches.0.line"), "Button 3.") {
			w.Errorf("found %s", a.Raw)
		}
	case 6:
		if a, ok := w.call("POST /act", args{"kind": "evaluate", "fn": "document.querySelector('h1').textContent"}); ok && a.Text("result") != "Page "+w.page {
			w.Errorf("%s is asked, and %s answers", w.page, a.Raw)
		}
	case 7:
		if a, ok := w.call("POST /navigate", args{"url": w.site.page(w.page)}); ok && a.Text("url") != w.site.page(w.page) {
			w.Errorf("went to %s", a.Raw)
		}
	}
}

// ref is the ref of the element on the snapshot's line with these words.
func (w *worker) ref(words string) string {
	a, ok := w.call("GET /snapshot", args{})
	if !ok || a.Text("blockedByDialog") != "" {
		return ""
	}
	text := a.Text("snapshot")
	if !strings.Contains(text, "Page "+w.page) {
		w.Errorf("%s is read, and this comes: %s", w.page, text)
	}
	_, after, _ := strings.Cut(text, words)
	_, after, _ = strings.Cut(after, "[ref=")
	ref, _, _ := strings.Cut(after, "]")
	return ref
}

// act does an act that must have exactly these effects. If the call succeeds, the act was done
// once, otherwise at most once. The page moves its buttons all the time: an answer may say that a
// button got the press, but no click.
func (w *worker) act(fields args, does ...string) {
	w.site.taken(w.page)
	a, ok := w.call("POST /act", fields)
	ok = ok && !failedInBatch(a) && !strings.Contains(a.Raw, "got the press, but no click")
	told := w.site.taken(w.page)
	switch {
	case ok && !slices.Equal(told, does):
		w.Errorf("%v on %s is ok, and did %q: %s", fields, w.page, told, a.Raw)
	case !ok && len(told) > 0 && !slices.Equal(told, does[:min(len(told), len(does))]):
		w.Errorf("%v on %s failed, and did %q: %s", fields, w.page, told, a.Raw)
	}
}

// failedInBatch reports whether an act of a batch has failed. The batch itself is answered with the
// outcome of each act.
func failedInBatch(a service.Answer) bool {
	for i := range a.Count("results") {
		if a.Get(fmt.Sprintf("results.%d.ok", i)) == false {
			return true
		}
	}
	return false
}

func (w *worker) click() {
	i := w.rand.IntN(buttons)
	if ref := w.ref(fmt.Sprintf("Button %d.", i)); ref != "" {
		w.act(args{"kind": "click", "ref": ref}, fmt.Sprintf("clicked %d", i))
	}
}

func (w *worker) typing() {
	text := fmt.Sprintf("text %d", w.rand.IntN(1e6))
	if ref := w.ref("Name"); ref != "" {
		w.act(args{"kind": "type", "ref": ref, "text": text}, "typed "+text)
	}
}

func (w *worker) batch() {
	if ref := w.ref("Name"); ref != "" {
		w.act(args{"kind": "batch", "actions": []args{
			{"kind": "type", "ref": ref, "text": "one"}, {"kind": "hover", "ref": ref}, {"kind": "type", "ref": ref, "text": "two"},
		}}, "typed one", "typed two")
	}
}
