// Package wall is the storey that decides what may be reached.
//
// The policy is in guard, the proxy that holds browsers to it in proxy, what a session may not do in limits, and a page
// that tries to get past it all in attack. It imports base.
// Where to begin: guard/policy.go decides, and proxy/connect.go makes each connection.
package wall
