package broker

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"chela/internal/engine/page"
)

// A gate decides on a command for a tab. Nil forwards it, perhaps with parameters that the gate has
// changed. errAnswered means that the gate has answered it.
type gate func(*command) error

var errAnswered = errors.New("answered")

// gates are the gates of commands, and of whole domains: the entry of a command counts, then that
// of its domain. A command without any is refused, as is one that a newer Chromium has.
//
// They are for sessions with pages, and for those below them, with frames and workers.
var gates = map[string]gate{
	// What concerns the tab alone.
	"Accessibility":       pass,
	"Animation":           pass,
	"Audits":              pass,
	"CSS":                 pass,
	"Console":             pass,
	"DOM":                 pass,
	"DOMDebugger":         pass,
	"DOMSnapshot":         pass,
	"DOMStorage":          pass, // Chromium finds a storage only by a frame of the tab
	"DeviceOrientation":   pass,
	"Emulation":           pass,
	"Fetch":               pass,
	"IO":                  pass,
	"Input":               pass,
	"Inspector":           pass,
	"LayerTree":           pass,
	"Log":                 pass,
	"Media":               pass,
	"Network":             pass,
	"Overlay":             pass,
	"Page":                pass,
	"Performance":         pass,
	"PerformanceTimeline": pass,
	"Preload":             pass,
	"Runtime":             pass,
	"Schema":              pass,
	"Security":            pass,
	"WebAudio":            pass,
	"WebAuthn":            pass,

	// Where the tab goes.
	"Page.navigate":               navigate,
	"Page.navigateToHistoryEntry": navigateInHistory,
	"Page.reload":                 all(scriptIn("scriptToEvaluateOnLoad"), readable),
	"Fetch.continueRequest":       all(continueElsewhere, settlesPaused),
	"Fetch.fulfillRequest":        all(script, fulfill, settlesPaused),
	"Fetch.failRequest":           settlesPaused,
	"Fetch.continueResponse":      settlesPaused,

	// Scripts, which the configuration may forbid. Markup has scripts as well.
	"Debugger":                              script,
	"DOM.setAttributeValue":                 script,
	"DOM.setAttributesAsText":               script,
	"DOM.setNodeValue":                      script,
	"DOM.setOuterHTML":                      script,
	"Page.addScriptToEvaluateOnLoad":        script,
	"Page.addScriptToEvaluateOnNewDocument": script,
	"Page.createIsolatedWorld":              script,
	"Page.setDocumentContent":               script,
	"Runtime.addBinding":                    script,
	"Runtime.callFunctionOn":                script,
	"Runtime.compileScript":                 script,
	"Runtime.evaluate":                      script,
	"Runtime.runScript":                     script,

	// Files of this machine.
	"DOM.setFileInputFiles":       setFiles,
	"Input.dispatchDragEvent":     dragNoFiles,
	"Page.setDownloadBehavior":    ignored, // files go where chela has them
	"Page.addCompilationCache":    refused("compiled code could be another script"),
	"Page.setRPHRegistrationMode": refused("it is about the whole browser"),

	// Cookies and storage of other sites.
	"Network.getAllCookies":         own("it returns the cookies of all sites"),
	"Network.clearBrowserCookies":   own("it removes the cookies of all sites"),
	"Network.clearBrowserCache":     own("it empties the cache of all sites"),
	"Network.getCookies":            cookiesOfTab,
	"Network.setCookie":             cookiesOfTab,
	"Network.setCookies":            cookiesOfTab,
	"Network.deleteCookies":         cookiesOfTab,
	"Network.loadNetworkResource":   refused("it loads what no page has asked for"),
	"Storage":                       refused("it is about the data of all sites"),
	"Storage.getStorageKey":         pass,
	"Storage.getStorageKeyForFrame": pass,
	"Storage.getCookies":            wholeCookies,
	"Storage.setCookies":            wholeCookies,
	"Storage.clearCookies":          wholeCookies,
	"BackgroundService":             refused("it tells of other tabs of the site"),
	"CacheStorage":                  refused("it is about the data of all sites: use caches in a script"),
	"IndexedDB":                     refused("it is about the data of all sites: use indexedDB in a script"),
	"ServiceWorker":                 refused("workers serve other tabs of the site as well"),

	// What other tabs would notice, or what is of them.
	"HeapProfiler":                refused("it reads the memory of other tabs in the same process"),
	"HeapProfiler.collectGarbage": pass,
	"Memory":                      refused("it reads the memory of other tabs in the same process"),
	"Profiler":                    refused("it records other tabs in the same process"),
	"Profiler.enable":             pass,
	"Profiler.disable":            pass,
	"Runtime.queryObjects":        refused("it reads the memory of other tabs in the same process"),
	"Tracing":                     refused("it records the tabs of others"),
	"Page.crash":                  refused("other tabs may be in the same process"),
	"Page.bringToFront":           bringToFront,

	// The browser, as from a session of a page.
	"Browser.getVersion":                    pass,
	"Browser.getWindowForTarget":            windowOfTab,
	"Browser.setWindowBounds":               ignored, // windows are chela's, or a person's
	"Browser.setDownloadBehavior":           ignored,
	"Browser.setDockTile":                   ignored,
	"Security.setIgnoreCertificateErrors":   certificates,
	"Security.setOverrideCertificateErrors": certificates,
	"Security.handleCertificateError":       certificates,
	"Target.setAutoAttach":                  attachBelow,
	"Target.detachFromTarget":               detachBelow,
	"Target.getTargetInfo":                  targetInfoOfTab,
	"Target.setDiscoverTargets":             ignored, // a page has no targets to be told of
}

