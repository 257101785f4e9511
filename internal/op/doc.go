// Package op describes operations. Each is described once, by [Define]. The HTTP route, the
// command, the action of the agent tool, the JSON schemas and the documentation are made from that
// description. The HTTP server, the command line and the agent tool are called surfaces in this
// program.
//
// Surfaces and operations exchange only JSON objects. A surface turns a request or a command line
// into [Args]. [Op.Run] decodes and checks these, runs the operation, and returns JSON. So a
// surface does not care whether the operation runs in this process or on a server: both are a
// [Runner].
//
// The package is a layer of its own, and imports only packages of lower layers. Begin with op.go
// for the operation, param.go for the tags of its parameters, and setting.go for its properties.
package op
