package op

import (
	"net/http"
	"strconv"
)

// Protocol is the version of the messages between a client of chela and its server. It is raised
// when an older server would misread a message, and not when operations, parameters or fields are
// added.
const Protocol = 2

// ProtocolOf returns the version of the messages of a call for a target. A server of version 1
// knows no nodes, and would run the call itself. So a call for a node needs version 2.
func ProtocolOf(t Target) int {
	if t.Remote() {
		return 2
	}
	return 1
}

// ProtocolHeader is the HTTP header by which a client of chela names its Protocol. Other programs
// send none.
const ProtocolHeader = "X-Chela-Protocol"

// CheckProtocol refuses a request of a client whose messages have a newer version than this server
// knows.
func CheckProtocol(h http.Header) error {
	text := h.Get(ProtocolHeader)
	if text == "" {
		return nil
	}
	switch version, err := strconv.Atoi(text); {
	case err != nil || version < 1:
		return Errorf(Invalid, "%s must be a number from 1", ProtocolHeader)
	case version > Protocol:
		return Errorf(Conflict, "the server is older than this client: the client sends messages of version %d, and the server knows %d", version, Protocol).
			Hinted("update chela where the server runs; if that is this machine, chela shutdown ends the server and the next command starts a new one")
	}
	return nil
}
