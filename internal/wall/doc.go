// Package wall is the storey that decides what may be reached, and what may be shown.
//
// Package guard has the policy, and proxy holds browsers to it. Package limits says what a session
// may not do. Package vault keeps secrets, and package secret hides their values. Package excerpt
// cuts texts, without dividing a value. Package attack has a page that tries to get past all of that.
// The storey imports base. Where to begin: guard/policy.go decides, and proxy/connect.go makes each
// connection.
package wall
