package call

import (
	"errors"
	"fmt"
	"strings"

	"chela/internal/engine/browser"
	"chela/internal/engine/site"
	"chela/internal/op"
)

// explainCookies explains that cookies were refused. It returns nil for any other failure. Chromium
// gives no reason, so the hint lists what it refuses most often. These are values that a cookie may
// not have, and attributes that are valid only together with secure.
func explainCookies(err error) *op.Error {
	refused, ok := errors.AsType[*browser.CookieError](err)
	if !ok {
		return nil
	}
	list := refused.Refused
	more := ""
	if len(list) > maxRefused {
		list, more = list[:maxRefused], fmt.Sprintf(" and %d more", len(list)-maxRefused)
	}
	return op.Errorf(op.Invalid, "the browser refuses %s%s", strings.Join(list, ", "), more).
		Hinted("check the name, value, domain and path; SameSite None, a partition and names with __Secure- or __Host- need secure")
}

// maxRefused is how many cookies an error names.
const maxRefused = 10

// explainStorage explains why a storage cannot be used. It returns nil for any other failure. All
// are conflicts: the request is right, but not for what the tab shows or the storage holds now.
func explainStorage(err error) *op.Error {
	switch {
	case errors.Is(err, site.ErrNoStorage):
		return op.Errorf(op.Conflict, "the page has no storage: its origin is opaque, as that of about:blank").
			Hinted("open a page of the site, or give the origin")
	case errors.Is(err, site.ErrNotShown):
		return op.Errorf(op.Conflict, "the tab shows no page of this origin").
			Hinted("sessionStorage belongs to a tab: navigate the tab to the origin first")
	case errors.Is(err, site.ErrStorageFull):
		return op.Errorf(op.Conflict, "the storage of the origin is full").Hinted("clear it, or store less: it has room for 5 million characters")
	}
	return nil
}

// explainPermission explains that a permission does not exist, or that the browser refuses it. It
// returns nil for any other failure. The first message is OpenClaw's; its hint lists permissions
// that are spelled alike.
func explainPermission(err error) *op.Error {
	unknown, ok := errors.AsType[*browser.PermissionError](err)
	if !ok {
		return nil
	}
	if unknown.Refusal != "" {
		return op.Errorf(op.Invalid, "%v", unknown).Hinted("most permissions are for https origins and for localhost only")
	}
	return op.Errorf(op.Invalid, "%v", unknown).Hinted("%s", op.DidYouMean(unknown.Name, browser.Permissions()))
}

// explainClipboard explains why something is not on the clipboard. It returns nil for any other
// failure.
func explainClipboard(err error) *op.Error {
	if errors.Is(err, site.ErrNoPicture) {
		return op.Errorf(op.Invalid, "the file is no picture that the browser can read").
			Hinted("give a PNG, JPEG, GIF or WebP file, or put text there")
	}
	return nil
}
