package api

import (
	"cmp"
	"context"
	"strings"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/engine/journal"
	"chela/internal/engine/observe"
	"chela/internal/engine/page"
	"chela/internal/op"
)

// responseRows returns operations that wait for a response from the network while other calls act
// on the tab.
func responseRows() []*op.Op {
	return []*op.Op{
		op.Define("POST /response/body", "responsebody {url}",
			"Wait for the next response to a request of the page, and return its body.",
			responseBody, op.Untrusted, op.Rare, op.Limit(20*s, 500*ms, 120*s), op.Example(`"**/api/orders" --past`)),
	}
}

// A responseBodyRequest says for which response to wait, by its URL.
type responseBodyRequest struct {
	call.On
	op.Timeout
	URL      string `json:"url" doc:"address of the response, a part of it, or a glob: ** stands for any characters, * for any but a slash"`
	Past     bool   `json:"past,omitempty" doc:"if a matching response came before this call, return the newest one at once" tool:"-"`
	MaxChars int    `json:"maxChars,omitempty" min:"1" default:"200000" doc:"how many characters of the body to return, at most 5000000" tool:"-"`
}

// Want lets the call run while other calls act on the tab, since one of them causes the response.
func (r responseBodyRequest) Want() call.Want {
	w := r.On.Want()
	w.Beside = true
	return w
}

// responseBodyResult is an answer of a server.
type responseBodyResult struct {
	Response response `json:"response" doc:"the answer"`
}

// response describes a response. For models, all of it is marked as text from a page, including the
// names of headers.
type response struct {
	URL     op.PageText            `json:"url" doc:"address that the answer came from"`
	Status  int                    `json:"status" doc:"HTTP status"`
	Headers map[string]op.PageText `json:"headers" doc:"headers by their names in lower case"`
	answerBody
}

// responseBody waits for an answer, and asks Chromium for its body. It asks as soon as the body is
// complete: Chromium forgets the body with the document, and when it needs the room for newer
// bodies.
func responseBody(ctx context.Context, t *call.Turn, r responseBodyRequest) (responseBodyResult, error) {
	got, err := observe.AwaitResponse(ctx, t.Tab.Journal(), r.URL, r.Past)
	if err != nil {
		return responseBodyResult{}, err
	}
	raw, text, err := t.Page.Body(ctx, got)
	if err != nil {
		return responseBodyResult{}, err
	}
	got = got.WithoutSecrets()
	return responseBodyResult{response{
		words.Shown(got.URL), got.Response.Status, headersByName(got.Response.Headers), written(raw, text, cmp.Or(r.MaxChars, 200_000)),
	}}, nil
}

// headersByName joins the values of headers with the same name by newlines, as the protocol does
// with Set-Cookie, whose values cannot be joined by commas.
func headersByName(h journal.Headers) map[string]op.PageText {
	m := map[string]op.PageText{}
	for _, each := range h {
		name := strings.ToLower(each.Name)
		if before, ok := m[name]; ok {
			m[name] = before + "\n" + op.PageText(each.Value)
		} else {
			m[name] = op.PageText(each.Value)
		}
	}
	return m
}

// AfterDialog says how to get the answer of the server: what causes it waits for the dialog.
func (responseBodyResult) AfterDialog(page.Dialog) string {
	return "answer the dialog, then call again, with past for a response that has come meanwhile"
}

// Terminal returns the body.
func (r responseBodyResult) Terminal() string { return string(r.Response.Body) }

// Warning says that the body is incomplete. The command line writes this to stderr, as in OpenClaw:
// stdout has only the body.
func (r responseBodyResult) Warning() string {
	if r.Response.Truncated {
		return "the body is longer: give a larger --max-chars"
	}
	return ""
}

// Text returns the body, with notes on what is missing in it.
func (r responseBodyResult) Text() string {
	return words.Lines(string(r.Response.Body), words.Prefixed("[", strings.Replace(r.Warning(), "--max-chars", "maxChars]", 1)))
}
