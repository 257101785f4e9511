package browser

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/systeminfo"

	"chela/internal/engine/cdp"
)

// Graphics describes the hardware and software with which a browser draws pages. It does not change
// while the browser runs.
type Graphics struct {
	ObservedAt time.Time
	Software   bool // the processor draws the pages, not a graphics card
	Renderer   string
	Vendor     string
	Version    string
	Backend    string
	Devices    []*systeminfo.GPUDevice
	Features   map[string]string // state of each graphics feature, by Chromium's name, such as "enabled" or "disabled_software"
	Decoding   []string          // video codecs that hardware decodes
	Encoding   []string

	Workarounds []string // Chromium's workarounds for faults of the driver
}

// graphics keeps the answer to SystemInfo.getInfo. It has a mutex of its own, which is not held
// while the browser is asked.
type graphics struct {
	mu    sync.Mutex
	known *Graphics // nil: the browser was not asked yet
}

// Graphics returns the hardware and software with which the browser draws pages. The first call
// asks Chromium, which takes some tenths of a second to collect it. Errors come from the protocol.
func (b *Browser) Graphics(ctx context.Context) (*Graphics, error) {
	if known := b.KnownGraphics(); known != nil {
		return known, nil
	}
	info, err := cdp.Call(ctx, b.conn.Root(), systeminfo.GetInfo, protocol.Empty{})
	if err != nil {
		return nil, err
	}
	g := graphicsOf(info.GPU, time.Now())
	b.graphics.mu.Lock()
	defer b.graphics.mu.Unlock()
	b.graphics.known = g
	return g, nil
}

// KnownGraphics returns the graphics if the browser was already asked for them, else nil.
func (b *Browser) KnownGraphics() *Graphics {
	b.graphics.mu.Lock()
	defer b.graphics.mu.Unlock()
	return b.graphics.known
}

// graphicsOf converts Chromium's description of the graphics. The protocol does not specify the
// names in auxAttributes: if one is missing, its field is empty.
func graphicsOf(gpu *systeminfo.GPUInfo, now time.Time) *Graphics {
	g := &Graphics{ObservedAt: now, Features: map[string]string{}}
	if gpu == nil {
		return g
	}
	var aux struct{ GLRenderer, GLVendor, GLVersion, GLImplementationParts string }
	json.Unmarshal(gpu.AuxAttributes, &aux)
	json.Unmarshal(gpu.FeatureStatus, &g.Features)
	g.Renderer, g.Vendor, g.Version, g.Backend = aux.GLRenderer, aux.GLVendor, aux.GLVersion, aux.GLImplementationParts
	g.Devices, g.Workarounds = gpu.Devices, gpu.DriverBugWorkarounds
	for _, v := range gpu.VideoDecoding {
		g.Decoding = append(g.Decoding, v.Profile)
	}
	for _, v := range gpu.VideoEncoding {
		g.Encoding = append(g.Encoding, v.Profile)
	}
	g.Software = strings.Contains(g.Features["gpu_compositing"], "software") || strings.Contains(g.Renderer, "SwiftShader")
	return g
}
