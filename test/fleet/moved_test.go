//go:build unix

package fleet

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"chela/test/pages"
	"chela/test/service"
)

// move ends the node mac. Then the node pc opens the tab t1 of a session again, and move returns
// its answer.
func move(t testing.TB, mac *service.Program, pc *service.Service) service.Answer {
	t.Helper()
	if err := mac.Close(); err != nil {
		t.Error(err)
	}
	a := eventuallyOK(t, pc, "GET /snapshot?targetId=t1")
	a.Has(t, "recovered", "true")
	return a
}

// A session that may open only some hosts may open no others on the next node, by itself or by its
// pages.
func TestHostsOfAMovedSession(t *testing.T) {
	b := newBroker(t, withObjects(t)...)
	key := newFleetKey(t)
	mac, pc := b.newPortable(t, "mac", key), b.newPortable(t, "pc", key)
	mac.In("shop").OK(t, "POST /tabs/open", service.Args{"url": site.URL + "/account", "isolated": true, "allowHosts": []string{"127.0.0.1"}})
	shop := pc.In("shop")
	move(t, mac, shop)
	pc.OK(t, "GET /sessions", nil).Has(t, "sessions.0.allowHosts.0", "127.0.0.1")
	other := pages.Elsewhere(site.URL) + "/account"
	shop.Do(t, "POST /navigate", service.Args{"targetId": "t1", "url": other}).Fails(t, 400, "navigation_blocked", "browser navigation blocked by policy")
	for _, address := range []string{site.URL + "/account", other} {
		fetched := shop.OK(t, "POST /act", service.Args{
			"targetId": "t1", "kind": "evaluate", "fn": `() => fetch('` + address + `', {mode: 'no-cors'}).then(() => 'fetched', () => 'refused')`,
		})
		fetched.Has(t, "result", map[bool]string{true: "refused", false: "fetched"}[address == other])
	}
	shop.Do(t, "POST /tabs/open", service.Args{"url": "about:blank", "isolated": true, "allowHosts": []string{"localhost"}}).
		Fails(t, 409, "conflict", "session shop may open only 127.0.0.1")
}

// No password leaves its machine, and no header that logs in: not while the browser runs, and not
// at its end. The answer names what was left behind.
func TestNoSecretsMove(t *testing.T) {
	b := newBroker(t, withObjects(t)...)
	key := newFleetKey(t)
	address := strings.TrimPrefix(site.URL, "http://")
	mac := b.startPortable(t, "mac", portable{dir: t.TempDir(), keyFile: key, profile: `, proxy: "http://ada:unspoken-proxy@` + newProxy(t, address) + `"`})
	pc := b.newPortable(t, "pc", key)
	mac.OK(t, "POST /tabs/open", service.Args{"url": site.URL + "/account"})
	for _, set := range []struct {
		request string
		args    service.Args
	}{
		{"POST /set/credentials", service.Args{"username": "ada", "password": "unspoken-password"}},
		{"POST /set/headers", service.Args{"headers": map[string]string{"Authorization": "Bearer unspoken-login", "X-Api-Key": "unspoken-key", "X-Debug": "spoken"}}},
		{"POST /route", service.Args{"url": "**/api/**", "headers": map[string]string{"Authorization": "unspoken-route"}}},
		{"POST /route", service.Args{"url": "**/ads/**", "abort": true}},
		{"POST /act", service.Args{"targetId": "t1", "kind": "evaluate", "fn": "() => { location = 'http://ada:unspoken-address@" + address + "/account?now' }"}},
	} {
		mac.OK(t, set.request, set.args)
	}
	v := b.openVault(t, key)
	d := v.await(t, "/account?now")
	a := move(t, mac, pc.Service)
	for _, kept := range []deposit{d, v.await(t, "/account?now")} {
		if !kept.has("X-Debug") || !kept.has("**/ads/**") || kept.has("unspoken") {
			t.Errorf("this was kept: %s", kept.plain)
		}
	}
	for _, lost := range []string{"login for " + site.URL, "header Authorization for " + site.URL, "header X-Api-Key for " + site.URL, "network rule route1", "login in its address"} {
		if !strings.Contains(a.Text("lost"), lost) {
			t.Errorf("the answer does not say that %s was lost: %s", lost, a.Text("lost"))
		}
	}
	pc.OK(t, "GET /routes", nil).Has(t, "routes.0.url", "**/ads/**")
}

// newProxy starts a proxy whose every tunnel leads to one address, and returns its own address.
func newProxy(t testing.TB, address string) string {
	t.Helper()
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		server, err := net.Dial("tcp", address)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		client, _, _ := http.NewResponseController(w).Hijack()
		io.WriteString(client, "HTTP/1.1 200 OK\r\n\r\n")
		go func() { defer server.Close(); io.Copy(server, client) }()
		io.Copy(client, server)
		client.Close()
	}))
	t.Cleanup(proxy.Close)
	return proxy.Listener.Addr().String()
}

