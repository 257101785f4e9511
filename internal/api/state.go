package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/base/sitedata"
	"chela/internal/engine/browser"
	"chela/internal/engine/site"
	"chela/internal/op"
)

// A saveStateRequest saves cookies and storage. Chromium does not list the origins that have
// storage. So an origin that no tab has shown is saved only if it is named here.
type saveStateRequest struct {
	call.On
	op.Timeout
	Origins []string `json:"origins,omitempty" doc:"further origins whose storage is saved, in addition to those that tabs have shown"`
}

// Check refuses what is not an origin, as only documents of http and https have storage that can be
// opened again. It also refuses too many origins: each is opened in a hidden tab, one after the
// other.
func (r saveStateRequest) Check() error {
	if len(r.Origins) > maxFurther {
		return op.Errorf(op.Invalid, "origins must not be more than %d", maxFurther)
	}
	for _, origin := range r.Origins {
		if sitedata.OriginOf(origin) == "" {
			return op.Errorf(op.Invalid, "origin must be an http(s) origin")
		}
	}
	return nil
}

// maxFurther bounds how many further origins a request names. The browser itself remembers at most
// as many origins that tabs have shown.
const maxFurther = 500

// savedState is a storage state in Playwright's format, with a list of what is missing. That list
// is the field Left. It is in the answer but not in the file, since other programs read the file.
type savedState struct {
	ofSites
	sitedata.State
	Left []op.PageText `json:"notSaved,omitempty" doc:"what could not be saved, and why"`
}

// Document returns what the command line writes to the file: Playwright's storage state, with
// sessionStorage beside it.
func (s savedState) Document() any { return s.State }

// Text says what was saved, and what is missing.
func (s savedState) Text() string {
	text := fmt.Sprintf("saved %d cookies, storage of %d origins, sessionStorage of %d tabs",
		len(s.Cookies), len(s.Origins), len(s.SessionStorage))
	return words.Lines(append([]string{text, s.Emptied.InWords()}, prefixedAll("not saved: ", s.Left)...)...)
}

// prefixedAll puts a prefix before each text, for lists in which each line must say by itself what
// it is about.
func prefixedAll(prefix string, list []op.PageText) (all []string) {
	for _, text := range list {
		all = append(all, prefix+string(text))
	}
	return all
}

// saveState reads what there is and changes nothing. It takes no turn of a tab, so other calls go
// on meanwhile, and the parts of a state may be some moments apart. What cannot be read, such as an
// origin or the sessionStorage of a busy page, is no error but is named in the answer. It returns
// the errors of finding the tab and of [browser.Browser.SaveState].
func saveState(ctx context.Context, s *call.Service, r saveStateRequest) (saved savedState, err error) {
	for i, origin := range r.Origins {
		r.Origins[i] = sitedata.OriginOf(origin)
	}
	var left []string
	saved.ofSites, err = withReadableTab(ctx, s, r.On, func(bc *browser.BrowserContext) (err error) {
		saved.State, left, err = bc.SaveState(ctx, r.Origins)
		return err
	})
	saved.Left = firstLeft(left)
	return saved, err
}

// maxLeft limits how many of the things that were not saved or loaded an answer lists.
const maxLeft = 100

// firstLeft cuts the list at maxLeft and says how many more there were. The list has names of the
// page's choice, such as those of databases and keys, so its texts are marked as text of a page.
func firstLeft(left []string) (first []op.PageText) {
	for i, each := range left {
		if i == maxLeft {
			return append(first, op.PageText(fmt.Sprintf("and %d more", len(left)-maxLeft)))
		}
		first = append(first, op.PageText(each))
	}
	return first
}

