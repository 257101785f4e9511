package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"chela/internal/base/sitedata"
	"chela/internal/engine/journal"
	"chela/internal/engine/page"
	"chela/internal/engine/setting"
)

// A Portable is what a browser on another machine needs to go on with the tabs of this browser.
// Unlike a [Memory], it does not rely on what Chromium has on disk, so it has all cookies, and the
// storage. It has no passwords, and no cookies or storage of isolated sessions, since those exist
// only in memory.
type Portable struct {
	Memory  Memory            `json:"memory"`
	Origins []sitedata.Origin `json:"origins,omitempty"`
}

// A portableStorage is a copy of what the browser keeps for origins, without cookies. Reading takes
// long, so only the origins whose storage may have changed are read again. These are the origins
// that tabs show, or have shown since the last reading. The storage of any other origin can be
// changed only by its service worker.
//
// Pages can make reading slow, and can show any number of origins. So both are limited. What is not
// read in time keeps its last copy, and is read the next time. Of too many origins, the oldest are
// dropped.
type portableStorage struct {
	reading sync.Mutex                // held while storage is read; taken before the browser's mu
	origins map[string]portableOrigin // begin makes it, it is nil if the browser is not portable; what is in it is guarded by reading
	copied  int                       // how many copies were put into origins; guarded by reading

	unread visited // origins that tabs have shown since the last reading; guarded by the browser's mu
}

// A portableOrigin is the storage of an origin.
type portableOrigin struct {
	sitedata.Origin
	number int      // portableStorage.copied when this copy was put there
	size   int      // approximate size in bytes
	left   []string // descriptions of what was left out
}

// begin marks the storage of the given origins as not yet copied. The caller gives the origins that
// have storage on the disk.
func (s *portableStorage) begin(origins []string) {
	s.origins = map[string]portableOrigin{}
	for _, origin := range origins {
		s.touch(origin)
	}
}

// touch records that the storage of an origin may change. The browser's mu must be held.
func (s *portableStorage) touch(address string) {
	if s.origins != nil {
		s.unread.add(address)
	}
}

// put puts the copy of an origin in the place of the last one. Of too many copies, it drops the
// oldest, and first those without data. The mutex reading must be held.
func (s *portableStorage) put(o portableOrigin) {
	s.copied++
	o.number = s.copied
	s.origins[o.Origin.Origin] = o
	if len(s.origins) <= maxOrigins {
		return
	}
	age := func(o portableOrigin) int {
		if !o.hasData() {
			return o.number - s.copied
		}
		return o.number
	}
	oldest := slices.MinFunc(slices.Collect(maps.Values(s.origins)), func(a, b portableOrigin) int { return cmp.Compare(age(a), age(b)) })
	delete(s.origins, oldest.Origin.Origin)
}

func (o portableOrigin) hasData() bool { return len(o.LocalStorage) > 0 || len(o.IndexedDB) > 0 }

// Receive gives the browser the storage that a browser on another machine had. For each tab, what
// this browser does not accept is recorded as lost. Errors come from [BrowserContext.LoadState].
func (b *Browser) Receive(ctx context.Context, origins []sitedata.Origin) error {
	done, err := b.LoadState(ctx, sitedata.State{Origins: origins}, false)
	if err != nil {
		return err
	}
	b.addLost(done.Left)
	b.Resume(origins)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.storage.unread = nil
	return nil
}

// Resume gives the browser the copy of its storage that was saved last. Until an origin is read again,
// that copy is kept for another machine.
func (b *Browser) Resume(origins []sitedata.Origin) {
	s := &b.storage
	s.reading.Lock()
	defer s.reading.Unlock()
	for _, o := range origins {
		s.put(portableOrigin{Origin: o, size: sizeOf(o)})
	}
}

// sizeOf returns roughly how many bytes the storage of an origin takes.
func sizeOf(o sitedata.Origin) (n int) {
	n = sitedata.Size(o.LocalStorage)
	for _, d := range o.IndexedDB {
		for _, store := range d.Stores {
			for _, record := range store.Records {
				n += len(record)
			}
		}
	}
	return n
}

