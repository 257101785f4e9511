// Command chromedp runs agents that drive tabs with the library chromedp. Its arguments are SITE
// URL...: each URL is the DevTools endpoint of one session, for one agent. All agents work at once,
// and each must find only the pages of its own session.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"sync"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/remote"
)

func main() {
	site, endpoints := os.Args[1], os.Args[2:]
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	errs := make([]error, len(endpoints))
	var agents sync.WaitGroup
	for i, url := range endpoints {
		agents.Go(func() { errs[i] = work(ctx, site, url, i) })
	}
	agents.Wait()
	if err := errors.Join(errs...); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("chromedp, %d at once: ok\n", len(endpoints))
}

func work(ctx context.Context, site, url string, number int) error {
	ctx, leave := remote.NewAllocator(ctx, url, remote.NoModifyURL)
	defer leave()
	ctx, end := chromedp.NewContext(ctx)
	defer end()
	name, address := fmt.Sprintf("chromedp %d", number), fmt.Sprintf("%s/%d", site, number)
	err := chromedp.Do(ctx, chromedp.Navigate(address), chromedp.SendKeys("input", name), chromedp.Click("button"))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	title, err := chromedp.Run(ctx, chromedp.Evaluate[string]("document.title"))
	if err != nil || title != "Hello "+name {
		return fmt.Errorf("%s: the title is %q, %w", name, title, err)
	}
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil || len(picture) < 1000 {
		return fmt.Errorf("%s: a picture of %d bytes, %w", name, len(picture), err)
	}
	targets, err := chromedp.Targets(ctx)
	if err != nil || len(targets) != 1 || targets[0].URL != address {
		return fmt.Errorf("%s: sees %+v, %w", name, targets, err)
	}
	if chromedp.Do(ctx, chromedp.Navigate("file:///etc/passwd")) == nil {
		return fmt.Errorf("%s: opens files", name)
	}
	return nil
}
