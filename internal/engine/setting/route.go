package setting

import (
	"chela/internal/engine/urls"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
)

// A Rule says what happens to the requests that match it: they fail, get a response from the rule,
// or are sent with other headers. If several rules match, the one that was added last counts.
type Rule struct {
	ID      string             `json:"id"`
	URL     string             `json:"url,omitempty"`     // a URL pattern, see urls.FilterOf
	Types   []string           `json:"types,omitempty"`   // kinds of resources, see ResourceType; none: any
	Abort   string             `json:"abort,omitempty"`   // the request fails for this reason, see AbortReasons; "": the request does not fail
	Fulfill *Fulfillment       `json:"fulfill,omitempty"` // the response; the server is not asked
	Headers map[string]*string `json:"headers,omitempty"` // request headers: set, or removed if nil
	Delay   time.Duration      `json:"delay,omitempty"`   // time before the request is answered, failed or sent
	Times   int                `json:"times,omitempty"`   // how many requests the route applies to; 0: all
}

// A Route is a rule that is in force. The rule never changes. All pages share the route, so that
// uses in all of them are counted together.
type Route struct {
	Rule
	used   atomic.Int64 // how many requests have used the route; counted only if Times is not 0
	once   sync.Once
	filter urls.Filter // the parsed URL pattern; set at first use
}

// A Fulfillment is the response that a route gives instead of the server's.
type Fulfillment struct {
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers,omitempty"`
	Body    []byte            `json:"body,omitempty"`
	Size    int               `json:"size,omitempty"` // size of Body; also set if Body is left out, see keptBody
}

// keptBody is the largest body, in bytes, that is saved in the session file. The file is written
// again whenever a tab or a cookie has changed, so it must stay small.
const keptBody = 32 << 10

// MarshalJSON leaves out a large body.
func (f Fulfillment) MarshalJSON() ([]byte, error) {
	type plain Fulfillment
	if len(f.Body) > keptBody {
		f.Body = nil
	}
	return json.Marshal(plain(f))
}

// spentTimes is the value of Times in the session file for a route that has no uses left.
const spentTimes = -1

// MarshalJSON writes how many requests the route still applies to.
func (r *Route) MarshalJSON() ([]byte, error) {
	rule := r.Rule
	if r.Spent() {
		rule.Times = spentTimes
	} else if r.Times > 0 {
		rule.Times = r.Left()
	}
	return json.Marshal(rule)
}

// Left returns how many more requests the route applies to, if Times limits them.
func (r *Route) Left() int { return max(0, r.Times-int(r.used.Load())) }

// Spent reports whether the route has no uses left.
func (r *Route) Spent() bool { return r.Times < 0 || r.Times > 0 && r.Left() == 0 }

// Whole reports whether the route still has its body: a large one is not saved.
func (r *Route) Whole() bool { return r.Fulfill == nil || len(r.Fulfill.Body) == r.Fulfill.Size }

// Restored returns settings that were read from a file, without the routes whose body was too large
// to save. The result lost names these routes, in words for the caller.
func (c Common) Restored() (restored Common, lost []string) {
	c.Routes = slices.DeleteFunc(slices.Clone(c.Routes), func(r *Route) bool {
		if !r.Whole() {
			lost = append(lost, "route "+r.ID)
		}
		return !r.Whole()
	})
	return c, lost
}

// take counts a use of the route. If the route is spent, the result taken is false. If this use was
// the last one, the result last is true.
func (r *Route) take() (taken, last bool) {
	if r.Times == 0 {
		return true, false
	}
	n := int(r.used.Add(1))
	return n <= r.Times, n == r.Times
}

// addresses returns the parsed URL pattern of the route.
func (r *Route) addresses() urls.Filter {
	r.once.Do(func() { r.filter = urls.FilterOf(r.URL) })
	return r.filter
}

// fits reports whether the route applies to a request with this address and of this kind.
func (r *Route) fits(url string, kind network.ResourceType) bool {
	return r.addresses().Fits(url) && (len(r.Types) == 0 || slices.ContainsFunc(r.Types, func(name string) bool {
		return resourceTypes[name] == kind
	}))
}

// patterns returns patterns of the Fetch domain that include all requests of the route.
func (r *Route) patterns() (all []fetch.RequestPattern) {
	wide := r.addresses().Wide
	if len(r.Types) == 0 {
		return []fetch.RequestPattern{{URLPattern: wide}}
	}
	for _, name := range r.Types {
		all = append(all, fetch.RequestPattern{URLPattern: wide, ResourceType: resourceTypes[name]})
	}
	return all
}

// resourceTypes maps Playwright's names for kinds of requests to those of Chromium. It has only the
// kinds that Chromium knows when it pauses a request. At that time, Chromium does not distinguish
// fetch from XMLHttpRequest. Some kinds, such as manifests, are "other".
var resourceTypes = map[string]network.ResourceType{
	"document":   network.ResourceTypeDocument,
	"stylesheet": network.ResourceTypeStylesheet,
	"image":      network.ResourceTypeImage,
	"media":      network.ResourceTypeMedia,
	"font":       network.ResourceTypeFont,
	"script":     network.ResourceTypeScript,
	"xhr":        network.ResourceTypeXHR,
	"fetch":      network.ResourceTypeXHR,
	"ping":       network.ResourceTypePing,
	"other":      network.ResourceTypeOther,
}

// abortReasons maps Playwright's names for the reasons why a request fails to those of Chromium.
var abortReasons = map[string]network.ErrorReason{
	"aborted":              network.ErrorReasonAborted,
	"accessdenied":         network.ErrorReasonAccessDenied,
	"addressunreachable":   network.ErrorReasonAddressUnreachable,
	"blockedbyclient":      network.ErrorReasonBlockedByClient,
	"blockedbyresponse":    network.ErrorReasonBlockedByResponse,
	"connectionaborted":    network.ErrorReasonConnectionAborted,
	"connectionclosed":     network.ErrorReasonConnectionClosed,
	"connectionfailed":     network.ErrorReasonConnectionFailed,
	"connectionrefused":    network.ErrorReasonConnectionRefused,
	"connectionreset":      network.ErrorReasonConnectionReset,
	"failed":               network.ErrorReasonFailed,
	"internetdisconnected": network.ErrorReasonInternetDisconnected,
	"namenotresolved":      network.ErrorReasonNameNotResolved,
	"timedout":             network.ErrorReasonTimedOut,
}

// ResourceType returns the name in resourceTypes for a kind of requests that a caller names.
// Plurals such as images are accepted. It returns false if there is no such kind.
func ResourceType(name string) (string, bool) {
	name = strings.ToLower(name)
	for _, each := range []string{name, strings.TrimSuffix(name, "s")} {
		if resourceTypes[each] != "" {
			return each, true
		}
	}
	return "", false
}

// ResourceTypes returns the names of the kinds of requests.
func ResourceTypes() []string { return slices.Sorted(maps.Keys(resourceTypes)) }

// AbortReasons returns the names of the reasons with which a route can fail a request.
func AbortReasons() []string { return slices.Sorted(maps.Keys(abortReasons)) }
