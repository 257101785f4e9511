package api

import "chela/internal/op"

// settingRows returns the operations that read the settings of all tabs.
func settingRows() []*op.Op {
	return []*op.Op{
		op.Define("GET /set", "set", "Show the browser's settings, such as the emulated device. They apply to all its tabs.", showSettings, op.Rare),
	}
}

// setRows returns operations that change the settings of all tabs: of open tabs, and of those that
// come later, until the browser is stopped. Each request still names a tab. That tab gets the
// setting first: if Chromium refuses it there, it is changed in no tab. Agents have one action for
// all of these rows, as the name of each action takes room in the definition of their tool.
func setRows() []*op.Op {
	return []*op.Op{
		op.Define("POST /set", "emulate", "Emulate a device, media, place, language or slow network: several settings in one call.",
			emulate, brief, op.Says("emulated {applied}"), op.Example(`--device "iPhone 14" --color-scheme dark`), op.Rare),
		op.Define("POST /set/offline", "set offline {offline}", "Cut the browser off from the network, or connect it again.",
			setOffline, brief, op.Says("offline: {arg.offline}"), op.Example("on"), op.NotForAgents),
		op.Define("POST /set/network", "set network {network}", "Slow the network down, or restore its speed.",
			setNetwork, brief, op.Says("network: {arg.network}"), op.Example("slow-3g"), op.NotForAgents),
		op.Define("POST /set/cpu", "set cpu {rate}", "Slow the processor down for pages.",
			setCPU, brief, op.Says("cpu: {arg.rate} times slower"), op.Example("4"), op.NotForAgents),
		op.Define("POST /set/geolocation", "set geo {latitude?} {longitude?}",
			"Set the position that pages get, and let the pages of an origin ask for it.",
			setGeolocation, brief, op.Says("geolocation {state}"), op.Example("37.7749 -122.4194 --origin https://example.com"), op.NotForAgents),
		op.Define("POST /set/media", "set media {colorScheme?}",
			"Set media features, such as the color scheme. What is left out stays as it is; none restores the browser's own value.",
			setMedia, brief, op.Says("media[ colorScheme: {arg.colorScheme}][ media: {arg.media}][ reducedMotion: {arg.reducedMotion}]"+
				"[ contrast: {arg.contrast}][ forcedColors: {arg.forcedColors}]"),
			op.Example("dark --reduced-motion"), op.NotForAgents),
		op.Define("POST /set/timezone", "set timezone {timezoneId?}", "Set the time zone.",
			setTimezone, brief, op.Says("timezone[: {arg.timezoneId}][ {state}]"), op.Example("America/New_York"), op.NotForAgents),
		op.Define("POST /set/locale", "set locale {locale?}", "Set the language that is requested of servers, and in which pages write numbers and dates.",
			setLocale, brief, op.Says("locale[: {arg.locale}][ {state}]"), op.Example("de-DE"), op.NotForAgents),
		op.Define("POST /set/device", "set device {name?}",
			"Show pages as on a device of this name: its viewport, pixel ratio, touch and user agent. Other tabs that were resized keep their size.",
			setDevice, brief, op.Says("device[: {device}][ {state}]"), op.Example(`"iPhone 14"`), op.NotForAgents),
	}
}
