package op

import (
	"encoding/json"
	"testing"
)

// A zero value is null in JSON, and any other is itself.
func TestOrNull(t *testing.T) {
	raw, err := json.Marshal([]any{OrNull(""), OrNull(0), OrNull("a"), OrNull(-1)})
	if want := `[null,null,"a",-1]`; err != nil || string(raw) != want {
		t.Errorf("got %s, %v, want %s", raw, err, want)
	}
}
