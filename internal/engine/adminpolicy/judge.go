package adminpolicy

import (
	"slices"
	"strings"
)

// Values of policies.
const (
	developerModeForbidden = 1 // value of ExtensionDeveloperModeSettings
	toolsForbidden         = 2 // value of DeveloperToolsAvailability
)

// judge lists the policies that keep a part of the extension from working. It leaves the fields
// Browser and Where empty.
func (e Extension) judge(p policies) (all []Ban) {
	ban := func(policy, effect string) { all = append(all, Ban{Policy: policy, Effect: effect}) }
	_, isSet := p["DeveloperToolsAvailability"]
	tools := isNumber(p["DeveloperToolsAvailability"], toolsForbidden)
	switch mode, has := p["ExtensionDeveloperModeSettings"]; {
	case isNumber(mode, developerModeForbidden):
		ban("ExtensionDeveloperModeSettings", "developer mode is forbidden, without which no unpacked extension runs,")
	case tools && !has:
		ban("DeveloperToolsAvailability", "developer mode is forbidden, without which no unpacked extension runs,")
	}
	if tools {
		ban("DeveloperToolsAvailability", "the debugger is forbidden, by which tabs are driven,")
	} else if !isSet && p["DeveloperToolsDisabled"] == true { // the older name of the policy
		ban("DeveloperToolsDisabled", "the debugger is forbidden, by which tabs are driven,")
	}
	if policy := e.blockedBy(p); policy != "" {
		ban(policy, "the extension may not be installed")
	}
	if types, has := p["ExtensionAllowedTypes"]; has && !slices.Contains(texts(types), "extension") {
		ban("ExtensionAllowedTypes", "no extension may be installed")
	}
	for _, permission := range texts(e.setting(p, "blocked_permissions")) {
		if slices.Contains(e.Permissions, permission) {
			ban("ExtensionSettings", "the extension may not have the permission "+permission)
		}
	}
	if hosts := texts(e.setting(p, "runtime_blocked_hosts")); len(hosts) > 0 {
		ban("ExtensionSettings", "tabs of "+strings.Join(hosts, ", ")+" cannot be shared")
	}
	if blocked := texts(p["NativeMessagingBlocklist"]); e.isIn(blocked, e.Host) && !slices.Contains(texts(p["NativeMessagingAllowlist"]), e.Host) {
		ban("NativeMessagingBlocklist", "the extension does not pair by itself, and by digits only,")
	}
	if p["NativeMessagingUserLevelHosts"] == false {
		ban("NativeMessagingUserLevelHosts", "the extension does not pair by itself, and by digits only,")
	}
	return all
}

// blockedBy returns the name of the policy that forbids installing the extension; "" if it may be
// installed. A setting for this extension has precedence over a setting for all extensions.
func (e Extension) blockedBy(p policies) string {
	own, all := e.settings(p)
	switch mode, has := own["installation_mode"]; {
	case mode == "blocked" || mode == "removed":
		return "ExtensionSettings"
	case has:
		return ""
	case slices.Contains(texts(p["ExtensionInstallAllowlist"]), e.ID):
		return ""
	case e.isIn(texts(p["ExtensionInstallBlocklist"]), e.ID):
		return "ExtensionInstallBlocklist"
	}
	if all["installation_mode"] == "blocked" || all["installation_mode"] == "removed" {
		return "ExtensionSettings"
	}
	return ""
}

// setting returns a value of the policy ExtensionSettings: the value for the extension or, without
// one, the value for all extensions.
func (e Extension) setting(p policies, name string) any {
	own, all := e.settings(p)
	if own[name] != nil {
		return own[name]
	}
	return all[name]
}

// settings returns the values of the policy ExtensionSettings for the extension, and for all
// extensions. A key of the policy may list several extensions, with commas between them.
func (e Extension) settings(p policies) (own, all policies) {
	settings, _ := p["ExtensionSettings"].(policies)
	for key, values := range settings {
		if slices.ContainsFunc(strings.Split(key, ","), func(id string) bool { return strings.TrimSpace(id) == e.ID }) {
			own, _ = values.(policies)
		}
	}
	all, _ = settings["*"].(policies)
	return own, all
}

// isIn reports whether a list of a policy contains a name, or "*", which stands for all names.
func (e Extension) isIn(list []string, name string) bool {
	return slices.Contains(list, name) || slices.Contains(list, "*")
}

func isNumber(v any, want float64) bool { return v == want }

// texts returns the strings in a list of JSON; none if v is not a list.
func texts(v any) (all []string) {
	list, _ := v.([]any)
	for _, item := range list {
		if text, ok := item.(string); ok {
			all = append(all, text)
		}
	}
	return all
}
