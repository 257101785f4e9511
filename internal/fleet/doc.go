// Package fleet only documents this storey. Its packages let several machines work as one. A node
// offers the browsers of its machine to others, and a caller picks the machine for each call.
//
// The storey imports op and what is below, and knows no operation by its name. Traits of the rows
// say which calls may run where. Callers and nodes meet at a server of NATS, which only package
// natsline knows.
//
// To read it, begin with wire, the messages. Then come node, which answers calls, and roster, which
// knows the nodes that there are. Package remote makes a call on one node; it is an [op.Runner].
// Package route is also one: it runs each call here or on a node. For calls without a tab, package
// schedule chooses, and in package queue they wait for a place. Package keeper keeps the profiles
// that may move between nodes.
package fleet
