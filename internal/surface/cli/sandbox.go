package cli

import (
	"context"
	"encoding/json"

	"chela/internal/base/certificate"
	"chela/internal/base/config"
	"chela/internal/engine/profile"
	"chela/internal/op"
	"chela/internal/surface/client"
	"chela/internal/surface/mcp"
)

// A sandbox has what the flags or headers say about the chela server in an agent's sandbox.
type sandbox struct{ url, token string }

// places returns the places where the calls of an agent may run. The context life ends with the
// agent's connection.
func (p *Program) places(life context.Context, live *config.Live, a *agentOptions) (mcp.Places, error) {
	c := live.Current()
	places := mcp.Places{OnlyHost: func(name string) bool { return profile.IsOfUser(live.Current(), name) }}
	at, secret, err := a.sandbox.find(c.Agents.Defaults.Sandbox.Browser)
	if err == nil && at != (client.Origin{}) {
		places.Sandbox = p.sandboxed(life, c, at, secret)
	}
	return places, err
}

// find returns the address and the secret of the server in the sandbox, from the options or else from
// the configuration. If there is no sandbox, it returns the zero Origin. The token in the
// configuration is only for the server that the configuration names. Errors are [*op.Error]s.
func (s sandbox) find(configured config.SandboxBrowser) (at client.Origin, secret client.Secret, err error) {
	if !configured.Enabled {
		configured = config.SandboxBrowser{}
	}
	var known client.Origin
	if configured.URL != "" {
		if known, err = originOf(configured.URL, "agents.defaults.sandbox.browser.url"); err != nil {
			return at, secret, err
		}
	}
	at = known
	if s.url != "" {
		if at, err = originOf(s.url, "--sandbox-url"); err != nil {
			return at, secret, err
		}
	}
	switch {
	case s.token != "" && at == (client.Origin{}):
		return at, secret, op.Errorf(op.Invalid, "there is a token for a sandbox, and no sandbox").Hinted("--sandbox-url")
	case s.token != "":
		return at, client.Secret{Token: s.token}, nil
	case at != known || at == (client.Origin{}):
		return at, secret, nil
	}
	token, err := configured.Secret()
	if err != nil {
		return at, secret, op.Errorf(op.Invalid, "%v", err)
	}
	return at, client.Secret{Token: token}, nil
}

// originOf parses the URL of the server in a sandbox. The argument key says where it is configured.
// Errors are [*op.Error]s.
func originOf(url, key string) (client.Origin, error) {
	at, err := client.ParseOrigin(url)
	if err != nil {
		return at, op.Errorf(op.Invalid, "%s: %v", key, err).Hinted("such as http://127.0.0.1:18791, without a password")
	}
	return at, nil
}

// sandboxed returns a runner whose calls go to the server in a sandbox. That server holds the agent's
// session until life ends. Files that the server makes are copied to this machine.
func (p *Program) sandboxed(life context.Context, c *config.Config, at client.Origin, secret client.Secret) op.Runner {
	r := &remote{program: p, state: c.State, client: client.TCP(at, secret, certificate.Fingerprint{}), afar: true}
	r.client.Progress = true
	return inSandbox{&sessionHolder{remote: r, ctx: life}}
}

// inSandbox is a sessionHolder for the server in a sandbox. If that server refuses the token, the
// error names the sandbox. Otherwise a model could believe that the server on its own machine has
// refused its token.
type inSandbox struct{ *sessionHolder }

func (s inSandbox) Run(ctx context.Context, o *op.Op, args op.Args) (json.RawMessage, error) {
	raw, err := s.sessionHolder.Run(ctx, o, args)
	if err != nil && op.AsError(err).Code == op.Unauthorized {
		return nil, op.Errorf(op.Unauthorized, "the server in the sandbox does not accept the token").
			Hinted("the user sets it, by agents.defaults.sandbox.browser.token or --sandbox-token")
	}
	return raw, err
}
