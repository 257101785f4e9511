package config

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The configuration decides which models describe pictures, and with which limits.
func TestVision(t *testing.T) {
	const listed = `browser: {models: [{provider: "openai", model: "a"}]}`
	for _, s := range []struct{ name, text, want string }{
		{"none", `{}`, ""},
		{"browser's own", `{` + listed + `}`, "openai/a"},
		{"switched off", `{browser: {visionEnabled: false, models: [{provider: "openai", model: "a"}]}}`, ""},
		{"browser's own before the shared", `{` + listed + `, tools: {media: {image: {models: [{provider: "google", model: "b"}]}}}}`,
			"openai/a"},
		{"browser's own, the shared switched off", `{` + listed + `, tools: {media: {image: {enabled: false}}}}`, "openai/a"},
		{"shared, those for pictures first", `{tools: {media: {models: [{provider: "google", model: "c", capabilities: ["audio", "image"]},
			{type: "cli", command: "whisper", capabilities: ["audio"]}], image: {models: [{command: "/bin/look", args: ["x"]}]}}}}`,
			"cli/look google/c"},
		{"shared, switched off", `{tools: {media: {models: [{provider: "google", model: "c"}], image: {enabled: false}}}}`, ""},
		{"shared, switched on for the browser", `{browser: {visionEnabled: true},
			tools: {media: {models: [{provider: "google", model: "c"}], image: {enabled: false}}}}`, "google/c"},
		{"one preferred by name", `{browser: {preferredModel: "google/b", models: [{provider: "openai", model: "a"}, {provider: "google", model: "b"}]}}`,
			"google/b openai/a"},
		{"one preferred by its model", `{browser: {preferredModel: "b", models: [{provider: "openai", model: "a"}, {provider: "google", model: "b"}]}}`,
			"google/b openai/a"},
		{"those of a provider preferred", `{tools: {media: {image: {preferredModel: "provider:google", models: [{provider: "openai", model: "a"},
			{provider: "google", model: "b"}, {command: "/bin/look", args: ["x"]}, {provider: "google", model: "c"}]}}}}`, "google/b google/c openai/a cli/look"},
		{"a program preferred, which browser says otherwise", `{browser: {preferredModel: "cli:/bin/look"}, tools: {media: {image: {preferredModel: "a",
			models: [{provider: "openai", model: "a"}, {command: "/bin/look", args: ["x"]}]}}}}`, "cli/look openai/a"},
		{"that of agents", `{agents: {defaults: {imageModel: "openai/gpt/x"}}}`, "openai/gpt/x"},
		{"those of agents", `{agents: {defaults: {imageModel: {primary: "openai/a", fallbacks: ["google/b"]}}}}`, "openai/a google/b"},
		{"a provider with a command", `{browser: {models: [{provider: "openai", model: "a", command: "x"}]}}`, "openai/a"},
	} {
		c, err := load(t, s.text, Flags{})
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		var names []string
		for _, m := range c.Vision() {
			if m.Command != "" {
				m.Provider, m.Name = "cli", filepath.Base(m.Command)
			}
			names = append(names, m.Provider+"/"+m.Name)
		}
		if got := strings.Join(names, " "); got != s.want {
			t.Errorf("%s: got %q, want %q", s.name, got, s.want)
		}
	}
}

