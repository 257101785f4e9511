package route

import (
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"chela/internal/fleet/remote"
	"chela/internal/fleet/roster"
	"chela/internal/fleet/wire"
	"chela/internal/fleet/wire/wiretest"
	"chela/internal/op"
)

// A failed call is sent on to the node that has its profile, or can take it. If the call may have been
// done, it is not sent on.
func TestHeirs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		line := wiretest.New()
		known, err := roster.New(line, "default")
		if err != nil {
			t.Fatal(err)
		}
		defer known.Close()
		for _, s := range []wire.Status{
			{Name: "mac", Default: "work", Load: &wire.Load{Slots: 4}, Portable: []string{"work"}},
			{Name: "pc", Default: "chela", Load: &wire.Load{Slots: 4}, Portable: []string{"chela", "work"}},
			{Name: "tv", Default: "chela", Load: &wire.Load{Slots: 4}},
			{Name: "old", Default: "work", Portable: []string{"work"}, Draining: true},
		} {
			s.V, s.Beat, s.Healthy = wire.Version, 1, true
			line.Request(t.Context(), wire.Subjects{Tenant: "default"}.Beat(s.Name), wire.Encode(s), nil)
		}
		synctest.Wait()
		r := New(Options{Local: local{}, Fleet: &Fleet{Line: line, Roster: known}, Policy: func() Policy { return Policy{} }})
		elsewhere := func(node string) error {
			e := op.Errorf(op.Elsewhere, "profile work is on node %s", node)
			e.Details = map[string]any{"node": node}
			return e
		}
		for _, test := range []struct {
			name, node, args string
			err              error
			asked            []string
			want             string
		}{
			{"the node is gone, and its default profile can move", "mac", `{}`, remote.Lost("mac", "no"), []string{"mac"}, "pc"},
			{"a profile that cannot", "mac", `{"profile":"shop"}`, remote.Lost("mac", "no"), []string{"mac"}, ""},
			{"by another name of the profile", "mac", `{"profile":"openclaw"}`, remote.Lost("mac", "no"), []string{"mac"}, "pc"},
			{"a node that has never said anything", "gone", `{}`, remote.Lost("gone", "no"), []string{"gone", "mac"}, "pc"},
			{"it may have been done", "mac", `{}`, remote.Lost("mac", "unknown"), []string{"mac"}, ""},
			{"another node has it", "mac", `{}`, elsewhere("tv"), []string{"mac"}, "tv"},
			{"one that was asked has it", "mac", `{}`, elsewhere("pc"), []string{"mac", "pc"}, ""},
			{"one that is not there has it", "mac", `{}`, elsewhere("gone"), []string{"mac"}, ""},
			{"it has it itself, and was not asked", "gone", `{}`, elsewhere("gone"), nil, "gone"},
			{"all were asked", "mac", `{}`, remote.Lost("pc", "no"), []string{"mac", "pc"}, ""},
			{"another error", "mac", `{}`, errors.New("broken"), []string{"mac"}, ""},
		} {
			var args op.Args
			json.Unmarshal([]byte(test.args), &args)
			if got := r.heirAfter(t.Context(), test.err, test.node, r.profileOn(test.node, acting, args), test.asked); got != test.want {
				t.Errorf("%s: got %q, want %q", test.name, got, test.want)
			}
		}
	})
}

// A node is thought gone, and another one is asked. It answers that the first one has the profile, so
// the call goes there.
func TestNodeThatOnlySeemsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		line := wiretest.New()
		held := op.Errorf(op.Elsewhere, "profile work is on node mac")
		held.Details = map[string]any{"node": "mac"}
		subjects := wire.Subjects{Tenant: "default"}
		known, err := roster.New(line, "default")
		if err != nil {
			t.Fatal(err)
		}
		defer known.Close()
		beat := func(name string) {
			s := wire.Status{V: wire.Version, Name: name, Beat: 1, Healthy: true, Default: "work", Load: &wire.Load{Slots: 4}, Portable: []string{"work"}}
			line.Request(t.Context(), subjects.Beat(name), wire.Encode(s), nil)
		}
		for name, answer := range map[string]func(*wire.Reply){
			"mac": func(r *wire.Reply) { r.Payload = &wire.Payload{Result: json.RawMessage(`{"ok":true}`)} },
			"pc":  func(r *wire.Reply) { beat("mac"); r.Error = held },
		} {
			end, err := line.Subscribe(subjects.Call(name), func(message []byte, reply func([]byte) error) {
				var c wire.Call
				json.Unmarshal(message, &c)
				r := wire.Reply{V: wire.Version, ID: c.ID, Kind: wire.Answer}
				answer(&r)
				reply(wire.Encode(r))
			})
			if err != nil {
				t.Fatal(err)
			}
			defer end()
		}
		beat("mac")
		time.Sleep(2 * roster.Silence)
		beat("pc")
		synctest.Wait()
		r := New(Options{Local: local{}, Fleet: &Fleet{Line: line, Roster: known, Subjects: subjects}, Policy: func() Policy { return Policy{} }})
		raw, at, err := r.follow(t.Context(), acting, op.Args{}, "mac", meaning{})
		if err != nil || at != "mac" {
			t.Errorf("%s at %q, %v", raw, at, err)
		}
	})
}

// A call is sent on to another node only if the first node has not begun it.
func TestHasDoneNothing(t *testing.T) {
	for _, test := range []struct {
		err  error
		want bool
	}{
		{&remote.RefusedError{Why: wire.Draining}, true},
		{&remote.RefusedError{Why: wire.Busy}, false},
		{&remote.RefusedError{Why: wire.Wrong}, false},
		{remote.Lost("mac", "no"), true},
		{remote.Lost("mac", "unknown"), false},
		{remote.Lost("mac", "yes"), false},
	} {
		if got := hasDoneNothing(test.err); got != test.want {
			t.Errorf("%#v: %v", test.err, got)
		}
	}
}

// A call that names a node, and no tab there, means that node alone.
func TestMeantBy(t *testing.T) {
	for _, test := range []struct {
		target op.Target
		args   string
		want   meaning
	}{
		{op.Target{}, `{}`, meaning{}},
		{op.Target{Node: "mac"}, `{}`, meaning{byName: true}},
		{op.Target{Node: "mac"}, `{"targetId":"mac/t1"}`, meaning{byHandle: true}},
		{op.Target{}, `{"targetId":"mac/t1"}`, meaning{byHandle: true}},
	} {
		var args op.Args
		json.Unmarshal([]byte(test.args), &args)
		if got := meantBy(op.WithTarget(t.Context(), test.target), args); got != test.want {
			t.Errorf("%v %s: got %+v", test.target, test.args, got)
		}
	}
}
