package api

import (
	"encoding/json"
	"regexp"
	"testing"

	"chela/internal/api/call"
	"chela/internal/base/config"
	"chela/internal/op"
)

// likeScript matches words that occur in the names and descriptions of parameters that carry a
// script, or a document with scripts.
var likeScript = regexp.MustCompile(`(?i)script|\bfn\b|function|expression|html|\bbody|eval\b|\bcode\b`)

// harmless lists parameters with such words from which a page runs nothing. Chromium puts the
// templates of a PDF into a document that runs no scripts and loads nothing.
var harmless = map[string]bool{
	"find.text": true, "request.maxChars": true, "responsebody.maxChars": true, "evaluate.ref": true, "route.types": true,
	"cookies set.httpOnly": true, "pdf.headerTemplate": true, "pdf.footerTemplate": true, "report.path": true,
	"render.mode": true, "render.wait_seconds": true, "extract.format": true, "extract.waitSeconds": true, "read.render": true,
}

// Each parameter that carries a script is marked as one. A new parameter that looks like a script
// must be marked, or be listed as harmless.
func TestScriptsAreMarked(t *testing.T) {
	marked := 0
	for _, o := range Table().Ops {
		for _, p := range o.Params() {
			if p.Script {
				marked++
			} else if likeScript.MatchString(p.Name+" "+p.Doc) && !harmless[o.Name()+"."+p.Name] {
				t.Errorf("%s: is %s a script? %s", o.Name(), p.Name, p.Doc)
			}
		}
	}
	if marked < 5 {
		t.Errorf("%d parameters are marked", marked)
	}
}

// Where scripts are forbidden, each of them is refused, under all names and in all forms.
func TestForbiddenScripts(t *testing.T) {
	forbids := &call.Service{Config: config.Fixed(&config.Config{})}
	required := op.Args{
		"ref": json.RawMessage(`"e1"`), "text": json.RawMessage(`"x"`), "url": json.RawMessage(`"**"`), "fn": json.RawMessage(`"1"`),
	}
	for _, o := range Table().Ops {
		for _, p := range o.Params() {
			if !p.Script {
				continue
			}
			for _, name := range append(p.Aliases, p.Name) {
				for _, value := range []string{`"alert(1)"`, `{"body": "<script>alert(1)</script>"}`, `"{\"body\": \"x\"}"`, `7`} {
					args := op.Args{name: json.RawMessage(value)}
					for _, other := range o.Params() {
						if other.Name != p.Name && !other.Script && required[other.Name] != nil {
							args[other.Name] = required[other.Name]
						}
					}
					if o.Check(args) != nil {
						continue // the operation refuses these arguments anyway
					}
					if e := op.AsError(forbids.Allow(t.Context(), o, args)); e.Code != op.ActEvaluateDisabled {
						t.Errorf("%s with %s %s: %v", o.Name(), name, value, e)
					}
				}
			}
		}
	}
}
