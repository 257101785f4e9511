package acts

import (
	"context"
	"strings"
	"testing"
	"time"

	"chela/test/long"
	"chela/test/pages"
	"chela/test/tab"
)

// An editor that keeps its text in a script gets text as one insertion. The insertion replaces the
// editor's whole text, and not only what its input element holds.
func TestTypeIntoEditors(t *testing.T) {
	for _, s := range []story{
		{"EditContext", "/editors.html", `textbox "Context"`, tab.Typing("a [b\nc"), `Context "a [b\nc"`, ""},
		{"EditContext, by fill", "/editors.html", `textbox "Context"`, tab.Filling("a [b"), `Context "a [b"`, ""},
		{"EditContext, emptied", "/editors.html", `textbox "Context"`, tab.Typing(""), `Context ""`, ""},
		{"EditContext without paste", "/editors.html", `textbox "Bare context"`, tab.Typing("a b"), `Bare context "a b"`, ""},
		{"EditContext, key by key", "/editors.html", `textbox "Context"`, tab.TypingSlowly("x["), `Context "old [words]x[]"`, ""},
		{"hidden text area", "/editors.html", `textbox "Proxy"`, tab.Typing("a [b\nc"), `Proxy "a [b\nc"`, ""},
		{"hidden text area, emptied", "/editors.html", `textbox "Proxy"`, tab.Typing(""), `Proxy ""`, ""},
		{"transparent text area", "/editors.html", `textbox "Clear"`, tab.Typing("a [b"), `Clear "a [b"`, ""},
	} {
		s.test(t)
	}
}

// The text of some editors is drawn on an area that is larger than the editor. It covers the text area
// that gets the keys. No click is needed there: such a text area only needs the focus.
func TestTypeSlowlyIntoACoveredEditor(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<div style="position:relative;width:300px;height:100px;overflow:hidden">
		<textarea id=input aria-label=Code style="position:absolute;width:6px;height:16px;opacity:0"></textarea>
		<div id=lines tabindex=-1 style="position:absolute;width:2000px;height:2000px">text: </div></div><script>
		input.oninput = () => { lines.textContent += input.value; input.value = '' }</script>`))
	err := tt.On(`textbox "Code"`, tab.TypingSlowly("ab"))
	if got := tab.Run[string](tt, "lines.textContent"); err != nil || got != "text: ab" {
		t.Errorf("got %q, %v", got, err)
	}
}

// Old editors make the whole document of a frame editable. Its body has a ref, and takes text.
func TestTypeIntoADocumentInDesignMode(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<iframe id=f srcdoc="<p>rich text</p>"></iframe><script>f.onload = () => { f.contentDocument.designMode = 'on' }</script>`))
	err := tt.On(`[contenteditable]`, tab.Typing("Hello"))
	if got := tab.Run[string](tt, "f.contentDocument.body.innerText.trim()"); err != nil || got != "Hello" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestInsertTextIntoEditors(t *testing.T) {
	for _, s := range []struct{ label, want string }{
		{"Context", `Context "old [words]a [b"`},
		{"Bare context", `Bare context "old [words]a []b"`},
		{"Proxy", `Proxy "old [words]a [b"`},
	} {
		t.Run(s.label, func(t *testing.T) {
			tt := tab.Borrow(t, "/editors.html")
			tab.Run[any](tt, `document.querySelector('[aria-label="`+s.label+`"]').focus(); undefined`)
			err := tt.InAct(func(ctx context.Context) error { return tt.InsertText(ctx, "a [b") })
			if got := tt.Last(); err != nil || got != s.want {
				t.Errorf("got %s, %v, want %s", got, err, s.want)
			}
		})
	}
}

