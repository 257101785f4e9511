package route

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"chela/internal/fleet/roster"
	"chela/internal/fleet/wire"
	"chela/internal/fleet/wire/wiretest"
	"chela/internal/op"
)

// endingLocal is a machine on which sessions end.
type endingLocal struct{ local }

func (endingLocal) Run(context.Context, *op.Op, op.Args) (json.RawMessage, error) {
	return json.RawMessage(`{"closed":1}`), nil
}

// While the connection to NATS is down, a session ends on this machine. All its nodes are named in the
// answer, and share one time to answer.
func TestEndWithoutNATS(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		line := wiretest.New()
		r, ending := newEnding(t, line)
		line.Break(true)
		r.sessions.stay("shop", "mac")
		r.sessions.stay("shop", "pc")
		began := time.Now()
		raw, err := r.Run(t.Context(), ending, op.Args{"session": json.RawMessage(`"shop"`)})
		if want := `{"closed":1,"silent":["mac","pc"]}`; err != nil || string(raw) != want {
			t.Errorf("got %s, %v; want %s", raw, err, want)
		}
		if took := time.Since(began); took > endTime {
			t.Errorf("it took %s", took)
		}
	})
}

// A session can be ended when one of its nodes has been gone for so long that the roster has forgotten it.
func TestEndWithAForgottenNode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, ending := newEnding(t, wiretest.New())
		r.sessions.stay("shop", "mac")
		time.Sleep(2 * time.Hour)
		r.o.Fleet.Roster.Known()
		raw, err := r.Run(t.Context(), ending, op.Args{"session": json.RawMessage(`"shop"`)})
		if want := `{"closed":1,"silent":["mac"]}`; err != nil || string(raw) != want {
			t.Errorf("got %s, %v; want %s", raw, err, want)
		}
	})
}

// newEnding returns a router that knows the nodes mac and pc, and the operation that ends sessions.
// The nodes do not answer.
func newEnding(t *testing.T, line *wiretest.Line) (*Router, *op.Op) {
	known, err := roster.New(line, "default")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(known.Close)
	for _, name := range []string{"mac", "pc"} {
		line.Request(t.Context(), wire.Subjects{Tenant: "default"}.Beat(name), wire.Encode(wire.Status{V: wire.Version, Name: name, Beat: 1, Healthy: true}), nil)
	}
	synctest.Wait()
	ending := op.Define("POST /sessions/end", "session end", "End.", nothing, op.EndsSession)
	return New(Options{
		Local: endingLocal{}, Fleet: &Fleet{Line: line, Roster: known, Subjects: wire.Subjects{Tenant: "default"}}, Policy: func() Policy { return Policy{} },
		Table: func() *op.Table { return &op.Table{Ops: []*op.Op{ending}} },
	}), ending
}

// A node that does not answer does not keep a session from ending elsewhere. It is named in the
// answer, and the session is ended there by the next call that ends it.
func TestEndWithASilentNode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, ending := newEnding(t, wiretest.New())
		r.sessions.stay("shop", "mac")
		raw, err := r.Run(t.Context(), ending, op.Args{"session": json.RawMessage(`"shop"`)})
		if want := `{"closed":1,"silent":["mac"]}`; err != nil || string(raw) != want {
			t.Errorf("got %s, %v; want %s", raw, err, want)
		}
		if nodes := r.sessions.nodesOf("shop"); !slices.Equal(nodes, []string{"mac"}) {
			t.Errorf("the session is still on %q", nodes)
		}
		if _, bound := r.sessions.place("shop"); bound {
			t.Error("new calls of the session go to the node")
		}
	})
}

// A session ends also on a node whose answer to its only call was lost.
func TestEndAfterALostAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _ := newEnding(t, wiretest.New())
		ctx := op.WithTarget(op.WithSession(t.Context(), "shop"), op.Target{Place: op.OnNode, Node: "mac"})
		if _, err := r.Run(ctx, acting, op.Args{}); err == nil {
			t.Fatal("the node has answered")
		}
		if nodes := r.sessions.nodesOf("shop"); !slices.Equal(nodes, []string{"mac"}) {
			t.Errorf("the session has used %q", nodes)
		}
		if _, bound := r.sessions.place("shop"); bound {
			t.Error("new calls of the session go to the node")
		}
	})
}

// A session that a node has refused can be ended. The node takes no calls of others, or its version is
// too far from this one. A node that takes the call and fails keeps the session.
func TestEndWithARefusingNode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		line := wiretest.New()
		r, ending := newEnding(t, line)
		subjects := wire.Subjects{Tenant: "default"}
		line.Request(t.Context(), subjects.Beat("pc"), wire.Encode(wire.Status{V: wire.Version + 2, Name: "pc", Beat: 2, Healthy: true}), nil)
		reply := wire.Reply{V: wire.Version, Kind: wire.Refused, Refused: wire.Wrong, Error: op.Errorf(op.Forbidden, "node mac does not offer its browsers")}
		end, err := line.Subscribe(subjects.Call("mac"), func(message []byte, answer func([]byte) error) {
			var c wire.Call
			if err := json.Unmarshal(message, &c); err != nil {
				t.Error(err)
			}
			reply.ID = c.ID
			answer(wire.Encode(reply))
		})
		if err != nil {
			t.Fatal(err)
		}
		defer end()
		synctest.Wait()
		for _, node := range []string{"mac", "pc"} {
			ctx := op.WithTarget(op.WithSession(t.Context(), "shop"), op.Target{Place: op.OnNode, Node: node})
			if _, err := r.Run(ctx, acting, op.Args{}); why(err) != wire.Wrong {
				t.Errorf("a call on %s: %v", node, err)
			}
		}
		raw, err := r.Run(t.Context(), ending, op.Args{"session": json.RawMessage(`"shop"`)})
		if want := `{"closed":1,"silent":["mac","pc"]}`; err != nil || string(raw) != want {
			t.Errorf("got %s, %v; want %s", raw, err, want)
		}
		reply.Kind, reply.Error = wire.Answer, op.Errorf(op.PersonInControl, "a person has the tab")
		if _, err := r.Run(t.Context(), ending, op.Args{"session": json.RawMessage(`"shop"`)}); op.AsError(err).Code != op.PersonInControl {
			t.Errorf("got %v", err)
		}
	})
}
