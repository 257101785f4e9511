package api

import (
	"context"
	"encoding/json"

	"chela/internal/api/call"
	"chela/internal/base/sitedata"
	"chela/internal/engine/browser"
	"chela/internal/engine/page"
	"chela/internal/engine/site"
	"chela/internal/op"
)

// storageOn says which storage a request is about.
type storageOn struct {
	call.On
	op.Timeout
	Area   site.Area `json:"area" enum:"local,session" doc:"localStorage, or the sessionStorage of the tab"`
	Origin string    `json:"origin,omitempty" doc:"origin of the storage, by default the page's. No tab needs to show it, except for sessionStorage, which belongs to a tab"`
}

// Check returns errors with OpenClaw's texts, in which the area is called kind. An origin must be
// one of http or https: sitedata.OriginOf knows no other.
func (r storageOn) Check() error {
	switch {
	case r.Area != site.LocalStorage && r.Area != site.SessionStorage:
		return op.Errorf(op.Invalid, "kind must be local|session")
	case r.Origin != "" && sitedata.OriginOf(r.Origin) == "":
		return op.Errorf(op.Invalid, "origin must be an http(s) origin")
	}
	return nil
}

// changes returns the Want of a request that only changes stored data, and reads nothing of the
// page.
func (r storageOn) changes() call.Want {
	w := r.On.Want()
	w.Sets = true
	return w
}

// where returns the request's storageOn. onStorage takes requests of several types, which all embed
// one.
func (r storageOn) where() storageOn { return r }