// These limit how long reading storage takes. A page can delay it, for example by a transaction that
// it keeps open.
const (
	readTime   = 10 * time.Second // for all origins together, and at most half of the time that the caller has
	originTime = 3 * time.Second
)

// Portable returns what a browser on another machine needs now. For each saved tab, what Portable
// cannot include is recorded as lost. If storage cannot be read, or not in time, the result has the
// last copy of it. The error is the cause of ctx.
func (b *Browser) Portable(ctx context.Context) (Portable, error) {
	b.copyNow(ctx)
	s := &b.storage
	s.reading.Lock()
	defer s.reading.Unlock()
	limit := readTime
	if end, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(end)/2)
	}
	reading, cancel := context.WithTimeoutCause(ctx, limit, errSlow)
	defer cancel()
	if err := b.readStorage(reading); err != nil && ctx.Err() == nil {
		slog.Warn("storage of a portable profile could not be read: it is read the next time", "error", err)
	}
	if ctx.Err() != nil {
		return Portable{}, context.Cause(ctx)
	}
	return b.portable(), nil
}

// errSlow says that storage was not read in readTime or originTime.
var errSlow = errors.New("reading it takes too long")

// LastPortable returns what [Browser.Portable] returns, for a browser that has gone. The storage in
// the result is the copy that was read last.
func (b *Browser) LastPortable() Portable {
	b.storage.reading.Lock()
	defer b.storage.reading.Unlock()
	return b.portable()
}

// portable returns the memory with the copies of all origins. The mutex reading must be held.
func (b *Browser) portable() Portable {
	s := &b.storage
	var origins []sitedata.Origin
	var left []string
	for _, name := range slices.Sorted(maps.Keys(s.origins)) {
		o := s.origins[name]
		left = append(left, o.left...)
		if o.hasData() {
			origins = append(origins, o.Origin)
		}
	}
	return Portable{b.memory().portable(left), origins}
}

// readStorage reads the storage that may have changed. What cannot be read keeps its last copy, and the
// next call tries it again, after the rest. The error is the cause of ctx, or comes from InHiddenTab.
func (b *Browser) readStorage(ctx context.Context) error {
	origins := b.unread()
	if len(origins) == 0 {
		return nil
	}
	err := b.InHiddenTab(ctx, func(ctx context.Context, p *page.Page) error {
		for len(origins) > 0 && ctx.Err() == nil {
			b.readOrigin(ctx, p, origins[0])
			origins = origins[1:]
		}
		return context.Cause(ctx)
	})
	for _, origin := range origins {
		b.storage.keep(origin, err)
	}
	return err
}

