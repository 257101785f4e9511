package cli

import (
	"github.com/spf13/pflag"

	"chela/internal/base/config"
	"chela/internal/base/media"
	"chela/internal/reading/vision"
	"chela/internal/surface/mcp"
)

// An activeModel is what the flags say about the language model of the agent that chela mcp serves.
type activeModel struct {
	name string      // provider/model; "": unknown
	sees bool        // value of --model-sees-images: the model can read pictures
	flag *pflag.Flag // the flag --model-sees-images
}

// addFlags adds the flags that describe the model.
func (m *activeModel) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&m.name, "active-model", "",
		"the agent's `MODEL`, as provider/model: if it is one of browser.models, it is given pictures and no descriptions")
	flags.BoolVar(&m.sees, "model-sees-images", false, "the agent's model sees pictures: it is given them, and no descriptions")
	m.flag = flags.Lookup("model-sees-images")
}

// pictures says how the model is given pictures: as images, or as descriptions that a configured
// vision model writes. An unknown model gets descriptions if vision models are configured: the user
// has configured them for a model that reads only text.
func (m *activeModel) pictures(c *config.Config) mcp.Pictures {
	p := mcp.Pictures{Models: vision.Configured(c), MaxSide: c.Agents.Defaults.ImageMaxDimensionPx}
	p.Share = func(name string, content []byte) (string, error) { return media.Share(c.State.Media(), name, content) }
	if m.sees || !m.flag.Changed && p.Models.Has(m.name) {
		p.Models = nil
	}
	return p
}
