package autostart

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// launchd is the kind for macOS. launchd runs agents, which are services of a user, while the user is
// logged in at the machine.
var launchd = kind{
	system: "launchd", suffix: ".plist", write: propertyList,
	start: func(m *Manager) [][]string {
		agent := domain() + "/" + m.name
		return [][]string{
			{optional, "launchctl", "bootout", agent},
			{untilFailure, "launchctl", "print", agent}, // bootout returns before the agent has ended, and bootstrap fails until then
			{"launchctl", "bootstrap", domain(), m.File()},
		}
	},
	stop: func(m *Manager) [][]string {
		return [][]string{{optional, "launchctl", "bootout", domain() + "/" + m.name}}
	},
	forget:  func(*Manager) [][]string { return nil },
	state:   func(m *Manager) []string { return []string{"launchctl", "print", domain() + "/" + m.name} },
	running: printed,
	log:     func(_ *Manager, s Server) string { return "tail " + s.Log },
}

// domain returns the name of launchd's domain for the agents of the user.
func domain() string { return fmt.Sprintf("gui/%d", os.Getuid()) }

// printed reads the process id, and whether the agent runs, from the output of launchctl print.
func printed(state string) (pid string, ok bool) {
	for line := range strings.Lines(state) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " = ")
		switch {
		case name == "state" && value == "running":
			ok = true
		case name == "pid" && pid == "":
			pid = value
		}
	}
	return pid, ok
}

// propertyList returns the text of an agent's file. The server is started again however it ends,
// for the reason that is given at [unit]. The limit on open files is raised: launchd's limit for
// agents, 256, is too small for browsers.
func propertyList(name string, s Server) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Made by chela service install. chela service uninstall removes it. -->
<plist version="1.0">
<dict>
`)
	pair := func(key, value string) { fmt.Fprintf(&b, "\t<key>%s</key>\n\t%s\n", key, value) }
	pair("Label", text(name))
	var words strings.Builder
	for _, word := range append([]string{s.Program}, s.Args...) {
		words.WriteString("\n\t\t" + text(word))
	}
	pair("ProgramArguments", "<array>"+words.String()+"\n\t</array>")
	var env strings.Builder
	for _, v := range s.Env {
		fmt.Fprintf(&env, "\n\t\t<key>%s</key>\n\t\t%s", v.Name, text(v.Value))
	}
	pair("EnvironmentVariables", "<dict>"+env.String()+"\n\t</dict>")
	pair("RunAtLoad", "<true/>")
	pair("KeepAlive", "<true/>")
	pair("ThrottleInterval", "<integer>5</integer>")
	pair("ExitTimeOut", "<integer>"+strconv.Itoa(int(exitTime.Seconds()))+"</integer>")
	pair("Umask", "<integer>63</integer>") // 077
	pair("SoftResourceLimits", "<dict>\n\t\t<key>NumberOfFiles</key>\n\t\t<integer>8192</integer>\n\t</dict>")
	pair("StandardOutPath", text(s.Log))
	pair("StandardErrorPath", text(s.Log))
	b.WriteString("</dict>\n</plist>\n")
	return b.String()
}

// text returns a string as an element of a property list.
func text(s string) string {
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(s)) // cannot fail
	return "<string>" + b.String() + "</string>"
}
