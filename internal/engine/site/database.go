package site

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/storage"

	"chela/internal/base/sitedata"
	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/engine/page"
	"chela/internal/reading/pagejs"
)

var (
	// ErrDatabaseBusy says that a database could not be opened in time, usually because a tab is
	// changing it.
	ErrDatabaseBusy = errors.New("a tab is changing it")

	// ErrDatabaseLarge says that a database is larger than the limit for reading.
	ErrDatabaseLarge = errors.New("it is too large")
)

// databaseTime limits how long it may take to open, read or write one database.
const databaseTime = 10 * time.Second

func databaseDeadline(ctx context.Context) time.Time {
	if own := time.Now().Add(databaseTime); own.Before(page.ScriptDeadline(ctx)) {
		return own
	}
	return page.ScriptDeadline(ctx)
}

// A databaseAnswer is the answer of the page functions for databases.
type databaseAnswer struct {
	Fault string   // "" for success, "busy", "large", or Chromium's message
	Text  string   // the database as JSON, if it was read
	Lost  []string // kinds of values that JSON cannot hold, see ReadDatabase
}

func (a databaseAnswer) err() error {
	switch a.Fault {
	case "":
		return nil
	case "busy":
		return ErrDatabaseBusy
	case "large":
		return ErrDatabaseLarge
	}
	return errors.New(a.Fault)
}

// Databases lists the names of the site's databases. It also loads the page functions that the
// other methods for databases call. It returns the same errors as [frame.Call].
func (s Site) Databases(ctx context.Context) (names []string, err error) {
	cdp.Send(s.world.Session, runtime.Evaluate, runtime.EvaluateParams{
		Expression: pagejs.IndexedDB(), UniqueContextID: s.world.UniqueID, Silent: new(true),
	})
	list, err := frame.Call[[]struct{ Name string }](ctx, s.world, "databases")
	for _, d := range list {
		names = append(names, d.Name)
	}
	return names, err
}

// ReadDatabase returns a database that Databases has listed, and its size in bytes of JSON. The
// result lost names the kinds of values in it that the JSON form cannot hold, such as Blob. Errors
// are ErrDatabaseBusy, ErrDatabaseLarge if it has more than maxUnits characters, and the errors of
// Chromium.
func (s Site) ReadDatabase(ctx context.Context, name string, maxUnits int) (d sitedata.Database, size int, lost []string, err error) {
	a, err := frame.Call[databaseAnswer](ctx, s.world, "readDatabase", name, maxUnits, databaseDeadline(ctx))
	if err = faultOf(a, err); err == nil {
		err = json.Unmarshal([]byte(a.Text), &d)
	}
	return d, len(a.Text), a.Lost, err
}

// maxRecords limits the bytes of the records that one message carries. A single larger record has a
// message of its own.
const maxRecords = 1 << 20

// WriteDatabase makes a database. It replaces an existing database with the same name. Errors are
// ErrDatabaseBusy, and Chromium's error if it cannot make the database.
func (s Site) WriteDatabase(ctx context.Context, d sitedata.Database) error {
	// First the stores are made without records, in one version change. Then several calls add the
	// records of each store. One message with a large database would delay calls on other tabs,
	// since they share the connection.
	empty := d
	empty.Stores = make([]sitedata.Store, len(d.Stores))
	for i, store := range d.Stores {
		store.Records = nil
		if store.Indexes == nil {
			store.Indexes = []sitedata.Index{}
		}
		empty.Stores[i] = store
	}
	text, err := json.Marshal(empty)
	if err != nil {
		return err
	}
	if err := faultOf(frame.Call[databaseAnswer](ctx, s.world, "createDatabase", string(text), databaseDeadline(ctx))); err != nil {
		return err
	}
	for _, store := range d.Stores {
		for _, part := range inParts(store.Records) {
			err := faultOf(frame.Call[databaseAnswer](ctx, s.world, "addRecords", d.Name, store.Name, part, databaseDeadline(ctx)))
			if err != nil {
				return fmt.Errorf("store %s: %w", store.Name, err)
			}
		}
	}
	return nil
}

// inParts writes records as JSON lists of at most maxRecords bytes each. A larger record has a list
// of its own.
func inParts(records []json.RawMessage) (all []string) {
	var part strings.Builder
	end := func() {
		if part.Len() > 0 {
			all = append(all, "["+part.String()+"]")
		}
		part.Reset()
	}
	for _, r := range records {
		if part.Len()+len(r) > maxRecords {
			end()
		}
		if part.Len() > 0 {
			part.WriteByte(',')
		}
		part.Write(r)
	}
	end()
	return all
}

// ClearOrigin removes all kinds of storage of an origin, but not its cookies. Errors come from
// Storage.clearDataForOrigin.
func ClearOrigin(ctx context.Context, p *page.Page, origin string) error {
	return clearOrigin(ctx, p, origin, "local_storage,indexeddb,websql,service_workers,cache_storage,file_systems,interest_groups,shared_storage,storage_buckets")
}

func clearOrigin(ctx context.Context, p *page.Page, origin, types string) error {
	_, err := cdp.Call(ctx, p.Session(), storage.ClearDataForOrigin, storage.ClearDataForOriginParams{Origin: origin, StorageTypes: types})
	return err
}

// DropDatabases removes all databases of an origin. Chromium closes the connections of tabs that
// have one open. Errors come from Storage.clearDataForOrigin.
func DropDatabases(ctx context.Context, p *page.Page, origin string) error {
	return clearOrigin(ctx, p, origin, "indexeddb")
}
