package keys

// macCommands are what macOS makes of a shortcut in a text field. There the
// system does it, not Chromium, so that a key event alone would do nothing.
var macCommands = map[Modifiers]map[string]string{
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

func macCommand(s Stroke) string { return macCommands[s.held][s.key.code] }
