package server

import (
	"encoding/json"
	"net/http"

	"chela/internal/op"
)

// pair answers with a new key for the extension in a browser. Only a caller on the Unix socket gets
// one. A caller with the token may use shared browsers, but not impersonate one.
func (s *Server) pair(w http.ResponseWriter, r *http.Request) error {
	if !isLocal(r) {
		return forbidden().Hinted("only programs on this machine are given keys, by the Unix socket; run chela extension pair")
	}
	args, err := s.readBody(w, r)
	if err != nil {
		return err
	}
	var name string
	if json.Unmarshal(args["name"], &name) != nil {
		return op.Errorf(op.Invalid, "name must be the browser's")
	}
	id, key, err := s.o.Pair(name)
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, op.Object{"keyId": id, "key": key})
}
