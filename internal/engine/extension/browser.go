package extension

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"chela/internal/engine/cdp"
)

// contextID is the id of the only browser context. All shared tabs are in it.
const contextID = "extension"

// notFound is the JSON-RPC code for a method that does not exist.
const notFound = -32601

var empty = json.RawMessage(`{}`)

// answers has the commands for the whole browser that the transport answers itself, without the
// extension.
var answers = map[string]func(*transport, request){
	"Browser.getVersion":         (*transport).versionLocked,
	"Browser.getWindowForTarget": (*transport).windowLocked,
	"Browser.cancelDownload":     (*transport).cancelDownloadLocked,
	"Target.setDiscoverTargets":  func(t *transport, r request) { t.resultLocked(r, empty) },
	"Target.getBrowserContexts": func(t *transport, r request) {
		t.resultLocked(r, encode(map[string]any{"browserContextIds": []string{}, "defaultBrowserContextId": contextID}))
	},
	"Target.setAutoAttach":         (*transport).autoAttachLocked,
	"Target.getTargets":            (*transport).targetsLocked,
	"Target.getTargetInfo":         (*transport).targetInfoLocked,
	"Target.createTarget":          (*transport).createLocked,
	"Target.closeTarget":           func(t *transport, r request) { t.doLocked(r, "close", encode(map[string]bool{"success": true})) },
	"Target.activateTarget":        func(t *transport, r request) { t.doLocked(r, "front", empty) },
	"Target.attachToTarget":        (*transport).attachToLocked,
	"Target.attachToBrowserTarget": (*transport).attachToBrowserLocked,
	"Target.detachFromTarget":      (*transport).detachFromLocked,
	cdp.KeepTab.Method:             (*transport).keepLocked,
	cdp.ReturnTab.Method:           func(t *transport, r request) { t.doLocked(r, "unshare", empty) },
}

// wholeRefusals has the commands and domains for the whole browser that are refused, with the reasons.
// An extension cannot carry them out, or they concern what a person must decide.
var wholeRefusals = map[string]string{
	"Browser.close":               "would close the person's browser",
	"Browser.setDownloadBehavior": "is not possible with the extension: files go where the person has them",
	"Browser.setPermission":       "is not possible with the extension: permissions are the person's",
	"Browser.grantPermissions":    "is not possible with the extension: permissions are the person's",
	"Browser.resetPermissions":    "is not possible with the extension: permissions are the person's",
	"Target.createBrowserContext": "is not possible with the extension: there are no isolated sessions",
	"Storage":                     "is refused with the extension: cookies and storage of all sites are the person's",
	"SystemInfo":                  "is not possible with the extension",
}

// tabRefusals has the commands and domains for a tab that chrome.debugger does not allow, with the
// reasons.
var tabRefusals = map[string]string{
	"Browser":                     "is for the whole browser",
	"Page.setDownloadBehavior":    "is not possible with the extension: files go where the person has them",
	"DOMStorage":                  "is not possible with the extension",
	"IndexedDB":                   "is not possible with the extension",
	"ServiceWorker":               "is not possible with the extension",
	"Profiler":                    "is not possible with the extension",
	"HeapProfiler":                "is not possible with the extension",
	"Memory":                      "is not possible with the extension",
	"SystemInfo":                  "is not possible with the extension",
	"Storage.getCookies":          "is refused with the extension: cookies of all sites are the person's",
	"Network.getAllCookies":       "is refused with the extension: cookies of all sites are the person's",
	"Storage.clearCookies":        "is refused with the extension: it would remove the cookies of all sites",
	"Network.clearBrowserCookies": "is refused with the extension: it would remove the cookies of all sites",
	"Network.clearBrowserCache":   "is refused with the extension: the cache is the person's",
}

func refusedForTab(method string) string { return refusedBy(tabRefusals, method) }

func refusedBy(table map[string]string, method string) string {
	domain, _, _ := strings.Cut(method, ".")
	return cmp.Or(table[method], table[domain])
}

// answerLocked answers a command for the whole browser.
func (t *transport) answerLocked(r request) {
	if answer := answers[r.Method]; answer != nil {
		answer(t, r)
		return
	}
	t.failLocked(r, notFound, r.Method+" "+cmp.Or(refusedBy(wholeRefusals, r.Method), "is not possible with the extension"))
}

func (t *transport) versionLocked(r request) {
	about := t.peer.about
	t.resultLocked(r, encode(map[string]string{
		"protocolVersion": "1.3", "product": about.Browser, "revision": "", "userAgent": about.UserAgent, "jsVersion": "",
	}))
}

