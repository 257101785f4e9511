package page

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"chela/internal/base/mutex"
	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/engine/inspect"
	"chela/internal/engine/observe"
	"chela/internal/engine/setting"
	"chela/internal/wall/guard"
	"chela/internal/wall/proxy"
)

var (
	// ErrCrashed says that the process of the tab crashed.
	ErrCrashed = frame.ErrCrashed

	// ErrFrameCrashed says that the process of a frame crashed, see [frame.ErrFrameCrashed].
	ErrFrameCrashed = frame.ErrFrameCrashed

	// ErrClosed says that the tab was closed.
	ErrClosed = errors.New("the tab was closed")

	// ErrBusy says that the page did not answer before the deadline.
	ErrBusy = frame.ErrBusy

	// ErrEnded says that Chromium ended a script of chela, see [frame.ErrEnded].
	ErrEnded = frame.ErrEnded

	// ErrOccupied says that other turns lasted until the deadline.
	ErrOccupied = errors.New("other calls were at work on the tab")

	// ErrStopped says that the user of the browser has stopped all agents.
	ErrStopped = errors.New("the person has stopped all agents")

	// ErrReplaced says that another document came while this one was read.
	ErrReplaced = errors.New("the page navigated")
)

// A Page is one tab.
type Page struct {
	ID string // id of the target, and of its main frame

	session *cdp.Session
	turn    mutex.Mutex   // locked while a turn is under way
	reading mutex.Mutex   // locked while the page is read, because a reading changes listeners
	ended   chan struct{} // closed when no more events come
	on      Callbacks

	observer *observe.Observer
	judged   atomic.Pointer[judgement] // the last judgement of the network policy; nil: there was none

	mu          sync.Mutex    // guards the rest; it is never held while a reply is awaited
	changed     chan struct{} // closed and replaced at each change of the fields below
	carriedOver carriedOver   // the state that the tab's next page needs if this one is lost, as it was at the last change

	end        error                              // why the page can no longer be used, or nil
	closing    bool                               // see Closing
	armedAtEnd []string                           // answers that were prepared when the page ended, see Armed
	calls      map[*context.CancelCauseFunc]touch // cancels the contexts of the calls under way
	control    *Control                           // says whether a person has taken over the tab; nil: nobody ever does

	sessions  map[*cdp.Session]setting.Kind // the sessions of the tab, its cross-site frames and its workers
	learning  int                           // how many replies to Page.getFrameTree are awaited, see learn
	settings  *setting.Applied
	frames    *frame.Tree
	listeners inspect.Listeners // mu guards the map; only a call that holds reading uses its values

	navigations     map[string]navigation // navigations under way, by frame id
	navigationCount int                   // how many navigations there were
	mainNavigation  int                   // navigationCount at the last navigation of the main frame
	replacing       *replacement          // what the running command of replaceDocument has led to; nil: none runs
	visits          int                   // how many documents and addresses the main frame has had: it counts new documents, and changes of the address within a document
	overtaken       int                   // how many documents came although a navigation away from the previous document had begun
	document        document              // how the tab came to the main frame's document
	cancellations   cancellations
	requests        requests
	downloads       downloads
	outcomes        int // how many requests that inform were answered or ended, and how many documents and files came

	act        actMark                  // marks of the last act
	collecting map[*Effects]struct{}    // the Effects whose Collect was called, and whose End was not yet
	asks       []*Ask                   // requested tabs that have not opened yet
	reported   map[frame.Origin]changes // what the documents of each origin have reported since the act began

	held         held
	dialogs      dialogs
	lastSnapshot lastSnapshot
	upload       *Upload      // files that wait for a chooser
	filling      int          // how many choosers are being filled
	dragData     *dragData    // data of the drag under way; nil if there is none
	highlighted  *cdp.Session // the session in which an element is highlighted, or nil
	flashes      bool         // the next element that the act uses is to be shown to the person who watches, see flash
	screencast   screencast

	pressListeners map[*func(Press)]struct{} // see OnPress
	painting       painting
}

