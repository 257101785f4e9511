package setting

import (
	"github.com/chromedp/cdproto/network"

	"chela/internal/engine/cdp"
)

// A Throttle is the speed of a slow network.
type Throttle struct {
	Latency        float64 // milliseconds until the response begins
	Download       float64 // bytes per second
	Upload         float64
	ConnectionType network.ConnectionType
}

// Networks has the slow networks by name, with the figures of Chromium's developer tools. They are
// Slow 3G, Fast 3G (now called Slow 4G) and Fast 4G. The latency is added to the time that a
// request takes by itself.
var Networks = map[string]Throttle{
	"slow-3g": {2000, 50_000, 50_000, network.ConnectionTypeCellular3g},
	"fast-3g": {562.5, 180_000, 84_375, network.ConnectionTypeCellular3g},
	"4g":      {165, 1_012_500, 168_750, network.ConnectionTypeCellular4g},
}

// conditions returns the state of the network for two commands: networkPart slows requests down or
// fails them, and networkState sets what documents see. The result normal says that nothing is
// emulated.
func (s Settings) conditions() (c network.Conditions, normal bool) {
	slow, throttled := Networks[s.Network]
	if !throttled {
		slow.Download, slow.Upload = -1, -1
	}
	return network.Conditions{
		Offline: s.Offline, Latency: slow.Latency, DownloadThroughput: slow.Download, UploadThroughput: slow.Upload,
		ConnectionType: slow.ConnectionType,
	}, !s.Offline && !throttled
}

// conditionsOf is the function part.of for both commands: they are sent when its result changes.
func conditionsOf(s Settings) any {
	c, _ := s.conditions()
	return c
}

// networkPart slows requests down, or fails them. A condition without a URL pattern applies to all
// requests. An empty list of conditions makes the network normal again. The parameter
// EmulateOfflineServiceWorker makes service workers offline. Chromium slows down the requests of a
// worker only if its network events are enabled, as observe.Shared does.
var networkPart = part{
	name: "Network",
	of:   conditionsOf,
	on:   scripts,
	send: func(session *cdp.Session, s, _ Settings) []confirm {
		params := network.EmulateNetworkConditionsByRuleParams{
			MatchedNetworkConditions: []*network.Conditions{}, EmulateOfflineServiceWorker: &s.Offline,
		}
		if c, normal := s.conditions(); !normal {
			params.MatchedNetworkConditions = append(params.MatchedNetworkConditions, &c)
		}
		return []confirm{send(session, network.EmulateNetworkConditionsByRule, params)}
	},
}

// networkState sets navigator.onLine and navigator.connection in documents. Workers have values of
// their own for both, and Chromium refuses the command there.
var networkState = part{
	name: "Network",
	of:   conditionsOf,
	on:   documents,
	send: func(session *cdp.Session, s, _ Settings) []confirm {
		c, _ := s.conditions()
		return []confirm{send(session, network.OverrideNetworkState, network.OverrideNetworkStateParams{
			Offline: c.Offline, Latency: c.Latency, DownloadThroughput: c.DownloadThroughput, UploadThroughput: c.UploadThroughput,
			ConnectionType: c.ConnectionType,
		})}
	},
}
