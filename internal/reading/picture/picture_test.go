package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math/rand"
	"strings"
	"testing"
)

// noise is a PNG that hardly gets smaller by compression.
func noise(t *testing.T, width, height int) Picture {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, width, height))
	rand.New(rand.NewSource(1)).Read(m.Pix)
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return Picture{b.Bytes(), "image/png"}
}

// JPEG has no transparency. What was transparent becomes white, as most pages are, so that dark text
// can still be read.
func TestTransparentBecomesWhite(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 200, 100))
	rand.New(rand.NewSource(1)).Read(m.Pix)
	for x := range 200 {
		for y := range 50 {
			m.SetNRGBA(x, y, color.NRGBA{})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	for side, most := range map[int]int{0: 15_000, 100: 4000} {
		got, err := Picture{b.Bytes(), "image/png"}.Fit(side, most)
		if err != nil || got.Type != "image/jpeg" {
			t.Fatalf("got %s, %v", got.Type, err)
		}
		decoded, err := Decode(got.Data)
		if err != nil {
			t.Fatal(err)
		}
		if r, g, b, _ := decoded.At(decoded.Bounds().Dx()/2, 5).RGBA(); min(r, g, b) < 0xf000 {
			t.Errorf("at most %d pixels: the pixel is %x %x %x, want white", side, r, g, b)
		}
	}
}

func TestFit(t *testing.T) {
	p := noise(t, 200, 100)
	for _, s := range []struct {
		name              string
		from              Picture
		maxSide, maxBytes int
		kind              string
		width, height     int
		problem           string
	}{
		{"no limit", p, 0, 0, "image/png", 200, 100, ""},
		{"within both", p, 200, len(p.Data), "image/png", 200, 100, ""},
		{"too wide", p, 50, 0, "image/png", 50, 25, ""},
		{"too many bytes", p, 0, 18_000, "image/jpeg", 200, 100, ""},
		{"both", p, 100, 3000, "image/jpeg", 100, 50, ""},
		{"too many bytes at any quality", p, 0, 100, "", 0, 0, "at the lowest quality, more than 100"},
		{"no picture of ours, small", Picture{[]byte("GIF89a"), "image/gif"}, 0, 100, "image/gif", 0, 0, ""},
		{"no picture of ours, large", Picture{[]byte("GIF89a"), "image/gif"}, 0, 3, "", 0, 0, "read the picture"},
	} {
		got, err := s.from.Fit(s.maxSide, s.maxBytes)
		if s.problem != "" {
			if err == nil || !strings.Contains(err.Error(), s.problem) {
				t.Errorf("%s: got %v, want %q", s.name, err, s.problem)
			}
			continue
		}
		size, _, _ := image.DecodeConfig(bytes.NewReader(got.Data))
		if err != nil || got.Type != s.kind || size.Width != s.width || size.Height != s.height || s.maxBytes > 0 && len(got.Data) > s.maxBytes {
			t.Errorf("%s: got %s %d×%d, %d bytes, %v", s.name, got.Type, size.Width, size.Height, len(got.Data), err)
		}
	}
}
