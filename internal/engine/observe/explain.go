package observe

import (
	"errors"

	"chela/internal/wall/guard"
	"chela/internal/wall/proxy"
)

// UnknownHost is Chromium's error for a host that has no address. In a browser with a proxy, only
// the proxy resolves hosts. The error therefore shows that something has replaced the proxy
// setting.
const UnknownHost = "net::ERR_NAME_NOT_RESOLVED"

// bypassedProxy explains why connections fail with UnknownHost in a browser with a proxy.
const bypassedProxy = "the browser does not use chela's proxy: an extension, a flag, or a policy of this machine (chrome://policy) sets another"

const (
	blockedByJudge = "net::ERR_ACCESS_DENIED" // Chromium's error for a request that the network policy has refused in a browser without a proxy
	stoppedLoad    = "net::ERR_ABORTED"       // Chromium's error for a navigation that was stopped
)

// Explain returns the error that Chromium would report without the proxy, and the refusal if the
// policy is the reason. Chromium itself knows only that the proxy made no connection, a request was
// refused, or we stopped the navigation. Other failures stay as they are.
func Explain(network *proxy.Proxy, url, text string) (string, *guard.Refused) {
	if network == nil || text != proxy.Unreachable && text != stoppedLoad && text != blockedByJudge {
		return text, nil
	}
	err := network.Failure(url)
	refused, _ := errors.AsType[*guard.Refused](err)
	if text != proxy.Unreachable && refused == nil {
		return text, nil
	}
	return proxy.NetError(err), refused
}
