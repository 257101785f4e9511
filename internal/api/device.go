package api

import (
	"context"

	"chela/internal/api/call"
	"chela/internal/engine/device"
	"chela/internal/engine/setting"
)

// A deviceRequest names a device of the table. The tab of the call gets its size also if it was
// resized before: the last word counts. Other tabs that were resized keep their size.
type deviceRequest struct {
	clearable
	Name string `json:"name,omitempty" doc:"name of the device, as Playwright has it" tool:"-"`
}

// Check answers in OpenClaw's words. The name is looked up when the settings are changed.
func (r deviceRequest) Check() error { return r.needs("name", r.Name) }

// deviceSet has the name as it is in the table: callers may write it in small letters.
type deviceSet struct {
	changed
	Device string `json:"device,omitempty" doc:"name of the device"`
}

// setDevice changes nothing if there is no such device; the error names some that there are.
func setDevice(ctx context.Context, t *call.Turn, r deviceRequest) (done deviceSet, err error) {
	name := r.Name
	if r.Clear = r.Clear || name == "none"; r.Clear {
		name = "none"
	}
	err = t.Tab.Set(ctx, func(c *setting.Common) error {
		err := setDeviceOf(c, name)
		done = deviceSet{r.changed(""), c.Device}
		return err
	})
	if err != nil || r.Clear {
		return done, err
	}
	return done, t.Tab.Resize(ctx, setting.Viewport{})
}

// setDeviceOf sets the device of a name; none is no device, and "" leaves it as it was.
// The error is a [*device.UnknownError].
func setDeviceOf(c *setting.Common, name string) error {
	if name == "" || name == "none" {
		c.Device = unlessNone(name, c.Device)
		return nil
	}
	known, _, err := device.Named(name)
	c.Device = known
	return err
}
