// Package limits stores, for each session of callers, which hosts it may open. The limit of a
// session holds in all profiles, whether browsers run or not, and also after a restart of the
// server. It ends when a call from outside the session ends the session by its name.
package limits

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"chela/internal/base/config"
)

// Limits holds the limits of all sessions. They are in a file of the state directory, which nobody
// else writes. The methods may be called by several goroutines. A nil Limits has no limits and
// accepts none.
type Limits struct {
	state config.State

	mu      sync.RWMutex // guards the rest
	of      map[string]limit
	unsaved bool // whether the file could not be written since a limit was set
}

// A limit is the limit of one session: the hosts that it may open.
type limit struct {
	Hosts []string `json:"allowHosts"` // the only hosts that the session may open
}

// A content is the content of the file of limits.
type content struct {
	Version  int              `json:"version"` // see [config.StateVersion]
	Sessions map[string]limit `json:"sessions"`
}

// Open reads the limits. The error is a [*config.NewerError] if a newer chela wrote the file. If
// there is an error, the server does not start: sessions that the user has limited would have no
// limits.
func Open(state config.State) (*Limits, error) {
	l := &Limits{state: state, of: map[string]limit{}}
	raw, err := config.ReadFile(state.LimitsFile())
	if _, gone := os.Lstat(state.LimitsFile()); gone != nil && errors.Is(err, fs.ErrNotExist) { // a link to a file that is not there is an error
		return l, nil
	}
	if err == nil {
		l.of, err = parse(state.LimitsFile(), raw)
	}
	if newer, ok := errors.AsType[*config.NewerError](err); ok {
		return nil, newer
	}
	if err == nil && l.of == nil { // the file has null
		err = errors.New("it must be an object")
	}
	if err != nil {
		return nil, fmt.Errorf("the limits of sessions cannot be read: %s: %w", state.LimitsFile(), err)
	}
	return l, nil
}

// parse reads the content of the file. In the oldest form, the file had no version, and consisted
// of the sessions alone.
func parse(file string, raw []byte) (map[string]limit, error) {
	var c content
	err := json.Unmarshal(raw, &c)
	if newer := config.CheckVersion(file, c.Version); newer != nil {
		return nil, newer
	}
	if c.Version == 0 {
		err = json.Unmarshal(raw, &c.Sessions)
	}
	for session, limit := range c.Sessions {
		if len(limit.Hosts) == 0 && err == nil {
			err = fmt.Errorf("session %s has no allowHosts", session)
		}
	}
	return c.Sessions, err
}

// Hosts returns the only hosts that a session may open; nil: it has no limit.
func (l *Limits) Hosts(session string) []string {
	if l == nil || session == "" {
		return nil
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.of[session].Hosts
}

// All returns the hosts of all sessions that have a limit, by their keys.
func (l *Limits) All() map[string][]string {
	all := map[string][]string{}
	l.mu.RLock()
	defer l.mu.RUnlock()
	for session, limit := range l.of {
		all[session] = limit.Hosts
	}
	return all
}

// A HostsError says that a session is already limited to other hosts. That limit stays until the
// session ends: its pages may have read what other hosts must not learn.
type HostsError struct {
	Session string
	Hosts   []string
}

func (e *HostsError) Error() string {
	return fmt.Sprintf("session %s may open only %s", e.Session, strings.Join(e.Hosts, ", "))
}

// maxContent is the maximum size of the file, in bytes: tens of thousands of sessions. Each limit
// stays until somebody ends the session, so without a maximum, the file would grow forever.
const maxContent = 4 << 20

// ErrFull says that so many sessions have limits that no other one can be limited.
var ErrFull = errors.New("too many sessions are limited to some hosts")

// SetHosts limits a session to hosts from now on; at least one must be given. The error is a
// [*HostsError] if the session already has other hosts. It is [ErrFull] if too many sessions have
// limits: the session then has none. If the file cannot be written, the error comes from the file
// system. The session is limited all the same, but only until the server ends. SetHosts with the
// same hosts, in any order, tries again to write the file.
func (l *Limits) SetHosts(session string, hosts []string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch has := l.of[session].Hosts; {
	case has == nil:
	case !slices.Equal(compared(has), compared(hosts)):
		return &HostsError{session, has}
	case !l.unsaved:
		return nil
	}
	next := maps.Clone(l.of)
	next[session] = limit{hosts}
	err := l.replaceLocked(next)
	if err != nil && !errors.Is(err, ErrFull) {
		l.of, l.unsaved = next, true
	}
	return err
}

// compared returns a list of hosts in a form that is equal for lists of the same hosts.
func compared(hosts []string) []string {
	list := slices.Clone(hosts)
	for i := range list {
		list[i] = strings.ToLower(list[i])
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// End removes the limit of a session. If the file system returns an error, the session keeps its
// limit.
func (l *Limits) End(session string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.of[session]; !ok {
		return nil
	}
	next := maps.Clone(l.of)
	delete(next, session)
	return l.replaceLocked(next)
}

// replaceLocked writes other limits to the file, and then puts them in force.
func (l *Limits) replaceLocked(next map[string]limit) error {
	raw, err := json.Marshal(content{config.StateVersion, next})
	if len(raw) > maxContent && len(next) > len(l.of) {
		return ErrFull
	}
	if err == nil {
		err = l.state.WriteLimits(raw)
	}
	if err != nil {
		return fmt.Errorf("write the limits of sessions: %w", err)
	}
	l.of, l.unsaved = next, false
	return nil
}