// autoAttachLocked sends Target.attachedToTarget for each shared tab, and from now on for those
// that are shared later.
func (t *transport) autoAttachLocked(r request) {
	if r.Session != "" {
		t.failLocked(r, notFound, r.Method+" is not possible with the extension for a session with the browser")
		return
	}
	t.auto = paramsOf[autoAttach](r.Params).AutoAttach
	if t.peer.about.Stopped {
		t.stoppedLocked()
	}
	for _, tab := range t.tabsLocked() {
		t.sharedLocked(tab)
	}
	for _, tab := range t.tabsLocked() {
		if d := t.ofTabLocked(tab.ID); t.auto && t.sessions[t.nameLocked(d)] == nil {
			t.announceLocked(d, nil)
		}
	}
	t.resultLocked(r, empty)
}

// tabsLocked lists the shared tabs, sorted by their ids. Ids rise, so this is the order in which
// the tabs were opened.
func (t *transport) tabsLocked() (tabs []*Tab) {
	for _, tab := range t.peer.tabs {
		tabs = append(tabs, tab)
	}
	slices.SortFunc(tabs, func(a, b *Tab) int { return cmp.Compare(a.ID, b.ID) })
	return tabs
}

func (t *transport) targetsLocked(r request) {
	infos := []any{}
	for _, tab := range t.tabsLocked() {
		infos = append(infos, t.infoLocked(tab))
	}
	t.resultLocked(r, encode(map[string]any{"targetInfos": infos}))
}

func (t *transport) infoLocked(tab *Tab) map[string]any {
	d := t.ofTabLocked(tab.ID)
	info := map[string]any{
		"targetId": tab.target(), "type": "page", "title": tab.Title, "url": tab.URL,
		"attached": d != nil && len(d.sessions) > 0, "canAccessOpener": false, "browserContextId": contextID,
	}
	if opener := t.peer.tabs[tab.Opener]; opener != nil {
		info["openerId"] = opener.target()
	}
	return info
}

func (t *transport) targetInfoLocked(r request) {
	if tab := t.namedLocked(r); tab != nil {
		t.resultLocked(r, encode(map[string]any{"targetInfo": t.infoLocked(tab)}))
	}
}

// namedLocked returns the shared tab whose target the command names. If there is none, it answers
// the command with an error and returns nil.
func (t *transport) namedLocked(r request) *Tab {
	params := paramsOf[struct {
		TargetID string `json:"targetId"`
	}](r.Params)
	for _, tab := range t.peer.tabs {
		if tab.target() == params.TargetID {
			return tab
		}
	}
	t.failLocked(r, -32602, "No target with given id found")
	return nil
}

// createLocked opens a tab for Target.createTarget. The extension reports the tab before it
// replies.
func (t *transport) createLocked(r request) {
	params := paramsOf[struct {
		URL              string `json:"url"`
		BrowserContextID string `json:"browserContextId"`
		ChelaSession     string `json:"chelaSession"`
	}](r.Params)
	if params.BrowserContextID != "" && params.BrowserContextID != contextID {
		t.failLocked(r, -32602, "Failed to find browser context with id "+params.BrowserContextID)
		return
	}
	t.peer.doLocked("open", map[string]any{"url": params.URL, "name": params.ChelaSession}, func(result json.RawMessage, failed *failure) {
		var opened struct{ Tab Tab }
		if failed == nil && (json.Unmarshal(result, &opened) != nil || opened.Tab.ID == 0) {
			failed = &failure{-32000, "the extension has opened no tab"}
		}
		if failed != nil {
			t.failLocked(r, failed.Code, failed.Message)
			return
		}
		t.resultLocked(r, encode(map[string]string{"targetId": opened.Tab.target()}))
	})
}

// doLocked has the extension do something with the tab that a command names. The parameter what is
// the extension's name for the action, such as close. When the extension has done it, doLocked
// answers the command with the given result.
func (t *transport) doLocked(r request, what string, result json.RawMessage) {
	tab := t.namedLocked(r)
	if tab == nil {
		return
	}
	t.peer.doLocked(what, map[string]any{"tab": tab.ID}, func(_ json.RawMessage, failed *failure) {
		if failed != nil {
			t.failLocked(r, failed.Code, failed.Message)
			return
		}
		t.resultLocked(r, result)
	})
}

func (t *transport) windowLocked(r request) {
	if tab := t.namedLocked(r); tab != nil {
		t.resultLocked(r, encode(map[string]any{"windowId": tab.Window, "bounds": map[string]any{}}))
	}
}
