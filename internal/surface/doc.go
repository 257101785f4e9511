// Package surface is the top storey: how calls come in, and what people see.
//
// The server (HTTP), the agent tool (mcp), the command line (cli) and the client that calls a
// server are made from the table of operations. None of them knows an operation by its name. This
// storey imports api, op and the storeys below. To read it, begin with cli/program.go, which puts the
// program together, and server/routes.go, which finds the operation for a request.
package surface
