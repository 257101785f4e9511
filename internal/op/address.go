package op

import (
	"encoding/json"
	"maps"
	"reflect"

	"chela/internal/wall/guard"
)

// Address is an address to open. People and models often leave out the scheme. So the command line
// and the agent tool add it, see [Op.Complete].
type Address string

// To is embedded in requests that open an address.
type To struct {
	URL Address `json:"url" alias:"targetUrl" doc:"address: http, https or about:blank"`
	Fallback
}

// Fallback is embedded in requests that may open their address over another scheme than the given
// one.
type Fallback struct {
	OrHTTP bool `json:"orHttp,omitempty" flag:"-" tool:"-" doc:"if the server refuses https, use http, as for an address without a scheme"`
}

// Complete adds missing schemes to the addresses in args, and in the calls of a [CallList]. The
// command line and the agent tool call it. In an HTTP request an address must be complete.
func (o *Op) Complete(args Args) Args {
	whole := maps.Clone(args)
	for name, raw := range args {
		p, ok := o.Param(name)
		if !ok {
			continue
		}
		if nested, ok := reflect.Zero(p.Type).Interface().(CallList); ok {
			whole[name], _ = nested.Change(raw, func(o *Op, args Args) (Args, error) { return o.Complete(args), nil })
		}
		var written string
		if p.Type != reflect.TypeFor[Address]() || json.Unmarshal(raw, &written) != nil {
			continue
		}
		address, orHTTP := guard.Complete(written)
		whole[name], _ = json.Marshal(address) // cannot fail
		if orHTTP {
			whole["orHttp"] = json.RawMessage("true") // see Fallback
		}
	}
	return whole
}
