package config

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

func TestEdited(t *testing.T) {
	tests := []struct {
		name, text, path string
		value            any
		want             string
	}{
		{"an empty file", "", "browser.headless", true, "{\n  \"browser\": {\n    \"headless\": true\n  }\n}\n"},
		{"a value", "{\n\t\"browser\": { // all\n\t\t\"headless\": false, // no windows\n\t}\n}", "browser.headless", true,
			"{\n\t\"browser\": { // all\n\t\t\"headless\": true, // no windows\n\t}\n}"},
		{"a further key", "{\n\t\"browser\": {\n\t\t\"headless\": false // why\n\t}, // end\n}\n", "browser.color", "#112233",
			"{\n\t\"browser\": {\n\t\t\"headless\": false, // why\n\t\t\"color\": \"#112233\"\n\t}, // end\n}\n"},
		{"behind a comma", "{\n    \"browser\": {\n        \"headless\": false, // why\n        // more\n    },\n}\n", "browser.color", "#112233",
			"{\n    \"browser\": {\n        \"headless\": false, // why\n        // more\n        \"color\": \"#112233\",\n    },\n}\n"},
		{"a further object", "{\n  \"gateway\": {}, // g\n}\n", "browser.tabCleanup.idleMinutes", 5,
			"{\n  \"gateway\": {}, // g\n  \"browser\": {\n    \"tabCleanup\": {\n      \"idleMinutes\": 5\n    }\n  },\n}\n"},
		{"an empty object", "{\n  \"browser\": { /* nothing */ }\n}", "browser.headless", true,
			"{\n  \"browser\": { /* nothing */\n    \"headless\": true\n  }\n}"},
		{"one line", `{"browser": {"headless": true}}`, "browser.color", "#112233", `{"browser": {"headless": true, "color": "#112233"}}`},
		{"one line, further object", `{"browser": {"headless": true}}`, "gateway.port", 1, `{"browser": {"headless": true}, "gateway": {"port": 1}}`},
		{"one line that is empty", `{"browser": {}}`, "browser.headless", true, `{"browser": {"headless": true}}`},
		{"a profile", "{\n  \"browser\": {\n    \"profiles\": {\n      // mine\n      \"home\": {}\n    }\n  }\n}", "browser.profiles.work", Profile{CDPPort: 18801},
			"{\n  \"browser\": {\n    \"profiles\": {\n      // mine\n      \"home\": {},\n      \"work\": {\n        \"cdpPort\": 18801\n      }\n    }\n  }\n}"},
		{"null on the way", "{\n  \"browser\": null\n}", "browser.headless", true, "{\n  \"browser\": {\n    \"headless\": true\n  }\n}"},
		{"twice the same", `{"browser": {"headless": true, "headless": true}}`, "browser.headless", false, `{"browser": {"headless": true, "headless": false}}`},
		{"removed with its comment", "{\n  // b\n  \"browser\": {\n    // h\n    \"headless\": true,\n    \"color\": \"#112233\" // c\n  }\n}", "browser.headless", nil,
			"{\n  // b\n  \"browser\": {\n    \"color\": \"#112233\" // c\n  }\n}"},
		{"removed where it is twice", `{"a": 1, "browser": {"headless": true, "color": "#112233", "headless": false}}`, "browser.headless", nil, `{"a": 1, "browser": { "color": "#112233"}}`},
		{"removed in the object that counts", `{"browser": {"headless": true}, "browser": {"color": "#112233"}}`, "browser.color", nil, `{"browser": {"headless": true}, "browser": {}}`},
		{"removed below what is no object", `{"browser": 1}`, "browser.color", nil, `{"browser": 1}`},
		{"an element", `{"browser": {"extraArgs": ["--a"]}}`, "browser.extraArgs", addition("--b"), `{"browser": {"extraArgs": ["--a", "--b"]}}`},
		{"an element that is there", `{"browser": {"extraArgs": ["--a"]}}`, "browser.extraArgs", addition("--a"), `{"browser": {"extraArgs": ["--a"]}}`},
		{"the first element", `{"browser": {"extraArgs": []}}`, "browser.extraArgs", addition("--a"), `{"browser": {"extraArgs": ["--a"]}}`},
		{"an element of a list that is not there", "{\n  \"browser\": {}\n}", "browser.extraArgs", addition("--a"), "{\n  \"browser\": {\n    \"extraArgs\": [\"--a\"]\n  }\n}"},
		{"an element on its line", "{\"browser\": {\"extraArgs\": [\n  \"--a\", // why\n]}}", "browser.extraArgs", addition("--b"),
			"{\"browser\": {\"extraArgs\": [\n  \"--a\", // why\n  \"--b\",\n]}}"},
		{"an element behind a comment", "{\"browser\": {\"extraArgs\": [\n  \"--a\" // why\n]}}", "browser.extraArgs", addition("--b"),
			"{\"browser\": {\"extraArgs\": [\n  \"--a\", // why\n  \"--b\"\n]}}"},
		{"an element behind a comment at the end of the line", "{\"browser\": {\"extraArgs\": [\"--a\" // why\n]}}", "browser.extraArgs", addition("--b"),
			"{\"browser\": {\"extraArgs\": [\"--a\", // why\n\"--b\"\n]}}"},
		{"an element behind a comment alone", "{\"browser\": {\"extraArgs\": [ // none\n]}}", "browser.extraArgs", addition("--b"),
			"{\"browser\": {\"extraArgs\": [ // none\n\"--b\"\n]}}"},
		{"an element of what is no list", `{"browser": {"extraArgs": null}}`, "browser.extraArgs", addition("--b"), `{"browser": {"extraArgs": ["--b"]}}`},
		{"a byte order mark", "\ufeff{\"browser\": {}}", "browser.headless", true, `{"browser": {"headless": true}}`},
		{"removed where it is not", `{"browser": {}}`, "browser.headless", nil, `{"browser": {}}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := edited([]byte(test.text), pathOf(test.path), test.value)
			if err != nil || string(got) != test.want {
				t.Errorf("got %v\n%s\nwant\n%s", err, got, test.want)
			}
		})
	}
	if got, err := edited([]byte(`{browser: {}}`), []string{"browser"}, 1); err == nil {
		t.Errorf("unquoted keys: %s", got)
	}
}

// After an edit, any file has the value, and has lost no comment.
func FuzzEdited(f *testing.F) {
	for _, text := range []string{`{"a": {"b": 1, /* x */ }, // y
	}`, "// 1\n{ // 2\n\"a\" /* 3 */ : /* 4 */ { // 5\n} /* 6 */ } // 7", `{"a":{"b":{}},"c":[]}`, `{"a":null,"a":1,}`, "{//\n}"} {
		f.Add(text, "a", "b")
	}
	f.Fuzz(func(t *testing.T, text, first, second string) {
		for _, s := range []string{text, first, second} {
			if strings.ContainsRune(s, utf8.RuneError) || !utf8.ValidString(s) {
				return
			}
		}
		if v, err := hujson.Parse([]byte(text)); err != nil || v.Value.Kind() != '{' {
			return
		}
		got, err := edited([]byte(text), []string{first, second}, "new value")
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		plain, err := hujson.Standardize(slices.Clone(got))
		if err != nil {
			t.Fatalf("%q became %q: %v", text, got, err)
		}
		var tree map[string]any
		if err := json.Unmarshal(plain, &tree); err != nil {
			t.Fatal(err)
		}
		if below, _ := tree[first].(map[string]any); below[second] != "new value" {
			t.Errorf("%q became %q", text, got)
		}
		if before, after := comments(text), comments(string(got)); !strings.Contains(after, before) && !strings.Contains(text, `"`+first) {
			t.Errorf("%q became %q: comments %q, then %q", text, got, before, after)
		}
	})
}

