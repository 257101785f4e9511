package page

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
)

// Each row is what happens in a page with two frames, and which of its requests are under way
// afterwards.
func TestRequestsUnderWay(t *testing.T) {
	for _, test := range []struct {
		name    string
		happens func(*requests)
		want    string
	}{
		{"nothing", func(*requests) {}, "child main next other"},
		{"one ends", func(r *requests) { r.end("main") }, "child next other"},
		{"one ends twice", func(r *requests) { r.end("main"); r.end("main") }, "child next other"},
		{"an unknown one ends", func(r *requests) { r.end("icon") }, "child main next other"},
		{"a redirect", func(r *requests) { r.add("main", sender{"root", "F", "L1"}, network.ResourceTypeFetch); r.end("main") }, "child next other"},
		{"the next document commits", func(r *requests) { r.forgetReplaced("F", "L2", "") }, "child next other"},
		{"another document commits before it", func(r *requests) { r.forgetReplaced("F", "L9", "L2") }, "child next other"},
		{"the same document again", func(r *requests) { r.forgetReplaced("F", "L1", "L2") }, "child main next other"},
		{"the next document never comes", func(r *requests) { r.forgetNavigation("F", "L2") }, "child main other"},
		{"a frame is removed", func(r *requests) { r.forgetFrame("G") }, "main next other"},
		{"a session ends", func(r *requests) { r.forgetSession("S") }, "child main next"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var r requests
			r.add("main", sender{"root", "F", "L1"}, network.ResourceTypeFetch)
			r.add("next", sender{"root", "F", "L2"}, network.ResourceTypeFetch)
			r.add("child", sender{"root", "G", "L3"}, network.ResourceTypeFetch)
			r.add("other", sender{"S", "H", "L4"}, network.ResourceTypeFetch)
			test.happens(&r)
			var open []string
			for _, id := range slices.Sorted(maps.Keys(r.open)) {
				open = append(open, string(id))
			}
			if got := strings.Join(open, " "); got != test.want {
				t.Errorf("under way are %q, want %q", got, test.want)
			}
		})
	}
}

func TestRequestsEndOnce(t *testing.T) {
	var r requests
	r.add("a", sender{}, network.ResourceTypeFetch)
	for i, want := range []bool{true, false} {
		if got := r.end("a"); got != want {
			t.Errorf("end %d: %v, want %v", i, got, want)
		}
	}
}

func TestFetchesWhoseBodyIsNotRead(t *testing.T) {
	began := time.Now()
	var r requests
	r.add("a", sender{}, network.ResourceTypeFetch)
	r.add("b", sender{}, network.ResourceTypeFetch)
	check := func(what string, after, want time.Duration) {
		t.Helper()
		if got := r.waitFor(began.Add(after)); got != want {
			t.Errorf("%s: wait %v, want %v", what, got, want)
		}
	}
	check("no answer", time.Minute, forever)
	if r.answer("a", began); !r.unanswered() {
		t.Error("b has no answer")
	}
	check("one answer", time.Minute, forever)
	r.answer("b", began.Add(time.Second))
	check("both answers", time.Second, bodyTime)
	check("a moment later", time.Second+bodyTime/2, bodyTime/2)
	check("long after", time.Minute, 0)
	if r.answer("unknown", began) || r.unanswered() {
		t.Error("an unknown request was answered")
	}
	r.add("script", sender{}, network.ResourceTypeScript)
	r.answer("script", began)
	check("what is no fetch", time.Minute, forever)
}

func TestAwaitedRequests(t *testing.T) {
	for _, test := range []struct {
		name   string
		kind   network.ResourceType
		loader string
		want   bool
	}{
		{"fetch", network.ResourceTypeFetch, "L", true},
		{"document", network.ResourceTypeDocument, "L", true},
		{"video", network.ResourceTypeMedia, "L", false},
		{"preflight", network.ResourceTypePreflight, "", false},
		{"script of a worker", network.ResourceTypeScript, "", false},
	} {
		ev := network.EventRequestWillBeSent{Type: test.kind, LoaderID: proto.LoaderID(test.loader)}
		if got := delaysQuiet(ev); got != test.want {
			t.Errorf("%s: awaited is %v, want %v", test.name, got, test.want)
		}
	}
}
