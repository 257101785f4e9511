package watched

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chela/test/service"
)

// asked asks in the background. It returns when the question is listed, with its id.
func asked(t *testing.T, s *service.Service, with args) (id string, answer <-chan service.Answer) {
	t.Helper()
	answers := make(chan service.Answer, 1)
	go func() {
		a, _ := s.Try(context.WithoutCancel(t.Context()), "POST /ask", with)
		answers <- a
	}()
	service.Eventually(t, "the question is listed", func() bool {
		id = idOf(t, with["message"].(string), "waiting")
		return id != ""
	})
	return id, answers
}

// idOf is the id of the question with a message and a state; "" if there is none.
func idOf(t *testing.T, message, state string) string {
	t.Helper()
	list := shared.OK(t, "GET /asks", nil)
	for i := range list.Count("asks") {
		at := "asks." + string(rune('0'+i))
		if list.Text(at+".message") == message && list.Text(at+".state") == state {
			return list.Text(at + ".id")
		}
	}
	return ""
}

// An agent asks and waits; a person sees the question and answers it, by a choice and a note.
func TestAsk(t *testing.T) {
	agent := shared.In("asking")
	defer agent.OK(t, "POST /sessions/end", args{})
	tab := agent.Open(t, html("<p>Log in"))
	id, answer := asked(t, agent, args{"message": "Please log in", "choices": []string{"Done", "Cannot"}, "targetId": tab.ID})
	list := shared.OK(t, "GET /asks", nil)
	for _, want := range []string{`"session":"asking"`, `"tabId":"` + tab.ID + `"`, `"choices":["Done","Cannot"]`, `"until":"`, `"profile":"chela"`} {
		if !strings.Contains(list.Raw, want) {
			t.Errorf("no %s in %s", want, list.Raw)
		}
	}
	tab.OK("GET /snapshot", nil) // a waiting question keeps no other call from the tab
	shared.Do(t, "POST /asks/answer", args{"id": id, "choice": "Maybe"}).Fails(t, 400, "invalid_request", `"Maybe" is none of the choices`)
	shared.OK(t, "POST /asks/answer", args{"id": id, "choice": "Done", "note": "As Ada"})
	got := <-answer
	if got.Status != 200 || got.Get("answered") != true || got.Text("choice") != "Done" || got.Text("note") != "As Ada" {
		t.Errorf("got %d %s", got.Status, got.Raw)
	}
	shared.Do(t, "POST /asks/answer", args{"id": id}).Fails(t, 409, "conflict", "has been answered")
	if idOf(t, "Please log in", "answered") != "" {
		t.Error("the question is still listed")
	}
}

// A question that nobody answers expires after its time.
func TestAskExpires(t *testing.T) {
	a := shared.OK(t, "POST /ask", args{"message": "Anybody?", "timeoutMs": 1000})
	if a.Get("expired") != true || a.Get("answered") != false {
		t.Errorf("got %s", a.Raw)
	}
	if list := shared.OK(t, "GET /asks", nil).Raw; strings.Contains(list, "Anybody?") {
		t.Errorf("it is still listed: %s", list)
	}
}

// A caller that has gone asks again, by the same call, and gets the answer that came meanwhile.
func TestAskAgain(t *testing.T) {
	question := args{"message": "Which one?", "timeoutMs": 60_000}
	ctx, leave := context.WithCancel(t.Context())
	gone := make(chan struct{})
	go func() {
		shared.Try(ctx, "POST /ask", question)
		close(gone)
	}()
	id := ""
	service.Eventually(t, "the question is listed", func() bool { id = idOf(t, "Which one?", "waiting"); return id != "" })
	leave()
	<-gone
	service.Eventually(t, "nobody waits for the answer", func() bool { return idOf(t, "Which one?", "pending") == id })
	shared.OK(t, "POST /asks/answer", args{"id": id, "note": "The first"})
	if idOf(t, "Which one?", "answered") != id {
		t.Error("the answer is not kept")
	}
	for _, again := range []args{question, {"id": id}} {
		if a := shared.OK(t, "POST /ask", again); a.Text("note") != "The first" {
			t.Errorf("%v: got %s", again, a.Raw)
		}
	}
	shared.In("another").Do(t, "POST /ask", args{"id": id}).Fails(t, 404, "not_found", "there is no question")
}

