package api

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/engine/setting"
	"chela/internal/op"
)

// routesRow returns the operation that lists the routes, even while no browser runs. Agents get
// none of the operations on requests: the definition of their tool has no room for more names.
func routesRow() []*op.Op {
	return []*op.Op{
		op.Define("GET /routes", "routes", "List your routes, and what they do with requests.",
			listRoutes, op.NotForAgents, op.AlsoCalled("route-list")),
	}
}

// routeRows returns the operations that change what happens to the requests of all tabs. Routes are
// like settings. They hold until the browser is stopped, and also in the browser that takes over
// from one that was lost.
func routeRows() []*op.Op {
	return []*op.Op{
		op.Define("POST /route", "route {url?}",
			"Abort, answer, change or delay the requests of all tabs that fit a pattern. Of several routes that fit, the one added last is used. "+
				"Routes have no effect on requests of some shared workers.",
			addRoute, brief, op.Example(`'**/*.{png,jpg}' --abort`), op.Says("added {id}: {does}"), op.NotForAgents),
		op.Define("DELETE /route", "unroute {url?}", "Remove the route with an id, the routes with a pattern, or all routes.",
			removeRoutes, brief, op.Example("'**/*.{png,jpg}'"), op.Says("removed {removed} route(s)"), op.NotForAgents),
	}
}

// Limits of routes. Their bodies are held in memory, and each request is compared with the patterns
// of all routes.
const (
	maxRoutes = 100
	maxBody   = 5 << 20  // bytes of one answer
	maxBodies = 20 << 20 // bytes of all answers
)

// A routeRequest says which requests a route is for, and what happens to them. The fields of an
// answer may be in fulfill, as in Playwright, or beside it: the command line has flags for the
// fields beside it. [setting.Rule] says what the other fields mean.
type routeRequest struct {
	call.On
	URL   string   `json:"url,omitempty" doc:"which addresses: a glob for the whole address, in which * is anything but a slash, ** anything, {a,b} a or b; or a whole address; or a path (/api/**); or a part of the address"`
	Types []string `json:"types,omitempty" doc:"only requests for these: document, stylesheet, image, media, font, script, xhr (also fetch), ping, other"`
	Block []string `json:"block,omitempty" doc:"abort requests for these types of resources: images,fonts"`

	Abort   abortReason    `json:"abort,omitempty" bare:"true" doc:"fail the requests: true, or the reason that the page sees: blockedbyclient, timedout, connectionrefused, namenotresolved …"`
	Fulfill *fulfillment   `json:"fulfill,omitempty" script:"true" doc:"answer the requests without asking the server: {status, headers, contentType, and body, json, base64 or path}"`
	Headers map[string]any `json:"headers,omitempty" flag:"headers-json,headers" secret:"true" wrong:"headers must be an object" doc:"headers that the requests get, by name; null removes one"`
	DelayMs int            `json:"delayMs,omitempty" min:"0" max:"120000" doc:"milliseconds to wait before the request is answered, failed or sent"`
	Times   int            `json:"times,omitempty" min:"1" doc:"only for this many requests, of all tabs together"`

	Status      int      `json:"status,omitempty" min:"200" max:"599" doc:"answer with this status"`
	ContentType string   `json:"contentType,omitempty" doc:"answer with this type: application/json"`
	Body        *string  `json:"body,omitempty" script:"true" verbatim:"true" doc:"answer with this text"`
	BodyFile    op.Input `json:"bodyFile,omitempty" script:"true" doc:"answer with this file"`
}

// An abortReason says why a request fails, by Playwright's name. It may also be true, which
// means failed, or false, which means that the request does not fail.
type abortReason string

// UnmarshalText reads what a person wrote. A flag without a value gives true. The names are in
// lower case, but upper case is accepted.
func (a *abortReason) UnmarshalText(text []byte) error {
	name := strings.ToLower(strings.TrimSpace(string(text)))
	if on, err := strconv.ParseBool(name); err == nil {
		if name = ""; on {
			name = "failed"
		}
	}
	if name != "" && !slices.Contains(setting.AbortReasons(), name) {
		return op.Errorf(op.Invalid, "abort must be true, or one of %s", strings.Join(setting.AbortReasons(), ", "))
	}
	*a = abortReason(name)
	return nil
}

// UnmarshalJSON reads what a program wrote. true and false need not be in quotes.
func (a *abortReason) UnmarshalJSON(raw []byte) error {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw)
	}
	return a.UnmarshalText([]byte(text))
}

// JSONSchema describes the reason as a text. To abort for the usual reason, or not to abort, true and
// false are also accepted, as JSON values or as texts. The schema leaves them out to stay short.
func (abortReason) JSONSchema() op.Object { return op.Object{"type": "string"} }

