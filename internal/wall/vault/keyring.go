package vault

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/zalando/go-keyring"
)

// serviceName begins the name under which the keyring lists chela's secrets.
const serviceName = "chela"

// A ring is a keyring. It returns the errors of package keyring.
type ring interface {
	Set(service, key, value string) error
	Get(service, key string) (string, error)
	Delete(service, key string) error
}

// A keyringStore keeps values in a keyring. A keyring may wait for a person who has to unlock it,
// so each call has a time limit.
type keyringStore struct {
	keyring ring
	service string
}

// put writes all values, or none of them. Only if the keyring ceases to answer, values that are
// already written stay there. They do no harm: the index has none of their keys.
func (s *keyringStore) put(ctx context.Context, values map[string]string) error {
	var written []string
	for key, value := range values {
		if ctx.Err() != nil {
			return errors.Join(context.Cause(ctx), s.remove(written))
		}
		_, err := s.within(func() (string, error) { return "", s.keyring.Set(s.service, key, value) })
		if errors.Is(err, ErrNoAnswer) {
			return err
		}
		if err != nil {
			return errors.Join(err, s.remove(written))
		}
		written = append(written, key)
	}
	return nil
}

func (s *keyringStore) get(key string) (string, error) {
	value, err := s.within(func() (string, error) { return s.keyring.Get(s.service, key) })
	if errors.Is(err, keyring.ErrNotFound) {
		err = &StoreError{Keyring, ErrMissing}
	}
	return value, err
}

func (s *keyringStore) remove(keys []string) error {
	for _, key := range keys {
		_, err := s.within(func() (string, error) { return "", s.keyring.Delete(s.service, key) })
		if err != nil && !errors.Is(err, keyring.ErrNotFound) {
			return err
		}
	}
	return nil
}

// check asks for one value, since each may take the keyring some time. If there is no secret, it
// asks for a value that does not exist.
func (s *keyringStore) check(secrets map[string]item) error {
	for name, each := range secrets {
		_, err := s.get(each.Key)
		if errors.Is(err, ErrMissing) {
			err = &StoreError{Keyring, fmt.Errorf("%w: %s", ErrMissing, name)}
		}
		return err
	}
	_, err := s.within(func() (string, error) { return s.keyring.Get(s.service, "check") })
	if errors.Is(err, keyring.ErrNotFound) {
		return nil
	}
	return err
}

// within calls a function of the keyring. If the function does not return in time, within returns
// ErrNoAnswer, since the function cannot be interrupted. The call may still take effect later, when
// somebody unlocks the keyring.
func (s *keyringStore) within(call func() (string, error)) (string, error) {
	type answer struct {
		value string
		err   error
	}
	answered := make(chan answer, 1)
	go func() {
		value, err := call()
		answered <- answer{value, err}
	}()
	limit := time.NewTimer(answerTime)
	defer limit.Stop()
	select {
	case a := <-answered:
		if a.err != nil {
			a.err = &StoreError{Keyring, a.err}
		}
		return a.value, a.err
	case <-limit.C:
		return "", &StoreError{Keyring, ErrNoAnswer}
	}
}

// system is the keyring of the system.
type system struct{}

// errNoBus says that no D-Bus runs over which a keyring could be reached.
var errNoBus = errors.New("there is none: no session of D-Bus runs")

// reachable returns errNoBus if there is no D-Bus. Without this check, the library would start a
// D-Bus, which would not end with chela.
func (system) reachable() error {
	if slices.Contains([]string{"darwin", "windows"}, runtime.GOOS) {
		return nil
	}
	if address := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); address != "" && address != "autolaunch:" {
		return nil
	}
	for _, name := range []string{"bus", "dbus-session"} {
		if _, err := os.Stat(filepath.Join("/run/user", strconv.Itoa(os.Getuid()), name)); err == nil {
			return nil
		}
	}
	return errNoBus
}

func (s system) Set(service, key, value string) error {
	if err := s.reachable(); err != nil {
		return err
	}
	return keyring.Set(service, key, value)
}

func (s system) Get(service, key string) (string, error) {
	if err := s.reachable(); err != nil {
		return "", err
	}
	return keyring.Get(service, key)
}

func (s system) Delete(service, key string) error {
	if err := s.reachable(); err != nil {
		return err
	}
	return keyring.Delete(service, key)
}
