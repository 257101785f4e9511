package server

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"chela/internal/op"
)

func TestRouter(t *testing.T) {
	var r router
	var got string
	for _, each := range []string{
		"GET /", "GET /tabs", "GET /tabs/{id}", "GET /tabs/open", "DELETE /tabs/{id}", "POST /tabs/open", "POST /tabs/{id}/lease", "PUT /both/{a}/{b}", "GET /stream",
	} {
		method, path, _ := strings.Cut(each, " ")
		r.add(method, path, path == "/stream", func(_ http.ResponseWriter, req *http.Request) error {
			got = strings.TrimSpace(each + " " + req.PathValue("id") + req.PathValue("a") + req.PathValue("b"))
			return nil
		})
	}
	tests := []struct {
		request string
		want    string // the route and its values, or the methods that the path has
	}{
		{"GET /", "GET /"},
		{"HEAD /tabs", "GET /tabs"},
		{"POST /tabs", "only GET HEAD"},
		{"HEAD /stream", "only GET"},
		{"GET /tabs/open", "GET /tabs/open"}, // although /tabs/{id} matches this path
		{"GET /%74abs/op%65n", "GET /tabs/open"},
		{"POST /tabs/open", "POST /tabs/open"},
		{"DELETE /tabs/open", "DELETE /tabs/{id} open"},
		{"PATCH /tabs/open", "only GET HEAD POST DELETE"},
		{"GET /tabs/t1", "GET /tabs/{id} t1"},
		{"GET /tabs/a%2Fb%20c", "GET /tabs/{id} a/b c"},
		{"GET /tabs/{id}", "GET /tabs/{id} {id}"},
		{"POST /tabs/t1/lease", "POST /tabs/{id}/lease t1"},
		{"GET /tabs/t1/lease", "only POST"},
		{"PUT /both/1/2", "PUT /both/{a}/{b} 12"},
		{"GET /tabs/", "only "},
		{"GET //tabs", "only "},
		{"GET /x/../tabs", "only "},
		{"GET /x/%2e%2e/tabs", "only "},
		{"GET /tabs/t1/other", "only "},
		{"GET /nothing", "only "},
	}
	for _, test := range tests {
		method, path, _ := strings.Cut(test.request, " ")
		req := httptest.NewRequest(method, path, nil)
		h, methods := r.find(req)
		if got = "only " + strings.Join(methods, " "); h != nil {
			h(nil, req)
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.request, got, test.want)
		}
	}
}

// A client names its surface in a header. A client that names the dashboard is not believed.
func TestSurfaceOfClients(t *testing.T) {
	for name, want := range map[string]op.Surface{"": op.OverHTTP, "command": op.CommandLine, "tool": op.AgentTool, "dashboard": op.OverHTTP} {
		req := httptest.NewRequest("GET", "/", nil)
		req.Header.Set(op.SurfaceHeader, name)
		ctx, err := callerOf(req)
		if got := op.SurfaceOf(ctx); got != want || err != nil {
			t.Errorf("%q: got %q, %v", name, got, err)
		}
	}
}