// Check refuses a route without a pattern and types, and a route that does nothing with its
// requests. It also refuses a route with several of abort, fulfill and headers, because only one
// can be done.
//
// A delay can be combined with each of these. A route that has only a delay sends the requests on
// after it. Check has no Service, so it reads no files: readFulfillment does that later.
func (r routeRequest) Check() error {
	types, err := r.types()
	if err != nil {
		return err
	}
	f := r.answer()
	ends := 0 // how many of abort, answer and headers are given
	for _, has := range []bool{r.Abort != "" || len(r.Block) > 0, f != nil, len(r.Headers) > 0} {
		if has {
			ends++
		}
	}
	switch {
	case r.URL == "" && len(types) == 0:
		return op.Errorf(op.Invalid, "url is required").Hinted("give a pattern, or types such as images; ** is for all requests")
	case ends == 0 && r.DelayMs == 0:
		return op.Errorf(op.Invalid, "a route needs abort, fulfill, headers or delayMs")
	case ends > 1:
		return op.Errorf(op.Invalid, "a route has only one of abort, fulfill and headers").Hinted("add two routes")
	case f != nil:
		return f.check()
	}
	_, err = parseHeaders(r.Headers, true)
	return err
}

// types returns the kinds of requests, by their names in the singular. A list may be given as one
// text with commas, as it is on the command line. Names in the plural, such as images, are also
// known. The types to block are among them: ruleOf makes the route block requests of these types.
func (r routeRequest) types() (types []string, err error) {
	for name := range strings.SplitSeq(strings.Join(slices.Concat(r.Types, r.Block), ","), ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		known, ok := setting.ResourceType(name)
		if !ok {
			return nil, op.Errorf(op.Invalid, "%q is no type of request: %s", name, strings.Join(setting.ResourceTypes(), ", "))
		}
		types = append(types, known)
	}
	return types, nil
}

// ruleOf makes the rule that a request asks for, without an id. It returns the errors of
// readFulfillment.
func ruleOf(t *call.Turn, r routeRequest) (rule setting.Rule, err error) {
	rule = setting.Rule{URL: r.URL, Abort: string(r.Abort), Delay: time.Duration(r.DelayMs) * time.Millisecond, Times: r.Times}
	rule.Types, err = r.types()
	if len(r.Block) > 0 {
		// The page sees the request fail as if an ad blocker had blocked it.
		rule.Abort = cmp.Or(rule.Abort, "blockedbyclient")
	}
	if f := r.answer(); err == nil && f != nil {
		rule.Fulfill, err = readFulfillment(t.Service, f)
	} else if err == nil {
		rule.Headers, err = parseHeaders(r.Headers, true)
	}
	return rule, err
}

// routeInfo is a route in the list of routes. Bodies are not listed, only their size.
type routeInfo struct {
	ID      string             `json:"id" doc:"id of the route"`
	URL     string             `json:"url,omitempty" doc:"pattern for addresses"`
	Types   []string           `json:"types,omitempty" doc:"types of requests"`
	Abort   string             `json:"abort,omitempty" bare:"true" doc:"why the requests fail"`
	Fulfill *fulfilled         `json:"fulfill,omitempty" doc:"what the requests are answered with"`
	Headers map[string]*string `json:"headers,omitempty" doc:"headers that the requests get; null removes one"`
	DelayMs int64              `json:"delayMs,omitempty" doc:"milliseconds before the request is answered, failed or sent"`
	Left    int                `json:"timesLeft,omitempty" doc:"how many more requests the route is for; absent: for all"`
	Does    string             `json:"does" doc:"what the route does, in words"`
}

// fulfilled is the answer of a route in the list of routes.
type fulfilled struct {
	Status  int               `json:"status" doc:"HTTP status"`
	Headers map[string]string `json:"headers,omitempty" doc:"headers of the answer"`
	Bytes   int               `json:"bytes" doc:"size of the body in bytes"`
}

// infoOf describes a route for the list, as it is now: the number of uses that are left may change
// at any time. Secrets in headers of requests are not shown. Headers of answers are, as the caller
// has written these for the page.
func infoOf(r *setting.Route) routeInfo {
	i := routeInfo{
		ID: r.ID, URL: r.URL, Types: r.Types, Abort: r.Abort, Headers: shownHeaders(r.Headers),
		DelayMs: r.Delay.Milliseconds(), Left: r.Left(),
	}
	if f := r.Fulfill; f != nil {
		i.Fulfill = &fulfilled{f.Status, f.Headers, f.Size}
	}
	i.Does = i.words()
	return i
}

// words describes the effect of a route for the list.
func (i routeInfo) words() string {
	which := []string{cmp.Or(i.URL, "all addresses")}
	if len(i.Types) > 0 {
		which = append(which, "("+strings.Join(i.Types, ", ")+")")
	}
	what := "is sent on"
	switch {
	case i.Abort != "":
		what = "fails (" + i.Abort + ")"
	case i.Fulfill != nil:
		what = fmt.Sprintf("is answered with %d, %d bytes", i.Fulfill.Status, i.Fulfill.Bytes)
	case len(i.Headers) > 0:
		what = "gets " + strings.Join(slices.Sorted(maps.Keys(i.Headers)), ", ")
	}
	if i.DelayMs > 0 {
		what += fmt.Sprintf(" after %d ms", i.DelayMs)
	}
	if i.Left > 0 {
		what += fmt.Sprintf(", %d more time(s)", i.Left)
	}
	return strings.Join(which, " ") + " " + what
}

