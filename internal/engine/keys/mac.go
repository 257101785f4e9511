package keys

import "sync"

// macCommands are the editing commands of keyboard shortcuts on macOS. There the system, and not
// Chromium, translates a shortcut into its command. So a key event sent over the DevTools protocol
// has no effect unless it names the command. The names are the selectors of NSResponder, without
// the colon, as the field commands of Input.dispatchKeyEvent takes them. The outer key is all
// modifiers that are held, the inner one KeyboardEvent.code. A shortcut that is not here still
// sends its events. A page that handles the shortcut itself needs no more.
var macCommands = sync.OnceValue(func() map[Modifiers]map[string]string {
	return map[Modifiers]map[string]string{
		Meta: {
			"KeyA": "selectAll", "KeyC": "copy", "KeyX": "cut", "KeyV": "paste", "KeyZ": "undo",
			"ArrowLeft": "moveToLeftEndOfLine", "ArrowRight": "moveToRightEndOfLine",
			"ArrowUp": "moveToBeginningOfDocument", "ArrowDown": "moveToEndOfDocument",
			"Backspace": "deleteToBeginningOfLine", "Delete": "deleteToEndOfLine",
		},
		Meta | Shift: {
			"KeyZ":      "redo",
			"ArrowLeft": "moveToLeftEndOfLineAndModifySelection", "ArrowRight": "moveToRightEndOfLineAndModifySelection",
			"ArrowUp": "moveToBeginningOfDocumentAndModifySelection", "ArrowDown": "moveToEndOfDocumentAndModifySelection",
		},
		Alt: {
			"ArrowLeft": "moveWordLeft", "ArrowRight": "moveWordRight",
			"ArrowUp": "moveToBeginningOfParagraph", "ArrowDown": "moveToEndOfParagraph",
			"Backspace": "deleteWordBackward", "Delete": "deleteWordForward",
		},
		Alt | Shift: {
			"ArrowLeft": "moveWordLeftAndModifySelection", "ArrowRight": "moveWordRightAndModifySelection",
		},
		Control: {
			"KeyA": "moveToBeginningOfParagraph", "KeyE": "moveToEndOfParagraph", "KeyK": "deleteToEndOfParagraph",
		},
	}
})

func macCommand(s Stroke) string { return macCommands()[s.held][s.key.code] }
