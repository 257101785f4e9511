package schema_test

import (
	"fmt"

	"chela/internal/reading/schema"
)

// A schema has a selector for each field; what the page script reads for it becomes JSON of the
// types that it names.
func Example() {
	root, err := schema.Parse([]byte(`{"title": "h1", "items": [{"selector": "tr", "fields": {"name": "td", "price": {"selector": ".price", "type": "number"}}}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	read := schema.ValueOf([]any{"Socks", map[string]any{"of": 2.0, "all": []any{
		[]any{"red", "€4.50"},
		[]any{"blue", nil},
	}}})
	data := schema.Reading{Root: root, Value: read}.Data(nil)
	fmt.Println(string(data.JSON))
	fmt.Println(data.Missing)
	// Output:
	// {"title":"Socks","items":[{"name":"red","price":4.5},{"name":"blue","price":null}]}
	// [items[1].price]
}
