package call

import (
	"errors"

	"chela/internal/engine/profile"
	"chela/internal/fleet/keeper"
	"chela/internal/fleet/wire"
	"chela/internal/op"
)

// explainPortable explains why a portable profile cannot run here. It returns nil for any other
// failure.
func explainPortable(err error) *op.Error {
	if none, ok := errors.AsType[*profile.NotKeptError](err); ok {
		return op.Errorf(op.NotSupported, "%v", none).Hinted("chela node --nats URL, or take portable out of browser.profiles.%s", none.Profile)
	}
	failed, ok := errors.AsType[*profile.TakeError](err)
	if !ok {
		return nil
	}
	if elsewhere, ok := errors.AsType[*profile.ElsewhereError](err); ok {
		e := op.Errorf(op.Elsewhere, "%v", elsewhere).Hinted("call it there, or stop its browser there first")
		e.Details = map[string]any{"profile": elsewhere.Profile, "node": elsewhere.Node}
		return e
	}
	if key, ok := errors.AsType[*keeper.KeyError](err); ok {
		return op.Errorf(op.Conflict, "%v", failed).Hinted("%s", keyHint(key))
	}
	if sealed, ok := errors.AsType[*keeper.SealedError](err); ok {
		return op.Errorf(op.Conflict, "%v", sealed).Hinted("give this node the key of the others")
	}
	if newer, ok := errors.AsType[*keeper.VersionError](err); ok {
		return op.Errorf(op.Conflict, "%v", newer).Hinted("update chela on this node")
	}
	switch {
	case errors.Is(err, wire.ErrNoStore):
		return op.Errorf(op.NotSupported, "%v", failed).Hinted("start NATS with JetStream: nats-server -js")
	case errors.Is(err, keeper.ErrEnding):
		return op.Errorf(op.Stopping, "%v", failed)
	}
	return op.Errorf(op.BrowserFailed, "%v", failed).Hinted("run: chela doctor")
}

// keyHint says what to do about the file of keys.
func keyHint(e *keeper.KeyError) string {
	if e.File == "" {
		return "chela node keygen FILE makes a key for all nodes; fleet.keyFile names it on each"
	}
	return "all nodes need the same file, with mode 0600"
}