// comments returns the comments of a text, without the white space between them.
func comments(text string) string {
	v, _ := hujson.Parse([]byte(text))
	var all strings.Builder
	for part := range v.All() {
		all.WriteString(strings.TrimSpace(string(part.BeforeExtra)))
	}
	return all.String()
}

// After an addition, any list has the element, and has lost nothing else.
func FuzzAddition(f *testing.F) {
	for _, list := range []string{`[]`, `["a"]`, "[\n\"a\", // x\n]", "[ // x\n]", "[\"a\" // x\n]", `[/* x */]`, `["a",]`, "[\n  // x\n  \"a\"\n  // y\n]", `null`, "[1, {\"a\": [2]}]"} {
		f.Add(list)
	}
	f.Fuzz(func(t *testing.T, list string) {
		text := []byte(`{"k": ` + list + "\n}")
		before, err := hujson.Standardize(slices.Clone(text))
		var was, is struct{ K []any }
		if err != nil || !utf8.ValidString(list) || json.Unmarshal(before, &was) != nil || slices.Contains(was.K, any("new")) {
			return
		}
		got, err := edited(text, []string{"k"}, addition("new"))
		if err != nil {
			t.Fatalf("%q: %v", list, err)
		}
		after, err := hujson.Standardize(slices.Clone(got))
		if err == nil {
			err = json.Unmarshal(after, &is)
		}
		if want := append(was.K, "new"); err != nil || !reflect.DeepEqual(is.K, want) {
			t.Errorf("%q became %q: %v", list, got, err)
		}
		if a, b := strings.Count(list, "/"), strings.Count(string(got), "/"); a != b {
			t.Errorf("%q became %q: a comment is lost", list, got)
		}
	})
}
