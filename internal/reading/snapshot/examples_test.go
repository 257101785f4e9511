package snapshot_test

import (
	"fmt"

	"chela/internal/reading/snapshot"
)

// The page script makes a line of each element: depth, role, ref, name and state, with tabs between
// them.
func Example() {
	root := &snapshot.Frame{Walk: &snapshot.Walk{Lines: "0\tmain\n" +
		"1\theading\t\tSocks\t\tlevel=1\n" +
		"1\tlink\t2\tCart\n" +
		"1\tbutton\t3\tBuy\t\tdisabled"}}
	fmt.Println(snapshot.Render(root, snapshot.Options{}).Text)
	fmt.Println(snapshot.Render(root, snapshot.Options{Interactive: true}).Text)
	// Output:
	// - main:
	//   - heading "Socks" [level=1]
	//   - link "Cart" [ref=e2]
	//   - button "Buy" [disabled] [ref=e3]
	// - link "Cart" [ref=e2]
	// - button "Buy" [disabled] [ref=e3]
}