// routeList is the routes in force, in the order in which they are tried: the one that was added
// last comes first, as in Playwright.
type routeList struct {
	OK     bool        `json:"ok" doc:"always true"`
	Routes []routeInfo `json:"routes" doc:"the routes; the first one that fits a request is used"`
}

// Text returns a line for each route.
func (l routeList) Text() string {
	var all []string
	for _, r := range l.Routes {
		all = append(all, r.ID+"  "+r.Does)
	}
	return cmp.Or(words.Lines(all...), "no routes")
}

// listRoutes lists the routes. It starts no browser: a browser that was stopped has no routes.
// Routes that are used up are not listed.
func listRoutes(ctx context.Context, s *call.Service, r profileRequest) (routeList, error) {
	p, err := s.Profiles.Named(r.Profile)
	if err != nil {
		return routeList{}, err
	}
	c, err := p.Settings(ctx)
	list := routeList{OK: true, Routes: []routeInfo{}}
	for _, each := range slices.Backward(c.Routes) {
		if !each.Spent() {
			list.Routes = append(list.Routes, infoOf(each))
		}
	}
	return list, err
}

// addRoute puts a route before all others. Routes that are used up are removed.
//
// The limits are for all routes together, since the bodies stay in memory until their routes are
// removed. It returns the errors of ruleOf and of [browser.Tab.Set], and an error if there are too
// many routes or their bodies are too large.
func addRoute(ctx context.Context, t *call.Turn, r routeRequest) (routeResult, error) {
	rule, err := ruleOf(t, r)
	if err != nil {
		return routeResult{}, err
	}
	var added *setting.Route
	err = t.Tab.Set(ctx, func(c *setting.Common) error {
		// Pages still use the former list, so it is copied and not changed.
		routes := slices.DeleteFunc(slices.Clone(c.Routes), (*setting.Route).Spent)
		bytes := 0
		if rule.Fulfill != nil {
			bytes = rule.Fulfill.Size
		}
		for _, each := range routes {
			if each.Fulfill != nil {
				bytes += each.Fulfill.Size
			}
		}
		switch {
		case len(routes) >= maxRoutes:
			return op.Errorf(op.Conflict, "there are %d routes already", maxRoutes).Hinted("remove some: chela unroute")
		case bytes > maxBodies:
			return op.Errorf(op.TooLarge, "the bodies of all routes are larger than %d bytes", maxBodies).Hinted("remove some: chela unroute")
		}
		// Ids are not used again. So a caller that removes route1 late does not remove another
		// route.
		c.LastRoute++
		rule.ID = fmt.Sprint("route", c.LastRoute)
		added = &setting.Route{Rule: rule}
		c.Routes = append(routes, added)
		return nil
	})
	if err != nil {
		return routeResult{}, err
	}
	return routeResult{infoOf(added)}, nil
}

// routeResult is the route that was added.
type routeResult struct{ routeInfo }

// An unrouteRequest says which routes are removed. The command takes one argument, a pattern or an
// id, so URL may also be an id. If a request has both fields, a route must match both.
type unrouteRequest struct {
	call.On
	URL string `json:"url,omitempty" doc:"pattern of the routes to remove, exactly as it was added, or the id of one; without url and id, all are removed"`
	ID  string `json:"id,omitempty" doc:"id of the route to remove"`
}

// unrouted says how many routes were removed.
type unrouted struct {
	Removed int `json:"removed" doc:"how many routes were removed"`
}

// removeRoutes removes routes. A request that one of them is delaying is sent at once. If no route
// matches, that is an error, since the caller believes that there is one. To remove all routes when
// there are none is no error.
func removeRoutes(ctx context.Context, t *call.Turn, r unrouteRequest) (done unrouted, err error) {
	err = t.Tab.Set(ctx, func(c *setting.Common) error {
		before := slices.DeleteFunc(slices.Clone(c.Routes), (*setting.Route).Spent)
		c.Routes = slices.DeleteFunc(slices.Clone(before), func(each *setting.Route) bool {
			byID := r.ID == "" || each.ID == r.ID
			return byID && (r.URL == "" || each.URL == r.URL || each.ID == r.URL)
		})
		done.Removed = len(before) - len(c.Routes)
		if done.Removed == 0 && (r.ID != "" || r.URL != "") {
			return op.Errorf(op.NotFound, "no route %q", cmp.Or(r.ID, r.URL)).Hinted("list the routes")
		}
		return nil
	})
	return done, err
}
