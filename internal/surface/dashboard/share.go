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
	OnlyView bool   // the guest may not act
	Since    time.Time
	Until    time.Time
}

// Shares are the tabs that are shared. The link of a share may be opened again and again until the
// share ends: a guest may go from the computer to the phone. Each time gives a pass of its own. The
// zero value has no shares, and what it knows ends with the server.
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
	timer *time.Timer // ends the share
}

// ErrShareEnded is the cause of the contexts of guests when their share ends.
var ErrShareEnded = errors.New("the share has ended")

// maxShares limits the shares of a server at a time.
const maxShares = 100

// New shares a tab, and returns the share with its id, and the secret of its link. When the share
// ends, it calls ended with the share. It reports false if there are maxShares already.
func (s *Shares) New(of Share, ended func(Share)) (made Share, secret string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.list) >= maxShares {
		return Share{}, "", false
	}
	if s.key == nil {
		s.key = make([]byte, sha256.Size)
		rand.Read(s.key) // Read never fails
	}
	s.last++
	of.ID = "s" + strconv.Itoa(s.last)
	added := &shared{Share: of}
	added.life, added.end = context.WithCancelCause(context.Background())
	context.AfterFunc(added.life, func() { ended(of) })
	added.timer = time.AfterFunc(time.Until(of.Until), func() { s.Revoke(of.ID) })
	s.list = append(s.list, added)
	return of, of.ID + "." + s.signatureLocked(of), true
}

// signatureLocked signs all that a share allows. So a link cannot be changed into that of another
// tab, and no link of an earlier server is good.
func (s *Shares) signatureLocked(of Share) string {
	mac := hmac.New(sha256.New, s.key)
	fmt.Fprintf(mac, "%q %q %q %v %d", of.ID, of.Profile, of.Tab, of.OnlyView, of.Until.UnixNano())
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// Enter lets in who has the secret of a link. It reports false if the share has ended.
func (s *Shares) Enter(secret string) (of Share, cookie, token string, ok bool) {
	id, signature, _ := strings.Cut(secret, ".")
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.findLocked(id)
	if found == nil || !hmac.Equal([]byte(signature), []byte(s.signatureLocked(found.Share))) {
		return Share{}, "", "", false
	}
	cookie, token = found.door.enter("", found.Until)
	return found.Share, cookie, token, true
}

// Admits returns the share of a guest with this cookie and this token; false if they are none, or
// the share has ended.
func (s *Shares) Admits(id, cookie, token string) (Share, bool) {
	found := s.find(id)
	if found == nil || !found.door.Admits(cookie, token) {
		return Share{}, false
	}
	return found.Share, true
}

// Watches returns the share of a guest with this cookie, who may open a WebSocket with a ticket. The
// context ends with the share.
func (s *Shares) Watches(id, cookie string) (of Share, life context.Context, ok bool) {
	found := s.find(id)
	if found == nil || !found.door.Knows(cookie) {
		return Share{}, nil, false
	}
	return found.Share, found.life, true
}

// List lists the shares.
func (s *Shares) List() []Share {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []Share{}
	for _, each := range s.list {
		list = append(list, each.Share)
	}
	return list
}

// Revoke ends a share, with all that its guests have open. It reports false if there is none.
func (s *Shares) Revoke(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.findLocked(id)
	if found == nil {
		return false
	}
	found.timer.Stop()
	found.end(ErrShareEnded)
	s.list = slices.DeleteFunc(s.list, func(each *shared) bool { return each == found })
	return true
}

func (s *Shares) find(id string) *shared {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.findLocked(id)
}

func (s *Shares) findLocked(id string) *shared {
	i := slices.IndexFunc(s.list, func(each *shared) bool { return each.ID == id })
	if i < 0 {
		return nil
	}
	return s.list[i]
}
