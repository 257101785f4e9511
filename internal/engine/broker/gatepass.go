package broker

// passes has the commands that concern the tab alone, by domain. They are forwarded unchanged. A
// domain has all its commands here or in gates. That includes deprecated ones, which programs still
// send. What a newer Chromium adds is refused until it is listed.
var passes = map[string]string{
	"Accessibility": "disable enable getAXNodeAndAncestors getChildAXNodes getFullAXTree getPartialAXTree getRootAXNode queryAXTree",
	"Animation":     "disable enable getCurrentTime getPlaybackRate releaseAnimations resolveAnimation seekAnimations setPaused setPlaybackRate setTiming",
	"Audits":        "checkContrast checkFormsIssues disable enable getEncodedResponse",
	"CSS": "addRule collectClassNames createStyleSheet disable enable forcePositionTryOption forcePseudoState forceStartingStyle getAnimatedStylesForNode " +
		"getBackgroundColors getComputedStyleForNode getEnvironmentVariables getInlineStylesForNode getLayersForNode getLocationForSelector " +
		"getLonghandProperties getMatchedStylesForNode getMediaQueries getPlatformFontsForNode getStyleSheetText resolveValues setContainerQueryConditionText " +
		"setContainerQueryText setEffectivePropertyValueForNode setKeyframeKey setLocalFontsEnabled setMediaText setNavigationText setPropertyRulePropertyName " +
		"setRuleSelector setScopeText setStyleSheetText setStyleTexts setSupportsText startRuleUsageTracking stopRuleUsageTracking takeComputedStyleUpdates " +
		"takeCoverageDelta trackComputedStyleUpdates trackComputedStyleUpdatesForNode",
	"Console": "clearMessages disable enable",
	"DOM": "clearTextMarkers collectClassNamesFromSubtree copyTo describeNode disable discardSearchResults enable focus forceShowInterest forceShowPopover " +
		"getAnchorElement getAttributes getBoxModel getContainerForNode getContentQuads getDetachedDomNodes getDocument getElementByRelation getFileInfo " +
		"getFlattenedDocument getFrameOwner getImplicitAnchorCandidates getNodeForLocation getNodeStackTraces getNodesForSubtreeByStyle getOuterHTML " +
		"getQueryingDescendantsForContainer getRelayoutBoundary getSearchResults getTopLayerElements hideHighlight highlightNode highlightRect " +
		"markUndoableState moveTo performSearch pushNodeByPathToFrontend pushNodesByBackendIdsToFrontend querySelector querySelectorAll redo removeAttribute " +
		"removeNode requestChildNodes requestNode resolveNode scrollIntoViewIfNeeded setInspectedNode setNodeStackTracesEnabled setTextMarker undo",
	"DOMDebugger": "getEventListeners removeDOMBreakpoint removeEventListenerBreakpoint removeInstrumentationBreakpoint removeXHRBreakpoint setBreakOnCSPViolation " +
		"setDOMBreakpoint setEventListenerBreakpoint setInstrumentationBreakpoint setXHRBreakpoint",
	"DOMSnapshot":       "captureSnapshot disable enable getSnapshot",
	"DOMStorage":        "clear disable enable getDOMStorageItems removeDOMStorageItem setDOMStorageItem", // Chromium only gives access to the storage of frames in the tab
	"DeviceOrientation": "clearDeviceOrientationOverride setDeviceOrientationOverride",
	"Emulation": "canEmulate clearDeviceMetricsOverride clearDevicePostureOverride clearDisplayFeaturesOverride clearGeolocationOverride clearIdleOverride " +
		"getOverriddenSensorInformation getScreenInfos resetPageScaleFactor setAutoDarkModeOverride setAutomationOverride setCPUPerformanceOverride " +
		"setCPUThrottlingRate setDataSaverOverride setDefaultBackgroundColorOverride setDeviceMetricsOverride setDevicePostureOverride setDisabledImageTypes " +
		"setDisplayFeaturesOverride setDocumentCookieDisabled setEmitTouchEventsForMouse setEmulatedMedia setEmulatedOSTextScale setEmulatedVisionDeficiency " +
		"setFocusEmulationEnabled setGeolocationOverride setHardwareConcurrencyOverride setIdleOverride setLocaleOverride setNavigatorOverrides " +
		"setPageScaleFactor setPressureSourceOverrideEnabled setPressureStateOverride setSafeAreaInsetsOverride setScriptExecutionDisabled setScrollbarsHidden " +
		"setSensorOverrideEnabled setSensorOverrideReadings setSmallViewportHeightDifferenceOverride setTimezoneOverride setTouchEmulationEnabled " +
		"setUserAgentOverride setVirtualKeyboardGeometryOverride setVirtualTimePolicy setVisibleSize",
	"Fetch": "continueResponse continueWithAuth disable enable failRequest getResponseBody takeResponseBodyAsStream",
	"IO":    "close read resolveBlob",
	"Input": "cancelDragging dispatchTouchEvent emulateTouchFromMouseEvent imeSetComposition insertText setInterceptDrags " +
		"synthesizePinchGesture synthesizeScrollGesture synthesizeTapGesture",
	"Inspector": "disable enable",
	"LayerTree": "compositingReasons disable enable loadSnapshot makeSnapshot profileSnapshot releaseSnapshot replaySnapshot snapshotCommandLog",
	"Log":       "clear disable enable startViolationsReport stopViolationsReport",
	"Media":     "disable enable",
	"Network": "canClearBrowserCache canClearBrowserCookies canEmulateNetworkConditions configureDurableMessages disable emulateNetworkConditions " +
		"emulateNetworkConditionsByRule enable fetchSchemefulSite getCertificate getRequestPostData getResponseBody getSecurityIsolationStatus " +
		"overrideNetworkState replayXHR searchInResponseBody setAttachDebugStack setBlockedURLs setBypassServiceWorker setCacheDisabled setCookieControls " +
		"setExtraHTTPHeaders setUserAgentOverride streamResourceContent",
	"Overlay": "disable enable getGridHighlightObjectsForTest getHighlightObjectForTest getSourceOrderHighlightObjectForTest hideHighlight highlightFrame " +
		"highlightNode highlightQuad highlightRect highlightSourceOrder setInspectMode setPausedInDebuggerMessage setShowAdHighlights " +
		"setShowContainerQueryOverlays setShowDebugBorders setShowDisplayCutout setShowFPSCounter setShowFlexOverlays setShowGridOverlays setShowHinge " +
		"setShowHitTestBorders setShowInspectedElementAnchor setShowIsolatedElements setShowLayoutShiftRegions setShowPaintRects setShowScrollBottleneckRects " +
		"setShowScrollSnapOverlays setShowViewportSizeOnResize setShowWebVitals setShowWindowControlsOverlay",
	"Page": "captureScreenshot captureSnapshot clearCompilationCache clearDeviceMetricsOverride clearDeviceOrientationOverride clearGeolocationOverride close " +
		"disable enable generateTestReport getAdScriptAncestry getAnnotatedPageContent getAppId getAppManifest getFrameTree getInstallabilityErrors " +
		"getLayoutMetrics getManifestIcons getNavigationHistory getOriginTrials getPermissionsPolicyState getResourceContent getResourceTree getSiblingSubApps " +
		"getSpellCheckCustomDictionary getSubApps handleJavaScriptDialog printToPDF produceCompilationCache removeScriptToEvaluateOnLoad " +
		"removeScriptToEvaluateOnNewDocument resetNavigationHistory screencastFrameAck searchInResource setAdBlockingEnabled setBypassCSP " +
		"setDeviceMetricsOverride setDeviceOrientationOverride setFontFamilies setFontSizes setGeolocationOverride setInputVisualization " +
		"setInterceptFileChooserDialog setLifecycleEventsEnabled setPrerenderingAllowed setSPCTransactionMode setTouchEmulationEnabled setWebLifecycleState " +
		"startScreencast stopLoading stopScreencast waitForDebugger",
	"Performance":         "disable enable getMetrics setTimeDomain",
	"PerformanceTimeline": "enable",
	"Preload":             "disable enable",
	"Runtime": "awaitPromise disable discardConsoleEntries enable getExceptionDetails getHeapUsage getIsolateId getProperties globalLexicalScopeNames releaseObject " +
		"releaseObjectGroup removeBinding runIfWaitingForDebugger setAsyncCallStackDepth setCustomObjectFormatterEnabled setMaxCallStackSizeToCapture terminateExecution",
	"Schema":   "getDomains",
	"Security": "disable enable",
	"WebAudio": "disable enable getRealtimeData",
	"WebAuthn": "addCredential addVirtualAuthenticator clearCredentials disable enable getCredential getCredentials removeCredential removeVirtualAuthenticator " +
		"setAutomaticPresenceSimulation setCredentialProperties setResponseOverrideBits setUserVerified",
}
