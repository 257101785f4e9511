package browser

import (
	"fmt"
	"strings"
	"testing"
)

func TestVisited(t *testing.T) {
	var v visited
	for _, address := range []string{"about:blank", "https://A.test/x", "https://a.test:443/y", "http://a.test:8080", "https://a.test", "data:,x", "http://[::1]:80/", "chrome-error://chromewebdata/"} {
		v.add(address)
	}
	if got, want := strings.Join(v, " "), "http://a.test:8080 https://a.test http://[::1]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	before := v
	for i := range maxOrigins {
		v.add(fmt.Sprintf("http://%d.test/", i))
	}
	if len(v) != maxOrigins || v[0] != "http://0.test" || before[0] != "http://a.test:8080" {
		t.Errorf("%d origins, the first is %s", len(v), v[0])
	}
}
