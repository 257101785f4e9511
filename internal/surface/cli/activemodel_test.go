package cli

import (
	"testing"

	"github.com/spf13/pflag"

	"chela/internal/base/config"
)

// A model that sees pictures gets them, even if another model is configured to describe them.
func TestActiveModel(t *testing.T) {
	c := &config.Config{}
	c.Browser.Models = []config.VisionModel{{Provider: "openai", Model: "eye"}}
	c.Agents.Defaults.ImageMaxDimensionPx = 800
	for _, s := range []struct {
		flags     []string
		described bool
	}{
		{nil, true},
		{[]string{"--model-sees-images"}, false},
		{[]string{"--active-model", "openai/blind"}, true},
		{[]string{"--active-model", "OpenAI/eye"}, false},
		{[]string{"--active-model", "openai/eye", "--model-sees-images=false"}, true},
	} {
		var m activeModel
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		m.addFlags(flags)
		if err := flags.Parse(s.flags); err != nil {
			t.Fatal(err)
		}
		if p := m.pictures(c); (len(p.Models) > 0) != s.described || p.MaxSide != 800 {
			t.Errorf("%v: got %+v", s.flags, p)
		}
	}
}