// onStorage runs an operation on storage. Most run in the tab, by call.OnTab. But the localStorage
// of a named origin does not depend on the tab, which may show another page, be busy or have a
// dialog open. So an empty document of the origin in a hidden tab reads and writes it. In that case
// the function do gets a Turn with that document and without a tab, see siteOf.
func onStorage(ctx context.Context, s *call.Service, o *op.Op, req any, do call.Work) (any, error) {
	r := req.(interface{ where() storageOn }).where()
	if r.Area != site.LocalStorage || r.Origin == "" {
		return call.OnTab(ctx, s, o, req, do)
	}
	var own any
	tab, err := withTab(ctx, s, r.On, func(bc *browser.BrowserContext) error {
		bc.AddOrigin(sitedata.OriginOf(r.Origin)) // so that storage of this origin will also be saved by state save
		return bc.InHiddenTab(ctx, func(ctx context.Context, p *page.Page) (err error) {
			own, err = do(ctx, &call.Turn{Service: s, Page: p})
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return op.Merge(tab, own)
}

// siteOf returns the storage that a request names, in the page of the turn. A turn without a tab
// belongs to a hidden page, which first has to show an empty document of the origin. If the request
// names an origin, and the tab shows no document of this origin, the error is [site.ErrNotShown].
func siteOf(ctx context.Context, t *call.Turn, r storageOn) (site.Site, error) {
	if t.Tab == nil {
		return site.Open(ctx, t.Page, sitedata.OriginOf(r.Origin))
	}
	return site.Of(ctx, t.Page, sitedata.OriginOf(r.Origin))
}

// A storageGetRequest reads one key, or all. White space around a key is a part of it.
type storageGetRequest struct {
	storageOn
	Key string `json:"key,omitempty" verbatim:"true" doc:"only this key"`
}

// Want lets the call run during the turns of other calls, since reading storage changes nothing.
// One call of a script reads everything, so it never sees a change of the page that is only half
// done.
func (r storageGetRequest) Want() call.Want {
	return call.Want{Acting: call.Acting{On: r.On}, Beside: true}
}

// storageValues is what is in a storage. It is bounded by the browser: an origin has room
// for 5 million characters.
type storageValues struct {
	Values  map[string]string `json:"values" doc:"values by key"`
	Changed []string          `json:"changed,omitempty" doc:"keys whose values are not valid Unicode: in values, U+FFFD replaces what JSON cannot hold"`
}

// Text returns the values as JSON.
func (v storageValues) Text() string { return indented(v.Values) }

// AfterDialog says how to get the values: scripts read them, and none runs while a dialog is open.
func (storageValues) AfterDialog(page.Dialog) string { return "answer the dialog, then call again" }

// storageGet answers with no values for a key that does not exist. As in OpenClaw, that is not an
// error: a script also gets null.
func storageGet(ctx context.Context, t *call.Turn, r storageGetRequest) (storageValues, error) {
	found := storageValues{Values: map[string]string{}}
	if r.Origin != "" {
		if err := t.Page.CheckURL(ctx, r.Origin); err != nil {
			return found, err
		}
	}
	site, err := siteOf(ctx, t, r.storageOn)
	if err != nil {
		return found, err
	}
	items, changed, err := site.Items(ctx, r.Area, optional(r.Key))
	for _, item := range items {
		found.Values[item.Name] = item.Value
	}
	found.Changed = changed
	return found, err
}

// optional returns nil for an empty text. The functions of the page take null to mean all keys. A
// storage may also have an empty key, which can be read only together with all others.
func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// A storedText is a value to store. As in OpenClaw, a value that is not a text counts as an empty
// text.
type storedText string

// UnmarshalText takes any text. Because of this method, package op does not convert JSON numbers to
// texts: a type with both methods reads its JSON by UnmarshalJSON alone.
func (v *storedText) UnmarshalText(text []byte) error {
	*v = storedText(text)
	return nil
}

// UnmarshalJSON takes a text, or an empty one in place of another value. OpenClaw also stores a
// number as an empty text, and its clients may depend on it.
func (v *storedText) UnmarshalJSON(raw []byte) error {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		text = ""
	}
	*v = storedText(text)
	return nil
}

// A storageSetRequest sets one key. The value is a secret to traces, because it may be a login; it
// may be left out, and is empty then.
type storageSetRequest struct {
	storageOn
	Key   string     `json:"key" verbatim:"true" doc:"key to set"`
	Value storedText `json:"value,omitempty" secret:"true" verbatim:"true" doc:"value of the key"`
}

func (r storageSetRequest) Want() call.Want { return r.changes() }

// Check returns an error with OpenClaw's text for a missing key. The tag of Key cannot refuse an
// empty key, because a verbatim parameter may be empty.
func (r storageSetRequest) Check() error {
	if err := r.storageOn.Check(); err != nil {
		return err
	}
	if r.Key == "" {
		return op.Errorf(op.Invalid, "key is required")
	}
	return nil
}

// storageSet sets the key as a script of the origin would, so other documents of the origin get a
// storage event. It returns the errors of siteOf, and [site.ErrStorageFull].
func storageSet(ctx context.Context, t *call.Turn, r storageSetRequest) (call.Done, error) {
	site, err := siteOf(ctx, t, r.storageOn)
	if err != nil {
		return call.Done{}, err
	}
	return call.Done{}, site.SetItems(ctx, r.Area, []sitedata.StorageItem{{Name: r.Key, Value: string(r.Value)}}, false)
}

// A storageClearRequest removes one key, or all.
type storageClearRequest struct {
	storageOn
	Key string `json:"key,omitempty" verbatim:"true" doc:"only this key"`
}

func (r storageClearRequest) Want() call.Want { return r.changes() }

// storageCleared says whether the key was there.
type storageCleared struct {
	Missing bool `json:"missing,omitempty" doc:"there was no such key"`
}

// Sentence says that there was nothing to remove, see [op.Says].
func (c storageCleared) Sentence(usual string) string {
	if c.Missing {
		return "nothing to clear: {area}Storage has no key {arg.key}"
	}
	return usual
}

// storageClear removes entries. A key that is not there is no error, as for a script. It returns
// the errors of siteOf.
func storageClear(ctx context.Context, t *call.Turn, r storageClearRequest) (done storageCleared, err error) {
	site, err := siteOf(ctx, t, r.storageOn)
	if err != nil {
		return done, err
	}
	done.Missing, err = site.RemoveItems(ctx, r.Area, optional(r.Key))
	return done, err
}
