// Package picture makes encoded pictures smaller, and compares pictures.
package picture

import (
	"bytes"
	"fmt"
	"image"
	_ "image/gif" // so that GIF can also be read
	"image/jpeg"
	"image/png"
	"net/http"
	"strings"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp" // likewise
)

// A Picture is an encoded image.
type Picture struct {
	Data []byte
	Type string // media type, such as image/png
}

// Read returns data as a Picture, or false if its first bytes are not those of an image.
func Read(data []byte) (Picture, bool) {
	kind := http.DetectContentType(data)
	return Picture{data, kind}, strings.HasPrefix(kind, "image/")
}

// Decode decodes a picture. It fails if data is not a picture, or has more than maxPixels pixels.
func Decode(data []byte) (image.Image, error) {
	size, _, err := image.DecodeConfig(bytes.NewReader(data))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the picture: %w", err)
	case size.Width*size.Height > maxPixels:
		return nil, fmt.Errorf("the picture has %d×%d pixels, which are too many", size.Width, size.Height)
	}
	decoded, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("read the picture: %w", err)
	}
	return decoded, nil
}

// maxPixels bounds what is decoded: each pixel takes 4 bytes of memory.
const maxPixels = 40_000_000

// Fit returns a picture whose longest side has at most maxSide pixels, and which has at most
// maxBytes bytes; 0 is no limit. A picture within both limits stays as it is. Any other picture is
// made smaller, and becomes a JPEG if it has too many bytes as a PNG. It fails if the picture
// cannot be decoded, has too many pixels to be decoded, or stays above maxBytes at the lowest
// quality.
func (p Picture) Fit(maxSide, maxBytes int) (Picture, error) {
	if p.fits(maxSide, maxBytes) {
		return p, nil
	}
	from, err := Decode(p.Data)
	if err != nil {
		return p, err
	}
	return encode(Shrink(from, maxSide, maxSide), p.Type, maxBytes)
}

// fits reports whether a picture is within the limits of Fit. A picture that cannot be decoded is not
// within maxSide, since its size is not known.
func (p Picture) fits(maxSide, maxBytes int) bool {
	if maxBytes > 0 && len(p.Data) > maxBytes {
		return false
	}
	if maxSide <= 0 {
		return true
	}
	size, _, err := image.DecodeConfig(bytes.NewReader(p.Data))
	return err == nil && max(size.Width, size.Height) <= maxSide
}

// Shrink returns a picture of at most maxWidth × maxHeight pixels, in the same shape; 0 is no
// limit. A picture within the limits stays as it is.
func Shrink(from image.Image, maxWidth, maxHeight int) image.Image {
	width, height := from.Bounds().Dx(), from.Bounds().Dy()
	w, h := width, height
	if maxWidth > 0 && w > maxWidth {
		w, h = maxWidth, height*maxWidth/width
	}
	if maxHeight > 0 && h > maxHeight {
		w, h = width*maxHeight/height, maxHeight
	}
	if w == width && h == height {
		return from
	}
	to := image.NewRGBA(image.Rect(0, 0, max(1, w), max(1, h)))
	draw.ApproxBiLinear.Scale(to, to.Bounds(), from, from.Bounds(), draw.Src, nil)
	return to
}

// encode writes a picture as a PNG if kind is PNG and the result has at most maxBytes; 0 is no limit.
// Otherwise it writes a JPEG. It fails if that has more than maxBytes at the lowest quality.
func encode(from image.Image, kind string, maxBytes int) (Picture, error) {
	var b bytes.Buffer
	if kind == "image/png" {
		if err := png.Encode(&b, from); err != nil {
			return Picture{}, err
		}
		if maxBytes <= 0 || b.Len() <= maxBytes {
			return Picture{b.Bytes(), kind}, nil
		}
	}
	data, err := JPEG(onWhite(from), 85, maxBytes)
	if err == nil && maxBytes > 0 && len(data) > maxBytes {
		err = fmt.Errorf("the picture has %d bytes at the lowest quality, more than %d", len(data), maxBytes)
	}
	return Picture{data, "image/jpeg"}, err
}

// onWhite returns a picture without transparency, which JPEG does not have. What is behind it becomes
// white, as most pages are: on black, dark text could not be read.
func onWhite(from image.Image) image.Image {
	if known, ok := from.(interface{ Opaque() bool }); ok && known.Opaque() {
		return from
	}
	to := image.NewRGBA(image.Rectangle{Max: from.Bounds().Size()})
	draw.Draw(to, to.Bounds(), image.White, image.Point{}, draw.Src)
	draw.Draw(to, to.Bounds(), from, from.Bounds().Min, draw.Over)
	return to
}

// qualities are tried in turn when a JPEG has too many bytes.
var qualities = []int{70, 50, 35}

// JPEG writes a picture as a JPEG of a quality, 1 to 100. If the JPEG has more than maxBytes, lower
// qualities are tried. It exceeds maxBytes only if the lowest quality does. If maxBytes is 0, there
// is no limit. What is transparent becomes black.
func JPEG(from image.Image, quality, maxBytes int) ([]byte, error) {
	var b bytes.Buffer
	for _, q := range append([]int{quality}, qualities...) {
		if q > quality {
			continue
		}
		b.Reset()
		if err := jpeg.Encode(&b, from, &jpeg.Options{Quality: q}); err != nil {
			return nil, err
		}
		if maxBytes <= 0 || b.Len() <= maxBytes {
			break
		}
	}
	return b.Bytes(), nil
}
