// Package op describes operations. Each is described once, by [Define], and all that offers it is
// made from that description. This includes the HTTP route, the command, the action of the agent
// tool, the JSON schemas and the documentation. What offers operations is called a surface in this
// program.
//
// Surfaces and operations are separated by JSON objects. A surface makes [Args] of what it was
// given. [Op.Run] decodes, checks and runs them, and returns JSON. So a surface does not care
// whether the operation runs in this process or on a server: both are a [Runner].
//
// The package is a storey of its own, and imports base. Where to begin: op.go for the operation,
// param.go for the tags of its parameters, setting.go for its properties.
package op
