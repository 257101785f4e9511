package call

import (
	"errors"

	"chela/internal/base/media"
	"chela/internal/op"
)

// ExplainPath explains why a path is refused, and which folder is allowed. It returns other errors as
// they are.
func ExplainPath(err error) error {
	e, ok := errors.AsType[*media.PathError](err)
	if !ok {
		return err
	}
	return op.Errorf(op.Invalid, "%s", e.Message).Hinted("%s", e.Hint())
}