// Some editors prevent all input, and change a model of their text themselves. They learn of a
// selection by an event that comes with the next frame, and make paragraphs only of what is pasted
// or replaced. Lexical and Slate are such editors. A frame that shows the editor is no exception.
func TestTypeIntoEditorsWithAModel(t *testing.T) {
	long.Test(t)
	const editor = `<div id=ed contenteditable role=textbox aria-label=Text><p>old</p><p>words</p></div>
		<script>
			let chosen = 0
			addEventListener('selectionchange', () => { chosen = getSelection().toString().length }, true)
			ed.onkeydown = event => {
				if (event.key !== 'Delete') return
				event.preventDefault()
				if (chosen > 0) ed.innerHTML = '<p><br></p>'
			}
			ed.onbeforeinput = event => {
				event.preventDefault()
				if (event.dataTransfer) ed.innerHTML = event.dataTransfer.getData('text/plain').split('\n').map(line => '<p>' + (line || '<br>') + '</p>').join('')
				else ed.innerHTML = '<p><span>' + event.data + '</span></p>'
			}
		</script>`
	for _, s := range []struct{ name, text, want string }{
		{"lines", "one\ntwo\n\nfour", "<p>one</p><p>two</p><p><br></p><p>four</p>"},
		{"a line", "one", "<p><span>one</span></p>"},
		{"a line that ends", "one\n", "<p><span>one\n</span></p>"},
		{"nothing", "", "<p><br></p>"},
	} {
		t.Run(s.name, func(t *testing.T) {
			for _, html := range []string{editor, `<iframe id=inner srcdoc='` + strings.ReplaceAll(editor, "'", "&#39;") + `'></iframe>`} {
				tt := tab.Open(t, pages.HTML(html))
				if err := tt.OnRefFor(10*time.Second, tt.Ref(`textbox "Text"`), tab.Typing(s.text)); err != nil {
					t.Error(err)
				}
				if got := tab.Run[string](tt, "(window.inner?.contentDocument ?? document).getElementById('ed').innerHTML"); got != s.want {
					t.Errorf("holds %s, want %s", got, s.want)
				}
			}
		})
	}
}

// A page may move the focus from an editor after the editor got it. What has the focus then gets
// nothing.
func TestTypeIntoAnEditorThatLosesTheFocus(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tt.Write(`<textarea aria-label=Proxy style="opacity:0" onfocus="queueMicrotask(() => note.focus())"></textarea>
		<div id=note contenteditable onpaste="event.preventDefault(); note.textContent = event.clipboardData.getData('text/plain')"></div>`)
	err := tt.On(`textbox "Proxy"`, tab.Typing("x"))
	if got := tab.Run[string](tt, "note.textContent"); got != "" || err == nil || !strings.Contains(err.Error(), ": elsewhere by div#note") {
		t.Errorf("the other element got %q, %v", got, err)
	}
}

// An editor gets the keys that select all, and then the text. If the page moves the focus in between,
// no other element gets the text. Neither is text deleted elsewhere.
func TestTypeWhileTheFocusMoves(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tt.Write(`<textarea aria-label=Proxy style="opacity:0" onkeydown="if (event.key === 'a') note.focus()"></textarea>
		<textarea aria-label=Old onkeydown="note.focus(); note.select()">old</textarea><textarea id=note>kept</textarea>`)
	for label, text := range map[string]string{"Proxy": "x", "Old": ""} {
		err := tt.On(`textbox "`+label+`"`, tab.Typing(text))
		if got := tab.Run[string](tt, "note.value"); got != "kept" || err == nil || !strings.Contains(err.Error(), ": elsewhere by textarea#note") {
			t.Errorf("%s: the other element holds %q, %v", label, got, err)
		}
	}
}

// An element that is for plain text only gets the line breaks as they are, as when Enter is pressed
// there. A page reads such a text with textContent, which ignores blocks.
func TestTypeLinesOfPlainText(t *testing.T) {
	tt := tab.Borrow(t, pages.HTML(`<div contenteditable=plaintext-only role=textbox aria-label=Note>old</div>`))
	for _, text := range []string{"one\ntwo\n\nfour", "a b", "a\nb"} {
		if err := tt.On(`textbox "Note"`, tab.Typing(text)); err != nil {
			t.Error(err)
		}
		if got := tab.Run[string](tt, `document.querySelector("div").textContent`); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
}
