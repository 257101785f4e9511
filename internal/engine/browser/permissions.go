package browser

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	protobrowser "github.com/chromedp/cdproto/browser"
	protocol "github.com/chromedp/cdproto/cdp"

	"chela/internal/engine/cdp"
)

// A PermissionError says that a permission was not granted: no permission has this name, or
// Chromium refused.
type PermissionError struct {
	Name    string
	Refusal string // Chromium's message; "": Chromium was not asked
}

func (e *PermissionError) Error() string {
	if e.Refusal != "" {
		return "the browser does not grant " + e.Name + ": " + e.Refusal
	}
	return "Unknown permission type: " + e.Name
}

// permissions maps the names of permissions to the descriptors for Browser.setPermission, which
// sets one permission alone. The map has Playwright's names, and the names in the protocol's type
// Browser.PermissionType. The command Browser.grantPermissions, which uses that type, is not used:
// it revokes the origin's permissions that are not in its list.
var permissions = sync.OnceValue(func() map[string]protobrowser.PermissionDescriptor {
	return map[string]protobrowser.PermissionDescriptor{
		"audioCapture":            {Name: "microphone"},
		"automaticFullscreen":     {Name: "fullscreen", AllowWithoutGesture: true},
		"backgroundFetch":         {Name: "background-fetch"},
		"backgroundSync":          {Name: "background-sync"},
		"cameraPanTiltZoom":       {Name: "camera", PanTiltZoom: true},
		"capturedSurfaceControl":  {Name: "captured-surface-control"},
		"clipboardReadWrite":      {Name: "clipboard-write", AllowWithoutSanitization: true},
		"clipboardSanitizedWrite": {Name: "clipboard-write"},
		"displayCapture":          {Name: "display-capture"},
		"durableStorage":          {Name: "persistent-storage"},
		"geolocation":             {Name: "geolocation"},
		"idleDetection":           {Name: "idle-detection"},
		"keyboardLock":            {Name: "keyboard-lock"},
		"localFonts":              {Name: "local-fonts"},
		"localNetwork":            {Name: "local-network"},
		"localNetworkAccess":      {Name: "local-network-access"},
		"loopbackNetwork":         {Name: "loopback-network"},
		"midi":                    {Name: "midi"},
		"midiSysex":               {Name: "midi", Sysex: true},
		"nfc":                     {Name: "nfc"},
		"notifications":           {Name: "notifications"},
		"paymentHandler":          {Name: "payment-handler"},
		"periodicBackgroundSync":  {Name: "periodic-background-sync"},
		"pointerLock":             {Name: "pointer-lock"},
		"sensors":                 {Name: "accelerometer"},
		"smartCard":               {Name: "smart-card"},
		"speakerSelection":        {Name: "speaker-selection"},
		"storageAccess":           {Name: "storage-access"},
		"topLevelStorageAccess":   {Name: "top-level-storage-access"},
		"videoCapture":            {Name: "camera"},
		"wakeLockScreen":          {Name: "screen-wake-lock"},
		"wakeLockSystem":          {Name: "system-wake-lock"},
		"webAppInstallation":      {Name: "web-app-installation"},
		"webPrinting":             {Name: "web-printing"},
		"windowManagement":        {Name: "window-management"},

		// Names that Playwright uses, where Chromium has others.
		"accelerometer":        {Name: "accelerometer"},
		"ambient-light-sensor": {Name: "ambient-light-sensor"},
		"background-sync":      {Name: "background-sync"},
		"camera":               {Name: "camera"},
		"clipboard-read":       {Name: "clipboard-read"},
		"clipboard-write":      {Name: "clipboard-write"},
		"gyroscope":            {Name: "gyroscope"},
		"local-fonts":          {Name: "local-fonts"},
		"local-network-access": {Name: "local-network-access"},
		"magnetometer":         {Name: "magnetometer"},
		"microphone":           {Name: "microphone"},
		"midi-sysex":           {Name: "midi", Sysex: true},
		"payment-handler":      {Name: "payment-handler"},
		"storage-access":       {Name: "storage-access"},
	}
})

