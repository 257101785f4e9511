package op_test

import (
	"context"
	"encoding/json"
	"fmt"

	"chela/internal/op"
)

// An operation consists of a row of the table, a request type whose tags describe the parameters,
// and a function.
func Example() {
	type request struct {
		Ref    string `json:"ref" doc:"element, from a snapshot"`
		Double bool   `json:"doubleClick,omitempty" flag:"double" doc:"click twice"`
	}
	type result struct {
		Clicked string `json:"clicked" doc:"the element"`
	}
	type browser struct{} // in place of the browser that operations act on
	click := op.Define("POST /act kind=click", "click {ref}", "Click an element.",
		func(_ context.Context, _ browser, r request) (result, error) { return result{r.Ref}, nil })

	answer, err := click.Run(context.Background(), browser{}, op.Args{"ref": json.RawMessage(`"e12"`)})
	fmt.Println(click.Name(), string(answer), err)
	_, err = click.Run(context.Background(), browser{}, op.Args{})
	fmt.Println(err)
	// Output:
	// click {"clicked":"e12"} <nil>
	// ref is required
}
