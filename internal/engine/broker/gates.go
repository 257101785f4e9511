package broker

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"chela/internal/engine/page"
)

// A gate decides on a command for a tab. If it returns nil, the command is forwarded, perhaps with
// parameters that the gate has changed. If it returns errAnswered, the gate has sent the reply. Any
// other error refuses the command.
type gate func(*command) error

var errAnswered = errors.New("answered")

// gates has a gate for each command or domain that is not forwarded as it is: see gateOf.
//
// The gates apply to sessions with pages, and to sessions below them, with frames and workers.
var gates = map[string]gate{
	// These navigate the tab.
	"Page.navigate":               navigate,
	"Page.navigateToHistoryEntry": navigateInHistory,
	"Page.reload":                 scriptIn("scriptToEvaluateOnLoad"),
	"Fetch.continueRequest":       all(scriptIn("url"), continueElsewhere), // the answer of another address may be a script
	"Fetch.fulfillRequest":        all(script, fulfill),

	// These run scripts, which the configuration may forbid. Markup may have scripts as well.
	"Debugger":                              script,
	"DOM.setAttributeValue":                 script,
	"DOM.setAttributesAsText":               script,
	"DOM.setNodeName":                       script, // text becomes a script in an element of that name
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

	// These concern files of this machine, compiled code, and the browser's handlers of protocols.
	"DOM.setFileInputFiles":       setFiles,
	"Input.dispatchDragEvent":     dragNoFiles,
	"Input.dispatchKeyEvent":      clipboardKeys,
	"Input.dispatchMouseEvent":    middleButton,
	"Page.setDownloadBehavior":    ignored, // chela decides where files are saved
	"Page.addCompilationCache":    refused("compiled code could be another script"),
	"Page.setRPHRegistrationMode": refused("it is about the whole browser"),

	// These concern cookies and storage of other sites.
	"Network.getAllCookies":             own("it returns the cookies of all sites"),
	"Network.clearBrowserCookies":       all(untakenSites, own("it removes the cookies of all sites")),
	"Network.clearBrowserCache":         own("it empties the cache of all sites"),
	"Network.getCookies":                cookiesOfTab,
	"Network.setCookie":                 all(untakenSites, cookiesOfTab),
	"Network.setCookies":                all(untakenSites, cookiesOfTab),
	"Network.deleteCookies":             all(untakenSites, cookiesOfTab),
	"Network.deleteDeviceBoundSession":  own("it may name any site"),
	"Network.enableDeviceBoundSessions": own("it tells of the sessions of all sites"),
	"Network.enableReportingApi":        own("it tells of the reports of all sites"),
	"Network.loadNetworkResource":       refused("it loads what no page has asked for"),
	"Storage":                           refused("it is about the data of all sites"),
	"Storage.getStorageKey":             pass,
	"Storage.getStorageKeyForFrame":     pass,
	"Storage.getCookies":                wholeCookies,
	"Storage.setCookies":                wholeCookies,
	"Storage.clearCookies":              wholeCookies,
	"BackgroundService":                 refused("it tells of other tabs of the site"),
	"CacheStorage":                      refused("it is about the data of all sites: use caches in a script"),
	"IndexedDB":                         refused("it is about the data of all sites: use indexedDB in a script"),
	"ServiceWorker":                     refused("workers serve other tabs of the site as well"),

	// These would affect other tabs, or read their data.
	"HeapProfiler":                refused("it reads the memory of other tabs in the same process"),
	"HeapProfiler.collectGarbage": pass,
	"Memory":                      refused("it reads the memory of other tabs in the same process"),
	"Profiler":                    refused("it records other tabs in the same process"),
	"Profiler.enable":             pass,
	"Profiler.disable":            pass,
	"Runtime.queryObjects":        refused("it reads the memory of other tabs in the same process"),
	"Tracing":                     refused("it records the tabs of others"),
	"Page.crash":                  refused("other tabs may be in the same process"),
	"Emulation.addScreen":         refused(otherWindows),
	"Emulation.removeScreen":      refused(otherWindows),
	"Emulation.setPrimaryScreen":  refused(otherWindows),
	"Emulation.updateScreen":      refused(otherWindows),
	"Page.bringToFront":           bringToFront,
	"Input.setIgnoreInputEvents":  own("the page would ignore the person's input"),
	"Page.startScreenRecording":   refused("it can record other windows: use chela video"),
	"Page.stopScreenRecording":    refused("it can record other windows: use chela video"),

	// These concern the browser, but are sent to the session of a page.
	"Browser.getVersion":                    pass,
	"Browser.getWindowForTarget":            windowOfTab,
	"Browser.setWindowBounds":               ignored, // the window's size is set by chela or by a person
	"Browser.setDownloadBehavior":           ignored,
	"Browser.setDockTile":                   ignored,
	"Security.setIgnoreCertificateErrors":   certificates,
	"Security.setOverrideCertificateErrors": certificates,
	"Security.handleCertificateError":       certificates,
	"Target.setAutoAttach":                  attachBelow,
	"Target.detachFromTarget":               detachBelow,
	"Target.getTargetInfo":                  targetInfoOfTab,
	"Target.setDiscoverTargets":             ignored, // a page has no other targets to report
}

