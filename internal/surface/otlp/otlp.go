// Package otlp sends the spans of traces to an OpenTelemetry collector, by OTLP over HTTP as JSON.
//
// OpenTelemetry's own exporter makes the program 7 MB larger, mostly for gRPC and protocol buffers.
// The JSON form of the protocol is stable, and all collectors take it at the same address.
package otlp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"chela/internal/wall/secret"
)

// Provider returns a provider of tracers, as the environment variables OTEL_* configure it. It is nil
// if they name no collector. The function end must be called when no more spans are made: it sends the
// spans that were not sent yet.
func Provider(version string) (provider trace.TracerProvider, end func(context.Context) error, err error) {
	e, err := fromEnvironment()
	if e == nil || err != nil {
		return nil, func(context.Context) error { return nil }, err
	}
	about, err := resource.New(context.Background(),
		resource.WithAttributes(attribute.String("service.name", "chela"), attribute.String("service.version", version)),
		resource.WithFromEnv(), // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES have precedence
	)
	if err != nil {
		return nil, nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { slog.Warn("OpenTelemetry reports an error", "error", err) }))
	p := sdk.NewTracerProvider(sdk.WithResource(about), sdk.WithBatcher(e))
	return p, p.Shutdown, nil
}

// usualTimeout is how long sending spans may take, unless OTEL_EXPORTER_OTLP_TIMEOUT says otherwise.
const usualTimeout = 10 * time.Second

// fromEnvironment returns an exporter to the collector that the environment names; nil if it names
// none, or switches traces off.
func fromEnvironment() (*exporter, error) {
	of := func(name string) string {
		return cmp.Or(os.Getenv("OTEL_EXPORTER_OTLP_TRACES_"+name), os.Getenv("OTEL_EXPORTER_OTLP_"+name))
	}
	at := os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
	if base := os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT"); at == "" && base != "" {
		at = strings.TrimSuffix(base, "/") + "/v1/traces"
	}
	if at == "" || strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") || os.Getenv("OTEL_TRACES_EXPORTER") == "none" {
		return nil, nil
	}
	if u, err := url.Parse(at); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_ENDPOINT must be a URL such as http://localhost:4318")
	}
	if protocol := of("PROTOCOL"); protocol != "" && protocol != "http/json" {
		slog.Warn("spans are sent as http/json, whatever OTEL_EXPORTER_OTLP_PROTOCOL is", "protocol", protocol)
	}
	e := &exporter{url: at, header: http.Header{"Content-Type": {"application/json"}}, client: http.Client{Timeout: usualTimeout}}
	if ms, err := strconv.Atoi(of("TIMEOUT")); err == nil && ms > 0 {
		e.client.Timeout = time.Duration(ms) * time.Millisecond
	}
	for pair := range strings.SplitSeq(of("HEADERS"), ",") {
		key, value, ok := strings.Cut(strings.TrimSpace(pair), "=")
		value, err := url.PathUnescape(value)
		switch {
		case pair == "":
		case !ok || err != nil:
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_HEADERS must be a list of KEY=VALUE")
		default:
			e.header.Set(strings.TrimSpace(key), strings.TrimSpace(value))
		}
	}
	return e, nil
}

// exporter implements [sdk.SpanExporter].
type exporter struct {
	url    string
	header http.Header
	client http.Client
}

// retryTime is how long to wait before spans that a busy collector refused are sent again, once.
const retryTime = time.Second

// ExportSpans implements [sdk.SpanExporter].
func (e *exporter) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	body, err := json.Marshal(requestOf(spans))
	if err != nil {
		return err
	}
	again, err := e.send(ctx, body)
	if !again {
		return err
	}
	select {
	case <-time.After(retryTime):
	case <-ctx.Done():
		return err
	}
	_, err = e.send(ctx, body)
	return err
}

// send sends spans. After a failure, the result again reports whether the collector may take the
// spans later.
func (e *exporter) send(ctx context.Context, body []byte) (again bool, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(secret.MaskBytes(body)))
	if err != nil {
		return false, err
	}
	req.Header = e.header.Clone()
	resp, err := e.client.Do(req)
	if err != nil {
		return false, err
	}
	defer resp.Body.Close()
	said, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<10)) // needed for the error message only
	switch resp.StatusCode {
	case http.StatusOK, http.StatusAccepted, http.StatusNoContent:
		return false, nil
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		again = true
	}
	return again, fmt.Errorf("the collector answered %s: %s", resp.Status, said)
}

// Shutdown implements [sdk.SpanExporter].
func (e *exporter) Shutdown(context.Context) error {
	e.client.CloseIdleConnections()
	return nil
}
