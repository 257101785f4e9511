package server

import (
	"encoding/json"
	"net/http"

	"chela/internal/op"
)

// pair answers with a new key for the extension in a browser. Only a caller on the Unix socket gets
// one. A caller with the token may use browsers that share tabs, but must not be able to pretend to be
// such a browser.
func (s *Server) pair(w http.ResponseWriter, r *http.Request) error {
	if !isLocal(r) {
		return forbidden().Hinted("only programs on this machine are given keys, by the Unix socket; run chela extension pair")
	}
	var of keyRequest
	args, err := s.readBody(w, r)
	if err != nil {
		return err
	}
	if json.Unmarshal(args["name"], &of.Name) != nil {
		return op.Errorf(op.Invalid, "name must be the browser's")
	}
	id, key, err := s.o.Pair(of.Name)
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, extensionKey{key, id})
}

// A keyRequest asks for a key for the extension in a browser.
type keyRequest struct {
	Name string `json:"name" doc:"name of the browser, as the list of browsers shows it"`
}

// An extensionKey is a key with which the extension in a browser connects.
type extensionKey struct {
	Key string `json:"key" doc:"the key"`
	ID  string `json:"keyId" doc:"name of the key"`
}
