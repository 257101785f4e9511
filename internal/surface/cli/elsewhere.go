package cli

import (
	"github.com/spf13/cobra"

	"chela/internal/base/certificate"
	"chela/internal/base/config"
	"chela/internal/op"
	"chela/internal/surface/client"
)

// A defaultServer is the server that commands call if no flag names another: the one at $CHELA_URL or
// else at browser.controlUrl. Its zero value is the server of the state directory.
type defaultServer struct {
	at         client.Origin
	configured config.Control // set only if the configuration names the server
}

// findDefaultServer returns the default server. Errors are about its URL.
func findDefaultServer(flags config.Flags) (u defaultServer, err error) {
	if address := config.Env("CHELA_URL"); address != "" {
		u.at, err = client.ParseOrigin(address)
		return u, err
	}
	configured, err := flags.Control()
	if err != nil {
		return u, configError(err)
	}
	return defaultServerOf(configured)
}

// defaultServerOf returns the default server of a configuration.
func defaultServerOf(configured config.Control) (u defaultServer, err error) {
	if configured.URL == "" {
		return u, nil
	}
	at, err := client.ParseOrigin(configured.URL)
	if err != nil {
		return u, op.Errorf(op.Invalid, "%v", configured.Wrong("controlUrl", err)).Hinted("%s", op.HintOf(err))
	}
	return defaultServer{at, configured}, nil
}

// secretFor returns the secret for the server at an origin, from the environment ($CHELA_TOKEN or
// else $CHELA_PASSWORD) or the configuration. If the environment or the configuration names a
// server, these secrets are for that server alone. If neither does, the secrets of the environment
// are for the user's own server, and are only sent to addresses of this machine.
func (u defaultServer) secretFor(at client.Origin) (s client.Secret, err error) {
	if u.at != at && (u.at != client.Origin{} || !at.Loopback()) {
		return s, nil
	}
	if s.Token = config.Env("CHELA_TOKEN"); s.Token == "" {
		s.Password = config.Env("CHELA_PASSWORD")
	}
	if s == (client.Secret{}) && u.configured.URL != "" {
		if s.Token, err = u.configured.Token(); err != nil {
			err = op.Errorf(op.Invalid, "%v", err)
		}
	}
	return s, err
}

// pinFor returns the fingerprint that the certificate of the server at an origin must have. It comes
// from the flag --fingerprint, or else from the environment or the configuration, unless these name
// another server. It is the zero value if no fingerprint is set for the server.
func (u defaultServer) pinFor(cmd *cobra.Command, at client.Origin) (pin certificate.Fingerprint, err error) {
	name, text := "--fingerprint", cmd.Flags().Lookup("fingerprint").Value.String()
	given := cmd.Flags().Changed("fingerprint")
	switch {
	case given && at.Scheme != "https":
		return pin, &usageError{message: "--fingerprint is for a server that is called by https", hint: "--server https://browsers.example.com"}
	case !given && (at.Scheme != "https" || u.at != at && u.at != (client.Origin{})):
		return pin, nil
	case !given:
		name, text = "$CHELA_FINGERPRINT", config.Env("CHELA_FINGERPRINT")
	}
	if text == "" && !given {
		name, text = "browser.controlFingerprint", u.configured.Fingerprint
	}
	if text == "" && !given {
		return pin, nil
	}
	if pin, err = certificate.ParseFingerprint(text); err != nil {
		return pin, &usageError{message: name + ": " + err.Error(), hint: "what chela cert prints on the machine of that server"}
	}
	return pin, nil
}
