package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Describer says how a model is asked to describe pictures; package vision asks it.
type Describer struct {
	Provider string // openai, anthropic, google or gemini; any other one speaks OpenAI's protocol at BaseURL
	Name     string // the provider's name for the model
	BaseURL  string // "": that of the provider
	APIKey   string // the key, or env:NAME; "": the provider's usual variable, if BaseURL is empty

	Command string   // program that describes pictures, instead of a provider; "": none
	Args    []string // arguments of the command, with placeholders such as {{AttachmentPath}}
	State   State    // state directory; tells where the command's picture may be

	// The other fields may be zero: package vision has defaults for them.
	Prompt   string
	Timeout  time.Duration // limit for one description
	MaxBytes int           // largest picture
	MaxChars int           // longest description
}

// FromEnvironment stands before the name of an environment variable that has the API key.
const FromEnvironment = "env:"

// Vision returns the models that describe pictures; none if the settings have none, or say that
// pictures are not described. Each key of browser has precedence over the same key of tools.media.
func (c *Config) Vision() []Describer {
	image := c.Tools.Media.Image
	enabled := image.Enabled == nil || *image.Enabled || len(c.Browser.Models) > 0
	if c.Browser.VisionEnabled != nil {
		enabled = *c.Browser.VisionEnabled
	}
	if !enabled {
		return nil
	}
	var models []Describer
	for _, m := range preferring(cmp.Or(c.Browser.PreferredModel, image.PreferredModel), c.visionModels()) {
		if m.seesPictures() {
			models = append(models, Describer{
				Provider: m.Provider, Name: m.Model, BaseURL: m.BaseURL, APIKey: m.APIKey, Command: fromHome(m.program()), Args: m.Args, State: c.State,
				Prompt:   cmp.Or(m.Prompt, c.Browser.VisionPrompt, image.Prompt),
				Timeout:  time.Duration(cmp.Or(m.TimeoutSeconds, image.TimeoutSeconds) * float64(time.Second)),
				MaxBytes: cmp.Or(m.MaxBytes, image.MaxBytes), MaxChars: cmp.Or(m.MaxChars, image.MaxChars),
			})
		}
	}
	return models
}

// visionModels lists the models in the order in which they are tried. It includes models for other
// media.
func (c *Config) visionModels() []VisionModel {
	if len(c.Browser.Models) > 0 {
		return c.Browser.Models
	}
	if shared := slices.Concat(c.Tools.Media.Image.Models, c.Tools.Media.Models); len(shared) > 0 {
		return shared
	}
	names, _ := imageModels(c.Agents.Defaults.ImageModel) // check has already accepted the setting
	var models []VisionModel
	for _, name := range names {
		provider, model, _ := strings.Cut(name, "/")
		models = append(models, VisionModel{Provider: provider, Model: model})
	}
	return models
}

// preferring returns the models with the preferred ones first, each in their order. Without a
// preference, it returns the list as it is.
func preferring(preferred string, models []VisionModel) []VisionModel {
	models = slices.Clone(models)
	slices.SortStableFunc(models, func(a, b VisionModel) int {
		switch first := a.isNamed(preferred); {
		case first == b.isNamed(preferred):
			return 0
		case first:
			return -1
		}
		return 1
	})
	return models
}

// isNamed reports whether a preference means this model. A preference is provider/model, the name
// of a model, provider:NAME or cli:COMMAND.
func (m VisionModel) isNamed(preferred string) bool {
	if name, ok := strings.CutPrefix(preferred, "provider:"); ok {
		return m.Provider == name
	}
	if command, ok := strings.CutPrefix(preferred, "cli:"); ok {
		return m.program() == command
	}
	return preferred != "" && m.program() == "" && (m.Model == preferred || m.Provider+"/"+m.Model == preferred)
}

// seesPictures reports whether the model takes pictures: its capabilities include image, or are not
// given.
func (m VisionModel) seesPictures() bool {
	return len(m.Capabilities) == 0 || slices.Contains(m.Capabilities, "image")
}

