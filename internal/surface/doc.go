// Package surface is the top storey: how calls come in, and what people see.
//
// The server (HTTP), the agent tool (mcp), the command line (cli) and the client that calls a
// server are made from the table of operations. None of them knows an operation by its name. This
// storey imports api, op and what is below. Where to begin: cli/program.go puts the program
// together, and server/routes.go leads a request to its operation.
package surface
