package cli

import (
	"fmt"
	"net/netip"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"chela/internal/base/certificate"
	"chela/internal/base/config"
	addresses "chela/internal/base/hosts"
	"chela/internal/op"
)

// certCommand prints the certificate by which other machines recognize this machine's server. It
// also prints what to configure on the other machines.
func (p *Program) certCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cert",
		Args:  asUsed,
		Short: "Describe the certificate of the server on this machine, and what callers on other machines set",
		Long: "Describe the certificate by which callers on other machines know the server of this one, and what they set to call it.\n" +
			"A server listens for other machines only if gateway.bind names an address or an interface, and gateway.tls a certificate:\n\n" +
			"  chela cert make\n  chela config set gateway.bind 192.168.1.20\n  chela serve",
		Example: "chela cert",
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := refuseServerFlags(cmd, "run it on the machine of that server"); err != nil {
			return err
		}
		c, err := p.loadConfig(cmd)
		if err != nil {
			return err
		}
		return p.describeCertificate(cmd, c)
	}
	cmd.AddCommand(p.certMakeCommand())
	return cmd
}

// certMakeCommand makes a self-signed certificate, for a server without a certificate from a
// certificate authority.
func (p *Program) certMakeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "make [host...]",
		Args:  cobra.ArbitraryArgs,
		Short: "Make a self-signed certificate, and set it in the configuration",
		Long: "Make a certificate for the names and addresses of this machine, or for those that are named, and set gateway.tls to it. It is self-signed:\n" +
			"callers pin its fingerprint, which chela cert prints. A server that runs uses it at once, unless gateway.tls was not set before.\n" +
			"Where there is one, of Let's Encrypt for example, set gateway.tls to its files instead, and callers need no fingerprint.",
		Example: "chela cert make",
	}
	replace := cmd.Flags().Bool("replace", false, "in place of the one that was made before; callers have to pin the new one")
	cmd.RunE = func(cmd *cobra.Command, hosts []string) error {
		if err := refuseServerFlags(cmd, "run it on the machine of that server"); err != nil {
			return err
		}
		if err := checkHosts(hosts); err != nil {
			return err
		}
		flags := settings(cmd)
		state, err := config.StateAt(flags.StateDir)
		if err != nil {
			return err
		}
		files := state.CertificateFiles()
		if c, err := config.Load(flags); err == nil && c.Gateway.TLS.Cert != "" && c.CertificateFiles() != files && !*replace {
			return op.Errorf(op.Conflict, "gateway.tls names a certificate already: %s", c.CertificateFiles().Cert).
				Hinted("chela cert describes it; chela cert make --replace makes another one and sets it in its place")
		}
		c, unset := config.SetTLS(flags, files) // first, since a configuration with gateway.bind cannot be read without a certificate
		if len(hosts) == 0 {
			if hosts, err = ownHosts(c); err != nil {
				return err
			}
		}
		if err := makeCertificate(state, hosts, *replace); err != nil {
			return err
		}
		if unset != nil { // the setting could not be changed, so the user must change it
			return fmt.Errorf("the certificate is made, and not set: gateway.tls is to be {\"cert\": %q, \"key\": %q}: %w", files.Cert, files.Key, configError(unset))
		}
		return p.describeCertificate(cmd, c)
	}
	return cmd
}

// checkHosts returns an error if the user has named a host that no certificate can be for.
func checkHosts(hosts []string) error {
	for _, host := range hosts {
		if !isHost(host) {
			return &usageError{message: fmt.Sprintf("%q is no name and no address", host), hint: "chela cert make browsers.example.com 192.168.1.20"}
		}
	}
	return nil
}

// isHost reports whether a certificate can be for a name or an address. A name with other letters
// than those of ASCII has a form in ASCII, which begins with xn--.
func isHost(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil || host != "" && addresses.IsASCII(host) && !strings.ContainsAny(host, ":/@ ")
}

