package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"chela/internal/base/config"
	"chela/internal/engine/chrome"
	"chela/internal/op"
	"chela/internal/surface/autostart"
)

// serviceCommand has the commands that install the server of a state directory as a service of its
// user. Then the server runs from the login, or from the start of the machine on. Without the service,
// commands start the server, and it ends when it is idle.
func (p *Program) serviceCommand() *cobra.Command {
	group := &cobra.Command{Use: "service", Short: "Have the system run the server: systemd on Linux, launchd on macOS"}
	group.AddCommand(p.serviceInstallCommand(), p.serviceUninstallCommand(), p.serviceStatusCommand())
	return group
}

func (p *Program) serviceInstallCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "install",
		Args:  asUsed,
		Short: "Have the system run the server for this user, now and after each login",
		Long: "Have the system run the server for this user, now and after each login: as a unit of systemd, or an agent of launchd.\n" +
			"The state directory, the configuration and PATH are those of this command; tokens and passwords are not written into the service.\n" +
			"Install it again after an update, or when one of these has changed: it is then started again.",
		Example: "chela service install",
	}
	show := cmd.Flags().Bool("print", false, "print the file of the service, and do nothing else")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		s, err := p.userService(cmd)
		if err != nil {
			return err
		}
		if *show {
			text, err := s.manager.Text(s.server)
			if err == nil {
				_, err = fmt.Fprint(p.Out, text)
			}
			return err
		}
		return p.installService(cmd, s)
	}
	return cmd
}

func (p *Program) serviceUninstallCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "uninstall",
		Args:    asUsed,
		Short:   "End the service, and remove what install has written; the state directory stays",
		Example: "chela service uninstall",
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := p.userService(cmd)
			if err != nil {
				return err
			}
			was, err := s.manager.Uninstall(cmd.Context())
			switch {
			case err != nil:
				return err
			case !was:
				if is, err := s.manager.State(cmd.Context(), s.server); err == nil && is.Package != "" {
					return op.Errorf(op.Conflict, "the service was installed with a package: %s", is.Package).Hinted("systemctl --user disable --now chela")
				}
				_, err = fmt.Fprintln(p.Out, "no service is installed")
				return err
			}
			_, err = fmt.Fprintln(p.Out, "removed", s.manager.File())
			return err
		},
	}
}

func (p *Program) serviceStatusCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "status",
		Args:    asUsed,
		Short:   "Show whether the service is installed and runs, and whether it belongs to this chela",
		Example: "chela service status",
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := p.userService(cmd)
			if err != nil {
				return err
			}
			return p.showService(cmd, s)
		},
	}
}

// A userService is the server of a state directory as a service of the user, installed or not.
type userService struct {
	manager *autostart.Manager
	server  autostart.Server
	state   config.State
}

// userService returns the service for the state directory in the flags of a command. The error says
// that neither systemd nor launchd is here, or what is wrong with the flags.
func (p *Program) userService(cmd *cobra.Command) (*userService, error) {
	if err := refuseServerFlags(cmd, "run it on the machine of that server"); err != nil {
		return nil, err
	}
	flags := settings(cmd)
	state, err := config.StateAt(flags.StateDir)
	if err != nil {
		return nil, err
	}
	manager, err := autostart.For(runtime.GOOS, state.Dir, config.UsualStateDir())
	if errors.Is(err, autostart.ErrNoSystem) {
		return nil, op.Errorf(op.NotSupported, "%v", err).Hinted("have what starts programs here run: chela serve")
	}
	if err != nil {
		return nil, err
	}
	program, err := ownPath()
	if err != nil {
		return nil, err
	}
	server := autostart.Server{
		Program: program, Args: []string{"serve"}, Log: filepath.Join(state.Dir, "service.log"), EnvFile: filepath.Join(state.Dir, "service.env"),
		Namespaces: chrome.Namespaces(),
	}
	if manager.System() == "launchd" { // launchd does not limit the size of the log
		server.Args = append(server.Args, "--log="+state.Log())
	}
	if flags.StateDir != "" {
		server.Args = append(server.Args, "--state-dir="+state.Dir)
	}
	if flags.File != "" {
		file, err := flags.Path()
		if err != nil {
			return nil, configError(err)
		}
		server.Args = append(server.Args, "--config="+file)
	}
	// No secrets are written into the service's file. PATH is needed to find browsers.
	server.Env = setHere("CHELA_STATE_DIR", "CHELA_CONFIG_PATH", "CHELA_PORT", "OPENCLAW_GATEWAY_PORT", "CHELA_HEADLESS", config.AllowPrivateNetwork,
		"PLAYWRIGHT_BROWSERS_PATH", "PATH")
	return &userService{manager, server, state}, nil
}

