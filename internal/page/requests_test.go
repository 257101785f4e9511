package page

import (
	"maps"
	"slices"
	"strings"
	"testing"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
)

// Which of the requests of a page with two frames are under way after what happens.
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
		{"a redirect", func(r *requests) { r.sent("main", sender{"root", "F", "L1", false}); r.end("main") }, "child next other"},
		{"the next document commits", func(r *requests) { r.committed("F", "L2", "") }, "child next other"},
		{"another document commits before it", func(r *requests) { r.committed("F", "L9", "L2") }, "child next other"},
		{"the same document again", func(r *requests) { r.committed("F", "L1", "L2") }, "child main next other"},
		{"the next document never comes", func(r *requests) { r.abandoned("F", "L2") }, "child main other"},
		{"a frame is removed", func(r *requests) { r.forgetFrame("G") }, "main next other"},
		{"a session ends", func(r *requests) { r.forgetSession("S") }, "child main next"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var r requests
			r.sent("main", sender{"root", "F", "L1", false})
			r.sent("next", sender{"root", "F", "L2", false})
			r.sent("child", sender{"root", "G", "L3", false})
			r.sent("other", sender{"S", "H", "L4", false})
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

func TestRequestsThatEndedAreCounted(t *testing.T) {
	var r requests
	r.end("unknown")
	r.sent("a", sender{})
	r.end("a")
	r.end("a")
	r.sent("b", sender{frame: "F"})
	r.forgetFrame("F")
	r.end("b")
	if r.ended != 1 || len(r.open) != 0 {
		t.Errorf("%d ended, want 1; under way: %v", r.ended, r.open)
	}
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
		if got := awaited(ev); got != test.want {
			t.Errorf("%s: awaited is %v, want %v", test.name, got, test.want)
		}
	}
}
