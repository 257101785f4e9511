package contract

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"chela/test/long"
)

// To save or clear a state, the browser visits each origin that it has shown, one after the other.
// So the tests of states use the server mortal, whose browser has shown few.

// fillDatabase makes a database with each kind of store, index, key and value.
const fillDatabase = `async () => {
	const request = indexedDB.open('kinds', 3);
	request.onupgradeneeded = () => {
		const db = request.result;
		db.createObjectStore('keyless');
		db.createObjectStore('path', {keyPath: 'id', autoIncrement: true}).createIndex('by', ['a', 'b'], {unique: true});
		db.createObjectStore('list', {keyPath: ['x', 'y']}).createIndex('tags', 'tags', {multiEntry: true});
	};
	const db = await new Promise((resolve, reject) => { request.onsuccess = () => resolve(request.result); request.onerror = reject; });
	const transaction = db.transaction(['keyless', 'path', 'list'], 'readwrite');
	const one = {n: 1}, cycle = {one, again: one, map: new Map([[one, new Set([1n, -0, NaN])]])};
	cycle.self = cycle;
	const keyless = transaction.objectStore('keyless');
	keyless.put({a: [1, 'x', null, true, {deep: 1}]}, 'plain');
	keyless.put(cycle, new Date(0));
	keyless.put([undefined, Infinity, -Infinity, new Date(1), new Date(NaN), /a+/gi, new RangeError('no'), new Uint8Array([1, 2, 255]).subarray(1), new Float64Array([0.5]), new ArrayBuffer(2)], [1, 'two']);
	keyless.put('\ud800 half', new Uint8Array([7]));
	keyless.put(undefined, 5);
	transaction.objectStore('path').put({a: 1, b: 2});
	transaction.objectStore('list').put({x: 1, y: 'z', tags: ['p', 'q']});
	await new Promise(resolve => transaction.oncomplete = resolve);
	db.close();
}`

// readDatabase returns what is in the database as text, in the notation of JavaScript.
const readDatabase = `async () => {
	const request = indexedDB.open('kinds');
	const db = await new Promise((resolve, reject) => { request.onsuccess = () => resolve(request.result); request.onerror = reject; });
	const get = r => new Promise((resolve, reject) => { r.onsuccess = () => resolve(r.result); r.onerror = reject; });
	const transaction = db.transaction([...db.objectStoreNames]);
	const show = v => Object.is(v, -0) ? '-0' : typeof v === 'bigint' ? v + 'n' : v instanceof Map ? 'Map{' + [...v].map(e => e.map(show)) + '}' : v instanceof Set ? 'Set{' + [...v].map(show) + '}' :
		ArrayBuffer.isView(v) ? v.constructor.name + '[' + v + ']' : v instanceof ArrayBuffer ? 'ArrayBuffer ' + v.byteLength : v instanceof Date ? 'Date ' + +v : v instanceof RegExp || v instanceof Error ? String(v) :
		Array.isArray(v) ? '[' + v.map(show) + ']' : typeof v === 'object' && v ? '{' + Object.keys(v).map(k => k + ':' + (v[k] === v ? 'self' : show(v[k]))) + '}' : typeof v === 'string' ? JSON.stringify(v) : String(v);
	const out = [db.version];
	for (const name of db.objectStoreNames) {
		const s = transaction.objectStore(name);
		out.push(name + ' ' + show(s.keyPath) + ' ' + s.autoIncrement + ' ' + [...s.indexNames].map(n => s.index(n)).map(i => [i.name, show(i.keyPath), i.unique, i.multiEntry]));
		for (const key of await get(s.getAllKeys())) out.push(show(key) + ' = ' + show(await get(s.get(key))));
	}
	const twice = await get(transaction.objectStore('keyless').get(new Date(0)));
	out.push(twice.one === twice.again && twice.map.has(twice.one));
	db.close();
	return out.join('\n');
}`

