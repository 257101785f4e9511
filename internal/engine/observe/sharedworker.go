package observe

import (
	"cmp"
	"fmt"

	"chela/internal/engine/cdp"
	"chela/internal/engine/journal"
	"chela/internal/wall/proxy"
)

// Shared prepares the session of a shared or service worker, which Chromium has paused. Such a
// worker belongs to no page, since several tabs may use it. The function run records what the
// worker does until the session ends. It writes each entry into all event logs that the function
// journals returns at that moment. The parameter network is the same as in [New].
func Shared(s *cdp.Session, journals func() []*journal.Journal, network *proxy.Proxy) (run func()) {
	Enable(s, OtherBodies)
	o := New(network)
	copies := &copier{journals: journals, of: map[string][]copied{}}
	o.journal.Listen(journal.Listener{Message: copies.message, Error: copies.error, Request: copies.request})
	return func() { o.Run(s.Observations()) }
}

// A copier copies the entries of one event log into others. A worker has its own event log, in
// which its requests have ids. Each tab gets copies, under ids of its own.
type copier struct {
	journals func() []*journal.Journal
	of       map[string][]copied // copies of each request, by the id of the original
	order    []string            // ids of the newest originals, oldest first
	last     int                 // number in the id of the newest original
}

// maxCopied limits the requests whose later changes are copied. Chromium may report the headers of
// a request after its end, so copies are remembered for some time after that.
const maxCopied = 500

// copied is the copy of a request in one event log.
type copied struct {
	journal *journal.Journal
	request *journal.Request
}

func (c *copier) message(m journal.Message) {
	for _, j := range c.journals() {
		j.AddMessage(m)
	}
}

func (c *copier) error(e journal.Error) {
	for _, j := range c.journals() {
		j.AddError(e)
	}
}

// request copies a request that was sent, and later its changes. An event log numbers requests in
// their order, so a request with the next number is new.
func (c *copier) request(r journal.Request) {
	if r.ID == fmt.Sprintf("r%d", c.last+1) {
		c.add(r)
	}
	for _, each := range c.of[r.ID] {
		each.journal.ChangeRequest(each.request, func(into *journal.Request) {
			into.Update(r)
			into.RedirectedFrom = cmp.Or(into.RedirectedFrom, c.idIn(each.journal, r.RedirectedFrom))
			into.RedirectedTo = cmp.Or(into.RedirectedTo, c.idIn(each.journal, r.RedirectedTo))
		})
	}
}

// idIn returns the id that the copy of a request has in j, or "" if j has no known copy.
func (c *copier) idIn(j *journal.Journal, original string) string {
	for _, each := range c.of[original] {
		if each.journal == j {
			return each.request.ID
		}
	}
	return ""
}

// add adds copies of a new request. Its links are ids of the worker's log, so request sets them.
func (c *copier) add(r journal.Request) {
	c.last++
	r.RedirectedFrom, r.RedirectedTo = "", ""
	var copies []copied
	for _, j := range c.journals() {
		copies = append(copies, copied{j, j.AddRequest(r)})
	}
	if len(c.order) == maxCopied {
		delete(c.of, c.order[0])
		c.order = c.order[1:]
	}
	c.of[r.ID], c.order = copies, append(c.order, r.ID)
}
