package vault

import (
	"context"
	"errors"
	"maps"
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
// already written stay there. They do no harm: the index has none of their keys. If ctx ends, they are
// removed after the answer, since that may take as long as it took to write them.
func (s *keyringStore) put(ctx context.Context, values map[string]string) error {
	var written []string
	for key, value := range values {
		if ctx.Err() != nil {
			go s.remove(written)
			return context.Cause(ctx)
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

// check asks for the values in the order of their names. Each may take the keyring some time, so it
// stops when checkTime is over. If there is no secret, it asks for a value that does not exist.
func (s *keyringStore) check(secrets map[string]item) error {
	if len(secrets) == 0 {
		if _, err := s.get("check"); !errors.Is(err, ErrMissing) {
			return err
		}
		return nil
	}
	var gone []string
	began := time.Now()
	for _, name := range slices.Sorted(maps.Keys(secrets)) {
		_, err := s.get(secrets[name].Key)
		switch {
		case errors.Is(err, ErrMissing):
			gone = append(gone, name)
		case err != nil:
			return err
		}
		if time.Since(began) > checkTime {
			break
		}
	}
	return missing(Keyring, gone)
}

// checkTime is how long check asks for values. Other calls that use secrets wait meanwhile.
const checkTime = time.Second

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
