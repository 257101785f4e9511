package around

import "testing"

// A fill that fails says how many fields it has filled, as those stay filled.
func TestFillThatFails(t *testing.T) {
	tab := shared.Borrow(t, html(`<input aria-label="First"><input aria-label="Second"><input type=file aria-label="Third">`))
	first, second, third := tab.Ref("First"), tab.Ref("Second"), tab.Ref("Third")
	field := func(ref string) args { return args{"ref": ref, "value": "x"} }
	for _, test := range []struct {
		fields []args
		filled string
	}{
		{[]args{field(third), field(first)}, ""},
		{[]args{field(first), field("e99")}, "1"},
		{[]args{field(first), field(second), field(third)}, "2"},
	} {
		fill := args{"kind": "fill", "fields": test.fields}
		alone := tab.Do("POST /act", fill)
		if alone.Status < 400 || alone.Text("details.filled") != test.filled {
			t.Errorf("%v: %d %s", test.fields, alone.Status, alone.Raw)
		}
		batched := tab.Act("batch", args{"actions": []args{fill}})
		if batched.Text("results.0.details.filled") != test.filled {
			t.Errorf("%v in a batch: %s", test.fields, batched.Raw)
		}
	}
}

// A combobox without a field of its own takes no text. The hint names what does choose there.
func TestTypeIntoACombobox(t *testing.T) {
	tab := shared.Open(t, html(`<div role=combobox aria-label=Status aria-haspopup=listbox aria-expanded=false tabindex=0>Draft</div>`))
	tab.Do("POST /act", args{"kind": "type", "ref": tab.Ref("Status"), "text": "Live"}).
		Has(t, "hint", "use select, which chooses an option of it by its text")
}