// A state that one browser has saved can be loaded by another.
func TestStateIsSavedAndLoaded(t *testing.T) {
	tab := mortal.open(t, site.URL+"/text.html")
	mortal.ok(t, "POST /state", `{"cookies": [], "clear": true}`)
	mortal.ok(t, "POST /cookies/set", `{"cookie": {"name": "a", "value": "1", "url": "`+site.URL+`"}}`)
	mortal.ok(t, "POST /cookies/set", `{"cookie": {"name": "p", "value": "2", "url": "https://one.test", "partitionKey": "https://top.test"}}`)
	mortal.eval(t, tab, `(localStorage.clear(), localStorage.a = '1', sessionStorage.s = '2')`)
	mortal.eval(t, tab, fillDatabase)
	kinds := mortal.eval(t, tab, readDatabase)
	const far = "https://far.test"
	mortal.ok(t, "POST /storage/local/set", `{"area": "local", "origin": "`+far+`", "key": "k", "value": "v"}`)

	saved := mortal.ok(t, "GET /state?origins="+far, "")
	if left := saved.Text("notSaved"); left != "" {
		t.Errorf("not saved: %s", left)
	}
	var state struct {
		Cookies, SessionStorage []any
		Origins                 []struct {
			Origin                  string
			LocalStorage, IndexedDB any
		}
	}
	if err := json.Unmarshal([]byte(saved.Raw), &state); err != nil {
		t.Fatal(err)
	}
	if len(state.Cookies) != 2 || len(state.SessionStorage) == 0 || len(state.Origins) < 2 {
		t.Fatalf("%s", saved.Raw)
	}

	other := own(t, "")
	body := fmt.Sprintf(`{"cookies": %s, "origins": %s, "sessionStorage": %s}`, part(t, saved.Raw, "cookies"), part(t, saved.Raw, "origins"), part(t, saved.Raw, "sessionStorage"))
	done := other.ok(t, "POST /state", body)
	done.Has(t, "cookies", "2")
	done.Has(t, "notLoaded", "")
	if done.Text("pendingSessions") == "" {
		t.Errorf("no tab shows the origin of the sessionStorage: %s", done.Raw)
	}
	if diff := cmp.Diff(mortal.ok(t, "GET /cookies", "").Get("cookies"), other.ok(t, "GET /cookies", "").Get("cookies"), cmpopts.SortSlices(byJSON)); diff != "" {
		t.Errorf("cookies: (-saved +loaded):\n%s", diff)
	}
	other.ok(t, "GET /storage/local?origin="+far, "").Has(t, "values", "map[k:v]")
	there := other.open(t, site.URL+"/html?is=<script>document.title=sessionStorage.s%2BlocalStorage.a%2Bdocument.cookie</script>")
	if got := other.eval(t, there, "document.title"); got != "21a=1" {
		t.Errorf("the page's first script saw %v", got)
	}
	if got := other.eval(t, there, readDatabase); got != kinds {
		t.Errorf("the database: (-saved +loaded):\n%s", cmp.Diff(kinds, got))
	}
	again := other.ok(t, "GET /state", "")
	if diff := cmp.Diff(origins(t, saved.Raw)[site.URL], origins(t, again.Raw)[site.URL]); diff != "" {
		t.Errorf("saved again: (-want +got):\n%s", diff)
	}

	// When the state is loaded once more, the tab that is there gets it. It replaces what was
	// there.
	other.eval(t, there, `(localStorage.clear(), localStorage.b = '3', sessionStorage.t = '4')`)
	done = other.ok(t, "POST /state", body)
	done.Has(t, "tabs", "1")
	if got := other.eval(t, there, "JSON.stringify([{...localStorage}, {...sessionStorage}])"); got != `[{"a":"1"},{"s":"2"}]` {
		t.Errorf("loaded again: %v", got)
	}
	other.ok(t, "POST /state", `{"cookies": [], "clear": true}`)
	other.ok(t, "GET /cookies", "").Has(t, "cookies", "")
	if got := other.eval(t, there, "async () => [localStorage.length, (await indexedDB.databases()).length].join()"); got != "0,0" {
		t.Errorf("cleared: %v", got)
	}
}

// byJSON brings values into an order. Chromium lists cookies that were set in the same millisecond
// in any order.
func byJSON(a, b any) bool { return fmt.Sprint(a) < fmt.Sprint(b) }

// part returns a field of an answer as its JSON text.
func part(t *testing.T, raw, name string) string {
	t.Helper()
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(raw), &fields); err != nil {
		t.Fatal(err)
	}
	return string(fields[name])
}

func origins(t *testing.T, raw string) map[string]any {
	t.Helper()
	var list []map[string]any
	if err := json.Unmarshal([]byte(part(t, raw, "origins")), &list); err != nil {
		t.Fatal(err)
	}
	all := map[string]any{}
	for _, o := range list {
		all[fmt.Sprint(o["origin"])] = o
	}
	return all
}

// A state that Playwright has saved, with indexedDB, is loaded and saved again: the format is
// Playwright's. The script test/realworld/state.sh writes the file again.
func TestStateOfPlaywright(t *testing.T) {
	raw, err := os.ReadFile("testdata/playwright-state.json")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(raw), "SITE", site.URL)
	mortal.open(t, "about:blank") // otherwise the first call opens a tab, which stays
	mortal.ok(t, "POST /state", `{"cookies": [], "clear": true}`)
	done := mortal.ok(t, "POST /state", text)
	done.Has(t, "notLoaded", "")
	saved := mortal.ok(t, "GET /state", "")
	if diff := cmp.Diff(origins(t, text)[site.URL], origins(t, saved.Raw)[site.URL]); diff != "" {
		t.Errorf("saved after it was loaded: (-want +got):\n%s", diff)
	}
	var want, got any
	json.Unmarshal([]byte(part(t, text, "cookies")), &want)
	json.Unmarshal([]byte(part(t, saved.Raw, "cookies")), &got)
	if diff := cmp.Diff(want, got, ignoring("expires"), cmpopts.SortSlices(byJSON)); diff != "" {
		t.Errorf("cookies: (-want +got):\n%s", diff)
	}
}

