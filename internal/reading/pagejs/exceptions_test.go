package pagejs_test

import "strings"

// nameless are the roles that authors must not name (WAI-ARIA 1.2, 5.2.8.6 and the editor's draft
// of 1.3); Chromium uses an aria-label nevertheless.
var nameless = map[string]bool{
	"caption": true, "code": true, "definition": true, "deletion": true, "emphasis": true, "insertion": true,
	"mark": true, "paragraph": true, "strong": true, "subscript": true, "superscript": true, "term": true, "time": true,
}

// exception is a difference to Chromium that is on purpose.
type exception struct {
	what   string // the beginning of the difference, such as "row name"
	markup string // the beginning of the element's HTML
	why    string
	used   bool
}

var exceptions = []*exception{
	{what: "row name", why: "accname: a row is named from its content; Chromium does so only where a row can be focused"},
	{what: "role", markup: `<li>x</li> in <div><li>`, why: "HTML-AAM: an item outside a list is generic"},
	{what: "role", markup: `<li>orphan</li> in <body>`, why: "as above"},
	{what: "role", markup: `<header>x</header> in <div role="region"`, why: "HTML-AAM counts role=region as a section"},
	{what: "role", markup: `<footer>x</footer> in <div role="region"`, why: "as above"},
	{what: "role", markup: `<th>only</th>`, why: "HTML-AAM knows no layout tables; Chromium guesses them"},
	{what: "role", markup: `<object data="data:text/plain,x">`, why: "it shows a page of its own, which is read like that of an iframe"},
	{what: "role", markup: `<td role="cell">`, why: "its author asked for a cell, also in a grid"},
	{what: "radio name", markup: `<input type="radio" id="c10"`, why: "accname 2C: a combobox in a label is told by the option that is " +
		"selected"},
	{what: "role", markup: `<td>3</td> in <tr>`, why: "HTML-AAM: the row is still one although its tbody is not"},
	{what: "cell name", markup: `<td>3</td> in <tr>`, why: "as above"},
	{what: "role", markup: `<div style="display:table`, why: "roles come from HTML, not from styles"},
	{what: "role", markup: `<span style="display:table"`, why: "as above"},
	{what: "role", markup: `<input list="dl1" type="number"`, why: "HTML-AAM: spinbutton, with or without a list"},
	{what: "role", markup: `<select multiple="" size="1"`, why: "HTML-AAM: multiple makes a listbox"},
	{what: "button name", markup: `<button><span class="ib">a`, why: "letters in boxes of their own are one word, as for innerText"},
	{what: "button name", markup: `<button>a<wbr>`, why: "a chance to break is no space"},
	{what: "button name", markup: `<button><span title="tip"></span>y`, why: "accname 2I: an empty child has the text of its tooltip"},
	{what: "button name", markup: `<button><i title="tip">`, why: "as above; icons are named so"},
	{what: "button name", markup: `<button><span role="img">x`, why: "accname 2H: text inside counts, whatever role holds it"},
	{what: "button name", markup: `<button><video aria-label`, why: "Chromium names the player's state"},
	{what: "button name", markup: `<button><object>`, why: "what an object shows instead of its data is visible"},
	{what: "button name", markup: `<button class="up">`, why: "the text of the page, not its capitals by style"},
	{what: "button name", markup: `<button><ruby>`, why: "the reading of a character is visible text"},
	{what: "button name", markup: `<button><details><summary>s</summary>d</details>`, why: "text in a closed details may be shown"},
	{what: "button name", markup: `<button><figure>`, why: "HTML-AAM: a figure is named by its figcaption"},
	{what: "figure name", markup: `<figure>`, why: "as above"},
	{what: "button name", markup: `<input type="submit" title="t" value="">`, why: "accname 2I: nothing else names it"},
	{what: "textbox name", markup: `<input id="a10" title="tt">`, why: "accname 2I: its label is empty"},
	{what: "textbox name", markup: `<input id="a5">`, why: "accname 2A: a label counts when it is hidden; so do the platform tests have it"},
	{what: "textbox name", markup: `<input id="a6">`, why: "as above"},
	{what: "textbox name", markup: `<input id="a7">`, why: "as above"},
	{what: "checkbox name", markup: `<input type="checkbox" id="z1">`, why: "as above"},
	{what: "slider name", markup: `<input type="range" id="z2">`, why: "as above"},
	{what: "group name", markup: `<fieldset><legend hidden`, why: "as above, for a legend"},
	{what: "table name", markup: `<table><caption hidden`, why: "as above, for a caption"},
	{what: "checkbox name", markup: `<input type="checkbox" id="b12">`, why: "a mask does not tell the length of a password"},
	{what: "button name", markup: `<button aria-labelledby="h14">`, why: "accname 2B: a referenced element may be hidden, folded too"},
	{what: "img name", markup: `<img alt="" title="t"`, why: "HTML-AAM: the title names an image with an empty alt"},
	{what: "img description", markup: `<img alt="" title="t"`, why: "as above"},
	{what: "img description", markup: `<svg width="9" height="9" role="img" aria-labelledby="svt"`, why: "it is the name already"},
	{what: "math name", markup: `<div role="math">`, why: "WAI-ARIA 1.2: math is named by its author only"},
	{what: "doc-subtitle name", why: "DPUB-ARIA: named by its author only"},
	{what: "graphics-object name", why: "Graphics-ARIA: named by its author only"},
}

// accepted reports whether a difference is on purpose.
func accepted(what, markup string) bool {
	for _, e := range exceptions {
		if strings.HasPrefix(what, e.what) && strings.HasPrefix(markup, e.markup) {
			e.used = true
			return true
		}
	}
	return false
}