// unread returns the origins whose storage is to be read: those that tabs have shown since the last
// reading, and those that they show now. The ones that wait longest come first.
func (b *Browser) unread() []string {
	var shown []string
	for _, t := range b.BrowserContext.tabs() {
		shown = append(shown, t.reopenURL())
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, address := range shown {
		if !slices.Contains(b.storage.unread, sitedata.OriginOf(address)) {
			b.storage.touch(address)
		}
	}
	return slices.Clone(b.storage.unread)
}

// readOrigin reads the storage of one origin. The origin counts as read from the beginning: what
// changes meanwhile is read the next time.
func (b *Browser) readOrigin(ctx context.Context, p *page.Page, origin string) {
	ctx, cancel := context.WithTimeoutCause(ctx, originTime, errSlow)
	defer cancel()
	b.mu.Lock()
	b.storage.unread = slices.DeleteFunc(b.storage.unread, func(o string) bool { return o == origin })
	b.mu.Unlock()
	if err := b.storage.read(ctx, p, origin); err != nil {
		b.storage.keep(origin, err)
		b.mu.Lock()
		defer b.mu.Unlock()
		b.storage.touch(origin)
	}
}

// read reads the storage of one origin. The storage of all origins together is limited to maxState.
// What it cannot include is recorded in portableOrigin.left. The error is the cause of ctx, or comes
// from stateSaver.save: then nothing has changed.
func (s *portableStorage) read(ctx context.Context, p *page.Page, origin string) error {
	room := maxState
	for name, o := range s.origins {
		if name != origin {
			room -= o.size
		}
	}
	saver := stateSaver{room: room}
	o, err := saver.save(ctx, p, origin)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err == nil {
		s.put(portableOrigin{Origin: o, size: room - saver.room, left: saver.left})
	}
	return err
}

// keep keeps the last copy of an origin that could not be read now, if there is one.
func (s *portableStorage) keep(origin string, err error) {
	o := s.origins[origin]
	o.Origin.Origin = origin
	o.left = []string{fmt.Sprintf("storage of %s: %v", origin, err)}
	if o.hasData() {
		o.left = []string{fmt.Sprintf("latest changes in the storage of %s: %v", origin, err)}
	}
	s.put(o)
}

// portable returns the memory for another machine. To what each tab has lost, it adds the texts in
// the parameter left.
func (m Memory) portable(left []string) Memory {
	settings, secrets := withoutSecrets(m.Settings)
	m.Settings = settings
	m.Tabs = slices.Clone(m.Tabs)
	for i := range m.Tabs {
		t := &m.Tabs[i]
		t.Lost = slices.Concat(t.Lost, left, secrets)
		var login bool
		if t.URL, login = cutLogin(t.URL); login {
			t.Lost = append(t.Lost, "login in its address")
		}
	}
	return m
}

// cutLogin removes a user name and password from an address, and reports whether there were any. A
// page can navigate to such an address, and Chromium's list of targets has them.
func cutLogin(address string) (without string, login bool) {
	scheme, rest, ok := strings.Cut(address, "://")
	end := strings.IndexAny(rest+"/", "/?#")
	at := strings.LastIndexByte(rest[:end], '@')
	if !ok || at < 0 || strings.HasPrefix(address, "data:") {
		return address, false
	}
	return scheme + "://" + rest[at+1:], true
}

// credentialHeaders are headers with credentials, besides those whose names suggest a secret.
var credentialHeaders = []string{"cookie", "authorization", "proxy-authorization"}

func isCredential(header string) bool {
	return slices.Contains(credentialHeaders, strings.ToLower(header)) || journal.IsSecretName(header)
}

// originName names an origin for all sessions. A session must not learn the key of another one, which its
// [setting.FirstOrigin] has.
func originName(o setting.Origin) string {
	if o.IsFirst() {
		return "the first origin of a session"
	}
	return string(o)
}

// withoutSecrets returns the settings without passwords and headers with credentials. The result
// removed describes what was left out.
func withoutSecrets(c setting.Common) (_ setting.Common, removed []string) {
	for _, login := range c.Logins {
		removed = append(removed, "login for "+originName(login.Origin))
	}
	c.Logins = nil
	var headers []*setting.OriginHeaders
	for _, of := range c.Headers {
		of := &setting.OriginHeaders{Origin: of.Origin, Headers: maps.Clone(of.Headers)}
		for _, name := range slices.Sorted(maps.Keys(of.Headers)) {
			if isCredential(name) {
				delete(of.Headers, name)
				removed = append(removed, fmt.Sprintf("header %s for %s", name, originName(of.Origin)))
			}
		}
		if len(of.Headers) > 0 {
			headers = append(headers, of)
		}
	}
	c.Headers = headers
	var routes []*setting.Route
	for _, route := range c.Routes {
		if slices.ContainsFunc(slices.Collect(maps.Keys(route.Headers)), isCredential) {
			removed = append(removed, "network rule "+route.ID)
			continue
		}
		routes = append(routes, route)
	}
	c.Routes = routes
	return c, removed
}

// Abandon kills the browser, as if it had crashed. It does not ask the browser to end, which takes
// time: another machine may start its own browser soon. The next browser takes over the tabs. The error
// comes from killing the process.
func (b *Browser) Abandon() error {
	now, cancel := context.WithCancel(context.Background())
	cancel()
	err := b.host.terminate(now)
	<-b.done
	return err
}
