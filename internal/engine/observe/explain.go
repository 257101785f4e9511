package observe

import (
	"errors"

	"chela/internal/wall/guard"
	"chela/internal/wall/proxy"
)

// UnknownHost is what Chromium says of a host that has no address. In a browser with a proxy
// that is the proxy's to find out, so it shows that something has taken the proxy's place.
const UnknownHost = "net::ERR_NAME_NOT_RESOLVED"

// pastProxy is why connections fail then.
const pastProxy = "the browser does not use chela's proxy: an extension, a flag, or a policy of this machine (chrome://policy) sets another"

const (
	blockedByJudge = "net::ERR_ACCESS_DENIED" // Chromium says it of a request that a judge has refused
	stoppedLoad    = "net::ERR_ABORTED"       // and of a navigation that was stopped
)

// Explain returns what Chromium would have said of a failure without the proxy, and the
// refusal if the policy is the reason: Chromium knows only that the proxy has not made a
// connection, that a judge has refused it, or that we have stopped the navigation. Other failures stay as they are.
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
