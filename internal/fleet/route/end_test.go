package route

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"testing/synctest"

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

// A node that does not answer does not keep a session from ending elsewhere. It is named in the
// answer, and the session is ended there by the next call that ends it.
func TestEndWithASilentNode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		line := wiretest.New()
		known, err := roster.New(line, "default")
		if err != nil {
			t.Fatal(err)
		}
		defer known.Close()
		line.Request(t.Context(), wire.Subjects{Tenant: "default"}.Beat("mac"), wire.Encode(wire.Status{V: wire.Version, Name: "mac", Beat: 1, Healthy: true}), nil)
		synctest.Wait()
		ending := op.Define("POST /sessions/end", "session end", "End.", nothing, op.EndsSession)
		r := New(Options{
			Local: endingLocal{}, Fleet: &Fleet{Line: line, Roster: known, Subjects: wire.Subjects{Tenant: "default"}}, Policy: func() Policy { return Policy{} },
			Table: func() *op.Table { return &op.Table{Ops: []*op.Op{ending}} },
		})
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
