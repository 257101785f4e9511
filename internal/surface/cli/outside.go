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

// An outside says where other machines reach the server. The pointer is nil if they cannot reach
// it.
type outside struct {
	*config.Outside
	certificate *certificate.Files
	urls        []string // set when the server listens
}

// openOutside returns where other machines reach the server, and reads its certificate. Errors are
// about the configuration, and say where it is wrong.
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

// openCertificate reads the certificate that the configuration names. Errors say where the
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

// listen opens the port on each address. On an error, nothing stays open.
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

// says returns lines of text that the user who starts the server should know.
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

// namesWithout lists the names of gateway.hosts that the certificate is not for.
func (o *outside) namesWithout(c *config.Config) []string {
	return slices.DeleteFunc(c.Gateway.Names(), func(name string) bool { return o.certificate.Leaf().VerifyHostname(name) == nil })
}
