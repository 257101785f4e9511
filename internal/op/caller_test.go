package op

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestCaller(t *testing.T) {
	for given, want := range map[string]string{
		"cli": "cli", "": "", "a\x1b[31m\nb": "a[31mb", "Ada Lovelace": "Ada Lovelace",
		strings.Repeat("é", 200): strings.Repeat("é", maxCaller),
	} {
		if got := Caller(WithCaller(t.Context(), given)); got != want {
			t.Errorf("the caller %q is called %q, want %q", given, got, want)
		}
	}
	if got := Caller(context.Background()); got != "" {
		t.Errorf("without a caller: %q", got)
	}
}

func TestProgress(t *testing.T) {
	Progress(t.Context(), 1, 2, "reported to nobody")
	var got []string
	ctx := WithProgress(t.Context(), func(done, total int, doing string) { got = append(got, fmt.Sprintf("%d %d %s", done, total, doing)) })
	Progress(ctx, 1, 2, "click")
	Progress(WithProgress(ctx, nil), 3, 4, "reported to nobody")
	if !WantsProgress(ctx) || WantsProgress(t.Context()) || WantsProgress(WithProgress(ctx, nil)) || !slices.Equal(got, []string{"1 2 click"}) {
		t.Errorf("got %q", got)
	}
}
