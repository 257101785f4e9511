package server

import (
	"net/http"

	"chela/internal/op"
)

// confirm gives the answer of a person to a question that only a person may answer. As for shares,
// only the Unix socket has it: a caller with the token may be an agent.
func (s *Server) confirm(w http.ResponseWriter, r *http.Request) error {
	if !isLocal(r) {
		return forbidden().Hinted("answer on the machine of the server: chela confirm")
	}
	var answer struct{ ID, Choice string }
	if err := s.readInto(w, r, &answer, "id and choice must be texts"); err != nil {
		return err
	}
	if err := s.o.Confirm(answer.ID, answer.Choice); err != nil {
		return err
	}
	return reply(w, http.StatusOK, op.Object{"ok": true, "id": answer.ID})
}
