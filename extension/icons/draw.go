// Command icons draws the icons of the extension into a folder: go run ./extension/icons extension/icons.
package main

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"log"
	"math"
	"os"
	"path/filepath"
)

// samples is how many points along each side of a pixel are tested, so that edges are smooth.
const samples = 4

func main() {
	for _, size := range []int{16, 32, 48, 128} {
		if err := draw(filepath.Join(os.Args[1], fmt.Sprintf("%d.png", size)), size); err != nil {
			log.Fatal(err)
		}
	}
}

// draw writes a claw on a round red ground.
func draw(path string, size int) error {
	picture := image.NewNRGBA(image.Rect(0, 0, size, size))
	for y := range size {
		for x := range size {
			picture.Set(x, y, pixel(x, y, float64(size)))
		}
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := png.Encode(file, picture); err != nil {
		return err
	}
	return file.Close()
}

// pixel mixes the ground and the claw by how many of the pixel's points each covers.
func pixel(x, y int, size float64) color.Color {
	ground, claw := 0, 0
	for i := range samples * samples {
		u := (float64(x)+(float64(i%samples)+0.5)/samples)/size*2 - 1
		v := (float64(y)+(float64(i/samples)+0.5)/samples)/size*2 - 1
		switch {
		case math.Hypot(u, v) > 0.97:
		case isClaw(u, v):
			claw++
		default:
			ground++
		}
	}
	all := ground + claw
	if all == 0 {
		return color.NRGBA{}
	}
	mix := func(from, to int) uint8 { return uint8((from*ground + to*claw) / all) }
	return color.NRGBA{mix(200, 255), mix(50, 255), mix(40, 255), uint8(255 * all / samples / samples)}
}

// isClaw reports whether a point is in the claw: a ring that is open to the upper right.
func isClaw(u, v float64) bool {
	r, angle := math.Hypot(u, v), math.Atan2(-v, u)
	return r > 0.34 && r < 0.68 && math.Abs(angle-math.Pi/4) > 0.5
}
