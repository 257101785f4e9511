package api

import (
	"context"

	"chela/internal/api/call"
	"chela/internal/engine/device"
	"chela/internal/engine/setting"
)

// A deviceRequest names a device that package device knows.
type deviceRequest struct {
	clearable
	Name string `json:"name,omitempty" doc:"name of the device in Playwright's list" tool:"-"`
}

// Check returns errors with OpenClaw's texts. The name is looked up when the settings are changed.
func (r deviceRequest) Check() error { return r.needs("name", r.Name) }

// deviceSet has the name as package device spells it: callers may write it in lower case.
type deviceSet struct {
	changed
	Device string `json:"device,omitempty" doc:"name of the device"`
}

// setDevice emulates a device. If there is no such device it changes nothing, and the error lists
// some that exist.
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
	if err != nil {
		return done, err
	}
	return done, takeSizeOf(ctx, t, name)
}

// takeSizeOf gives the tab of the call the size of a device, even if the tab was resized before, since
// the last call decides. Other tabs that were resized keep their size. With the name none or "",
// this tab keeps its size as well.
func takeSizeOf(ctx context.Context, t *call.Turn, name string) error {
	if name == "" || name == "none" {
		return nil
	}
	return t.Tab.Resize(ctx, setting.Viewport{})
}

// setDeviceOf changes the settings to a device. The name none turns emulation off, and "" leaves
// the setting as it was. The error is a [*device.UnknownError].
func setDeviceOf(c *setting.Common, name string) error {
	if name == "" || name == "none" {
		c.Device = unlessNone(name, c.Device)
		return nil
	}
	known, _, err := device.Named(name)
	c.Device = known
	return err
}
