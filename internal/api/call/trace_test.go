package call

import (
	"encoding/json"
	"testing"

	"chela/internal/op"
)

// An address may have a secret in its query, whether it is an argument, a pattern or in an error.
func TestSecretsInRecordedCalls(t *testing.T) {
	for given, want := range map[string]string{
		`"https://a.test/?token=abc"`:                 `"https://a.test/?token=[secret]"`,
		`"**/cb?token=abc"`:                           `"**/cb?token=[secret]"`,
		`"x ? token=1 : 'https://a.test/?token=abc'"`: `"x ? token=1 : 'https://a.test/?token=[secret]'"`,
		`7`: `7`,
	} {
		if got := string(withoutAddressSecrets(json.RawMessage(given))); got != want {
			t.Errorf("the argument %s is recorded as %s, want %s", given, got, want)
		}
	}
	err := op.Errorf(op.PageFailed, "failed at https://a.test/?token=abc").Hinted("look at https://a.test/?token=abc")
	if got, want := tracedError(err, false).Error(), "failed at https://a.test/?token=[secret]\ntry: look at https://a.test/?token=[secret]"; got != want {
		t.Errorf("the error is recorded as %q, want %q", got, want)
	}
	if got, want := tracedError(err, true).Error(), "failed at https://a.test/?token=abc\ntry: look at https://a.test/?token=abc"; got != want {
		t.Errorf("in a trace with secrets the error is %q, want %q", got, want)
	}
	if got := (&note{}).errorTextLocked("failed at https://a.test/?token=abc"); got != "failed at https://a.test/?token=[secret]" {
		t.Errorf("the recorder has the error %q", got)
	}
}
