// The document as data for a trace, in the format of Playwright's traces. The viewer of such traces
// builds a document from the data again, without scripts. A node is its text, or [name, attributes,
// ...children]. State that is not an attribute in HTML becomes one, with a name that begins with
// __playwright_. Examples are the value of an input and a scroll position. See packages/trace/src/snapshot.ts in
// Playwright's sources.
//
// Go calls this function only while a trace is recorded, so it is not a part of the page script. It
// runs in the same isolated world as that script, and changes nothing in the document. The options
// are:
//	frames    a list of [number of an iframe element, its name in the trace]
//	target    the number of the element that the call is about, or 0
//	call      the id of the call
//	maxNodes  how many nodes are recorded; the rest is left out
//	maxChars  how many characters are recorded; the rest is left out
//
// The answer is JSON, since returning the value itself would be slower and limited in depth.
options => {
  const PREFIX = '__playwright_';
  const names = new Map(options.frames.map(([number, name]) => [chela.element(number), name]));
  const target = options.target ? chela.element(options.target) : null;
  const customs = new Set();
  let nodes = 0, chars = 0, depth = 0, cut = false;

  const html = document.documentElement ? nodeOf(document.documentElement, false) : ['HTML'];
  return JSON.stringify({
    html, nodes, cut, url: location.href, doctype: document.doctype?.name ?? '', width: innerWidth, height: innerHeight,
  });

  // nodeOf returns a node in the format of the trace, null if the node is left out.
  function nodeOf(node, inHead) {
    const type = own(node, 'nodeType'), name = nameOf(node);
    if (type === Node.TEXT_NODE) return textOf(node.nodeValue);
    if (type !== Node.ELEMENT_NODE || left(node, name, inHead)) return null;
    if (nodes >= options.maxNodes || chars >= options.maxChars || depth >= 1000) { // nodeOf is recursive, and the stack has room for a few thousand levels
      cut = true;
      return null;
    }
    depth++;
    const children = [];
    if (name === 'HEAD') children.push(['BASE', { href: document.baseURI }]), nodes++;
    const shadow = name === 'FORM' ? null : chela.shadowOf(node);
    if (shadow) children.push(shadowNode(shadow));
    if (name === 'STYLE') add(children, textOf(styleText(node)));
    else if (name === 'TEXTAREA' && node.textContent !== '') add(children, textOf(shownText(node, node.textContent)));
    else addAll(children, node, inHead || name === 'HEAD');
    if (node === document.documentElement) children.push(...adopted(document));
    const attributes = attributesOf(node, name); // read after the children, as the body lists the custom elements in it
    depth--;
    nodes++;
    return [name, attributes, ...children];
  }

  // own returns a property of a node. A form has its controls as properties with their names, so a
  // control named nodeName hides the form's own nodeName. So the property is taken from the
  // prototype.
  function own(node, property) {
    return node instanceof HTMLFormElement ? Reflect.get(HTMLFormElement.prototype, property, node) : node[property];
  }

  // nameOf returns the name of a node. Elements of HTML have it in capitals, also in documents of XML.
  function nameOf(node) {
    const name = own(node, 'nodeName');
    return own(node, 'namespaceURI') === 'http://www.w3.org/1999/xhtml' ? name.toUpperCase() : name;
  }

  function add(children, node) {
    if (node !== null) children.push(node);
  }

  function addAll(children, parent, inHead) {
    for (let child = own(parent, 'firstChild'); child; child = own(child, 'nextSibling')) add(children, nodeOf(child, inHead));
  }

  function textOf(text) {
    if (chars + text.length > options.maxChars) {
      cut = true;
      return null;
    }
    nodes++;
    chars += text.length;
    return text;
  }

  // shadowNode returns a shadow root as a template. The viewer makes a shadow root of such a
  // template.
  function shadowNode(root) {
    const children = [];
    addAll(children, root, false);
    children.push(...adopted(root));
    nodes++;
    return ['template', { [PREFIX + 'shadow_root_']: 'open' }, ...children];
  }

  // adopted returns the style sheets that a script has given a document or shadow root.
  function adopted(root) {
    return [...(root.adoptedStyleSheets ?? [])].map(sheet => {
      const text = sheet.disabled ? '' : rulesOf(sheet) ?? '';
      nodes++;
      chars += text.length;
      return ['template', { [PREFIX + 'style_sheet_']: text }];
    });
  }

  // left reports whether an element is left out of the recording, since it would do something in
  // the viewer or show nothing there.
  function left(el, name, inHead) {
    switch (name) {
      case 'SCRIPT':
      case 'NOSCRIPT': // a noscript shows nothing where scripts run
        return true;
      case 'LINK':
        return /\b(preload|prefetch|modulepreload|preconnect|dns-prefetch)\b/i.test(el.getAttribute('rel') ?? '');
      case 'META':
        return /^(content-security-policy|refresh|set-cookie)$/i.test(el.getAttribute('http-equiv') ?? '');
      case 'IFRAME':
      case 'FRAME':
        return inHead;
    }
    return false;
  }

  // styleText returns the rules of a style element: its text, or its parsed rules if a script has
  // added or removed some. The text is better, as Chromium writes some rules with variables
  // incompletely.
  function styleText(el) {
    const text = el.textContent, sheet = el.sheet;
    if (!sheet) return text;
    const rules = rulesOf(sheet);
    if (rules === null || text.includes('@import')) return text;
    return sheet.cssRules.length === ruleCount(text) ? text : rules;
  }

  // ruleCount returns how many rules a text has. It is asked again for each snapshot,
  // so the answers are kept: chela.ruleCounts.
  function ruleCount(text) {
    const known = chela.ruleCounts ??= new Map();
    if (!known.has(text)) {
      if (known.size > 200) known.clear();
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      known.set(text, sheet.cssRules.length);
    }
    return known.get(text);
  }

  // rulesOf returns the rules of a style sheet as text; null for one of another origin,
  // which no script may read.
  function rulesOf(sheet) {
    try {
      return Array.from(sheet.cssRules, rule => rule.cssText).join('\n');
    } catch {
      return null;
    }
  }

  function attributesOf(el, name) {
    const all = {};
    for (const { name: attribute, value } of own(el, 'attributes')) {
      const kept = keptValue(el, name, attribute, value);
      if (kept !== null) all[attribute] = kept;
    }
    stateOf(el, name, all);
    for (const each in all) chars += each.length + all[each].length;
    return all;
  }

  // keptValue returns the value that an attribute gets in the trace, null if it is left out.
  function keptValue(el, name, attribute, value) {
    if (/^on/i.test(attribute) || /^\s*(javascript|vbscript):/i.test(value)) return null;
    switch (name + ' ' + attribute) {
      case 'IFRAME src':
      case 'IFRAME srcdoc':
      case 'IFRAME sandbox':
      case 'FRAME src':
      case 'DIALOG open': // the viewer opens it
      case 'LINK integrity': // the hash would no longer match: Go may have changed the encoding of the style sheet
        return null;
      case 'META charset':
        return 'utf-8';
      case 'META content':
        return /^content-type$/i.test(el.httpEquiv) ? 'text/html; charset=utf-8' : value;
      case 'INPUT value':
        return shownText(el, value);
    }
    return value;
  }

  // shownText returns a text of a field, with dots in place of the characters if the field shows
  // dots.
  function shownText(field, text) {
    return chela.isMasked(field) ? '•'.repeat(text.length) : text;
  }

  // stateOf adds state that is in no attribute: what was typed, checked, chosen, opened or
  // scrolled.
  function stateOf(el, name, all) {
    const set = (key, value) => { all[PREFIX + key] = String(value); };
    switch (name) {
      case 'INPUT':
        set('value_', shownText(el, el.value));
        if (el.type === 'checkbox' || el.type === 'radio') set('checked_', el.checked);
        break;
      case 'TEXTAREA':
        set('value_', shownText(el, el.value));
        break;
      case 'OPTION':
        set('selected_', el.selected);
        break;
      case 'CANVAS':
        set('bounding_rect__', boxOf(el));
        break;
      case 'IFRAME':
      case 'FRAME':
        all.src = names.has(el) ? '/snapshot/' + names.get(el) : '';
        set('bounding_rect__', boxOf(el));
        break;
      case 'IMG':
        set('current_src__', /^(javascript|vbscript):/i.test(el.currentSrc) ? '' : el.currentSrc);
        break;
      case 'PICTURE':
        set('current_src__', '');
        break;
      case 'DIALOG':
        if (el.open) set('dialog_open_', el.matches(':modal') ? 'modal' : 'true');
        break;
      case 'BODY':
        if (customs.size) set('custom_elements__', [...customs].join(','));
    }
    if (all.popover !== undefined && Element.prototype.matches.call(el, ':popover-open')) set('popover_open_', true);
    if (name.includes('-') && el.matches(':defined')) customs.add(el.localName);
    const top = own(el, 'scrollTop'), left = own(el, 'scrollLeft');
    if (top) set('scroll_top_', top);
    if (left) set('scroll_left_', left);
    if (el === target) set('target__', options.call);
  }

  function boxOf(el) {
    const { left, top, right, bottom } = el.getBoundingClientRect();
    return JSON.stringify({ left, top, right, bottom });
  }
}
