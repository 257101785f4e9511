package page_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"chela/test/long"
	"chela/test/tab"
)

// A page that navigates again and again by itself can still be left.
func TestLeaveARestlessPage(t *testing.T) {
	long.Test(t)
	for _, s := range []struct {
		name, script string
		times        int // how often the test leaves the page: a navigation of the page overtakes ours only in some of the attempts
	}{
		{"at once", `location = '/' + Math.random()`, 12},
		{"when it has loaded", `onload = () => { location = '/' + Math.random() }`, 12},
		{"again and again", `setInterval(() => { location = '/' + Math.random() }, 5)`, 4}, // overtakes most of ours
	} {
		t.Run(s.name, func(t *testing.T) {
			came := make(chan bool)
			restless := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				select {
				case came <- true:
				default:
				}
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprintf(w, "<script>%s</script>", s.script)
			}))
			defer restless.Close()
			tt, quiet := tab.Empty(t), tab.Site.URL+"/frame.html"
			for range s.times {
				tab.Run[any](tt, fmt.Sprintf("location = %q; undefined", restless.URL))
				for range 3 {
					<-came
				}
				err := tt.InTurn(20*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, quiet) })
				if err != nil || tt.URL() != quiet {
					t.Fatalf("%v, at %s", err, tt.URL())
				}
			}
		})
	}
}