// A question ends with its session. The call that waits for its answer fails with that reason.
func TestAskEndsWithItsSession(t *testing.T) {
	id, answer := asked(t, shared.In("ending"), args{"message": "Still there?"})
	shared.OK(t, "POST /sessions/end", args{"session": "ending"})
	got := <-answer
	got.Fails(t, 409, "conflict", "the session of the question has ended")
	shared.Do(t, "POST /asks/answer", args{"id": id}).Fails(t, 404, "not_found", "there is no question")
}

// What is not a question is refused, and a session with limits neither sees questions nor answers.
func TestAskRefuses(t *testing.T) {
	for _, s := range []struct {
		with    args
		message string
	}{
		{args{}, "message is required"},
		{args{"message": " "}, "message"},
		{args{"message": strings.Repeat("x", 2001)}, "message must have at most 2000 characters"},
		{args{"message": "a", "choices": strings.Split("abcdefghijklm", "")}, "choices must be at most 12"},
		{args{"message": "a", "choices": []string{strings.Repeat("x", 201)}}, "choices must have at most 200 characters"},
		{args{"message": "a", "choices": []string{""}}, "choices"},
		{args{"message": "a", "timeoutMs": 999}, "from 1 second to 24 hours"},
		{args{"message": "a", "timeoutMs": 86_400_001}, "from 1 second to 24 hours"},
		{args{"message": "a", "id": "q1"}, "id cannot be combined with message"},
	} {
		shared.Do(t, "POST /ask", s.with).Fails(t, 400, "invalid_request", s.message)
	}
	shared.Do(t, "POST /ask", args{"message": "a", "targetId": "t9999"}).Fails(t, 404, "not_found", "tab not found")
	limited := shared.In("limited-ask")
	tab := limited.OK(t, "POST /tabs/open", args{"url": html("x"), "isolated": true, "allowHosts": []string{"127.0.0.1"}}).Text("tabId")
	for request, with := range map[string]args{
		"GET /asks": nil, "POST /asks/answer": {"id": "q1"}, "POST /takeover": {"targetId": tab}, "POST /giveback": {"targetId": tab},
	} {
		limited.Do(t, request, with).Fails(t, 403, "forbidden", "this session may open only some hosts")
	}
	shared.OK(t, "POST /sessions/end", args{"session": "limited-ask"})
}

// A program of the configuration is run when a question comes. The call does not wait for it, and
// the doctor says when it fails.
func TestAskNotifies(t *testing.T) {
	file := filepath.Join(t.TempDir(), "told")
	s := service.Own(t, fmt.Sprintf(`{browser: {noSandbox: true, headless: true}, dashboard: {notify: ["sh", "-c", "cat > $0; test \"$1\" = Good", %q, "{{message}}"]}}`, file))
	told := func(message string) {
		t.Helper()
		if a := s.OK(t, "POST /ask", args{"message": message, "timeoutMs": 1000}); a.Get("expired") != true {
			t.Errorf("got %s", a.Raw)
		}
		service.Eventually(t, "the person is told", func() bool {
			raw, _ := os.ReadFile(file)
			return strings.Contains(string(raw), `"event":"question"`) && strings.Contains(string(raw), `"message":"`+message+`"`)
		})
	}
	found := func(status string) {
		t.Helper()
		service.Eventually(t, "the doctor finds "+status, func() bool {
			return strings.Contains(s.OK(t, "GET /doctor", nil).Raw, `{"id":"notify","label":"Notifications","status":"`+status+`"`)
		})
	}
	told("Good")
	found("pass")
	told("Bad")
	found("warn")
}
