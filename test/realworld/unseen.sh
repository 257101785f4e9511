#!/usr/bin/env bash
# Proves of the page in the current tab that nobody sees the text which agents are not shown as hidden: a
# picture of the page stays the same when that text is made transparent. UNSEEN=1 make realworld runs this
# after each command that may have changed the page.
set -euo pipefail

# paint TEXT makes a text in the element transparent. A highlight styles ranges without changing the document.
paint='el => {
  const wanted = TEXT.split(" ").join(""), walker = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  const texts = window.unseenTexts ??= new Highlight();
  for (let node; node = walker.nextNode();) {
    const text = node.data.replace(/\s+/g, "");
    if (text === "" || !wanted.includes(text)) continue;
    const range = new Range();
    range.selectNodeContents(node);
    texts.add(range);
  }
  CSS.highlights.set("unseen", texts);
  const sheet = new CSSStyleSheet(), root = el.getRootNode();
  sheet.replaceSync("::highlight(unseen) { color: transparent; -webkit-text-fill-color: transparent; text-shadow: none; text-decoration: none }");
  if (!root.adoptedStyleSheets.some(s => s.unseen)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, Object.assign(sheet, { unseen: true })];
}'
unpaint='() => { CSS.highlights.clear(); delete window.unseenTexts; }'

picture() { command chela screenshot --full-page --out "$1" >/dev/null; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command chela snapshot --hidden mark --refs all --max-chars 0 | grep '\[hidden=' >"$work/hidden" || exit 0

# What moves by itself is different in each picture, so the two before have to be the same.
for try in 1 2 3 4 5; do
	picture "$work/before.png"
	picture "$work/again.png"
	while IFS= read -r line; do
		[[ $line =~ \[hidden=[a-z-]*\]\ \[ref=([a-z0-9]*)\]:\ (.*) ]] || continue
		text=$(sed 's/^"//; s/"$//; s/\\n/ /g; s/\\t/ /g; s/\\"/"/g' <<<"${BASH_REMATCH[2]}" | node -p 'JSON.stringify(require("fs").readFileSync(0, "utf8").trim())')
		command chela evaluate --ref "${BASH_REMATCH[1]}" --fn "${paint/TEXT/$text}" >/dev/null
	done <"$work/hidden"
	picture "$work/without.png"
	command chela evaluate --fn "$unpaint" >/dev/null
	cmp -s "$work/before.png" "$work/again.png" || continue
	if cmp -s "$work/again.png" "$work/without.png"; then
		echo "$(wc -l <"$work/hidden") hidden texts, and nobody sees one of them" >&2
		sed "s/^ *- text/  /" "$work/hidden" >&2
		exit 0
	fi
done
if ! cmp -s "$work/before.png" "$work/again.png"; then
	echo "the page moves: nothing can be said of its $(wc -l <"$work/hidden") hidden texts" >&2
	exit 0
fi
echo "some of these texts are seen:" >&2
cat "$work/hidden" >&2
mkdir -p /tmp/unseen && cp "$work"/*.png /tmp/unseen
exit 1
