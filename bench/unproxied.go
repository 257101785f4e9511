package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"chela/internal/engine/browser"
	"chela/internal/engine/chrome"
	"chela/internal/engine/page"
)

// An unproxied is a tab of a browser that is driven as chela's server drives its browsers, but that
// has no proxy. No setting of the server turns the proxy off, so the packages of the server drive
// this browser within the process of the bench.
type unproxied struct {
	dir     string
	browser *browser.Browser
	page    *page.Page
}

func openUnproxied(ctx context.Context, url string) (*unproxied, error) {
	dir, err := os.MkdirTemp("", "chela-bench-unproxied-")
	if err != nil {
		return nil, err
	}
	u := &unproxied{dir: dir}
	if err := u.open(ctx, url); err != nil {
		u.close()
		return nil, fmt.Errorf("open a tab without a proxy: %w", err)
	}
	return u, nil
}

func (u *unproxied) open(ctx context.Context, url string) error {
	executable, err := chrome.Find("")
	if err != nil {
		return err
	}
	host, err := browser.Launch(ctx, chrome.Options{Executable: executable, UserDataDir: u.dir, Headless: true})
	if err != nil {
		return err
	}
	if u.browser, err = browser.Start(ctx, host, browser.Options{}); err != nil {
		return err
	}
	tab, err := u.browser.Session("").Open(ctx)
	if err != nil {
		return err
	}
	u.page = tab.Page()
	return u.page.Turn(ctx, func(ctx context.Context) error { return u.page.Navigate(ctx, url) })
}

func (u *unproxied) close() {
	if u.browser != nil {
		inTime(u.browser.Close)
	}
	os.RemoveAll(u.dir)
}

// run evaluates a script in the tab and returns its number, as server.run does.
func (u *unproxied) run(ctx context.Context, script string) (number float64, err error) {
	err = u.page.Turn(ctx, func(ctx context.Context) error {
		raw, _, err := u.page.Evaluate(ctx, script, nil)
		if err != nil {
			return err
		}
		return json.Unmarshal(raw, &number)
	})
	return number, err
}
