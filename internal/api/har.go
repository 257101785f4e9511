package api

import (
	"context"
	"encoding/json"
	"runtime/debug"

	"chela/internal/api/call"
	"chela/internal/engine/har"
	"chela/internal/op"
)

// harRow returns the operation that writes an HTTP archive. It has the same route as the list of
// requests, and is chosen by the parameter format=har. An archive is too long for models, which
// have the list.
func harRow() *op.Op {
	return op.Define("GET /requests format=har", "har",
		"Write the requests of the tab as an HTTP Archive (HAR 1.2), without response bodies.",
		requestsAsHAR, op.Confined, op.Untrusted, op.NotForAgents, op.Example("--out requests.har"))
}

// A harRequest is for the requests of a tab.
type harRequest struct {
	watchRequest
	Secrets bool `json:"secrets,omitempty" doc:"keep credentials, values of cookies, and values whose names suggest a secret; otherwise they are replaced" tool:"-" reveals:"true"`
}

// harResult is an archive: programs that read archives ignore the fields beside log.
type harResult struct {
	watched
	Log harLog `json:"log" doc:"the archive, see http://www.softwareishard.com/blog/har-12-spec/"`
	keptList
}

// A harLog is the field log of an archive. The HAR format describes it, so this program's schema
// does not.
type harLog struct{ har.Log }

// JSONSchema describes a harLog as an object, without its fields.
func (harLog) JSONSchema() op.Object { return op.Object{"type": "object"} }

// Text returns the archive as it is written to a file.
func (r harResult) Text() string {
	text, _ := json.MarshalIndent(har.File{Log: r.Log.Log}, "", "  ") // cannot fail
	return string(text)
}

// requestsAsHAR reads the event log of the tab, which keeps the newest requests. The archive says
// in its field "comment" how many requests are missing.
func requestsAsHAR(ctx context.Context, s *call.Service, r harRequest) (harResult, error) {
	tab, w, err := journalOf(ctx, s, r.On)
	if err != nil {
		return harResult{}, err
	}
	product, err := tab.Browser().Version(ctx)
	if err != nil {
		return harResult{}, err
	}
	all, dropped := tab.Journal().Requests()
	list, kept := newest(all, r.Limit, dropped)
	archive := har.Of(list, har.Options{
		Version: moduleVersion(), Browser: product, Main: tab.TargetIDs(), Dropped: len(all) - len(list) + dropped, Secrets: r.Secrets,
	})
	return harResult{w, harLog{archive.Log}, kept}, nil
}

// moduleVersion returns the version of this program that Go has recorded in it, or "".
func moduleVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Version
	}
	return ""
}
