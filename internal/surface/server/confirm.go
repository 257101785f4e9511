package server

import (
	"net/http"
)

// confirm passes on the answer of a person to a question that only a person may answer. The answer
// is accepted only over the Unix socket, since a caller with the token may be an agent.
func (s *Server) confirm(w http.ResponseWriter, r *http.Request) error {
	if !isLocal(r) {
		return forbidden().Hinted("answer on the machine of the server: chela confirm")
	}
	var answer confirmation
	if err := s.readInto(w, r, &answer, "id and choice must be texts"); err != nil {
		return err
	}
	if err := s.o.Confirm(answer.ID, answer.Choice); err != nil {
		return err
	}
	return reply(w, http.StatusOK, doneWith{true, answer.ID})
}

// A confirmation is the answer of a person to a question.
type confirmation struct {
	ID     string `json:"id" doc:"id of the question"`
	Choice string `json:"choice" doc:"one of the question's choices"`
}

// doneWith is the answer to a request that named a thing by its id and changed that thing.
type doneWith struct {
	OK bool   `json:"ok" doc:"always true"`
	ID string `json:"id" doc:"what was named in the request"`
}
