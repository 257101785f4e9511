// Package listener finds out whose program listens on a port of this machine, before a client sends it a
// secret.
//
// Package client of the root imports it, and so do programs of others. So it imports only the standard
// library.
package listener
