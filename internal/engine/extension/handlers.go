package extension

import (
	"strings"

	"chela/internal/engine/cdp"
)

// handlers has functions for commands that cannot simply be sent on for one session, because they
// affect other sessions of the debuggee. Commands for settings have a table of their own, see
// settings.go.
var handlers = map[string]func(*transport, *session, request){
	"Runtime.terminateExecution": func(t *transport, s *session, r request) { t.terminateLocked(s.on.place, r) },

	cdp.Flash.Method: (*transport).flashLocked,

	"Runtime.runIfWaitingForDebugger": (*transport).runLocked,
	"Target.setAutoAttach":            (*transport).autoAttachBelowLocked,
	"Target.detachFromTarget":         (*transport).detachChildLocked,

	"Page.addScriptToEvaluateOnNewDocument":    (*transport).addScriptLocked,
	"Page.removeScriptToEvaluateOnNewDocument": (*transport).removeScriptLocked,
	"Runtime.addBinding":                       (*transport).addBindingLocked,
	"Runtime.removeBinding":                    (*transport).removeBindingLocked,

	"Runtime.evaluate":             (*transport).ownObjectsLocked,
	"Runtime.callFunctionOn":       (*transport).ownObjectsLocked,
	"Runtime.runScript":            (*transport).ownObjectsLocked,
	"Runtime.queryObjects":         (*transport).ownObjectsLocked,
	"Runtime.releaseObjectGroup":   (*transport).ownObjectsLocked,
	"Debugger.evaluateOnCallFrame": (*transport).ownObjectsLocked,
	"DOM.resolveNode":              (*transport).ownObjectsLocked,

	"Fetch.enable":           (*transport).interceptLocked,
	"Fetch.disable":          (*transport).interceptNoneLocked,
	"Fetch.continueRequest":  (*transport).decideLocked,
	"Fetch.continueResponse": (*transport).decideLocked,
	"Fetch.continueWithAuth": (*transport).decideLocked,
	"Fetch.failRequest":      (*transport).decideLocked,
	"Fetch.fulfillRequest":   (*transport).decideLocked,
}

// handlerOf returns the function for a command, or nil if the command is simply sent on.
func handlerOf(method string) func(*transport, *session, request) {
	if handle := handlers[method]; handle != nil {
		return handle
	}
	if settings[method] != nil {
		return (*transport).setLocked
	}
	if clears[method] != "" {
		return (*transport).clearLocked
	}
	switch _, name, _ := strings.Cut(method, "."); name {
	case "enable":
		return (*transport).enableLocked
	case "disable":
		return (*transport).disableLocked
	}
	return nil
}

// eventHandlers has functions for events that must be remembered, or that not all sessions get. A
// function returns true if the event is then sent to the sessions that session.gets chooses.
var eventHandlers = map[string]func(*transport, *debuggee, message) bool{
	"Runtime.executionContextCreated":   (*transport).contextCreatedLocked,
	"Runtime.executionContextDestroyed": (*transport).contextDestroyedLocked,
	"Runtime.executionContextsCleared":  (*transport).contextsClearedLocked,
	"Runtime.bindingCalled":             (*transport).bindingCalledLocked,

	"Page.lifecycleEvent": (*transport).lifecycleLocked,
	"Page.frameDetached":  (*transport).frameDetachedLocked,

	"Target.attachedToTarget":   (*transport).childAttachedLocked,
	"Target.detachedFromTarget": (*transport).childDetachedLocked,

	"Fetch.requestPaused": (*transport).requestPausedLocked,
	"Fetch.authRequired":  (*transport).requestPausedLocked,
}
