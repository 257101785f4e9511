package pagejs_test

import "testing"

// A closed list may stay laid out, where nobody sees it. It covers nothing, so its control is clicked at
// once. The control of a list that can still be seen is clicked later.
func TestOpenerWaitsForAListThatIsSeen(t *testing.T) {
	for style, want := range map[string]string{
		"opacity:0;pointer-events:none":   "at once",
		"position:absolute;left:-9999px":  "at once",
		"position:fixed;left:0;top:100vh": "at once",
		"":                                "later",
	} {
		p := show(t, `<button id=opener role=combobox aria-expanded=false aria-controls=list>Pick</button>
			<div id=list role=listbox style="`+style+`"><div role=option>One</div></div>`)
		var got string
		p.eval(&got, `(async () => {
			const number = chela.refOf(document.querySelector('#opener'))
			await chela.beginChoice(number, Infinity)
			const task = new Promise(resolve => setTimeout(resolve))
			return Promise.race([chela.openerOf(number, performance.now() + 20000).then(() => 'at once'), task.then(() => 'later')])
		})()`)
		if got != want {
			t.Errorf("%q: clicked %s, want %s", style, got, want)
		}
	}
}