// Callbacks are what a page gets from its browser: functions to call, the proxy, and whether acts
// are shown to a person.
type Callbacks struct {
	Idle    func() // called after each Turn and Watch
	Cookies func() // called when a server has set cookies; it must not wait for anything that the page does

	// Changed is called when something that outlives the page has changed, see carriedOver. It is
	// also called when a route for a limited number of requests was used. It must not wait for
	// anything that the page does. It may be nil.
	Changed func()

	// Network is the proxy that the browser connects through. In a browser without a proxy, Network
	// is a judge that decides on each request. Network knows why it refused a connection; Chromium
	// does not. If Network is nil, the browser connects by itself, to any address.
	Network *proxy.Proxy

	// Asked is called when a document asks for a tab, see [Page.Asks]. It must not wait for
	// anything, and must not call the page. If it is nil, asks are not listed.
	Asked func(*Page, *Ask)

	// Stopped reports whether all turns and watches are refused with ErrStopped. After its result
	// has become true, [Page.Interrupt] must be called. It may be nil.
	Stopped func() bool

	Flash bool // a person who watches is shown where acts begin, see [cdp.Flash]

	// Refused is called in a browser without a proxy, when the network policy has refused a request
	// for the document of the tab's navigation. The request is the first of the navigation, or one
	// after a redirect. The tab keeps its document. Refused may be nil.
	Refused func(p *Page, begun string, why *guard.Refused)
}

// New returns the page of an attached tab. If the tab is paused, New applies the settings and lets
// it run. A tab that is not paused has run before, and may show anything. The page works until its
// session ends. What it does is recorded, see [Page.Record].
func New(s *cdp.Session, id string, paused bool, settings setting.Settings, on Callbacks) *Page {
	p := &Page{
		ID:          id,
		observer:    observe.New(on.Network),
		session:     s,
		turn:        mutex.New(),
		reading:     mutex.New(),
		ended:       make(chan struct{}),
		on:          on,
		sessions:    map[*cdp.Session]setting.Kind{},
		changed:     make(chan struct{}),
		calls:       map[*context.CancelCauseFunc]touch{},
		navigations: map[string]navigation{},
		collecting:  map[*Effects]struct{}{},
		reported:    map[frame.Origin]changes{},
		listeners:   inspect.Listeners{},
		dialogs:     dialogs{timeout: dialogTimeout},
		held:        held{timeout: heldTimeout},
	}
	p.settings = setting.Apply(settings, p.sessions, setting.Hooks{Network: on.Network, CancelsNavigation: p.cancelledByJudge, Used: on.reportChange})
	p.frames = frame.NewTree(id, s, p.frameRemovedLocked)
	p.mu.Lock()
	p.beginLocked(s, setting.Tab, paused)
	p.mu.Unlock()
	go p.run()
	return p
}

// Ready waits until the tab has its first document. If a tab is navigated before that, Chromium
// crashes its process.
func (p *Page) Ready(ctx context.Context) error {
	_, err := p.worldOf(ctx, p.main())
	return err
}

// Answers waits until the tab's renderer answers. It must be called within Watch: Chromium may
// report only later that the renderer has crashed, and Watch then returns [ErrCrashed].
func (p *Page) Answers(ctx context.Context) error {
	select {
	case <-ping(p.session):
		return p.Err()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Ended returns a channel that is closed when the tab has gone.
func (p *Page) Ended() <-chan struct{} { return p.ended }

// Session returns the tab's own session. Other packages use it for commands that change no state
// that the page keeps track of.
func (p *Page) Session() *cdp.Session { return p.session }

// URL returns the address of the main frame's document.
func (p *Page) URL() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.main().Address()
}

// Err returns why the page can no longer be used: ErrCrashed, ErrStuck, ErrClosed, [cdp.ErrClosed], or nil.
func (p *Page) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.end
}

// main returns the main frame. It never changes.
func (p *Page) main() *frame.Frame { return p.frames.Main }

// await waits until cond holds. It calls cond with mu held, once now and after each change of the
// state. The error is the cause of ctx.
func (p *Page) await(ctx context.Context, cond func() bool) error {
	return p.awaitOr(ctx, nil, cond)
}

// awaitOr does what await does, and also returns when the channel done is closed.
func (p *Page) awaitOr(ctx context.Context, done <-chan struct{}, cond func() bool) error {
	for {
		p.mu.Lock()
		ok, changed := cond(), p.changed
		p.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-done:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
