package op

import (
	"encoding/json"
	"maps"
	"reflect"

	"chela/internal/wall/guard"
)

// Address is an address to open. People and models leave out the scheme, so
// those surfaces on which they write it complete it, see [Op.Complete].
type Address string

// To is embedded in requests that open an address.
type To struct {
	URL Address `json:"url" alias:"targetUrl" doc:"address: http, https or about:blank"`
	Fallback
}

// Fallback is how an address is reached, beside its own scheme.
type Fallback struct {
	OrHTTP bool `json:"orHttp,omitempty" flag:"-" tool:"-" doc:"open it over http if https is refused there, as for an address written without a scheme"`
}

// A Completer is a type of parameter that has arguments of operations in it, whose
// addresses it completes.
type Completer interface {
	Complete(raw json.RawMessage) json.RawMessage
}

// Complete adds the schemes that are missing in the addresses of arguments. The
// command line and the agent tool call it; in an HTTP request an address must be
// whole.
func (o *Op) Complete(args Args) Args {
	whole := maps.Clone(args)
	for name, raw := range args {
		p, ok := o.Param(name)
		if !ok {
			continue
		}
		if nested, ok := reflect.Zero(p.Type).Interface().(Completer); ok {
			whole[name] = nested.Complete(raw)
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