// A limit of the model replaces the shared one.
func TestLimitsOfVision(t *testing.T) {
	c, err := load(t, `{browser: {visionPrompt: "p", models: [
		{provider: "x", model: "m", baseUrl: "http://127.0.0.1:1/v1", apiKey: "k", maxChars: 3, timeoutSeconds: 0.5},
		{provider: "openai", model: "n", prompt: "own"},
	]}, tools: {media: {image: {prompt: "q", maxChars: 5, maxBytes: 7, timeoutSeconds: 9}}}}`, Flags{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Describer{
		{Provider: "x", Name: "m", BaseURL: "http://127.0.0.1:1/v1", APIKey: "k", State: c.State,
			Prompt: "p", MaxChars: 3, MaxBytes: 7, Timeout: time.Second / 2},
		{Provider: "openai", Name: "n", State: c.State, Prompt: "own", MaxChars: 5, MaxBytes: 7, Timeout: 9 * time.Second},
	}
	if diff := cmp.Diff(want, c.Vision()); diff != "" {
		t.Error(diff)
	}
}

// A setting that makes no sense is refused with its line, and the error does not show the key.
func TestVisionThatIsWrong(t *testing.T) {
	for _, s := range []struct{ entry, key, problem string }{
		{`type: "clii", provider: "x"`, ".type", `is "clii": want provider or cli`},
		{`type: "cli", command: " ", args: ["x"]`, "", "has no command: a model of type cli is a program"},
		{`command: "look"`, "", "has no args: without"},
		{`type: "provider", command: "look"`, "", "has no provider: want openai"},
		{`provider: "x", baseUrl: "ftp://a"`, ".baseUrl", "must be an address of http or https"},
		{`provider: "x", baseUrl: "http://u:s3cret@a"`, ".baseUrl", "must be an address of http or https, without a name and password"},
		{`provider: "x", apiKey: "${KEY}"`, ".apiKey", "names a variable: write env:NAME"},
		{`provider: "x", apiKey: 5`, ".apiKey", "must be a string, not 5"},
		{`provider: "x", maxChars: -1`, ".maxChars", "is -1: want 0 or more"},
		{`provider: "x", timeoutSeconds: "s3cret"`, ".timeoutSeconds", "must be a number, not a string"},
	} {
		for _, list := range []string{"browser: {models: [%s]}", "tools: {media: {models: [%s]}}", "tools: {media: {image: {models: [%s]}}}"} {
			_, err := load(t, "{\n"+fmt.Sprintf(list, "{provider: 'openai'},\n{"+s.entry+"}")+"}", Flags{})
			got, want := fmt.Sprint(err), "models[1]"+s.key+" "+s.problem
			if !strings.Contains(got, "chela.json:3: ") || !strings.Contains(got, want) || strings.Contains(got, "s3cret") {
				t.Errorf("%s: got %s, want %s", s.entry, got, want)
			}
		}
	}
	for text, want := range map[string]string{
		`{agents: {defaults: {imageModel: 5}}}`:                   "agents.defaults.imageModel must be",
		`{agents: {defaults: {imageModel: {fallbacks: "x"}}}}`:    "agents.defaults.imageModel must be",
		`{agents: {defaults: {imageMaxDimensionPx: -1}}}`:         "agents.defaults.imageMaxDimensionPx is -1",
		`{tools: {media: {image: {maxBytes: -1}}}}`:               "tools.media.image.maxBytes is -1",
		`{tools: {media: {models: {}}}}`:                          "tools.media.models must be a list",
		`{tools: {media: {models: ["x"]}}}`:                       "tools.media.models[0] must be an object, not a string",
		`{browser: {models: [{provider: "x", capabilities: 1}]}}`: "browser.models[0].capabilities must be a list",
	} {
		if _, err := load(t, text, Flags{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", text, err)
		}
	}
}

// A misspelled key is a warning that names the right key. Keys of OpenClaw cause no warning.
func TestUnknownKeysOfVision(t *testing.T) {
	c, err := load(t, `{browser: {models: [{provider: "openai", promt: "x", language: "de"}]},
		tools: {exec: {}, media: {audio: {}, imagee: {}, image: {attachments: {}, maxChar: 5}}}}`, Flags{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, warning := range c.Warnings {
		_, after, _ := strings.Cut(filepath.Base(warning), "the key ")
		got = append(got, after)
	}
	want := "browser.models[0].promt: did you mean browser.models[0].prompt?|" +
		"tools.media.image.maxChar: did you mean tools.media.image.maxChars?|tools.media.imagee: did you mean tools.media.image?"
	if strings.Join(got, "|") != want {
		t.Errorf("got %s\nwant %s", strings.Join(got, "|"), want)
	}
}

// If pictures are to be described and no model is configured, there is a warning.
func TestVisionWithoutModels(t *testing.T) {
	for text, want := range map[string]int{
		`{browser: {visionEnabled: true}}`: 1, `{browser: {visionEnabled: false}}`: 0,
		`{browser: {visionEnabled: true, models: [{provider: "openai", capabilities: ["audio"]}]}}`: 1,
		`{browser: {visionEnabled: true}, agents: {defaults: {imageModel: "openai/a"}}}`:            0,
	} {
		if c, err := load(t, text, Flags{}); err != nil || len(c.Warnings) != want {
			t.Errorf("%s: got %v, %q", text, err, c.Warnings)
		}
	}
}

// No API key is ever shown, even when a caller asks for the setting.
func TestKeysOfModelsAreNotShown(t *testing.T) {
	const models = `[{provider: "x", apiKey: "s3cret", baseUrl: "http://a"}, {provider: "y", apiKey: "env:MY_KEY"}]`
	c, err := load(t, `{browser: {models: `+models+`}, tools: {media: {models: `+models+`, image: {models: `+models+`}}}}`, Flags{})
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"", "browser", "browser.models", "tools.media.models", "tools.media.image"} {
		value, err := c.Get(key)
		raw, _ := json.Marshal(value)
		if strings.Contains(string(raw), "s3cret") {
			t.Errorf("%s: the key is shown: %s", key, raw)
		}
		if err != nil || !strings.Contains(string(raw), `"(set)"`) || !strings.Contains(string(raw), "env:MY_KEY") {
			t.Errorf("%s: %s, %v", key, raw, err)
		}
	}
	if c.Vision()[0].APIKey != "s3cret" {
		t.Error("the key is hidden from the model, too")
	}
}
