package doctor

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"chela/internal/base/certificate"
	"chela/internal/base/config"
)

// renewTime is how long before its end a certificate should have been renewed. Programs that renew
// certificates begin a month before.
const renewTime = 14 * 24 * time.Hour

// outside adds checks of how other machines reach the server, if they do: at which address, and
// until when its certificate is valid.
func (h *Report) outside(c *config.Config, now time.Time) {
	const id, label = "outside", "Other machines"
	at, err := c.Outside()
	if err == nil && at == nil {
		return
	}
	var files *certificate.Files
	if err == nil {
		of := c.CertificateFiles()
		files, err = certificate.Open(of.Cert, of.Key)
	}
	if err != nil {
		fix := "correct the configuration, and start the server again"
		if wrong, ok := errors.AsType[*certificate.FileError](err); ok {
			fix = wrong.Fix
		}
		h.add(id, label, false, "", err.Error(), fix)
		return
	}
	until := files.Leaf().NotAfter
	summary := fmt.Sprintf("%s; the certificate is good until %s", strings.Join(c.URLs(at), ", "), until.Format(time.DateOnly))
	if now.Add(renewTime).After(until) {
		h.note(id, label, "warn", summary).FixHint = "renew it; chela cert make --replace does so for one that chela has made"
		return
	}
	h.note(id, label, "pass", summary)
}