// Databases of IndexedDB move with values of all types. The answer names those that do not.
func TestDatabasesMove(t *testing.T) {
	b := newBroker(t, withObjects(t)...)
	key := newFleetKey(t)
	mac, pc := b.newPortable(t, "mac", key), b.newPortable(t, "pc", key)
	evaluate := func(on *service.Program, fn string) string {
		return on.OK(t, "POST /act", service.Args{"targetId": "t1", "kind": "evaluate", "fn": fn}).Text("result")
	}
	mac.OK(t, "POST /tabs/open", service.Args{"url": site.URL + "/account"})
	evaluate(mac, `() => new Promise((done, failed) => {
		const asked = indexedDB.open('shop', 3);
		asked.onupgradeneeded = () => asked.result.createObjectStore('things').createIndex('names', 'name');
		asked.onerror = failed;
		asked.onsuccess = () => {
			const writing = asked.result.transaction('things', 'readwrite'), things = writing.objectStore('things');
			const values = {text: 'claw', number: 2.5, date: new Date(86400000), bytes: new Uint8Array([1, 0, 255]), big: 7n, map: new Map([['a', [true, null]]]), blob: new Blob(['x'])};
			for (const key in values) things.put({name: key, value: values[key]}, key);
			things.put({name: 'by date'}, new Date(0));
			writing.oncomplete = done;
		};
	})`)
	a := move(t, mac, pc.Service)
	if lost := a.Text("lost"); !strings.Contains(lost, "IndexedDB shop of "+site.URL) || !strings.Contains(lost, "Blob") {
		t.Errorf("the answer does not say that the Blob was lost: %s", lost)
	}
	read := evaluate(pc, `() => new Promise((done, failed) => {
		const asked = indexedDB.open('shop');
		asked.onerror = failed;
		asked.onsuccess = () => {
			const got = asked.result.transaction('things').objectStore('things').index('names').getAll();
			got.onsuccess = () => done(asked.result.version + ': ' + got.result.map(({name, value}) => {
				if (value instanceof Date) return name + '=' + value.toISOString();
				if (value instanceof Uint8Array) return name + '=' + value.join();
				if (value instanceof Map) return name + '=' + JSON.stringify([...value]);
				return name + '=' + typeof value + ' ' + value;
			}).join('; '));
		};
	})`)
	const want = `3: big=bigint 7; blob=object null; by date=undefined undefined; bytes=1,0,255; date=1970-01-02T00:00:00.000Z; map=[["a",[true,null]]]; number=number 2.5; text=string claw`
	if read != want {
		t.Errorf("the next node has\n%s\nwant\n%s", read, want)
	}
}

// After a reset nothing comes back, neither on the same node nor on another: no login, no storage,
// no tab. It does not matter which node resets the profile, or whether the profile's browser runs.
func TestResetOfAPortableProfile(t *testing.T) {
	b := newBroker(t, withObjects(t)...)
	key := newFleetKey(t)
	mac, pc := b.newPortable(t, "mac", key), b.newPortable(t, "pc", key)
	v, here := b.openVault(t, key), b.newCaller(t, "")
	for _, by := range []*service.Program{mac, pc} {
		logIn(t, here.In("shop"), "mac")
		before := v.await(t, "three claws")
		if by == pc {
			mac.OK(t, "POST /stop", nil)
		}
		by.OK(t, "POST /reset-profile", nil)
		v.isReset(t, before)
		for _, p := range []*service.Program{mac, pc} {
			isNew(t, p)
			p.OK(t, "POST /stop", nil)
		}
	}
}

// A node that was killed has its tabs and cookies on its disk. After a reset it takes over none of
// them.
func TestResetOfAKilledNode(t *testing.T) {
	b := newBroker(t, withObjects(t)...)
	key := newFleetKey(t)
	machine := portable{dir: t.TempDir(), keyFile: key}
	mac, pc := b.startPortable(t, "mac", machine), b.newPortable(t, "pc", key)
	v, here := b.openVault(t, key), b.newCaller(t, "")
	logIn(t, here.In("shop"), "mac")
	before := v.await(t, "three claws")
	mac.Kill()
	eventuallyOK(t, pc.Service, "POST /reset-profile")
	v.isReset(t, before)
	mac = b.startPortable(t, "mac", machine)
	mac.In("shop").Do(t, "GET /snapshot?targetId=t1", nil).Fails(t, 404, "not_found", "t1")
	isNew(t, mac)
}

// isReset fails the test if anything of the profile is kept after a reset, except for its
// generation.
func (v *vault) isReset(t testing.TB, before deposit) {
	t.Helper()
	if d, ok := v.last(t); !ok || d.has(secret) || d.has("three claws") || d.has("/account") {
		t.Errorf("after the reset this is kept: %s", d.plain)
	}
	if _, err := v.sealed(t, before); err == nil {
		t.Error("what was kept before is there still")
	}
}

// isNew fails the test if the profile of a node still has anything of an earlier login. It opens a
// tab for that.
func isNew(t testing.TB, p *service.Program) {
	t.Helper()
	tab := p.OK(t, "POST /tabs/open", service.Args{"url": site.URL + "/account"}).Text("tabId")
	if a := p.OK(t, "GET /snapshot?targetId="+tab, nil); !strings.Contains(a.Raw, "nobody") || !strings.Contains(a.Raw, "cart: empty") {
		t.Errorf("the page of a new profile is %s", a.Raw)
	}
	if a := p.OK(t, "GET /tabs", nil); a.Count("tabs") != 1 {
		t.Errorf("the tabs of a new profile are %s", a.Raw)
	}
}
