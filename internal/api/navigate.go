package api

import (
	"context"
	"errors"

	"chela/internal/op"
)

type navigateRequest struct {
	On
	op.Timeout
	URL string `json:"url" alias:"targetUrl" doc:"address: http, https or about:blank"`
}

func (r navigateRequest) Check() error {
	_, err := address(r.URL)
	return err
}

func navigate(ctx context.Context, t *Turn, r navigateRequest) (Done, error) {
	url, err := address(r.URL)
	if err != nil {
		return Done{}, err
	}
	return Done{}, slowLoad(t.Navigate(ctx, url), url)
}

// slowLoad tells of a page that did not load in time what can be done about it.
func slowLoad(err error, url string) error {
	if !errors.Is(err, op.ErrDeadline) {
		return err
	}
	return op.Errorf(op.Deadline, "%s did not load in time", url).Hinted("take a snapshot to see what is there, or give it more time with timeoutMs")
}
