package around

import "testing"

// Checking, clearing and focusing answer as acts do, with the effects that they had.
func TestFieldActs(t *testing.T) {
	tab := shared.Borrow(t, html(`<label><input type=checkbox> Terms</label><label>City <input value=Rome></label><label>Fixed <input value=x oninput="value = 'x'"></label>`))
	terms, city, fixed := tab.Ref("Terms"), tab.Ref("City"), tab.Ref("Fixed")
	for _, s := range []struct{ kind, ref, effects, value string }{
		{"check", terms, "changed", ""},
		{"check", terms, "", ""},
		{"uncheck", terms, "changed", ""},
		{"focus", city, "", ""},
		{"clear", city, "changed", ""},
		{"clear", fixed, "changed", "x"},
	} {
		a := tab.Act(s.kind, args{"ref": s.ref})
		if a.Text("effects.0") != s.effects || a.Text("value") != s.value {
			t.Errorf("%s: %s", s.kind, a.Raw)
		}
	}
	tab.Do("POST /act", args{"kind": "check", "ref": city}).Fails(t, 422, "ACT_OPERATION_FAILED", "is nothing that can be checked")
	tab.Do("POST /act", args{"kind": "check"}).Fails(t, 400, "ACT_INVALID_REQUEST", "ref is required")
}

// If a date field refuses a text, the error names the format that the field takes.
func TestFieldFormats(t *testing.T) {
	tab := shared.Borrow(t, html(`<input type=date aria-label=Day><input type=range aria-label=Share max=10 step=2><div role=slider tabindex=0 aria-label=Warmth aria-valuenow=25.5 aria-valuemax=38>25.5</div>`))
	day, share := tab.Ref("Day"), tab.Ref("Share")
	tab.Act("type", args{"ref": day, "text": "24 Dec 2026"}).Has(t, "value", "2026-12-24")
	a := tab.Do("POST /act", args{"kind": "type", "ref": day, "text": "03/04/2026"})
	a.Fails(t, 422, "ACT_OPERATION_FAILED", "may mean 2026-04-03 or 2026-03-04")
	a.Has(t, "hint", "it takes a date: 2026-12-24 (or 24 Dec 2026, 24.12.2026, 12/24/2026)")
	fill := tab.Do("POST /act", args{"kind": "fill", "fields": []args{{"ref": share, "value": "50%"}, {"ref": share, "value": 3}}})
	fill.Fails(t, 422, "ACT_OPERATION_FAILED", "rejected the value format")
	fill.Has(t, "hint", "it takes a number from 0 to 10 in steps of 2, or a share such as 50%")
	fill.Has(t, "details.filled", "1")
	tab.Do("POST /act", args{"kind": "type", "ref": tab.Ref("Warmth"), "text": "99"}).Has(t, "hint", "it takes a number from 0 to 38, or a share such as 50%")
}

// If a list of ARIA does not have an option, the error lists the first options that the list has. It
// says how many more there are.
func TestSelectFromAListbox(t *testing.T) {
	tab := shared.Borrow(t, html(`<button role=combobox aria-label=Fruit aria-expanded=false aria-controls=l onclick="l.hidden = !l.hidden; ariaExpanded = String(!l.hidden)">Choose</button>
		<ul id=l role=listbox hidden onclick="const b = document.querySelector('button'); b.textContent = event.target.textContent; b.click()"><li role=option>Fig<li role=option>Lime</ul>`))
	fruit := tab.Ref("Fruit")
	if a := tab.Act("select", args{"ref": fruit, "values": []string{"Lime"}}); a.Text("effects.0") != "changed" {
		t.Errorf("answered %s", a.Raw)
	}
	tab.Do("POST /act", args{"kind": "select", "ref": fruit, "values": []string{"Kiwi"}}).
		Fails(t, 422, "ACT_OPERATION_FAILED", `has no option "Kiwi"; it has ["Fig" "Lime"].`)
	tab.Eval("() => { for (let i = 0; i < 30; i++) l.insertAdjacentHTML('beforeend', `<li role=option>Pear ${i}`) }")
	tab.Do("POST /act", args{"kind": "select", "ref": fruit, "values": []string{"Kiwi"}}).
		Fails(t, 422, "ACT_OPERATION_FAILED", `"Pear 17"] and 12 more.`)
}
