package op

import "context"

// A Surface is the way by which a call came: HTTP, the command line or the agent tool. As in
// OpenClaw, a caller of the HTTP API gets exactly what it asks for. Commands and the agent tool
// have defaults.
type Surface string

// The surfaces. Calls of unknown surfaces count as HTTP.
const (
	OverHTTP    Surface = ""
	CommandLine Surface = "command"
	AgentTool   Surface = "tool"
	Dashboard   Surface = "dashboard"
)

// SurfaceNamed returns the surface that a client names. Nobody can name the dashboard, where a
// person may see and do more: only the server says that a call came from it.
func SurfaceNamed(name string) Surface {
	if s := Surface(name); s != Dashboard {
		return s
	}
	return OverHTTP
}

// SurfaceHeader is the HTTP header in which a client names its [Surface].
const SurfaceHeader = "X-Chela-Surface"

type surfaceKey struct{}

// WithSurface returns a context for calls of a surface.
func WithSurface(ctx context.Context, s Surface) context.Context {
	return context.WithValue(ctx, surfaceKey{}, s)
}

// SurfaceOf returns the surface of the call of ctx.
func SurfaceOf(ctx context.Context) Surface {
	s, _ := ctx.Value(surfaceKey{}).(Surface)
	return s
}
