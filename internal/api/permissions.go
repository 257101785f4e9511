package api

import (
	"context"
	"slices"
	"strings"

	"chela/internal/api/call"
	"chela/internal/base/sitedata"
	"chela/internal/engine/browser"
	"chela/internal/op"
)

// A grantRequest gives permissions to an origin. The permissions belong to the browser; the tab
// only says which browser.
type grantRequest struct {
	call.On
	op.Timeout
	Origin      string   `json:"origin" doc:"origin that gets the permissions: https://example.com"`
	Permissions []string `json:"permissions" wrong:"permissions must be a non-empty string array" doc:"permissions, by their names in the DevTools protocol or in Playwright: geolocation, notifications, camera"`
	Optional    []string `json:"optionalPermissions,omitempty" flag:"optional" doc:"further permissions; one that this browser does not know is no error"`
}

// Check returns errors with OpenClaw's texts. A list of empty texts counts as empty. Package
// browser checks the names of the permissions.
func (r grantRequest) Check() error {
	if sitedata.OriginOf(r.Origin) == "" {
		return op.Errorf(op.Invalid, "origin must be an http(s) origin")
	}
	if len(r.Permissions) == 0 || strings.Join(r.Permissions, "") == "" {
		return op.Errorf(op.Invalid, "permissions must be a non-empty string array")
	}
	if len(r.Permissions)+len(r.Optional) > maxPermissions {
		return op.Errorf(op.Invalid, "permissions must not be more than %d", maxPermissions)
	}
	return nil
}

// maxPermissions limits the names in one request, since each name is a command to Chromium.
// Chromium has fewer permissions than that.
const maxPermissions = 100

// grantResult says what was granted. The fields are OpenClaw's. The field grantMethod is always
// cdp, which is one of the two values that OpenClaw has.
type grantResult struct {
	OK          bool     `json:"ok" doc:"always true"`
	Origin      string   `json:"origin" doc:"origin that got the permissions"`
	Granted     []string `json:"grantedPermissions" doc:"permissions that were granted"`
	Unsupported []string `json:"unsupportedPermissions" doc:"optional permissions that this browser does not know"`
	Method      string   `json:"grantMethod" doc:"always cdp"`
}

// Text says what was granted.
func (g grantResult) Text() string {
	text := "granted " + strings.Join(g.Granted, ", ") + " to " + g.Origin
	if len(g.Unsupported) > 0 {
		text += "; not supported: " + strings.Join(g.Unsupported, ", ")
	}
	return text
}

// grant gives permissions to an origin. They belong to the browser: they hold in all tabs, until
// the browser is stopped. If a name is not known, nothing is granted. A permission that this
// Chromium refuses is an error if it is required. The others are granted all the same, because all are
// sent before the first is answered.
func grant(ctx context.Context, s *call.Service, r grantRequest) (grantResult, error) {
	done := grantResult{OK: true, Origin: sitedata.OriginOf(r.Origin), Method: "cdp"}
	err := s.Reach(ctx, call.Way{On: r.On, Blind: true}, func(_ browser.Session, tab *browser.Tab) (err error) {
		if slices.ContainsFunc(slices.Concat(r.Permissions, r.Optional), ofClipboard) {
			if err := s.CheckClipboard(ctx, tab.Browser()); err != nil {
				return err
			}
		}
		done.Granted, done.Unsupported, err = tab.BrowserContext().Grant(ctx, done.Origin, r.Permissions, r.Optional)
		return err
	})
	// OpenClaw answers a list, never null.
	if done.Unsupported == nil {
		done.Unsupported = []string{}
	}
	return done, err
}

// ofClipboard reports whether a permission lets pages use the clipboard, in whatever spelling.
func ofClipboard(permission string) bool {
	return strings.Contains(strings.ToLower(permission), "clipboard")
}