// A loadStateRequest has a saved state: either the file that it was saved in, or its content as
// lists of cookies, origins and so on. A file is what state save writes, and the lists are what GET
// /state has answered to a program. They may hold logins, so traces do not have them.
type loadStateRequest struct {
	call.On
	op.Timeout
	File           op.Input           `json:"file,omitempty" doc:"file with the state, as state save and Playwright write it"`
	Cookies        []sitedata.Cookie  `json:"cookies,omitempty" flag:"-" secret:"true" doc:"cookies, as GET /state answers them"`
	Origins        []sitedata.Origin  `json:"origins,omitempty" flag:"-" secret:"true" doc:"localStorage and IndexedDB by origin, as GET /state answers them"`
	SessionStorage []sitedata.Session `json:"sessionStorage,omitempty" flag:"-" secret:"true" doc:"sessionStorage of tabs, as GET /state answers it"`
	Clear          bool               `json:"clear,omitempty" doc:"first remove all cookies, and the storage of the origins that tabs have shown"`
}

// Check refuses a request with both forms, and with none. A list that is empty counts as given: if
// Clear is set, such a request only removes. The state in a file is checked when it is read, by
// readState.
func (r loadStateRequest) Check() error {
	s := sitedata.State{Cookies: r.Cookies, Origins: r.Origins, SessionStorage: r.SessionStorage}
	inline := r.Cookies != nil || r.Origins != nil || r.SessionStorage != nil
	if inline == (r.File != "") {
		return op.Errorf(op.Invalid, "state load requires either file, or cookies and origins").Hinted("give a file that state save has written")
	}
	return checkState(s)
}

// checkState returns what is wrong with a state, as far as that can be known without Chromium. It
// replaces each origin by its normal form, in the given list itself.
//
// That list is the request's own, so loadState sees the normal forms. A cookie is set for an
// address, in which its domain becomes the host. So a domain with a character that ends a host is
// refused: the cookie could be set for another site.
func checkState(s sitedata.State) error {
	if err := checkCount(len(s.Cookies)); err != nil {
		return err
	}
	for _, c := range s.Cookies {
		if c.Domain == "" || strings.ContainsAny(c.Domain, "/@?#\\ ") {
			return op.Errorf(op.Invalid, "the state has a cookie %q without a domain", c.Name)
		}
	}
	for i, o := range s.Origins {
		if s.Origins[i].Origin = sitedata.OriginOf(o.Origin); s.Origins[i].Origin == "" {
			return op.Errorf(op.Invalid, "the state has storage of %q, which is no http(s) origin", o.Origin)
		}
	}
	if len(s.Origins) > maxStates || len(s.SessionStorage) > maxStates {
		return op.Errorf(op.Invalid, "the state has storage of more than %d origins", maxStates)
	}
	return nil
}

// maxStates bounds the origins in a state, and maxStateFile its file, in bytes. A file of another
// program may be larger than a file of chela, in which storage takes at most 24 MB.
const (
	maxStates    = 1000
	maxStateFile = 64 << 20
)

// loadedState says what was loaded. A sessionStorage belongs to a tab: if no open tab shows its
// origin, it waits for one that does.
type loadedState struct {
	ofSites
	Cookies  int           `json:"cookies" doc:"how many cookies were set"`
	Origins  int           `json:"origins" doc:"number of origins whose storage was set"`
	Sessions int           `json:"tabs" doc:"how many tabs were given their sessionStorage"`
	Pending  int           `json:"pendingSessions,omitempty" doc:"how many more sessionStorages are set later, when a tab opens their origin"`
	Left     []op.PageText `json:"notLoaded,omitempty" doc:"what could not be loaded, and why"`
}

// Text says what was loaded, and what could not be.
func (l loadedState) Text() string {
	all := []string{l.Emptied.InWords(), fmt.Sprintf("loaded %d cookies, storage of %d origins, sessionStorage of %d tabs", l.Cookies, l.Origins, l.Sessions)}
	if l.Pending > 0 {
		all = append(all, fmt.Sprintf("sessionStorage of %d further tabs is set when their origin is opened", l.Pending))
	}
	return words.Lines(append(all, prefixedAll("not loaded: ", l.Left)...)...)
}

