// Package fleet only documents this storey. Its packages let several machines work as one. A node
// offers the browsers of its machine to others, and a caller picks the machine for each call.
//
// The storey imports op and what is below, and knows no operation by its name. Traits of the
// operations say which calls may run where. Callers and nodes meet at a server of NATS, which only
// package natsline knows.
//
// To read it, begin with wire, the messages. Then come node, which answers calls, and roster, which
// knows the nodes that there are. Package remote has an [op.Runner] that makes a call on one node.
// The one in package route runs each call here or on a node. Calls without a tab need a place: room
// for one more call on some machine. Package schedule chooses the machine, and package queue lets
// calls wait for a place. Package keeper keeps the profiles that may move between nodes.
package fleet
