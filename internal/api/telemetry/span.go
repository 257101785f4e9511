package telemetry

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"chela/internal/base/stage"
	"chela/internal/op"
)

// Scope is the name of the instrumentation in spans.
const Scope = "chela"

// traceParent is the header of W3C Trace Context. The spans of chela carry no baggage.
const traceParent = "traceparent"

var format propagation.TraceContext

// beginCall begins the span of a call. It is a child of the caller's span, if the caller has sent
// one. Attributes have nothing that comes from a page, and no arguments, which may hold secrets.
func (t *Telemetry) beginCall(ctx context.Context, o *op.Op) (context.Context, func(op.Code)) {
	if t.tracer == nil {
		return ctx, func(op.Code) {}
	}
	ctx = format.Extract(ctx, propagation.MapCarrier{traceParent: stage.Parent(ctx)})
	ctx, span := t.tracer.Start(ctx, o.Name(), trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(
		attribute.String("chela.operation", o.Name()),
		attribute.String("chela.session", op.Session(ctx)),
		attribute.String("chela.caller", op.Caller(ctx)),
	))
	return ctx, func(code op.Code) {
		span.SetAttributes(attribute.String("chela.code", string(code)))
		if code != ok {
			span.SetStatus(codes.Error, string(code))
		}
		span.End()
	}
}

// beginSpan begins the span of a stage, below the call's span, and with the tracer of that span. If
// the call has no span that is recorded, it begins none.
func beginSpan(ctx context.Context, s stage.Stage) (context.Context, stage.End) {
	call := trace.SpanFromContext(ctx)
	if !call.IsRecording() {
		return ctx, stage.None
	}
	kind := trace.SpanKindInternal
	if s == stage.Hop {
		kind = trace.SpanKindClient
	}
	ctx, span := call.TracerProvider().Tracer(Scope).Start(ctx, string(s), trace.WithSpanKind(kind))
	return ctx, func(err error) {
		if err != nil {
			span.SetStatus(codes.Error, string(codeOf(ctx, err)))
		}
		span.End()
	}
}

// TraceParent implements [stage.Watcher].
func (t *Telemetry) TraceParent(ctx context.Context) string {
	if t.tracer == nil {
		return ""
	}
	carrier := propagation.MapCarrier{}
	format.Inject(ctx, carrier)
	return carrier[traceParent]
}