// A command is one for a tab.
type command struct {
	*client
	session *session
	*request
}

// gateTime bounds how long a gate may take. Commands of the client that follow wait for that long.
const gateTime = 5 * time.Second

// pass takes the command through what holds for all, and then through its gate. The session must
// have the tab, and no other may have leased it. The network policy must allow the page.
func (cmd *command) pass() error {
	domain, _, _ := strings.Cut(cmd.Method, ".")
	g := gates[cmd.Method]
	if g == nil {
		g = gates[domain]
	}
	if g == nil {
		return &failure{noMethod, "'" + cmd.Method + "' " + cmp.Or(wholeRefusals[cmd.Method], wholeRefusals[domain], "is refused: chela does not know it")}
	}
	if err := cmd.as.Use(cmd.session.tab); err != nil {
		return err
	}
	if !leaves[cmd.Method] {
		if err := readable(cmd); err != nil {
			return err
		}
	}
	return g(cmd)
}

// leaves are commands that may be given on a page that the network policy forbids.
var leaves = map[string]bool{
	"Page.navigate": true, "Page.navigateToHistoryEntry": true, "Page.stopLoading": true, "Page.close": true,
	"Runtime.runIfWaitingForDebugger": true, "Target.detachFromTarget": true,
}

// page is the page that the tab shows.
func (cmd *command) page() *page.Page { return cmd.session.tab.Page() }

// wait returns the context of what a gate waits for.
func (cmd *command) wait() (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(cmd.ctx, gateTime, &failure{refusedCode, cmd.Method + " took too long"})
}

// reply answers the command in place of the browser.
func (cmd *command) reply(result any) error {
	cmd.answer(cmd.request, encode(result), nil)
	return errAnswered
}

func pass(*command) error { return nil }

// ignored answers a command that has no effect, for clients that always send it.
func ignored(cmd *command) error { return cmd.reply(empty) }

func refused(why string) gate {
	return func(cmd *command) error { return &failure{refusedCode, cmd.Method + " is refused: " + why} }
}

// own passes a command only in a browser that chela has started. In any other it would be about
// what is a person's.
func own(why string) gate {
	no := refused(why)
	return func(cmd *command) error {
		if cmd.browser.Describe().Own {
			return nil
		}
		return no(cmd)
	}
}

// all passes a command that passes each of the gates.
func all(gates ...gate) gate {
	return func(cmd *command) error {
		for _, g := range gates {
			if err := g(cmd); err != nil {
				return err
			}
		}
		return nil
	}
}

// script passes a command if scripts of callers are allowed.
func script(cmd *command) error {
	if cmd.Scripts() {
		return nil
	}
	return &failure{refusedCode, cmd.Method + " is disabled by config (browser.evaluateEnabled=false)"}
}

// scriptIn is script for a command that has a script only in one of its parameters.
func scriptIn(name string) gate {
	return func(cmd *command) error {
		params, err := read[map[string]any](cmd.request)
		if err != nil || params[name] == nil || params[name] == "" {
			return err
		}
		return script(cmd)
	}
}

// readable passes a command if the network policy allows what the tab shows.
func readable(cmd *command) error {
	if refused := cmd.page().Unreadable(); refused != nil {
		return refused
	}
	return nil
}

// bringToFront leaves a browser that a person works with as it is. Clients send it unasked, as
// Puppeteer does before each screenshot.
func bringToFront(cmd *command) error {
	if cmd.browser.Describe().Shared {
		return ignored(cmd)
	}
	return nil
}

// certificates passes only what changes nothing: which certificates are accepted is a setting of
// chela's.
func certificates(cmd *command) error {
	p, err := read[struct{ Ignore, Override bool }](cmd.request)
	if err == nil && (p.Ignore || p.Override || cmd.Method == "Security.handleCertificateError") {
		err = refused("which certificates are accepted is set in chela's configuration")(cmd)
	}
	return err
}
