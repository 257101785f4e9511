package observe

import (
	"context"
	"sync"

	protolog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
	"chela/internal/engine/journal"
	"chela/internal/wall/proxy"
)

// observers has a function for each event that only reports what the page does, such as a console
// message. There may be ten thousand of them in a second. They run in their own goroutine without
// the page's mutex. So they do not delay the handlers of package page, and do not wake goroutines
// that wait for the page to change. They must not wait for a reply.
//
// Observed events keep their order among themselves, but not relative to the handlers of package
// page. The oldest are dropped when the observer is too slow. An event may have an observer and a
// handler: requests are observed, and also delay when a page counts as quiet.
var observers = sync.OnceValue(func() cdp.EventTable[*Observer] {
	observers := cdp.EventTable[*Observer]{}
	cdp.On(observers, runtime.ConsoleAPICalled, (*Observer).consoleCalled)
	cdp.On(observers, runtime.ExceptionThrown, (*Observer).exceptionThrown)
	cdp.On(observers, page.FrameNavigated, (*Observer).frameNavigated)
	cdp.On(observers, protolog.EntryAdded, (*Observer).entryAdded)
	cdp.On(observers, network.RequestWillBeSent, (*Observer).requestSent)
	cdp.On(observers, network.RequestWillBeSentExtraInfo, (*Observer).headersSent)
	cdp.On(observers, network.RequestServedFromCache, (*Observer).servedFromCache)
	cdp.On(observers, network.ResponseReceived, (*Observer).responseReceived)
	cdp.On(observers, network.ResponseReceivedExtraInfo, (*Observer).headersReceived)
	cdp.On(observers, network.DataReceived, (*Observer).dataReceived)
	cdp.On(observers, network.LoadingFinished, (*Observer).requestFinished)
	cdp.On(observers, network.LoadingFailed, (*Observer).requestFailed)
	cdp.On(observers, network.WebSocketCreated, (*Observer).socketCreated)
	cdp.On(observers, network.WebSocketWillSendHandshakeRequest, (*Observer).socketSent)
	cdp.On(observers, network.WebSocketHandshakeResponseReceived, (*Observer).socketAnswered)
	observers[network.WebSocketFrameSent.Method] = (*Observer).frameSent
	observers[network.WebSocketFrameReceived.Method] = (*Observer).frameReceived
	cdp.On(observers, network.WebSocketFrameError, (*Observer).socketFailed)
	cdp.On(observers, network.WebSocketClosed, (*Observer).socketClosed)
	cdp.On(observers, network.WebTransportCreated, (*Observer).transportCreated)
	cdp.On(observers, network.WebTransportConnectionEstablished, (*Observer).transportEstablished)
	cdp.On(observers, network.WebTransportClosed, (*Observer).transportClosed)
	return observers
})

// Class returns how a connection queues the events of a method for an observer.
func Class(method string) (class cdp.Class) {
	if observers()[method] != nil {
		class = cdp.Observation
	}
	if method == network.WebSocketFrameSent.Method || method == network.WebSocketFrameReceived.Method {
		class |= cdp.Shortened // large content would displace other events from the queue, and frameSent does not read it
	}
	return class
}

// An Observer writes what the sessions of a tab report into the tab's event log.
type Observer struct {
	network *proxy.Proxy // never changes; nil: none

	mu        sync.Mutex // guards the rest, and is held while an event is handled
	journal   *journal.Journal
	document  string // loader id of the document that the tab shows
	exchanges exchanges
	sockets   exchanges // open WebSockets and WebTransports, which use only the request of an exchange
	logged    logged
}

// New returns an observer for a tab or a shared worker. The parameter network is the browser's
// proxy; nil: the browser connects directly.
func New(network *proxy.Proxy) *Observer {
	return &Observer{network: network, journal: journal.New(nil), logged: logged{sessions: map[*cdp.Session]bool{}}}
}

// Run handles the events of a queue until the queue ends.
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

// Record makes the observer write into j from now on. An observer begins with an event log of its
// own, whose entries are moved to j.
func (o *Observer) Record(j *journal.Journal) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.journal != j {
		j.Append(o.journal)
		o.journal = j
	}
}
