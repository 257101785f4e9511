//go:build unix

package fleet

import (
	"os"
	"testing"

	"chela/test/pages"
	"chela/test/service"
)

// NATS may start again without what it had kept, such as in a container without a volume. Then its
// stores are made again when they are needed: large files travel, and portable profiles start.
func TestNATSHasLostItsStores(t *testing.T) {
	store := t.TempDir()
	b := newBroker(t, "-js", "-sd", store)
	node := b.newPortable(t, "mac", newFleetKey(t))
	here := b.newCaller(t, "")
	service.Eventually(t, "the node is there", func() bool { return here.OK(t, "GET /fleet", nil).Count("nodes") == 1 })
	download := func() {
		t.Helper()
		tab := here.OK(t, "POST /tabs/open?node=mac", service.Args{"url": site.URL + pages.HTML(`<title>Large</title><a download="large.bin" href="/large">Get</a>`)}).Text("tabId")
		ref := here.Tab(t, tab).Ref("Get")
		path := here.OK(t, "POST /download", service.Args{"targetId": tab, "ref": ref, "path": "large.bin"}).Text("download.path")
		if info, err := os.Stat(path); err != nil || info.Size() != large {
			t.Errorf("%s: %v", path, err)
		}
	}
	download()
	b.kill()
	if err := os.RemoveAll(store); err != nil {
		t.Fatal(err)
	}
	b.start()
	service.Eventually(t, "the node is there again", func() bool { return here.OK(t, "GET /fleet", nil).Count("nodes") == 1 })
	service.Eventually(t, "the browser whose lease was lost has ended", func() bool { return node.OK(t, "GET /", nil).Get("running") == false })
	download()
	node.OK(t, "POST /stop", nil)
	download()
}