const otherWindows = "the screens are those of all windows of the browser"

// A command is a client's command for a tab.
type command struct {
	*client
	session *session
	*request
}

// gateOf returns the gate of a command: its own, or that of the commands that pass, or that of its
// domain. It returns nil for a command without one, such as one that a newer Chromium has.
func gateOf(method string) gate {
	if g := gates[method]; g != nil {
		return g
	}
	if lists(passes, method) {
		return pass
	}
	domain, _, _ := strings.Cut(method, ".")
	return gates[domain]
}

// lists reports whether a list of names of commands, by domain, has a command.
func lists(list map[string]string, method string) bool {
	domain, name, _ := strings.Cut(method, ".")
	for each := range strings.FieldsSeq(list[domain]) {
		if each == name {
			return true
		}
	}
	return false
}

// gateTime limits how long a gate may take. Later commands of the client wait until then.
const gateTime = 5 * time.Second

// pass checks a command, and returns an error if it must not be forwarded. The tab must belong to
// the session, no other session may have leased it, and the network policy must allow the page.
// While a person has taken over the tab or stopped all agents, the command must not touch it. If
// all this holds, the command's gate decides.
func (cmd *command) pass() error {
	g := gateOf(cmd.Method)
	if g == nil {
		domain, _, _ := strings.Cut(cmd.Method, ".")
		return &failure{noMethod, "'" + cmd.Method + "' " + cmp.Or(wholeRefusals[cmd.Method], wholeRefusals[domain], "is refused: chela does not know it")}
	}
	if err := cmd.as.Use(cmd.session.tab); err != nil {
		return err
	}
	if err := cmd.untaken(); err != nil {
		return err
	}
	if !lists(leaves, cmd.Method) && !lists(releases, cmd.Method) {
		if err := readable(cmd); err != nil {
			return err
		}
	}
	cmd.release()
	return g(cmd)
}

// leaves has the commands that leave the page, by domain. They are allowed on a page that the network
// policy forbids, as are those in releases, such as for the request of the next document. The gates of
// those that release requests check the addresses.
var leaves = map[string]string{"Page": "close navigate navigateToHistoryEntry stopLoading"}

// page is the page that the tab shows.
func (cmd *command) page() *page.Page { return cmd.session.tab.Page() }

// wait returns the context for a gate that asks the browser.
func (cmd *command) wait() (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(cmd.ctx, gateTime, &failure{refusedCode, cmd.Method + " took too long"})
}

// reply sends a result for the command without asking the browser.
func (cmd *command) reply(result any) error {
	cmd.answer(cmd.request, encode(result), nil)
	return errAnswered
}

func pass(*command) error { return nil }

// ignored answers a command and does nothing. It is for commands that clients always send.
func ignored(cmd *command) error { return cmd.reply(empty) }

func refused(why string) gate {
	return func(cmd *command) error { return &failure{refusedCode, cmd.Method + " is refused: " + why} }
}

// own passes a command only in a browser that chela has started. In any other browser, what the
// command concerns belongs to a person.
func own(why string) gate {
	no := refused(why)
	return func(cmd *command) error {
		if cmd.browser.Describe().Own {
			return nil
		}
		return no(cmd)
	}
}

// all returns a gate that passes a command if each of the gates passes it.
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

// scriptIn returns a gate for commands with an optional parameter that is a script. If the
// parameter is set, the gate script decides.
func scriptIn(name string) gate {
	return func(cmd *command) error {
		params, err := read[map[string]any](cmd.request)
		if err != nil || params[name] == nil || params[name] == "" {
			return err
		}
		return script(cmd)
	}
}

// readable passes a command if the network policy allows reading the page.
func readable(cmd *command) error {
	if refused := cmd.page().Unreadable(); refused != nil {
		return refused
	}
	return nil
}

// bringToFront ignores the command in a browser that a person works with, and while a person has
// taken over the tab. Clients such as Puppeteer send it without being asked, before each
// screenshot.
func bringToFront(cmd *command) error {
	if cmd.browser.Describe().Shared || cmd.session.tab.CheckTaken() != nil {
		return ignored(cmd)
	}
	return nil
}

// certificates refuses commands by which the tab would accept more certificates. Which certificates
// are accepted is a setting of chela.
func certificates(cmd *command) error {
	p, err := read[struct {
		Ignore   bool `json:"ignore"`
		Override bool `json:"override"`
	}](cmd.request)
	if err == nil && (p.Ignore || p.Override || cmd.Method == "Security.handleCertificateError") {
		err = refused("which certificates are accepted is set in chela's configuration")(cmd)
	}
	return err
}
