// Package base is the lowest storey: what any program needs, and nothing about browsers.
//
// It has the configuration and the state directory (config), the folders of files (media), how hosts, keys and cookies
// are written, and child processes with limits. It imports nothing else of chela.
// Where to begin: config/types.go has every setting, and media/roots.go the folders that calls may use.
package base
