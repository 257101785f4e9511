package call

import (
	"errors"
	"syscall"

	"chela/internal/engine/extension"
	"chela/internal/op"
)

// OpenRelay returns the relay with its port open: an extension that is paired connects at once. The
// error says that another program has the port.
func (s *Service) OpenRelay() (*extension.Relay, error) {
	relay := s.Profiles.Relay()
	err := relay.Listen()
	if errors.Is(err, syscall.EADDRINUSE) {
		err = op.Errorf(op.Conflict, "the relay's port is in use: %v", err).
			Hinted("end the program that has it; or set gateway.relayPort, and run chela shutdown and chela extension install")
	}
	return relay, err
}

// Pair returns a key for the extension in a browser of this user. The browser is listed by the
// given name.
func (s *Service) Pair(name string) (id, key string, err error) {
	if err := enabled(s.Config.Current()); err != nil {
		return "", "", err
	}
	relay, err := s.OpenRelay()
	if err != nil {
		return "", "", err
	}
	granted, err := relay.Grant(name)
	if errors.Is(err, extension.ErrName) {
		err = op.Errorf(op.Invalid, "%v", err)
	}
	return granted.ID, granted.Secret, err
}
