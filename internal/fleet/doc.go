// Package fleet only documents the packages in this folder. They let several machines work as one.
// A node offers the browsers of its machine to others, and a caller picks the machine for each
// call.
//
// Each of them imports only others of them, op, and the packages below op. None knows an operation
// by its name. Traits of the operations say which calls may run where. Callers and nodes connect to
// a NATS server. Only package natsline knows NATS.
//
// To read it, begin with wire, the messages. Then come node, which answers calls, and roster, which
// lists the connected nodes. Package remote has an [op.Runner] that makes a call on one node.
// Package route has an [op.Runner] that runs each call here or on a node. Calls without a tab need
// a place: room for one more call on some machine. Package schedule chooses the machine, and
// package queue lets calls wait for a place. Package keeper keeps the profiles that may move
// between nodes.
package fleet
