package autostart

import (
	"fmt"
	"strings"

	"chela/internal/base/lazyregexp"
)

// systemd is the kind for Linux. systemd runs the units (services) of a user while the user is logged
// in. If lingering is enabled for the user, they run from the start of the machine on.
var systemd = kind{
	system: "systemd", suffix: ".service", write: unit,
	start: func(m *Manager) [][]string {
		return [][]string{userctl("daemon-reload"), userctl("enable", m.unit()), userctl("restart", m.unit())}
	},
	stop: func(m *Manager) [][]string { return [][]string{userctl("disable", "--now", m.unit())} },
	forget: func(m *Manager) [][]string {
		return [][]string{userctl("daemon-reload"), append([]string{optional}, userctl("reset-failed", m.unit())...)}
	},
	state:   func(m *Manager) []string { return userctl("show", m.unit(), "--property=ActiveState,MainPID") },
	running: shown,
	packaged: func(m *Manager) []string {
		return userctl("show", m.unit(), "--property=FragmentPath,UnitFileState,ActiveState,MainPID")
	},
	readPackage: func(state string) string {
		is := properties(state)
		if is["UnitFileState"] != "enabled" && is["ActiveState"] != "active" || !ofPackages().MatchString(is["FragmentPath"]) {
			return ""
		}
		return is["FragmentPath"]
	},
	log: func(m *Manager, _ Server) string { return "journalctl --user -u " + m.name },
}

// ofPackages matches unit files in the folders to which system packages install them.
var ofPackages = lazyregexp.New(`^(/usr|/usr/local)?/lib/`)

func userctl(args ...string) []string { return append([]string{"systemctl", "--user"}, args...) }

func (m *Manager) unit() string { return m.name + ".service" }

// shown reads from the output of systemctl show whether a service runs, and its process id.
func shown(state string) (pid string, ok bool) {
	is := properties(state)
	if is["MainPID"] != "0" {
		pid = is["MainPID"]
	}
	return pid, is["ActiveState"] == "active"
}

// properties returns the properties in the output of systemctl show, by name.
func properties(state string) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(state) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		all[name] = value
	}
	return all
}

// unit returns the text of a service's file. The server tells systemd when it is ready (see Ready).
// systemd starts it again however it ends, since callers on other machines cannot start it. So the
// command chela shutdown restarts it.
//
// The unit uses only those restrictions of systemd with which Chromium and its sandbox work. The
// sandbox makes user namespaces and changes its root directory. Chromium compiles scripts, for which
// it needs memory that is writable and executable. PrivateTmp would hide files for uploads and
// downloads from the user's commands.
func unit(name string, s Server) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# Made by chela service install. chela service uninstall removes it.")
	line("[Unit]")
	line("Description=chela, browsers for agents")
	line("StartLimitIntervalSec=0")
	line("")
	line("[Service]")
	line("Type=notify")
	line("ExecStart=%s", commandLine(s.Program, s.Args))
	for _, v := range s.Env {
		line("Environment=%s", quoted(v.Name+"="+v.Value))
	}
	line("EnvironmentFile=-%s", strings.ReplaceAll(s.EnvFile, "%", "%%"))
	line("Restart=always")
	line("RestartSec=2")
	line("TimeoutStopSec=15")
	line("KillMode=mixed")
	line("UMask=0077")
	if s.Namespaces {
		line("NoNewPrivileges=yes")
		line("LockPersonality=yes")
		line("RestrictRealtime=yes")
		line("RestrictSUIDSGID=yes")
		line("RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK")
		line("SystemCallArchitectures=native")
	} else {
		line("# User namespaces are off here: Chromium's sandbox is a program with the setuid bit, which NoNewPrivileges would switch off.")
	}
	line("")
	line("[Install]")
	line("WantedBy=default.target")
	return b.String()
}

// commandLine returns a command in the form of the entry ExecStart. A $ begins a variable in the
// arguments, but not in the program, so only the arguments are escaped.
func commandLine(program string, args []string) string {
	line := quoted(program)
	for _, arg := range args {
		line += " " + strings.ReplaceAll(quoted(arg), "$", "$$")
	}
	return line
}

// quoted returns a word of a unit file in quotation marks. It escapes quotation marks and
// backslashes, and %, which begins a specifier of systemd.
func quoted(word string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%").Replace(word) + `"`
}
