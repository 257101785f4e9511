// Package adminpolicy reads the policies that the administrator of a machine has set for its
// browsers, and finds those that keep chela's extension from working.
//
// Browsers read policies from files of the system, preferences or the registry (sources_linux.go
// and the like). Chrome's list of enterprise policies documents their names and values. judge.go
// decides what they mean for an extension.
package adminpolicy

// A Ban is a policy that keeps a part of the extension from working.
type Ban struct {
	Browser string // browser that has the policy: chromium, chrome, edge and so on
	Where   string // the file, folder or registry key that has the policy
	Policy  string // name of the policy
	Effect  string // what the policy keeps from working
}

func (b Ban) String() string {
	return b.Effect + " in " + b.Browser + ": the machine has the policy " + b.Policy + " (" + b.Where + ")"
}

// An Extension describes a browser extension by the properties that policies refer to.
type Extension struct {
	ID          string
	Permissions []string // permissions in the extension's manifest
	Host        string   // name of the extension's program for native messaging
}

// policies are the values of policies by their names, as in JSON.
type policies = map[string]any

// A source is where a browser reads policies.
type source struct {
	browser, where string
	read           func() policies // the result is empty if there are no policies, or if they cannot be read
}

// Bans lists the policies in the browsers of this machine that forbid the extension something.
func Bans(e Extension) (all []Ban) {
	for _, s := range sources() {
		for _, b := range e.judge(s.read()) {
			b.Browser, b.Where = s.browser, s.where
			all = append(all, b)
		}
	}
	return all
}
