// Package base is the lowest storey: what any program needs, and nothing about browsers.
//
// It has the configuration and the state directory (config), and the folders of files (media). It
// also has the spelling of hosts, keys and cookies, and child processes with limits. It imports
// nothing else of chela. Where to begin: config/types.go has every setting, and media/roots.go the
// folders that calls may use.
package base
