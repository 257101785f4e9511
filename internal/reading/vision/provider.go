package vision

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"chela/internal/reading/picture"
	"chela/internal/wall/excerpt"
)

// A protocol says how the models of a provider are asked over HTTP.
//
// The SDKs of the providers are not used: each is some megabytes of program, and one request with
// one answer needs little of them.
type protocol struct {
	baseURL   string   // base URL of the provider
	variables []string // environment variables that may have the key of the provider
	maxBytes  int      // largest picture that the provider accepts, in bytes; 0: only the model's settings limit it

	url    func(base, model string) string
	header func(h http.Header, key string)
	body   func(m Model, p picture.Picture) any
	text   func(answer []byte) (string, error)
}

// protocol returns the protocol of the model's provider. A provider that is not known speaks
// OpenAI's protocol at the model's BaseURL, as most do. Without a BaseURL it has none: nil.
func (m Model) protocol() *protocol {
	switch strings.ToLower(m.Provider) {
	case "anthropic":
		return &anthropic
	case "google", "gemini":
		return &gemini
	case "openai":
		return &openAI
	}
	if m.BaseURL == "" {
		return nil
	}
	return &openAI
}

// baseURL returns the address below which the model is asked; "" if it has none.
func (m Model) baseURL() string {
	base := m.BaseURL
	if p := m.protocol(); p != nil && base == "" {
		base = p.baseURL
	}
	return strings.TrimRight(base, "/")
}

// maxAnswer limits how much of an answer is read, in bytes.
const maxAnswer = 1 << 20

// call asks the model of a provider. The caller has found by [Model.Usable] that the model can be
// asked.
func (m Model) call(ctx context.Context, p picture.Picture) (string, error) {
	protocol := m.protocol()
	key, err := m.key()
	if err != nil {
		return "", err
	}
	body, err := json.Marshal(protocol.body(m, p))
	if err != nil {
		return "", err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, protocol.url(m.baseURL(), m.Name), bytes.NewReader(body))
	if err != nil {
		return "", errors.New("baseUrl is no address")
	}
	req.Header.Set("Content-Type", "application/json")
	protocol.header(req.Header, key)
	answer, err := exchange(req)
	if err != nil {
		return "", err
	}
	return protocol.text(answer)
}

// exchange sends a request and returns the body of its answer. Errors contain only the host of the
// address, because the rest may hold a secret.
func exchange(req *http.Request) ([]byte, error) {
	client := http.Client{CheckRedirect: sameOrigin}
	res, err := client.Do(req)
	if wrong, ok := errors.AsType[*url.Error](err); ok {
		err = wrong.Err
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", req.URL.Host, err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", req.URL.Host, err)
	case res.StatusCode == http.StatusUnauthorized:
		return nil, fmt.Errorf("%s answered 401: the API key is not accepted", req.URL.Host)
	case res.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("%s answered %d%s", req.URL.Host, res.StatusCode, reason(answer))
	case len(answer) > maxAnswer:
		return nil, fmt.Errorf("the answer has more than %d bytes", maxAnswer)
	}
	return answer, nil
}

// sameOrigin refuses a redirect to another origin. The request has an API key and a picture, which
// are for the address that the user has configured.
func sameOrigin(req *http.Request, via []*http.Request) error {
	first := via[0].URL
	if req.URL.Scheme != first.Scheme || req.URL.Host != first.Host {
		return fmt.Errorf("a redirect to %s is not followed", req.URL.Host)
	}
	if len(via) > 3 {
		return errors.New("too many redirects")
	}
	return nil
}

// reason returns the message in the body of an error, after a colon. All three protocols have it in
// the same place; any other body is quoted as it is.
func reason(body []byte) string {
	var answer struct {
		Error struct{ Message string }
	}
	json.Unmarshal(body, &answer) // an answer that is not JSON has no message
	return quoted(cmp.Or(answer.Error.Message, string(body)))
}

// maxReason limits the text of a provider or program that an error quotes, in characters.
const maxReason = 300

// quoted returns what a provider or a program says of its failure, after a colon, or "" if it says
// nothing.
func quoted(message string) string {
	message = strings.TrimSpace(message)
	if message == "" {
		return ""
	}
	return ": " + excerpt.Of(message, maxReason)
}
