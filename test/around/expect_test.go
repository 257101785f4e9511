package around

import (
	"strings"
	"testing"

	"chela/test/service"
)

// If an expectation is not met, the answer says so and has what is there instead.
func TestExpect(t *testing.T) {
	tab := shared.Open(t, html(`<h1>Order</h1><p role=status>Order pending</p><label>City <input value=Rome></label><label><input type=checkbox> Terms</label><ul><li>Mug<li>Lamp</ul>`))
	city, terms := tab.Ref("City"), tab.Ref("Terms")
	for _, s := range []struct {
		name          string
		request       args
		line, instead string
	}{
		{"text", args{"text": "order pending"}, `Order pending`, ""},
		{"another text", args{"text": "Order confirmed"}, "", `Order pending`},
		{"gone", args{"gone": "Loading"}, "", ""},
		{"not gone", args{"gone": "Lamp"}, "", "Lamp"},
		{"address", args{"url": "/html?is="}, "http", ""},
		{"value", args{"ref": city, "value": "Rome"}, `textbox "City"`, ""},
		{"another value", args{"ref": city, "value": "Oslo"}, "", `"Rome"`},
		{"not checked", args{"ref": terms, "checked": false}, `checkbox "Terms"`, ""},
		{"checked", args{"ref": terms, "checked": "true"}, "", "not checked"},
		{"count", args{"role": "listitem", "count": 2}, "Mug", ""},
		{"another count", args{"role": "listitem", "count": 3}, "", "2"},
	} {
		t.Run(s.name, func(t *testing.T) {
			met := s.instead == ""
			if !met {
				s.request["timeoutMs"] = 2000 // the page is read twice in it, on a busy machine too
			}
			a := tab.OK("POST /expect", s.request)
			a.Has(t, "ok", "true")
			a.Has(t, "met", map[bool]string{true: "true", false: "false"}[met])
			if !strings.Contains(a.Text("line"), s.line) || !strings.Contains(a.Text("instead"), s.instead) || !met && a.Text("line") != "" || met && a.Text("instead") != "" {
				t.Errorf("answered %s", a.Raw)
			}
		})
	}
	for _, s := range []struct {
		request args
		status  int
		code    string
		says    string
	}{
		{args{}, 400, "invalid_request", "expect requires at least one of"},
		{args{"value": "x"}, 400, "invalid_request", "expect requires ref with value"},
		{args{"count": 1}, 400, "invalid_request", "expect requires text, role or ref with count"},
		{args{"role": "link"}, 400, "invalid_request", "expect requires text or count with role"},
		{args{"ref": "e9999", "checked": true}, 404, "unknown_ref", "Unknown ref"},
	} {
		tab.Do("POST /expect", s.request).Fails(t, s.status, s.code, s.says)
	}
}

// An act of another call can bring about what an expectation waits for.
func TestExpectWaitsBesideActs(t *testing.T) {
	tab := shared.Borrow(t, html(`<button onclick="setTimeout(() => out.textContent = 'Order confirmed', 50)">Order</button><p id=out></p>`))
	order := tab.Ref("Order")
	expected := make(chan service.Answer, 1)
	go func() {
		a, _ := tab.Service.Try(t.Context(), "POST /expect", args{"targetId": tab.ID, "text": "confirmed", "timeoutMs": 20000})
		expected <- a
	}()
	tab.Act("click", args{"ref": order})
	a := <-expected
	a.Has(t, "met", "true")
	if !strings.Contains(a.Text("line"), "Order confirmed") {
		t.Errorf("answered %s", a.Raw)
	}
}

// A dialog hides the page: nothing can be said of it.
func TestExpectBehindADialog(t *testing.T) {
	tab := shared.Borrow(t, html(`<button onclick="alert('Stop')">Ask</button>`))
	tab.Click("Ask", nil)
	a := tab.OK("POST /expect", args{"text": "Ask"})
	a.Has(t, "blockedByDialog", "true")
	a.Has(t, "met", "false")
	tab.OK("POST /hooks/dialog", args{"accept": true})
	tab.OK("POST /expect", args{"text": "Ask"}).Has(t, "met", "true")
}