func TestStatesThatAreNone(t *testing.T) {
	for body, message := range map[string]string{
		`{}`:                                    "state load requires either file, or cookies and origins",
		`{"origins": [{"origin": "file:///"}]}`: `the state has storage of "file:///"`,
		`{"cookies": [{"name": "a", "value": "1"}]}`:   `the state has a cookie "a" without a domain`,
		`{"cookies": [], "file": "media://inbound/x"}`: "state load requires either file, or cookies and origins",
		`{"cookies": {}}`: "cookies must be a list",
	} {
		shared.do(t, "POST /state", body).Fails(t, http.StatusBadRequest, "invalid_request", message)
	}
}

// A state that is too large for the body of a request is sent as a file, which is not kept. The
// answer names what cannot be saved.
func TestLargeStates(t *testing.T) {
	long.Test(t)
	tab := mortal.open(t, site.URL+"/text.html")
	mortal.ok(t, "POST /state", `{"cookies": [], "clear": true}`)
	mortal.eval(t, tab, `async () => {
		localStorage.large = 'x'.repeat(1 << 20);
		const request = indexedDB.open('open', 1);
		request.onupgradeneeded = () => request.result.createObjectStore('s', {autoIncrement: true});
		globalThis.db = await new Promise(resolve => { request.onsuccess = () => resolve(request.result); });
		const transaction = db.transaction('s', 'readwrite');
		for (let i = 0; i < 3; i++) transaction.objectStore('s').put('y'.repeat(700_000));
		transaction.objectStore('s').put({picture: new Blob(['z'])});
		await new Promise(resolve => transaction.oncomplete = resolve);
	}`)
	saved := mortal.ok(t, "GET /state", "")
	saved.Has(t, "notSaved", "values of IndexedDB open of "+site.URL+" that JSON cannot hold: Blob")
	state := fmt.Sprintf(`{"cookies": [], "origins": %s, "credentials": [{}]}`, part(t, saved.Raw, "origins"))
	mortal.do(t, "POST /state", state).Fails(t, http.StatusRequestEntityTooLarge, "too_large", "the body is larger than")

	// The tab still has the database open, which must not keep it from being replaced.
	file := mortal.Upload(t, "state.json", state)
	done := mortal.ok(t, "POST /state", `{"file": "`+file+`"}`)
	done.Has(t, "origins", "1")
	done.Has(t, "notLoaded", "credentials (passkeys)")
	again := mortal.ok(t, "GET /state", "")
	again.Has(t, "notSaved", "")
	if n := again.Count("origins.0.indexedDB.0.stores.0.records"); n != 4 || len(again.Raw) < 3<<20 {
		t.Errorf("%d records, %d bytes", n, len(again.Raw))
	}
	mortal.do(t, "POST /state", `{"file": "`+file+`"}`).Fails(t, http.StatusBadRequest, "invalid_request", "was uploaded already")
	for content, message := range map[string]string{
		"[": "the file is no state: it is not JSON", "[]": "the file is no state", "{}": "it has no cookies and no origins",
		`{"cookies": [{"name": 1}]}`: "the file is no state: cookies.name must be of another type than number",
	} {
		mortal.do(t, "POST /state", `{"file": "`+mortal.Upload(t, "s.json", content)+`"}`).Fails(t, http.StatusBadRequest, "invalid_request", message)
	}
	mortal.ok(t, "POST /state", `{"cookies": [], "clear": true}`)
}

// Neither the server of an origin nor its service worker learns that its storage is used.
func TestStorageMakesNoRequests(t *testing.T) {
	long.Test(t)
	var requests atomic.Int32
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<!doctype html><title>Own</title>")
	})
	mux.HandleFunc("/worker.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		io.WriteString(w, `onfetch = event => event.respondWith(fetch('/asked'))`)
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	tab := mortal.open(t, server.URL+"/")
	mortal.eval(t, tab, `async () => { localStorage.a = '1'; await navigator.serviceWorker.register('/worker.js'); await navigator.serviceWorker.ready; }`)
	mortal.ok(t, "POST /navigate", `{"targetId": "`+tab+`", "url": "about:blank"}`)
	before := requests.Load()
	mortal.ok(t, "GET /storage/local?origin="+server.URL, "").Has(t, "values", "map[a:1]")
	mortal.ok(t, "GET /state", "")
	if after := requests.Load(); after != before {
		t.Errorf("%d requests came", after-before)
	}
	mortal.ok(t, "POST /state", `{"cookies": [], "clear": true}`)
}
