// Text: what an element shows, as a person would copy it.

// text returns the text of the first element that a CSS selector matches, or without one
// (an empty selector) of the page's main part, and whether it was cut: after most UTF-16
// code units, or one less to keep a character whole. {none: true}: no element matches.
function text(selector, most) {
  const root = selector === '' ? mainPart() : findDeep(selector, []);
  if (root === null) return { none: true };
  const whole = renderedText(root), kept = Math.min(most, whole.length);
  return { text: whole.slice(0, splitsPair(whole, kept) ? kept - 1 : kept), cut: kept < whole.length };
}

// mainPart returns the article of a page, else its main element, else its body. Of several
// articles, as in a list of news, none is the page's.
function mainPart() {
  for (const name of ['article', 'main']) {
    const shown = [...document.querySelectorAll(name)].filter(el => isRendered(el) && renderedText(el).trim() !== '');
    const outer = shown.filter(el => !shown.some(other => other !== el && other.contains(el)));
    if (outer.length === 1) return outer[0];
  }
  return document.body ?? document.documentElement;
}

// splitsPair reports whether a text would be cut between the two code units of a character.
function splitsPair(s, at) { return at > 0 && at < s.length && /[\uD800-\uDBFF]/.test(s[at - 1]) && /[\uDC00-\uDFFF]/.test(s[at]); }

// renderedText is innerText with what is in shadow roots, which innerText leaves out. Only
// those elements in which there is a shadow root are put together here, from the texts of
// what they hold, as HTML describes it for innerText: parts are strings, and numbers of
// line breaks of which neighbors share the largest.
function renderedText(root) {
  const hosts = holdHosts(root);
  if (!hosts.has(root)) return root.innerText ?? root.textContent; // an element of SVG or XML has no innerText
  const parts = [];
  childrenOf(root).forEach(node => addText(node, hosts, parts));
  let text = '', breaks = 0;
  for (const part of parts) {
    if (typeof part === 'number') {
      breaks = Math.max(breaks, part);
      continue;
    }
    const says = text === '' || breaks > 0 || /\s$/.test(text) ? part.replace(/^ /, '') : part;
    if (says === '') continue;
    if (breaks > 0) text = text === '' ? '' : text.replace(/ $/, '') + '\n'.repeat(breaks);
    [text, breaks] = [text + says, 0];
  }
  return text.trimEnd();
}

function addText(node, hosts, parts) {
  if (node.nodeType === TEXT) parts.push(node.data.replace(/\s+/g, ' '));
  if (node.nodeType !== ELEMENT || SILENT.has(node.localName)) return;
  const { display } = getComputedStyle(node);
  if (display === 'none') return;
  if (node.localName === 'br') return parts.push('\n');
  const breaks = node.localName === 'p' ? 2 : inlineDisplay(display) ? 0 : 1;
  if (breaks > 0) parts.push(breaks);
  if (hosts.has(node)) childrenOf(node).forEach(child => addText(child, hosts, parts));
  else parts.push(node.innerText ?? node.textContent);
  if (breaks > 0) parts.push(breaks);
}

// holdHosts returns the elements in the flat tree of a root, itself included, whose
// innerText would lack something: those that have a shadow root, the slots in there, and
// what such an element is in.
function holdHosts(root) {
  const found = new Set(), trees = [root];
  for (let i = 0; i < trees.length; i++) {
    for (const el of trees[i] === root ? [root, ...root.querySelectorAll('*')] : trees[i].querySelectorAll('*')) {
      const shadow = shadowOf(el);
      if (shadow !== null) trees.push(shadow);
      else if (el.localName !== 'slot') continue;
      for (let up = el; up !== null && !found.has(up); up = up === root ? null : parentOf(up)) found.add(up);
    }
  }
  return found;
}

Object.assign(chela, { text });
