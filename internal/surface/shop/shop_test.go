package shop

import (
	"encoding/json"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestPagesAreServed(t *testing.T) {
	shop := Handler()
	for _, path := range []string{"/", "/shop.js", "/shop.css", "/pay.html", "/pay.js", "/icon.svg"} {
		if w := ask(shop, "GET", path, ""); w.Code != http.StatusOK {
			t.Errorf("GET %s: got %d, want 200", path, w.Code)
		} else if got := w.Header().Get("Content-Security-Policy"); got != policy {
			t.Errorf("GET %s: got policy %q, want %q", path, got, policy)
		}
	}
	if w := ask(shop, "GET", "/admin", ""); w.Code != http.StatusNotFound {
		t.Errorf("GET /admin: got %d, want 404", w.Code)
	}
}

func TestPagesNeedNoNetwork(t *testing.T) {
	err := fs.WalkDir(site, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(site, path)
		rest := strings.ReplaceAll(string(text), "http://www.w3.org/2000/svg", "")
		if strings.Contains(rest, "://") {
			t.Errorf("%s names another host", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestEveryProductHasAPicture(t *testing.T) {
	shop := Handler()
	page := ask(shop, "GET", "/", "").Body.String()
	var products []product
	if err := json.NewDecoder(ask(shop, "GET", "/api/products", "").Body).Decode(&products); err != nil {
		t.Fatal(err)
	}
	if len(products) != len(shelf) {
		t.Errorf("got %d products, want %d", len(products), len(shelf))
	}
	for _, p := range products {
		if !strings.Contains(page, `<symbol id="`+p.ID+`"`) {
			t.Errorf("%s: the page has no symbol %q", p.Name, p.ID)
		}
	}
}

const goodOrder = `{"items": {"mug": 2, "soap": 1}, "name": " Ada ", "email": "ada@example.com", "country": "PT",
	"speed": "express", "date": "2026-12-24", "terms": true, "card": "4242"}`

func TestOrdersAreCounted(t *testing.T) {
	shop := Handler()
	for _, number := range []int64{1234, 1235} {
		w := ask(shop, "POST", "/api/orders", goodOrder)
		if w.Code != http.StatusCreated {
			t.Fatalf("got %d %s, want 201", w.Code, w.Body)
		}
		want := confirmation{Number: number, Name: "Ada", Cents: 2*1400 + 650 + 500}
		var got confirmation
		if err := json.NewDecoder(w.Body).Decode(&got); err != nil || got != want {
			t.Errorf("got %+v (%v), want %+v", got, err, want)
		}
	}
}

func TestOrdersThatLackSomethingAreRefused(t *testing.T) {
	tests := []struct {
		change string // JSON that replaces parts of the good order
		status int
		want   string
	}{
		{`{"name": "  "}`, 422, "a name is missing"},
		{`{"email": "ada"}`, 422, "an e-mail address is missing"},
		{`{"country": ""}`, 422, "a country is missing"},
		{`{"speed": "rocket"}`, 422, "a delivery speed is missing"},
		{`{"date": "soon"}`, 422, "a delivery date is missing"},
		{`{"terms": false}`, 422, "the terms are not accepted"},
		{`{"card": ""}`, 422, "a card is missing"},
		{`{"items": {}}`, 422, "the basket is empty"},
		{`{"items": {"whale": 1}}`, 422, "the basket is empty"},
		{`{"items": {"mug": -1}}`, 422, "between 1 and 99 pieces of a kind can be ordered"},
		{`{"items": {"mug": 100}}`, 422, "between 1 and 99 pieces of a kind can be ordered"},
		{`{"items": 3}`, 400, "the order is not readable"},
	}
	shop := Handler()
	for _, test := range tests {
		w := ask(shop, "POST", "/api/orders", overlay(t, goodOrder, test.change))
		if w.Code != test.status || !strings.Contains(w.Body.String(), test.want) {
			t.Errorf("%s: got %d %s, want %d %q", test.change, w.Code, w.Body, test.status, test.want)
		}
	}
}

// overlay returns the JSON object base with the fields of change.
func overlay(t *testing.T, base, change string) string {
	t.Helper()
	object := map[string]any{}
	for _, text := range []string{base, change} {
		fields := map[string]any{}
		if err := json.Unmarshal([]byte(text), &fields); err != nil {
			t.Fatal(err)
		}
		maps.Copy(object, fields)
	}
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func ask(h http.Handler, method, path, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader(body)))
	return w
}