// installService installs the service, after checking that its server will be able to start.
func (p *Program) installService(cmd *cobra.Command, s *userService) error {
	if err := checkStays(s.server.Program); err != nil {
		return err
	}
	c, err := p.loadConfig(cmd)
	if err != nil {
		return err
	}
	if _, err := openOutside(c); err != nil {
		return err
	}
	if err := s.state.Make(); err != nil {
		return err
	}
	if is, err := s.manager.State(cmd.Context(), s.server); err != nil {
		return err
	} else if other := s.otherServer(is); other != 0 {
		return op.Errorf(op.Conflict, "a server runs already for %s, process %d, which is not the service", s.state.Dir, other).
			Hinted("chela shutdown, then chela service install")
	}
	for _, name := range []string{"CHELA_TOKEN", "CHELA_PASSWORD"} {
		if config.Env(name) != "" {
			p.warn(fmt.Sprintf("%s is set here, and is not written into the service: set it in %s if the server needs it", name, s.server.EnvFile))
		}
	}
	if os.Geteuid() == 0 {
		p.warn("root's browsers run without Chromium's sandbox: install the service as an ordinary user")
	}
	err = s.manager.Install(cmd.Context(), s.server)
	if unstarted, ok := errors.AsType[*autostart.NotStartedError](err); ok {
		return op.Errorf(op.Conflict, "%v", unstarted).Hinted("%s shows why, if it did start; else log in as this user and run: %s",
			s.manager.Log(s.server), strings.Join(unstarted.Commands, " && "))
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(p.Out, "installed %s: the server runs, and is started after each login\n", s.manager.File())
	if hint := lingerHint(cmd.Context()); hint != "" && s.manager.System() == "systemd" {
		fmt.Fprintln(p.Out, hint)
	}
	_, err = fmt.Fprintf(p.Out, "chela service status shows it, and its log: %s\n", s.manager.Log(s.server))
	return err
}

// otherServer returns the process id of a server of the state directory that is not the service; 0
// if there is none.
func (s *userService) otherServer(is autostart.State) int {
	server, err := s.state.Server()
	if err != nil || !answers(s.state.Socket()) || is.Running && is.PID == fmt.Sprint(server.PID) {
		return 0
	}
	return server.PID
}

// lingerHint returns a hint that says how to keep the user's services running after logout. It
// returns "" if the services already go on after logout.
func lingerHint(ctx context.Context) string {
	me, err := user.Current()
	if err != nil {
		return ""
	}
	out, err := exec.CommandContext(ctx, "loginctl", "show-user", me.Username, "--property=Linger", "--value").Output()
	if err == nil && strings.TrimSpace(string(out)) == "yes" {
		return ""
	}
	return "it ends when you log out; to have it run from the start of the machine on: sudo loginctl enable-linger " + me.Username
}

// A serviceReport is the result of chela service status.
type serviceReport struct {
	Installed bool   `json:"installed"`
	System    string `json:"system"`
	File      string `json:"file"`
	Running   bool   `json:"running"`
	PID       string `json:"pid,omitempty"`
	Version   string `json:"version,omitempty"`     // version of the server that runs
	Changed   bool   `json:"changed"`               // chela service install would now write a different service file
	Other     int    `json:"otherServer,omitempty"` // process id of a server that runs and is not the service; 0: none
	Problem   string `json:"problem,omitempty"`     // why the system did not report whether the service runs
}

// showService prints the state of the service. If the service does not run, it also returns an
// error, for scripts.
func (p *Program) showService(cmd *cobra.Command, s *userService) error {
	is, err := s.manager.State(cmd.Context(), s.server)
	if err != nil {
		return err
	}
	r := serviceReport{Installed: is.Installed, System: s.manager.System(), File: cmp.Or(is.Package, s.manager.File()), Running: is.Running, PID: is.PID, Changed: is.Changed}
	if is.Problem != nil {
		r.Problem = is.Problem.Error()
	}
	r.Other = s.otherServer(is)
	if server, err := s.state.Server(); err == nil && is.Running && r.Other == 0 {
		r.Version = server.Version
	}
	if wantsJSON(cmd) {
		err = p.printJSON(r)
	} else {
		_, err = fmt.Fprint(p.Out, r.text(p.Version))
	}
	switch {
	case err != nil:
		return err
	case !r.Installed:
		return op.Errorf(op.NotMet, "no service is installed").Hinted("chela service install")
	case !r.Running:
		return op.Errorf(op.NotMet, "the service does not run").Hinted("%s shows why; chela service install starts it", s.manager.Log(s.server))
	}
	return nil
}

// text returns the report for a person. The parameter this is the version of this program.
func (r serviceReport) text(this string) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("installed: %v", r.Installed)
	if r.Installed {
		line("file: %s (%s)", r.File, r.System)
		line("running: %v", r.Running)
	}
	if r.Running && r.PID != "" {
		line("process: %s", r.PID)
	}
	if r.Version != "" {
		line("version: %s", r.Version)
	}
	if r.Version != "" && r.Version != this {
		line("this is version %s: chela service install starts the server again with it", this)
	}
	if r.Changed {
		line("the file is not what this chela would write here: chela service install writes it anew")
	}
	if r.Other != 0 {
		line("another server runs, process %d, which is not the service: chela shutdown ends it", r.Other)
	}
	if r.Problem != "" {
		line("problem: %s", r.Problem)
	}
	return b.String()
}
