package doctor

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strings"

	"chela/internal/reading/picture"
	"chela/internal/reading/vision"
)

// visionCheck is the id of the checks of models that describe pictures. Each model has one, and all
// have this id.
const visionCheck = "vision"

// vision adds checks that tell whether each model that describes pictures can be asked. It asks no
// model. A browser works without them, so what is missing is no failure. For agents that use chela
// mcp, the process of chela mcp asks the models. These checks run in the server, whose environment
// may differ.
func (h *Report) vision(models vision.Models) {
	for _, m := range models {
		err := m.Usable()
		if err == nil {
			h.note(visionCheck, "Model for pictures", "pass", m.String()+" can be asked")
			continue
		}
		c := h.note(visionCheck, "Model for pictures", "warn", m.String()+": "+err.Error())
		c.FixHint = "correct browser.models or tools.media; a variable has to be set where chela mcp is started, " +
			"and for this check where the server is"
	}
}

// liveVision asks each model that can be asked to describe a red square.
func (h *Report) liveVision(ctx context.Context, models vision.Models) {
	for _, m := range models {
		if m.Usable() != nil {
			continue
		}
		d, err := vision.Models{m}.Describe(ctx, redSquare())
		if err != nil {
			h.note("live-vision", "Live model", "warn", err.Error()).
				FixHint = "pictures that this model cannot describe are given to the next one, or to the agent"
			continue
		}
		saw := ", and does not see that it is red"
		if strings.Contains(strings.ToLower(d.Text), "red") {
			saw = ", and sees that it is red"
		}
		h.note("live-vision", "Live model", "pass", m.String()+" describes a picture"+saw)
	}
}

// redSquare returns a picture whose description is known.
func redSquare() picture.Picture {
	square := image.NewRGBA(image.Rect(0, 0, 64, 64))
	draw.Draw(square, square.Bounds(), image.NewUniform(color.RGBA{R: 255, A: 255}), image.Point{}, draw.Src)
	var b bytes.Buffer
	if err := png.Encode(&b, square); err != nil {
		panic(err) // encoding into memory cannot fail
	}
	return picture.Picture{Data: b.Bytes(), Type: "image/png"}
}
