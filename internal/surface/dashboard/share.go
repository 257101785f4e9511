package dashboard

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Share lets a guest see one tab, or work in it, for a time. A guest is a person who has a link
// and nothing else: no token, and no pass of the dashboard.
type Share struct {
	ID       string // as in "s1"
	Profile  string
	Tab      string // handle of the tab
	Browser  string // which paired browser has the tab, because another one may have a tab with the same handle; "": it is in none
	OnlyView bool   // the guest may look at the tab, and not use it
	Since    time.Time
	Until    time.Time
}

// Shares holds the shares of a server. The link of a share can be opened several times until the
// share ends, for example on a computer and on a phone. Each time the guest gets a new pass. The
// zero value has no shares. All shares end with the server.
type Shares struct {
	mu   sync.Mutex // guards the rest
	key  []byte     // signs links
	last int        // number of the newest share
	list []*shared  // the oldest first
}

// shared is a share with the passes of its guests.
type shared struct {
	Share
	door  Door
	life  context.Context // ends with the share
	end   context.CancelCauseFunc
	timer *time.Timer // ends the share; it stands still while the machine sleeps
}

func (s *shared) finish() {
	s.timer.Stop()
	s.end(ErrShareEnded)
}

// ErrShareEnded is the cause with which the context of a guest ends when the share ends.
var ErrShareEnded = errors.New("the share has ended")

// maxShares limits the shares of a server at a time.
const maxShares = 100

// New adds a share, and returns it with its id, and the secret of its link. When the share ends,
// the function ended is called with that share. New reports false if there are maxShares already.
func (s *Shares) New(of Share, ended func(Share)) (made Share, secret string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropOldLocked()
	if len(s.list) >= maxShares {
		return Share{}, "", false
	}
	if s.key == nil {
		s.key = make([]byte, sha256.Size)
		rand.Read(s.key) // Read never fails
	}
	s.last++
	of.Until = of.Until.Round(0) // without the monotonic reading, which stands still while the machine sleeps
	of.ID = "s" + strconv.Itoa(s.last)
	added := &shared{Share: of}
	added.life, added.end = context.WithCancelCause(context.Background())
	context.AfterFunc(added.life, func() { ended(of) })
	added.timer = time.AfterFunc(time.Until(of.Until), func() { s.Revoke(of.ID) })
	s.list = append(s.list, added)
	return of, of.ID + "." + s.signatureLocked(of), true
}

// signatureLocked signs all that a share allows. So nobody can change a link into one for another tab.
// The key is new at each start of the server, so links of an earlier server are not valid.
func (s *Shares) signatureLocked(of Share) string {
	mac := hmac.New(sha256.New, s.key)
	fmt.Fprintf(mac, "%q %q %q %v %d", of.ID, of.Profile, of.Tab, of.OnlyView, of.Until.UnixNano())
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// Enter gives a pass to a guest who has the secret of a link. It reports false if the secret is wrong
// or the share has ended. The parameter had is the cookie that the browser already has for this
// share, see [Door.Exchange].
func (s *Shares) Enter(secret, had string) (of Share, cookie, token string, ok bool) {
	id, signature, _ := strings.Cut(secret, ".")
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.findLocked(id)
	if found == nil || !hmac.Equal([]byte(signature), []byte(s.signatureLocked(found.Share))) {
		return Share{}, "", "", false
	}
	cookie, token, _ = found.door.enter(found.life, found.Until, had)
	return found.Share, cookie, token, true
}

// Admits returns the share with an id, if the cookie and the token are a pass for it. Admits
// reports false if they are not, or if the share has ended. The context ends with the share.
func (s *Shares) Admits(id, cookie, token string) (of Share, life context.Context, ok bool) {
	return s.ask(id, func(d *Door) (context.Context, bool) { return d.Admits(cookie, token) })
}

// Watches returns the share with an id, if the cookie belongs to a pass for it. Watches is for
// WebSockets, which also need a ticket, see [Door.Knows]. The context ends with the share.
func (s *Shares) Watches(id, cookie string) (of Share, life context.Context, ok bool) {
	return s.ask(id, func(d *Door) (context.Context, bool) { return d.Knows(cookie) })
}

// ask asks the door of the share with an id.
func (s *Shares) ask(id string, admits func(*Door) (context.Context, bool)) (of Share, life context.Context, ok bool) {
	found := s.find(id)
	if found == nil {
		return Share{}, nil, false
	}
	if life, ok = admits(&found.door); !ok {
		return Share{}, nil, false
	}
	return found.Share, life, true
}

// List lists the shares.
func (s *Shares) List() []Share {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropOldLocked()
	list := []Share{}
	for _, each := range s.list {
		list = append(list, each.Share)
	}
	return list
}

// Revoke ends a share, and the connections of its guests. It reports false if there is no such share.
func (s *Shares) Revoke(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.findLocked(id)
	if found == nil {
		return false
	}
	found.finish()
	s.list = slices.DeleteFunc(s.list, func(each *shared) bool { return each == found })
	return true
}

func (s *Shares) find(id string) *shared {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.findLocked(id)
}

func (s *Shares) findLocked(id string) *shared {
	s.dropOldLocked()
	i := slices.IndexFunc(s.list, func(each *shared) bool { return each.ID == id })
	if i < 0 {
		return nil
	}
	return s.list[i]
}

// dropOldLocked ends the shares whose time is over. It does what their timers do, which are late after
// the machine has slept.
func (s *Shares) dropOldLocked() {
	now := time.Now()
	s.list = slices.DeleteFunc(s.list, func(each *shared) bool {
		over := now.After(each.Until)
		if over {
			each.finish()
		}
		return over
	})
}
