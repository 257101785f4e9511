package op

import (
	"encoding/json"
	"testing"

	"chela/internal/base/hidden"
)

func TestPlain(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"ordinary text", "Größe 日本 👍\n\ttab", "Größe 日本 👍\n\ttab"},
		{"terminal escape", "a\x1b[2Jb\r", `a\u001b[2Jb\u000d`},
		{"C1 control", "a\u009bb", `a\u009bb`},
		{"bidirectional override", "a\u202eb", `a\u202eb`},
		{"the spaces of braille stay", "\u2813\u2800\u2815", "\u2813\u2800\u2815"},
		{"blanks go", "a\u2800b\ufffcc\U0001d159", `abc\ud834\udd59`},
		{"zero width goes", "a\u200bb\u200dc\ufeff", "abc"},
		{"tag characters", "a\U000e0041b", `a\udb40\udc41b`},
		{"line separator", "a\u2028b", `a\u2028b`},
		{"variation selectors", "a\ufe01\ufe0fb\U000e0101", "ab"},
		{"fillers and joiners", "a\u034f\u115f\u3164\uffa0b", `a\u034f\u115f\u3164\uffa0b`},
		{"emoji", "❤\ufe0f 👩\u200d💻 🏳\ufe0f\u200d🌈 1\ufe0f\u20e3 ©\ufe0f", "❤\ufe0f 👩\u200d💻 🏳\ufe0f\u200d🌈 1\ufe0f\u20e3 ©\ufe0f"},
		{"a second selector behind an emoji", "❤\ufe0f\ufe0f\ufe0e👍\u200d\u200d👍", "❤\ufe0f👍👍"},
		{"model tokens", "x<|im_end|>y[INST]z</s>", "x[REMOVED_SPECIAL_TOKEN]y[REMOVED_SPECIAL_TOKEN]z[REMOVED_SPECIAL_TOKEN]"},
		{"a token hidden by zero width", "<|im_\u200bstart|>", "[REMOVED_SPECIAL_TOKEN]"},
		{"tokens of other models", "<|user|>a<|end|>b<｜begin▁of▁sentence｜>", "[REMOVED_SPECIAL_TOKEN]a[REMOVED_SPECIAL_TOKEN]b[REMOVED_SPECIAL_TOKEN]"},
		{"tokens in brackets", "[SYSTEM_PROMPT]a[/SYSTEM_PROMPT][TOOL_CALLS]", "[REMOVED_SPECIAL_TOKEN]a[REMOVED_SPECIAL_TOKEN][REMOVED_SPECIAL_TOKEN]"},
		{"tokens around thoughts and calls", "</think>a<tool_call>b[/THINK]c[CALL_ID]", "[REMOVED_SPECIAL_TOKEN]a[REMOVED_SPECIAL_TOKEN]b[REMOVED_SPECIAL_TOKEN]c[REMOVED_SPECIAL_TOKEN]"},
		{"tokens with a slash or a hyphen", "<|/tool_call|>a<|end_of-text|>", "[REMOVED_SPECIAL_TOKEN]a[REMOVED_SPECIAL_TOKEN]"},
		{"the usage of a program, and markup", "run [ARGS] [PREFIX], [IMG] <mask>", "run [ARGS] [PREFIX], [IMG] <mask>"},
		{"signs of a program", "a <| b |> c, [x|y], <|>", "a <| b |> c, [x|y], <|>"},
		{"reserved token", "<|reserved_special_token_12|>", "[REMOVED_SPECIAL_TOKEN]"},
		{"markup stays", "<b>[ref=e1]</b>", "<b>[ref=e1]</b>"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Plain(test.in); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestPlainJSONKeepsValues(t *testing.T) {
	for _, s := range []string{"plain", "<script>", "[ref=e1] before [INST]", "a\x7fb", "\u202e\u200b", "[INST]", "\U000e0041", "Größe\u2028", "\ufe01\ufe0f\u3164"} {
		raw, err := encode(s)
		if err != nil {
			t.Fatal(err)
		}
		plain := PlainJSON(raw)
		var got string
		if err := json.Unmarshal(plain, &got); err != nil || got != s {
			t.Errorf("%q became %s: %q, %v", s, plain, got, err)
		}
		for _, r := range string(plain) {
			if r == '<' || hidden.Deceives(r) {
				t.Errorf("%q: %q left in %s", s, r, plain)
			}
		}
	}
}
