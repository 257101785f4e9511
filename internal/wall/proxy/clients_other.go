//go:build !linux

package proxy

// owns cannot find out whose connection it is here. Who else can use the proxy gets no
// further than the policy lets the browser go.
func (c *clients) owns(endpoints) bool { return true }
