package call

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"chela/internal/api/words"
	"chela/internal/engine/browser"
)

// GraphicsInfo describes the graphics hardware and software with which a browser draws pages. The
// names are OpenClaw's.
type GraphicsInfo struct {
	Status       string            `json:"status" doc:"the word available, always"`
	ObservedAt   int64             `json:"observedAt" doc:"when the browser was asked, in ms since 1970"`
	Acceleration string            `json:"acceleration" doc:"software or hardware"`
	Renderer     string            `json:"renderer" doc:"name of the renderer: a graphics card, or a program such as SwiftShader"`
	Vendor       string            `json:"vendor" doc:"maker of the renderer"`
	Version      string            `json:"version" doc:"version of the renderer"`
	Backend      string            `json:"backend" doc:"graphics library through which Chromium draws"`
	Devices      []graphicsDevice  `json:"devices" doc:"graphics devices; the first one is in use"`
	Features     map[string]string `json:"featureStatus" doc:"state of each feature, in Chromium's words"`
	Disabled     []graphicsFeature `json:"disabledFeatures" doc:"features that are not enabled"`
	Workarounds  []string          `json:"driverBugWorkarounds" doc:"Chromium's workarounds for faults of the driver"`
	Decoding     []string          `json:"videoDecoding" doc:"kinds of video that hardware decodes"`
	Encoding     []string          `json:"videoEncoding" doc:"kinds of video that hardware encodes"`
}

type graphicsDevice struct {
	VendorID      int    `json:"vendorId"`
	DeviceID      int    `json:"deviceId"`
	Vendor        string `json:"vendor"`
	Device        string `json:"device"`
	DriverVendor  string `json:"driverVendor"`
	DriverVersion string `json:"driverVersion"`
}

type graphicsFeature struct {
	Feature string `json:"feature"`
	Status  string `json:"status"`
}

// GraphicsOf returns the graphics of a browser, nil while nothing is known of them.
func GraphicsOf(g *browser.Graphics) *GraphicsInfo {
	if g == nil {
		return nil
	}
	info := &GraphicsInfo{
		Status: "available", ObservedAt: g.ObservedAt.UnixMilli(), Acceleration: "hardware", Renderer: g.Renderer, Vendor: g.Vendor,
		Version: g.Version, Backend: g.Backend, Devices: []graphicsDevice{}, Features: g.Features, Disabled: []graphicsFeature{},
		Workarounds: notNil(g.Workarounds), Decoding: notNil(g.Decoding), Encoding: notNil(g.Encoding),
	}
	if g.Software {
		info.Acceleration = "software"
	}
	for _, d := range g.Devices {
		info.Devices = append(info.Devices, graphicsDevice{
			VendorID: int(d.VendorID), DeviceID: int(d.DeviceID), Vendor: d.VendorString, Device: d.DeviceString,
			DriverVendor: d.DriverVendor, DriverVersion: d.DriverVersion,
		})
	}
	for _, name := range slices.Sorted(maps.Keys(g.Features)) {
		if status := g.Features[name]; !strings.HasPrefix(status, "enabled") {
			info.Disabled = append(info.Disabled, graphicsFeature{name, status})
		}
	}
	return info
}

// Summary returns the line about graphics that the status and the doctor show, in OpenClaw's form.
func (g *GraphicsInfo) Summary() string {
	if g == nil {
		return ""
	}
	text := g.Acceleration + words.Prefixed("; renderer ", g.Renderer) + words.Prefixed("; backend ", g.Backend)
	if len(g.Devices) > 0 {
		text += words.Prefixed("; device ", g.Devices[0].Device)
	}
	return fmt.Sprintf("%s; video decode %d, encode %d", text, len(g.Decoding), len(g.Encoding))
}

// notNil returns an empty list instead of nil, which would be null in JSON.
func notNil(list []string) []string { return append([]string{}, list...) }
