// Package op describes operations. Each is described once, by [Define]. The HTTP route, the
// command, the action of the agent tool, the JSON schemas and the documentation are made from that
// description. The HTTP server, the command line and the agent tool are called surfaces in this
// program.
//
// Surfaces and operations are separated by JSON objects. A surface makes [Args] of what it was
// given. [Op.Run] decodes, checks and runs them, and returns JSON. So a surface does not care
// whether the operation runs in this process or on a server: both are a [Runner].
//
// The package is a storey of its own, and imports only lower ones. Begin with op.go for the
// operation, param.go for the tags of its parameters, and setting.go for its properties.
package op
