package dashboard

import (
	"strings"
	"testing"
)

// surface is the beginning of a script for the dashboard's page. It makes a picture of 100 by 100
// pixels that takes the input of a person. The array sent gets the messages for the tab. While held is
// false, the person may not use the tab.
const surface = `async () => {
	const { takeInput } = await import("/ui/input.js")
	const stage = document.createElement("div"), picture = new Image(), keys = document.createElement("textarea")
	picture.style.cssText = "position: fixed; left: 0; top: 0; width: 100px; height: 100px"
	stage.append(picture, keys)
	document.body.append(stage)
	stage.setPointerCapture = () => {}
	const sent = []
	let held = true
	const view = { width: 100, height: 100, send: m => sent.push([m.type, m.event, m.key, m.text, m.deltaX, ...m.modifiers ?? []].filter(Boolean).join(" ")) }
	const end = takeInput(stage, keys, picture, () => held ? view : null)
	const pointer = (type, pointerType, pointerId, x, y, more) => stage.dispatchEvent(new PointerEvent("pointer" + type, { pointerType, pointerId, clientX: x, clientY: y, ...more }))
	const key = init => keys.dispatchEvent(new KeyboardEvent("keydown", { cancelable: true, ...init }))
`

// Each event of a person becomes the input that the person means, and no other.
func TestInput(t *testing.T) {
	tab := enter(t, watched)
	for _, test := range []struct{ name, does, want string }{
		{"a click", `pointer("down", "mouse", 1, 10, 10); pointer("up", "mouse", 1, 10, 10)`, "mouse click"},
		{"a drag", `pointer("down", "mouse", 1, 10, 10); pointer("move", "mouse", 1, 50, 10); pointer("up", "mouse", 1, 50, 10)`, "mouse down, mouse move, mouse up"},
		{"a drag with Shift", `const shift = { shiftKey: true }; pointer("down", "mouse", 1, 10, 10, shift); pointer("move", "mouse", 1, 50, 10, shift); pointer("up", "mouse", 1, 50, 10)`, "mouse down Shift, mouse move, mouse up Shift"},
		{"a double click", `for (const x of [10, 11]) { pointer("down", "mouse", 1, x, 10); pointer("up", "mouse", 1, x, 10) }`, "mouse click, mouse down, mouse up"},
		{"clicks at two places", `for (const x of [10, 40]) { pointer("down", "mouse", 1, x, 10); pointer("up", "mouse", 1, x, 10) }`, "mouse click, mouse click"},
		{"a second finger", `pointer("down", "touch", 1, 10, 10); pointer("down", "touch", 2, 90, 90); pointer("move", "touch", 1, 10, 11); pointer("up", "touch", 2, 90, 90); pointer("up", "touch", 1, 10, 11)`, "mouse click"},
		{"a press during which the tab was given back", `pointer("down", "mouse", 1, 10, 10); held = false; pointer("up", "mouse", 1, 10, 10); held = true; pointer("move", "mouse", 1, 50, 10)`, "mouse move"},
		{"a click before the first picture", `view.width = view.height = 0; pointer("down", "mouse", 1, 10, 10); pointer("up", "mouse", 1, 10, 10)`, ""},
		{"a click with Control and Shift", `pointer("down", "mouse", 1, 10, 10); pointer("up", "mouse", 1, 10, 10, { ctrlKey: true, shiftKey: true })`, "mouse click ControlOrMeta Shift"},
		{"the button for going back", `pointer("down", "mouse", 1, 10, 10, { button: 3 }); pointer("up", "mouse", 1, 10, 10, { button: 3 })`, ""},
		{"the wheel with Shift in Firefox", `stage.dispatchEvent(new WheelEvent("wheel", { deltaY: 100, shiftKey: true }))`, "wheel 100"},
		{"a long Backspace on a phone, which deletes words", `keys.value = ""; keys.dispatchEvent(new InputEvent("input", { inputType: "deleteWordBackward" }))`, "key Backspace"},
		{"a key before the first picture", `view.width = view.height = 0; key({ key: "a" })`, "key a"},
		{"the Enter that ends a composition in Safari", `key({ key: "Enter", keyCode: 229 })`, ""},
		{"Enter", `key({ key: "Enter", keyCode: 13 })`, "key Enter"},
		{"a long paste, with a character of two code units where it is cut", `const d = new DataTransfer(); d.setData("text/plain", "a".repeat(9999) + "😀b"); keys.dispatchEvent(new ClipboardEvent("paste", { clipboardData: d, cancelable: true }))`, "text " + strings.Repeat("a", 9999) + "😀, text b"},
		{"Control and a letter", `key({ key: "c", ctrlKey: true })`, "key ControlOrMeta+C"},
		{"Alt and a letter", `key({ key: "f", altKey: true })`, "key Alt+F"},
	} {
		if got := tab.Eval(surface + test.does + `
			end()
			stage.remove()
			return sent.join(", ")
		}`); got != test.want {
			t.Errorf("%s: sent %q, want %q", test.name, got, test.want)
		}
	}
}
