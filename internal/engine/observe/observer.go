package observe

import (
	"context"
	"sync"

	protocol "github.com/chromedp/cdproto/cdp"
	protolog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
	"chela/internal/engine/journal"
	"chela/internal/wall/proxy"
)

// observers says what is done with each event that only reports what the page does,
// such as a message on its console. There may be ten thousand of them in a second. So
// they run in a goroutine of their own, without the page's mutex: they delay no handler
// and wake no call of await. The order among them is that of the events; that between
// them and the handlers is lost, and the oldest are dropped when they are too slow.
// An event may be both: requests are observed, and delay that a page is quiet.
var observers = sync.OnceValue(func() observerTable {
	observers := observerTable{}
	observe(observers, runtime.ConsoleAPICalled, (*Observer).consoleCalled)
	observe(observers, runtime.ExceptionThrown, (*Observer).exceptionThrown)
	observe(observers, protolog.EntryAdded, (*Observer).entryAdded)
	observe(observers, network.RequestWillBeSent, (*Observer).requestSent)
	observe(observers, network.RequestWillBeSentExtraInfo, (*Observer).headersSent)
	observe(observers, network.RequestServedFromCache, (*Observer).servedFromCache)
	observe(observers, network.ResponseReceived, (*Observer).responseReceived)
	observe(observers, network.ResponseReceivedExtraInfo, (*Observer).headersReceived)
	observe(observers, network.DataReceived, (*Observer).dataReceived)
	observe(observers, network.LoadingFinished, (*Observer).requestFinished)
	observe(observers, network.LoadingFailed, (*Observer).requestFailed)
	observe(observers, network.WebSocketCreated, (*Observer).socketCreated)
	observe(observers, network.WebSocketWillSendHandshakeRequest, (*Observer).socketSent)
	observe(observers, network.WebSocketHandshakeResponseReceived, (*Observer).socketAnswered)
	observers[network.WebSocketFrameSent.Method] = (*Observer).frameSent
	observers[network.WebSocketFrameReceived.Method] = (*Observer).frameReceived
	observe(observers, network.WebSocketFrameError, (*Observer).socketFailed)
	observe(observers, network.WebSocketClosed, (*Observer).socketClosed)
	observe(observers, network.WebTransportCreated, (*Observer).transportCreated)
	observe(observers, network.WebTransportConnectionEstablished, (*Observer).transportEstablished)
	observe(observers, network.WebTransportClosed, (*Observer).transportClosed)
	return observers
})

// Class is how a connection has to queue the events of a method for an observer.
func Class(method string) (class cdp.Class) {
	if observers()[method] != nil {
		class = cdp.Observation
	}
	if method == network.WebSocketFrameSent.Method || method == network.WebSocketFrameReceived.Method {
		class |= cdp.Shortened // see frameSent: the content, which may be large, would leave no room for others in the queue
	}
	return class
}

// An observerTable says by method what is done with events that are observed.
type observerTable map[string]func(*Observer, cdp.Event)

// observe adds what is done with an event. It must not wait for a reply.
func observe[E any](t observerTable, event protocol.Event[E], handle func(*Observer, *cdp.Session, E)) {
	t[event.Method] = func(o *Observer, ev cdp.Event) {
		if params, ok := cdp.Decode(ev, event); ok {
			handle(o, ev.Session, params)
		}
	}
}

// An observer writes what the sessions of a tab report into the tab's journal.
type Observer struct {
	network *proxy.Proxy // never changes; nil: none

	mu        sync.Mutex // guards the rest, and is held while an event is handled
	journal   *journal.Journal
	exchanges exchanges
	sockets   exchanges // WebSockets and WebTransports that are open, which have a request and nothing else of an exchange
	logged    logged
}

// New returns an observer of a tab, or of a shared worker. Network is what the browser connects through; nil: it connects itself.
func New(network *proxy.Proxy) *Observer {
	return &Observer{network: network, journal: journal.New(), logged: logged{sessions: map[*cdp.Session]bool{}}}
}

// Run handles the events of a queue until it ends.
func (o *Observer) Run(q *cdp.Queue) {
	for {
		ev, err := q.Next(context.Background())
		if err != nil {
			return
		}
		o.handle(ev, q.TakeLost())
	}
}

func (o *Observer) handle(ev cdp.Event, lost map[string]int) {
	handle := observers()[ev.Method]
	o.mu.Lock()
	defer o.mu.Unlock()
	if lost != nil {
		o.journal.AddLost(journal.Lost{
			Messages: lost[runtime.ConsoleAPICalled.Method] + lost[protolog.EntryAdded.Method],
			Errors:   lost[runtime.ExceptionThrown.Method],
			Requests: lost[network.RequestWillBeSent.Method] + lost[network.WebSocketCreated.Method],
		})
	}
	if handle != nil {
		handle(o, ev)
	}
}

// Record has the observer write into a journal from now on, which also gets what it has
// written before: it begins with a journal of its own.
func (o *Observer) Record(j *journal.Journal) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.journal != j {
		j.Append(o.journal)
		o.journal = j
	}
}
