package otlp

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"chela/internal/wall/secret"
)

// The collector gets spans as JSON. The environment sets the headers and the name of the service. If
// the collector is busy, the spans are sent once more.
func TestExport(t *testing.T) {
	secret.Know("otlp", "exported secret")
	got := make(chan request, 1)
	tries := 0
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if tries++; tries == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		if r.URL.Path != "/v1/traces" || r.Header.Get("Api-Key") != "a b" || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("the request is %s %v", r.URL, r.Header)
		}
		var body request
		if raw, _ := io.ReadAll(r.Body); json.Unmarshal(raw, &body) != nil {
			t.Errorf("the body is %s", raw)
		}
		got <- body
	}))
	defer collector.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL+"/")
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "api-key=a%20b")
	t.Setenv("OTEL_SERVICE_NAME", "shop")
	provider, end, err := Provider("1.2")
	if err != nil {
		t.Fatal(err)
	}
	ctx, parent := provider.Tracer("chela").Start(t.Context(), "click", trace.WithSpanKind(trace.SpanKindServer))
	_, child := provider.Tracer("chela").Start(ctx, "act")
	child.SetAttributes(attribute.String("key", "exported secret"))
	child.SetStatus(codes.Error, "stale_ref")
	child.End()
	parent.End()
	if err := end(t.Context()); err != nil {
		t.Fatal(err)
	}
	spans := (<-got).ResourceSpans[0]
	of := map[string]string{}
	for _, a := range spans.Resource.Attributes {
		of[a.Key] = a.Value.Text
	}
	if of["service.name"] != "shop" || of["service.version"] != "1.2" {
		t.Errorf("the resource is %v", of)
	}
	act, click := spans.ScopeSpans[0].Spans[0], spans.ScopeSpans[0].Spans[1]
	switch {
	case spans.ScopeSpans[0].Scope.Name != "chela" || act.Name != "act" || click.Name != "click":
		t.Errorf("the spans are %+v", spans)
	case act.ParentSpanID != click.SpanID || act.TraceID != click.TraceID || len(act.TraceID) != 32 || len(act.SpanID) != 16 || click.ParentSpanID != "":
		t.Errorf("the ids are %+v and %+v", act, click)
	case act.Status != (status{2, "stale_ref"}) || act.Attributes[0] != (keyValue{"key", value{"«secret:otlp»"}}) || click.Kind != 2:
		t.Errorf("the spans are %+v and %+v", act, click)
	}
	if end, err := time.ParseDuration(act.End + "ns"); err != nil || end <= 0 || act.Start > act.End {
		t.Errorf("the times are %s and %s", act.Start, act.End)
	}
}

// Without a collector no exporter is made, and an error names wrong settings.
func TestEnvironment(t *testing.T) {
	for _, test := range []struct{ name, value, wrong string }{
		{"OTEL_SERVICE_NAME", "shop", ""},
		{"OTEL_SDK_DISABLED", "true", ""},
		{"OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4318", "OTEL_EXPORTER_OTLP_ENDPOINT must be a URL"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.name == "OTEL_SDK_DISABLED" {
				t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318")
			}
			t.Setenv(test.name, test.value)
			provider, _, err := Provider("1.2")
			if provider != nil || (err == nil) != (test.wrong == "") || err != nil && !strings.Contains(err.Error(), test.wrong) {
				t.Errorf("%v, %v", provider, err)
			}
		})
	}
}