// program returns the command of a model that is a program, or "" for a provider's model.
func (m VisionModel) program() string {
	if m.Type == "cli" || m.Type == "" && m.Provider == "" {
		return m.Command
	}
	return ""
}

// imageModels lists the names in agents.defaults.imageModel: a text, or an object with primary and
// fallbacks; false if it is neither.
func imageModels(value any) (names []string, ok bool) {
	add := func(name any) bool {
		text, isText := name.(string)
		if text != "" {
			names = append(names, text)
		}
		return isText || name == nil
	}
	object, isObject := value.(map[string]any)
	if !isObject {
		return names, add(value)
	}
	ok = add(object["primary"])
	fallbacks, isList := object["fallbacks"].([]any)
	for _, name := range fallbacks {
		ok = add(name) && ok
	}
	return names, ok && (isList || object["fallbacks"] == nil)
}

// checkVision is the part of [Config.check] about models for pictures.
func (c *Config) checkVision() *keyError {
	image := c.Tools.Media.Image
	switch _, ok := imageModels(c.Agents.Defaults.ImageModel); {
	case !ok:
		return wrongf("agents.defaults.imageModel", "must be provider/model, or an object with primary and fallbacks")
	case c.Agents.Defaults.ImageMaxDimensionPx < 0:
		return wrongf("agents.defaults.imageMaxDimensionPx", "is %d: want 0 or more", c.Agents.Defaults.ImageMaxDimensionPx)
	}
	limits := VisionModel{TimeoutSeconds: image.TimeoutSeconds, MaxBytes: image.MaxBytes, MaxChars: image.MaxChars}
	if e := limits.checkLimits("tools.media.image"); e != nil {
		return e
	}
	return cmp.Or(checkModels("browser.models", c.Browser.Models), checkModels("tools.media.models", c.Tools.Media.Models),
		checkModels("tools.media.image.models", image.Models))
}

// checkModels checks a list of models. Faults of models for other media are ignored, as only
// OpenClaw uses those models.
func checkModels(key string, models []VisionModel) *keyError {
	for i, m := range models {
		if e := m.check(fmt.Sprintf("%s[%d]", key, i)); e != nil && m.seesPictures() {
			return e
		}
	}
	return nil
}

// check checks one model. The parameter key is the key of the model in the file. No message quotes
// the API key.
func (m VisionModel) check(key string) *keyError {
	cli := m.Type == "cli" || m.program() != ""
	switch {
	case !slices.Contains([]string{"", "provider", "cli"}, m.Type):
		return wrongf(key+".type", "is %q: want provider or cli", m.Type)
	case cli && strings.TrimSpace(m.Command) == "":
		return wrongf(key, "has no command: a model of type cli is a program")
	case cli && len(m.Args) == 0:
		return wrongf(key, "has no args: without {{AttachmentPath}} the program does not get the picture")
	case !cli && m.Provider == "":
		return wrongf(key, "has no provider: want openai, anthropic, google or the name of another one, or a command")
	case !isURL(m.BaseURL, []string{"http", "https"}) || strings.Contains(m.BaseURL, "@"):
		return wrongf(key+".baseUrl", "must be an address of http or https, without a name and password")
	case isVariable(m.APIKey):
		return wrongf(key+".apiKey", "names a variable: write env:NAME")
	}
	return m.checkLimits(key)
}

// checkLimits refuses negative limits.
func (m VisionModel) checkLimits(key string) *keyError {
	switch {
	case !isAmountOrZero(m.TimeoutSeconds):
		return wrongf(key+".timeoutSeconds", "is %v: want 0 to %d", m.TimeoutSeconds, maxAmount)
	case m.MaxBytes < 0:
		return wrongf(key+".maxBytes", "is %d: want 0 or more", m.MaxBytes)
	case m.MaxChars < 0:
		return wrongf(key+".maxChars", "is %d: want 0 or more", m.MaxChars)
	}
	return nil
}
