package otlp

import (
	"fmt"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// The messages of OTLP (the OpenTelemetry protocol) that are needed to send spans. They are defined in
// opentelemetry/proto/trace/v1/trace.proto, and have the JSON form of protocol buffers.
type (
	request struct {
		ResourceSpans []resourceSpans `json:"resourceSpans"`
	}
	resourceSpans struct {
		Resource   attributes   `json:"resource"`
		ScopeSpans []scopeSpans `json:"scopeSpans"`
	}
	scopeSpans struct {
		Scope scope  `json:"scope"`
		Spans []span `json:"spans"`
	}
	scope struct {
		Name string `json:"name"`
	}
	span struct {
		TraceID      string     `json:"traceId"`
		SpanID       string     `json:"spanId"`
		ParentSpanID string     `json:"parentSpanId,omitempty"`
		Name         string     `json:"name"`
		Kind         int        `json:"kind"` // a value of trace.SpanKind
		Start        string     `json:"startTimeUnixNano"`
		End          string     `json:"endTimeUnixNano"`
		Attributes   []keyValue `json:"attributes,omitempty"`
		Status       status     `json:"status"`
	}
	status struct {
		Code    int    `json:"code,omitempty"`
		Message string `json:"message,omitempty"`
	}
	attributes struct {
		Attributes []keyValue `json:"attributes"`
	}
	keyValue struct {
		Key   string `json:"key"`
		Value value  `json:"value"`
	}
	value struct {
		Text string `json:"stringValue"`
	}
)

// requestOf returns the message with these spans. All spans of a program have the same resource, so
// the message has only one.
func requestOf(spans []sdk.ReadOnlySpan) request {
	var all resourceSpans
	byScope := map[string]int{}
	for _, s := range spans {
		all.Resource = attributes{keyValues(s.Resource().Attributes())}
		name := s.InstrumentationScope().Name
		at, known := byScope[name]
		if !known {
			at = len(all.ScopeSpans)
			byScope[name] = at
			all.ScopeSpans = append(all.ScopeSpans, scopeSpans{Scope: scope{name}})
		}
		all.ScopeSpans[at].Spans = append(all.ScopeSpans[at].Spans, spanOf(s))
	}
	return request{[]resourceSpans{all}}
}

func spanOf(s sdk.ReadOnlySpan) span {
	of := span{
		TraceID: s.SpanContext().TraceID().String(), SpanID: s.SpanContext().SpanID().String(), Name: s.Name(), Kind: int(s.SpanKind()),
		Start: nanoseconds(s.StartTime()), End: nanoseconds(s.EndTime()), Attributes: keyValues(s.Attributes()),
	}
	if s.Parent().HasSpanID() {
		of.ParentSpanID = s.Parent().SpanID().String()
	}
	switch s.Status().Code {
	case codes.Ok:
		of.Status.Code = 1
	case codes.Error:
		of.Status = status{2, s.Status().Description}
	}
	return of
}

// nanoseconds returns a time in nanoseconds since 1970. In the JSON form of protocol buffers, a 64-bit
// number is a string.
func nanoseconds(t time.Time) string { return strconv.FormatInt(t.UnixNano(), 10) }

func keyValues(all []attribute.KeyValue) []keyValue {
	list := make([]keyValue, len(all))
	for i, a := range all {
		list[i] = keyValue{string(a.Key), value{fmt.Sprint(a.Value.AsInterface())}}
	}
	return list
}
