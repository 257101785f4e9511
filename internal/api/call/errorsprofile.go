package call

import (
	"errors"

	"chela/internal/base/config"
	"chela/internal/engine/chrome"
	"chela/internal/engine/profile"
	"chela/internal/op"
)

// explainProfile explains why a profile could not be made, reset or deleted. It returns nil for any
// other failure. Most messages are OpenClaw's.
func explainProfile(err error) *op.Error {
	if exists, ok := errors.AsType[*profile.ExistsError](err); ok {
		return op.Errorf(op.Conflict, "%v", exists).Hinted("choose another name")
	}
	if dir, ok := errors.AsType[*profile.DirError](err); ok {
		return op.Errorf(op.Invalid, "%v", dir)
	}
	if errors.Is(err, profile.ErrNoPort) {
		return op.Errorf(op.NoPort, "%v", profile.ErrNoPort).Hinted("delete a profile that is not used any more")
	}
	if remote, ok := errors.AsType[*profile.RemoteError](err); ok {
		return op.Errorf(op.Invalid, "reset-profile is only supported for local profiles (profile %q is remote).", remote.Profile)
	}
	if locked, ok := errors.AsType[*chrome.LockedError](err); ok {
		return op.Errorf(op.Conflict, "%v, and it is not certain that it is a browser", locked).
			Hinted("end process %d, then call again", locked.PID)
	}
	if first, ok := errors.AsType[*profile.DefaultError](err); ok {
		return op.Errorf(op.Invalid, "cannot delete the default profile %q; change browser.defaultProfile first", first.Name)
	}
	if absent, ok := errors.AsType[*profile.AbsentError](err); ok {
		return op.Errorf(op.NotFound, "profile %q not found", absent.Name).
			Hinted("list the profiles; those that are always there cannot be deleted")
	}
	if changed, ok := errors.AsType[*profile.ChangedError](err); ok {
		return op.Errorf(op.Conflict, "%v", changed)
	}
	if outdated, ok := errors.AsType[*config.OutdatedError](err); ok {
		return op.Errorf(op.Conflict, "%v", outdated).Hinted("the user can correct the configuration file, or put it back")
	}
	if fixed, ok := errors.AsType[*config.UneditableError](err); ok {
		return op.Errorf(op.Conflict, "%v", fixed).Hinted("remove the profile from the file by hand")
	}
	return nil
}