// loadState loads all that it can. The answer names what Chromium refuses, and entries of a kind
// that chela does not know. It returns the errors of readInput, of readState and of
// [browser.Browser.LoadState]. What was loaded before such an error stays, as there is no way back
// to what a site had before.
func loadState(ctx context.Context, s *call.Service, r loadStateRequest) (done loadedState, err error) {
	state := sitedata.State{Cookies: r.Cookies, Origins: r.Origins, SessionStorage: r.SessionStorage}
	var unknown []string
	if r.File != "" {
		if state, unknown, err = readState(s, r.File); err != nil {
			return done, err
		}
	}
	var loaded browser.Loaded
	done.ofSites, err = withTab(ctx, s, r.On, func(bc *browser.BrowserContext) (err error) {
		loaded, err = bc.LoadState(ctx, state, r.Clear)
		return err
	})
	done.Cookies, done.Origins, done.Sessions, done.Pending = loaded.Cookies, loaded.Origins, loaded.Sessions, loaded.Pending
	done.Left = firstLeft(append(unknown, loaded.Left...))
	return done, err
}

// readState reads the file of a state. The result unknown lists the parts of it that chela does not
// load, such as the passkeys that Playwright may have saved. It returns the errors of readInput.
// What is not JSON, has a field of another type, or is not a state, is [op.Invalid].
func readState(s *call.Service, file op.Input) (state sitedata.State, unknown []string, err error) {
	raw, err := readInput(s, file, maxStateFile)
	if err != nil {
		return state, nil, err
	}
	if err := json.Unmarshal(raw, &state); err != nil {
		wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
		if !ok {
			return state, nil, op.Errorf(op.Invalid, "the file is no state: it is not JSON")
		}
		return state, nil, op.Errorf(op.Invalid, "the file is no state: %s must be of another type than %s", wrong.Field, wrong.Value)
	}
	// Any JSON object can be read as a state without lists. To load it would do nothing, and be
	// answered as a success.
	if state.Cookies == nil && state.Origins == nil && state.SessionStorage == nil {
		return state, nil, op.Errorf(op.Invalid, "the file is no state: it has no cookies and no origins")
	}
	return state, unloaded(raw), checkState(state)
}

// unloaded lists the parts of a state that chela does not load. They are named in the answer,
// since a login that depends on them does not work afterwards. The fields need no tags:
// encoding/json does not look at upper and lower case.
func unloaded(raw []byte) (unknown []string) {
	var other struct {
		Credentials []json.RawMessage
		Origins     []struct {
			Origin string
			OPFS   []json.RawMessage
		}
	}
	json.Unmarshal(raw, &other) // a value of another type stays empty: it could not be used
	if len(other.Credentials) > 0 {
		unknown = append(unknown, "credentials (passkeys)")
	}
	for _, o := range other.Origins {
		if len(o.OPFS) > 0 {
			unknown = append(unknown, "files (opfs) of "+o.Origin)
		}
	}
	return unknown
}

// seedSessions prepares a navigation. If it leads to an origin for which state load has set
// sessionStorage aside, the document there gets that sessionStorage. The caller calls the returned
// function when the document is there.
//
// Only a browser with a loaded state has such data, so for most navigations nothing more is sent.
// The data of an origin are removed if the navigation ends at that origin. If the navigation
// failed, or led to another origin, they wait for the next one.
func seedSessions(ctx context.Context, t *call.Turn) func() {
	bc := t.Tab.BrowserContext()
	pending := bc.PendingSessions()
	if pending == nil {
		return func() {}
	}
	end, err := site.SeedSession(ctx, t.Page, pending)
	if err != nil {
		return func() {} // the navigation will fail for the same reason
	}
	return func() {
		end()
		for origin := range pending {
			if t.Page.ShowsOrigin(origin) {
				bc.DropPendingSession(origin)
			}
		}
	}
}
