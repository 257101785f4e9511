package adminpolicy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var ours = Extension{ID: "ours", Permissions: []string{"debugger", "nativeMessaging"}, Host: "dev.chela.s1"}

func TestJudge(t *testing.T) {
	for _, test := range []struct{ policies, want string }{
		{`{}`, ""},
		{`{"DeveloperToolsAvailability": 0, "ExtensionDeveloperModeSettings": 0, "HomepageLocation": "x"}`, ""},
		{`{"ExtensionDeveloperModeSettings": 1}`, "ExtensionDeveloperModeSettings"},
		{`{"DeveloperToolsAvailability": 2}`, "DeveloperToolsAvailability DeveloperToolsAvailability"},
		{`{"DeveloperToolsAvailability": 2, "ExtensionDeveloperModeSettings": 0}`, "DeveloperToolsAvailability"},
		{`{"DeveloperToolsDisabled": true}`, "DeveloperToolsDisabled"},
		{`{"DeveloperToolsDisabled": true, "DeveloperToolsAvailability": 1}`, ""},
		{`{"ExtensionInstallBlocklist": ["*"]}`, "ExtensionInstallBlocklist"},
		{`{"ExtensionInstallBlocklist": ["other"]}`, ""},
		{`{"ExtensionInstallBlocklist": ["*"], "ExtensionInstallAllowlist": ["ours"]}`, ""},
		{`{"ExtensionSettings": {"*": {"installation_mode": "blocked"}}}`, "ExtensionSettings"},
		{`{"ExtensionSettings": {"*": {"installation_mode": "blocked"}, "ours": {"installation_mode": "allowed"}}}`, ""},
		{`{"ExtensionSettings": {"ours": {"installation_mode": "removed"}}, "ExtensionInstallAllowlist": ["ours"]}`, "ExtensionSettings"},
		{`{"ExtensionSettings": {"*": {"blocked_permissions": ["debugger", "usb"]}}}`, "ExtensionSettings"},
		{`{"ExtensionSettings": {"*": {"runtime_blocked_hosts": ["*://*.bank.example"]}}}`, "ExtensionSettings"},
		{`{"ExtensionSettings": {"*": {"runtime_blocked_hosts": ["*://*.bank.example"]}, "ours": {"runtime_blocked_hosts": []}}}`, ""},
		{`{"ExtensionSettings": {"other, ours": {"installation_mode": "blocked", "blocked_permissions": ["debugger"]}}}`, "ExtensionSettings ExtensionSettings"},
		{`{"ExtensionSettings": {"other,others": {"installation_mode": "blocked"}}}`, ""},
		{`{"ExtensionAllowedTypes": ["theme"]}`, "ExtensionAllowedTypes"},
		{`{"ExtensionAllowedTypes": ["theme", "extension"]}`, ""},
		{`{"NativeMessagingBlocklist": ["*"]}`, "NativeMessagingBlocklist"},
		{`{"NativeMessagingBlocklist": ["*"], "NativeMessagingAllowlist": ["dev.chela.s1"]}`, ""},
		{`{"NativeMessagingUserLevelHosts": false}`, "NativeMessagingUserLevelHosts"},
		{`{"ExtensionSettings": "x", "ExtensionInstallBlocklist": {}, "DeveloperToolsAvailability": "2"}`, ""},
		{`[1]`, ""},
		{`nonsense`, ""},
	} {
		var names []string
		for _, b := range ours.judge(parse([]byte(test.policies))) {
			names = append(names, b.Policy)
		}
		if got := strings.Join(names, " "); got != test.want {
			t.Errorf("%s: got %q, want %q", test.policies, got, test.want)
		}
	}
}

func TestReadFolder(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"10.json": `{"A": 1, "B": 1}`, "20.json": "{\n  // of the administrator\n  \"B\": 2,\n}", "30.json": "no JSON", "40.txt": `{"A": 4}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if p := readFolder(dir); len(p) != 2 || p["A"] != 1.0 || p["B"] != 2.0 {
		t.Errorf("got %v", p)
	}
	if p := readFolder(filepath.Join(dir, "none")); len(p) != 0 {
		t.Errorf("without a folder: %v", p)
	}
}