// A Grant lists the permissions that an origin has been given.
type Grant struct {
	Origin      string   `json:"origin"`
	Permissions []string `json:"permissions"`
}

// maxGrants limits for how many origins permissions are kept for the next browser.
const maxGrants = 100

// Grant gives an origin permissions, in addition to those that it has. Names are as in the DevTools
// protocol or in Playwright. An optional permission that does not exist, or that Chromium refuses,
// is returned as unsupported. A required one gives a [*PermissionError]. If the name of a required
// one is unknown, nothing is granted. Other errors come from the protocol.
func (bc *BrowserContext) Grant(ctx context.Context, origin string, required, optional []string) (granted, unsupported []string, err error) {
	for _, name := range required {
		if _, known := permissions()[name]; !known {
			return nil, nil, &PermissionError{Name: name}
		}
	}
	id, err := bc.ensure(ctx)
	if err != nil {
		return nil, nil, err
	}
	// All commands are sent before the first reply is awaited, so they take one round trip.
	names := slices.Concat(required, optional)
	replies := make([]*cdp.Reply[protocol.Empty], len(names))
	for i, name := range names {
		if p, known := permissions()[name]; known {
			replies[i] = bc.grant(id, origin, p)
		}
	}
	// Even if one is refused, the others are granted, and recorded for the next browser.
	for i, reply := range replies {
		failed := error(&PermissionError{Name: names[i]})
		if reply != nil {
			failed = refusalOf(ctx, reply, names[i])
		}
		_, refused := errors.AsType[*PermissionError](failed)
		switch {
		case failed == nil:
			granted = append(granted, names[i])
		case refused && i >= len(required):
			unsupported = append(unsupported, names[i])
		default:
			err = cmp.Or(err, failed)
		}
	}
	if len(granted) > 0 {
		bc.keepGrant(origin, granted)
	}
	return granted, unsupported, err
}

// refusalOf waits for the reply to a grant. It returns a [*PermissionError] if Chromium refuses: a
// version without this permission does so, or the origin may not have it. Other errors come from
// the protocol.
func refusalOf(ctx context.Context, reply *cdp.Reply[protocol.Empty], name string) error {
	_, err := reply.Wait(ctx)
	if refusal, ok := errors.AsType[*cdp.Error](err); ok && !refusal.Unknown() {
		return &PermissionError{name, refusal.Message}
	}
	return err
}

func (bc *BrowserContext) grant(id protocol.BrowserContextID, origin string, p protobrowser.PermissionDescriptor) *cdp.Reply[protocol.Empty] {
	return cdp.Send(bc.browser.conn.Root(), protobrowser.SetPermission, protobrowser.SetPermissionParams{
		Permission: &p, Setting: protobrowser.PermissionSettingGranted, Origin: origin, BrowserContextID: id,
	})
}

// keepGrant records granted permissions for the next browser.
func (bc *BrowserContext) keepGrant(origin string, names []string) {
	bc.browser.mu.Lock()
	defer bc.browser.mu.Unlock()
	grants := map[string]bool{}
	i := slices.IndexFunc(bc.grants, func(g Grant) bool { return g.Origin == origin })
	if i >= 0 {
		for _, name := range bc.grants[i].Permissions {
			grants[name] = true
		}
		bc.grants = slices.Delete(slices.Clone(bc.grants), i, i+1) // a Memory may have the old list
	}
	for _, name := range names {
		grants[name] = true
	}
	bc.grants = append(bc.grants[max(0, len(bc.grants)+1-maxGrants):len(bc.grants):len(bc.grants)], Grant{origin, slices.Sorted(maps.Keys(grants))})
	bc.browser.kept.raise()
}

// sendGrants gives origins the permissions that they had in the last browser. It does not wait for
// the replies: commands run in order, and pages are opened later.
func (b *Browser) sendGrants(grants []Grant) {
	for _, g := range grants {
		for _, name := range g.Permissions {
			if p, known := permissions()[name]; known {
				b.grant("", g.Origin, p)
			}
		}
	}
}

// Permissions lists the names of all permissions.
func Permissions() []string { return slices.Sorted(maps.Keys(permissions())) }