// ownHosts returns the names and addresses by which other machines may call this machine. A name that
// no certificate can be for is left out. The caller passes nil for c if the configuration cannot be
// read.
func ownHosts(c *config.Config) (hosts []string, err error) {
	if c != nil {
		hosts = c.Gateway.Names()
		if at, err := c.Outside(); err == nil && at != nil {
			for _, addr := range at.Addrs {
				hosts = append(hosts, addr.String())
			}
		}
	}
	if name, err := os.Hostname(); err == nil && name != "" {
		hosts = append(hosts, strings.ToLower(name))
	}
	all, err := config.Interfaces()
	for _, i := range all {
		for _, addr := range i.Addrs {
			hosts = append(hosts, addr.String())
		}
	}
	hosts = slices.DeleteFunc(hosts, func(host string) bool { return !isHost(host) })
	slices.Sort(hosts)
	return slices.Compact(hosts), err
}

// makeCertificate writes a new certificate and its key into the state directory. If they exist
// already, it returns an error, unless replace is true.
func makeCertificate(state config.State, hosts []string, replace bool) error {
	cert, key, err := certificate.Make(hosts, time.Now())
	if err != nil {
		return err
	}
	if err := state.Make(); err != nil {
		return err
	}
	made, err := state.WriteCertificate(cert, key, replace)
	if err == nil && !made {
		err = op.Errorf(op.Conflict, "there is a certificate already: %s", state.CertificateFiles().Cert).
			Hinted("chela cert describes it; chela cert make --replace makes another one, which all callers have to pin then")
	}
	return err
}

// A certificateInfo is a certificate as chela cert --json prints it.
type certificateInfo struct {
	File        string    `json:"file"`
	Hosts       []string  `json:"hosts"`
	Until       time.Time `json:"until"`
	Fingerprint string    `json:"fingerprint"`
	URLs        []string  `json:"urls"` // URLs at which other machines reach the server; empty if it does not listen for them
}

// describeCertificate prints the certificate, and what callers configure.
func (p *Program) describeCertificate(cmd *cobra.Command, c *config.Config) error {
	if c.Gateway.TLS.Cert == "" {
		return op.Errorf(op.NotFound, "no certificate is configured").Hinted("chela cert make")
	}
	files, err := openCertificate(c)
	if err != nil {
		return err
	}
	at, err := c.Outside()
	if err != nil {
		return configError(err)
	}
	served := *c
	if server, err := c.State.Server(); err == nil && server.Runs() {
		served.Port = server.Port // serve --port may have set another one
	}
	leaf := files.Leaf()
	d := certificateInfo{c.CertificateFiles().Cert, certificate.Hosts(leaf), leaf.NotAfter, certificate.Of(leaf).String(), append([]string{}, served.URLs(at)...)}
	if wantsJSON(cmd) {
		return p.printJSON(d)
	}
	fmt.Fprintf(p.Out, "certificate: %s\nfor: %s\nuntil: %s\nfingerprint: %s\n", d.File, strings.Join(d.Hosts, ", "), d.Until.Format(time.DateOnly), d.Fingerprint)
	if at == nil {
		_, err := fmt.Fprintf(p.Out, "\nThe server does not listen for other machines; to have it do so, name an address or an interface, and start it again:\n"+
			"  chela config set gateway.bind %s\n", suggestedBind())
		return err
	}
	_, err = fmt.Fprintf(p.Out, "\nOn another machine, with the token that chela token prints here:\n"+
		"  export CHELA_URL=%s\n  export CHELA_FINGERPRINT=%s\n  export CHELA_TOKEN=…\n  chela status\n", d.URLs[0], d.Fingerprint)
	return err
}

// suggestedBind returns an address of this machine, or an example if none is known.
func suggestedBind() string {
	if all, err := config.Interfaces(); err == nil && len(all) > 0 {
		return all[0].Addrs[0].String()
	}
	return "192.168.1.20"
}
