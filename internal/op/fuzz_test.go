package op

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"chela/internal/base/hidden"
)

// Text that is shown has no characters that deceive, and no token of a model.
func FuzzPlain(f *testing.F) {
	for _, text := range []string{"a\x1b[31m", "<|im_\u200bstart|>", "[IN[INST]ST]", "\u202eabc", "<|<|im_start|>im_start|>", "\xff\xfe", "<|reserved_special_token_12|>", "a\U000e0041"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		plain := Plain(text)
		if strings.ContainsFunc(plain, hidden.Deceives) || withoutModelTokens(plain) != plain {
			t.Errorf("%q became %q", text, plain)
		}
		if again := Plain(plain); again != plain {
			t.Errorf("%q became %q, and that %q", text, plain, again)
		}
	})
}

// JSON that is shown means the same as before.
func FuzzPlainJSON(f *testing.F) {
	f.Add([]byte(`{"a":"<s>[INST][/TOOL_RESULTS]\u202e","b":["\ud83d\ude00"]}`))
	f.Add([]byte("{\"a\":\r\n1}"))
	f.Add([]byte("{\"\u200b\":\"\U000e0041\u202e\"}"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var want, got any
		if json.Unmarshal(raw, &want) != nil {
			return
		}
		plain := PlainJSON(raw)
		if err := json.Unmarshal(plain, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q became %q: %v", raw, plain, err)
		}
		if text := string(plain); strings.ContainsFunc(text, hidden.Deceives) || withoutModelTokens(text) != text {
			t.Errorf("%q became %q", raw, plain)
		}
	})
}

// The key of a session has only visible characters, from whatever name it was made.
func FuzzSessionOf(f *testing.F) {
	f.Add("Claude Code 1.0 \u202e")
	f.Fuzz(func(t *testing.T, name string) {
		if key := SessionOf(name); name != "" && CheckSession(key) != nil || SessionOf(key) != key {
			t.Errorf("%q became %q", name, key)
		}
	})
}
