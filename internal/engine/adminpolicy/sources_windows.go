package adminpolicy

import "golang.org/x/sys/windows/registry"

// sources returns the registry keys with policies, for the whole machine and for this user.
func sources() (all []source) {
	for _, root := range []struct {
		name string
		key  registry.Key
	}{{`HKLM\`, registry.LOCAL_MACHINE}, {`HKCU\`, registry.CURRENT_USER}} {
		for _, of := range []struct{ browser, path string }{
			{"chromium", `Software\Policies\Chromium`}, {"chrome", `Software\Policies\Google\Chrome`}, {"edge", `Software\Policies\Microsoft\Edge`},
			{"brave", `Software\Policies\BraveSoftware\Brave`}, {"vivaldi", `Software\Policies\Vivaldi`},
		} {
			all = append(all, source{of.browser, root.name + of.path, func() policies { return readKey(root.key, of.path) }})
		}
	}
	return all
}

// readKey reads policies from a key. A DWORD is a number or a switch, a string is an object as
// JSON, and a key below it is a list.
func readKey(root registry.Key, path string) policies {
	key, err := registry.OpenKey(root, path, registry.READ)
	if err != nil {
		return nil
	}
	defer key.Close()
	p := policies{}
	names, _ := key.ReadValueNames(-1)
	for _, name := range names {
		if n, _, err := key.GetIntegerValue(name); err == nil {
			p[name] = number(name, n)
		} else if text, _, err := key.GetStringValue(name); err == nil {
			p[name] = parse([]byte(text))
		}
	}
	lists, _ := key.ReadSubKeyNames(-1)
	for _, name := range lists {
		p[name] = readList(key, name)
	}
	return p
}

// number returns the value of a DWORD: true or false if the policy is a switch.
func number(name string, n uint64) any {
	if name == "NativeMessagingUserLevelHosts" || name == "DeveloperToolsDisabled" {
		return n != 0
	}
	return float64(n)
}

func readList(parent registry.Key, name string) (list []any) {
	key, err := registry.OpenKey(parent, name, registry.READ)
	if err != nil {
		return nil
	}
	defer key.Close()
	names, _ := key.ReadValueNames(-1)
	for _, n := range names {
		if text, _, err := key.GetStringValue(n); err == nil {
			list = append(list, text)
		}
	}
	return list
}
