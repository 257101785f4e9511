package cli

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"syscall"
	"time"

	"chela/internal/base/certificate"
	"chela/internal/base/config"
	"chela/internal/op"
	"chela/internal/surface/server"
)

// An outside has the addresses at which the server listens for other machines, and its certificate. A
// nil pointer means that the server listens only for this machine.
type outside struct {
	*config.Outside
	certificate *certificate.Files
	urls        []string // URLs of the open listeners; empty before listen
}

// openOutside returns where the server listens for other machines, and reads its certificate. Errors
// say which part of the configuration is wrong.
func openOutside(c *config.Config) (*outside, error) {
	at, err := c.Outside()
	if err != nil || at == nil {
		return nil, configError(err)
	}
	files, err := openCertificate(c)
	if err != nil {
		return nil, err
	}
	return &outside{Outside: at, certificate: files}, nil
}

// openCertificate reads the certificate that the configuration names. Errors say which part of the
// configuration is wrong.
func openCertificate(c *config.Config) (*certificate.Files, error) {
	at := c.CertificateFiles()
	files, err := certificate.Open(at.Cert, at.Key)
	if wrong, ok := errors.AsType[*certificate.FileError](err); ok {
		key := "gateway.tls.cert"
		if wrong.IsKey {
			key = "gateway.tls.key"
		}
		return nil, op.Errorf(op.Invalid, "%v", c.Wrong(key, wrong)).Hinted("%s", wrong.Fix)
	}
	return files, err
}

// listen opens the port on each address. After an error, no listener stays open.
func (o *outside) listen(port int) (all []net.Listener, err error) {
	if o == nil {
		return nil, nil
	}
	for _, addr := range o.Addrs {
		l, err := server.ListenTLS(netip.AddrPortFrom(addr, uint16(port)), o.certificate.Get)
		if errors.Is(err, syscall.EADDRINUSE) {
			err = op.Errorf(op.Conflict, "port %d of %s is taken", port, addr).Hinted("end the program that has it, or choose another --port")
		}
		if err != nil {
			return nil, errors.Join(err, closeAll(all))
		}
		all, o.urls = append(all, l), append(o.urls, "https://"+l.Addr().String())
	}
	return all, nil
}

// says returns lines for the user who starts the server. They contain its URLs, who may use it, and
// until when and for which names its certificate is valid.
func (o *outside) says(c *config.Config) []string {
	if o == nil {
		return nil
	}
	leaf := o.certificate.Leaf()
	lines := []string{
		"chela listens on " + strings.Join(o.urls, ", ") + " for other machines: whoever has the token or the password can use the browsers of this one and their logins",
		fmt.Sprintf("its certificate is good until %s and has the fingerprint %s", leaf.NotAfter.Format(time.DateOnly), certificate.Of(leaf)),
	}
	if names := o.namesWithout(c); len(names) > 0 {
		lines = append(lines, "its certificate is not for "+strings.Join(names, ", ")+": callers by that name have to pin its fingerprint, unless a proxy answers them")
	}
	return lines
}

// namesWithout lists the host names in gateway.hosts that the certificate does not cover.
func (o *outside) namesWithout(c *config.Config) []string {
	return slices.DeleteFunc(c.Gateway.Names(), func(name string) bool { return o.certificate.Leaf().VerifyHostname(name) == nil })
}
