package setting

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
)

// A route is saved with the number of its remaining uses, and without a large body.
func TestRouteAsJSON(t *testing.T) {
	value := "1"
	used := func(times, used int) *Route {
		r := &Route{Rule: Rule{ID: "route1", URL: "**", Times: times}}
		for range used {
			r.take()
		}
		return r
	}
	large := strings.Repeat("x", keptBody+1)
	for _, s := range []struct {
		name  string
		route *Route
		want  string // JSON of the route that is read
		whole bool
	}{
		{"unbounded", used(0, 5), `{"id":"route1","url":"**"}`, true},
		{"used once of three times", used(3, 1), `{"id":"route1","url":"**","times":2}`, true},
		{"used up", used(2, 3), `{"id":"route1","url":"**","times":-1}`, true},
		{"all that there is", &Route{Rule: Rule{
			ID: "route2", Types: []string{"image"}, Abort: "failed", Headers: map[string]*string{"a": &value, "b": nil}, Delay: time.Second,
			Fulfill: &Fulfillment{Status: 200, Headers: map[string]string{"c": "d"}, Body: []byte("x"), Size: 1},
		}}, `{"id":"route2","types":["image"],"abort":"failed","fulfill":{"status":200,"headers":{"c":"d"},"body":"eA==","size":1},"headers":{"a":"1","b":null},"delay":1000000000}`, true},
		{"a large body", &Route{Rule: Rule{ID: "route3", Fulfill: &Fulfillment{Status: 200, Body: []byte(large), Size: len(large)}}},
			`{"id":"route3","fulfill":{"status":200,"size":32769}}`, false},
	} {
		raw, err := json.Marshal(s.route)
		if err != nil || string(raw) != s.want {
			t.Errorf("%s: %v, %s, want %s", s.name, err, raw, s.want)
		}
		var read Route
		if err := json.Unmarshal(raw, &read); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
		if read.Whole() != s.whole || read.Spent() != s.route.Spent() {
			t.Errorf("%s: read as whole %v, spent %v", s.name, read.Whole(), read.Spent())
		}
		if again, _ := json.Marshal(&read); string(again) != s.want {
			t.Errorf("%s: written again as %s, want %s", s.name, again, s.want)
		}
	}
}

// A route whose body was not saved is left out of restored settings, and named as lost.
func TestRestoredRoutes(t *testing.T) {
	whole := &Route{Rule: Rule{ID: "route1", Fulfill: &Fulfillment{Body: []byte("x"), Size: 1}}}
	c, lost := Common{Routes: []*Route{whole, {Rule: Rule{ID: "route2", Fulfill: &Fulfillment{Size: 2}}}}}.Restored()
	if len(c.Routes) != 1 || c.Routes[0] != whole || !slices.Equal(lost, []string{"route route2"}) {
		t.Errorf("restored %v, lost %q", c.Routes, lost)
	}
}
