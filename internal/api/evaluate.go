package api

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/base/lazyregexp"
	"chela/internal/engine/page"
	"chela/internal/wall/excerpt"
)

// An evaluateRequest runs a script of the caller in the world of the page. The settings can forbid
// it.
type evaluateRequest struct {
	call.Acting
	Fn  string `json:"fn" script:"true" verbatim:"true" doc:"script: an expression, a function, or the body of a function" tool:"JavaScript function"`
	Ref string `json:"ref,omitempty" digits:"true" doc:"element to pass to the function as its argument"`
}

// Check returns errors with OpenClaw's texts. Whether the script is valid JavaScript is found out
// later, by Chromium.
func (r evaluateRequest) Check() error {
	return requires("evaluate requires fn", strings.TrimSpace(r.Fn) != "")
}

// evaluateResult is what a script returned.
type evaluateResult struct {
	Result    json.RawMessage `json:"result,omitempty" doc:"value of the script; absent if there is none"`
	NoReturn  bool            `json:"noReturn,omitempty" doc:"there is no result: the script is no expression and no function, and has no return"`
	Truncated bool            `json:"truncated,omitempty" doc:"the result had more than 1000000 characters, so this is only the beginning of the text, or of its JSON as a text"`
}

// maxResult is how many characters of a script's result are in the answer.
const maxResult = 1_000_000

// bounded cuts a result that has more characters than the parameter most allows. The beginning of a
// list or an object is not valid JSON, so a cut result becomes a text.
func bounded(result json.RawMessage, most int) evaluateResult {
	if len(result) <= most {
		return evaluateResult{Result: result}
	}
	text := string(result)
	json.Unmarshal(result, &text) // if the result is not a string, text stays its JSON
	if utf8.RuneCountInString(text) <= most {
		return evaluateResult{Result: result}
	}
	return cutResult(text, most, 0)
}

// cutResult returns the beginning of a result as text. The parameter missing is the number of
// characters that were left out.
func cutResult(text string, most, missing int) evaluateResult {
	cut, err := json.Marshal(excerpt.Beginning(text, most, missing))
	if err != nil {
		panic(err) // cannot happen: a string can be encoded
	}
	return evaluateResult{Result: cut, Truncated: true}
}

// Text returns the result in the form for people.
func (e evaluateResult) Text() string {
	if e.Result == nil {
		return "null"
	}
	text, err := jsontext.AppendFormat(nil, e.Result, jsontext.WithIndent("  "))
	if err != nil {
		return string(e.Result)
	}
	return string(text)
}

// Note says why there is no result.
func (e evaluateResult) Note() string {
	return words.If(e.NoReturn, "the script has no result: if you want one, its last statement needs return")
}

// Warning is Note, for the command line.
func (e evaluateResult) Warning() string { return e.Note() }

// hasReturn matches scripts that may have a return statement.
var hasReturn = lazyregexp.New(`\breturn\b`)

// evaluate waits for what the script returns, also for a promise. The script runs in the world of
// the page, so it sees the page's variables, and the page can see it. So what the script returns
// counts as text from the page. Errors are a [*page.ScriptError] when it throws, a
// [*page.ResultError] when its result is not JSON, [page.ErrScriptTimeout] and
// [page.ErrScriptReplaced].
func evaluate(ctx context.Context, t *call.Turn, r evaluateRequest) (done evaluateResult, err error) {
	err = t.Page.Act(ctx, func(ctx context.Context) (err error) {
		var el *page.Element
		if r.Ref != "" {
			if el, err = t.Page.Element(ctx, r.Ref); err != nil {
				return err
			}
		}
		result, body, err := t.Page.Evaluate(ctx, r.Fn, el)
		if large, ok := errors.AsType[*page.LargeResult](err); ok {
			done = cutResult(large.Beginning, maxResult, large.Missing)
			return nil
		}
		done = bounded(result, maxResult)
		// A console shows the value of the last statement, so the script may have been meant to have one.
		done.NoReturn = body && err == nil && result == nil && !hasReturn().MatchString(r.Fn)
		return err
	})
	return done, err
}
