// The effect of a drag: what differs in the documents from how they were before.
//
// change.js looks for any change. Almost every drag makes some: pages mark what is dragged, and undo
// that. So here only what is left in the end counts.

// What has been watched in this document since a drag began, null if nothing. Its fields are:
//
//	ends      the elements of this document that are dragged, or onto which something is dragged
//	records   the mutations, at most MOST_RECORDS of them
//	observer  the MutationObserver
//	dragged   what is dragged; null if it is not in this document, or is dragged onto an element of it
//	began     where that was before the pressed mouse moved, see boundsInPage; null until then
//	pressed   how many mutations there were before the pressed mouse moved; null until then
//	control   whether a control has changed
let dragWatch = null;

const MOST_RECORDS = 10000; // of more mutations nobody can say what is left of them

// watchDrag begins to watch all documents of this origin. The parameters are the numbers of what is
// dragged and of what it is dragged onto; 0 if that is elsewhere.
function watchDrag(from, onto) {
  const dragged = element(from), ends = [dragged, element(onto)].filter(Boolean);
  for (const each of everywhere()) each === chela ? watchDragHere(ends, onto === 0 ? dragged : null) : each.watchDragHere([], null);
}

function watchDragHere(ends, dragged) {
  unwatchDragHere();
  endedWith = '';
  const records = [], observer = new MutationObserver(news => {
    keepRecords(records, news);
    if (records.length > MOST_RECORDS) observer.disconnect();
  });
  dragWatch = { ends, records, observer, dragged, began: null, pressed: null, control: false };
  observeWith(observer, { attributeOldValue: true, characterDataOldValue: true });
}

// keepRecords adds mutations, but not many more than MOST_RECORDS.
function keepRecords(records, news) {
  for (const record of news.slice(0, MOST_RECORDS + 1)) records.push(record);
}

// noteDragMove separates what the press has changed, as by giving the focus, from what the drag changes.
function noteDragMove(event) {
  if (!dragWatch || dragWatch.pressed !== null || !event.isTrusted || event.buttons === 0) return;
  keepRecords(dragWatch.records, dragWatch.observer.takeRecords());
  dragWatch.pressed = dragWatch.records.length;
  if (dragWatch.dragged !== null) dragWatch.began = boundsInPage(dragWatch.dragged);
}

// boundsInPage returns the place of an element in the document, and its size.
function boundsInPage(el) {
  const { left, top, width, height } = el.getBoundingClientRect();
  return { x: left + scrollX, y: top + scrollY, width, height };
}

// dragTravel returns how far what was dragged has moved, and by how much its size has changed. It first
// waits for it to come to rest. The answer is undefined if that is not known.
async function dragTravel(by) {
  const { dragged, began } = dragWatch ?? {};
  if (!began || !dragged.isConnected || !await settled(dragged, by)) return undefined;
  const { x, y, width, height } = boundsInPage(dragged);
  return { moved: { x: x - began.x, y: y - began.y }, grown: { x: width - began.width, y: height - began.height } };
}

listen(['pointermove'], noteDragMove, { capture: true, passive: true });

listen(['input', 'change', 'toggle'], () => { if (dragWatch) dragWatch.control = true; }, { capture: true });

// unwatchDrag ends the watch of all documents of this origin.
function unwatchDrag() {
  for (const each of everywhere()) each.unwatchDragHere();
}

function unwatchDragHere() {
  dragWatch?.observer.disconnect();
  dragWatch = null;
}

// dragEffect gives the page a frame to render in, and reads what was watched in the documents of this
// origin. It returns whether what was dragged, or what it was dragged onto, has changed (near). It also
// returns whether anything has changed (any), the drop effect if data was dragged (drop), and dragTravel
// (travel).
async function dragEffect(by) {
  await nextFrame(by);
  await nextTask();
  const travel = await dragTravel(by);
  const all = everywhere().map(each => each.dragEffectHere());
  return { near: all.some(e => e.near), any: all.some(e => e.any), drop: all.map(e => e.drop).find(Boolean) ?? '', travel };
}

function dragEffectHere() {
  if (!dragWatch) return { near: false, any: false, drop: endedWith };
  const { ends, records, observer, pressed, control } = dragWatch;
  keepRecords(records, observer.takeRecords());
  if (control || records.length > MOST_RECORDS) return { near: true, any: true, drop: endedWith };
  // The whole document contains all ends, and so says nothing of them.
  const isNear = n => n !== document.body && !isWhole(n) && ends.some(end => areRelated(n, end));
  // What the press alone has changed is left of all, but not of what came later.
  const later = new Set(changesLeft(records.slice(pressed ?? 0)).map(change => change.of));
  const left = changesLeft(records).filter(({ of }) => later.has(of)).map(({ places, text }) => ({ near: places.some(isNear), text }));
  const near = left.some(change => change.near);
  return { near, any: near || left.some(change => !change.text), drop: endedWith };
}

// changesLeft returns the changes that mutations have left, as {of, places, text}. A node that has
// changed is of, and the places are elements. If text is true, only text has changed: a clock does that
// at any time. The attribute draggable is left out. Libraries set it at the press, and it moves nothing.
function changesLeft(records) {
  const attributes = new Map(), texts = new Map(), nodes = new Map(), left = [];
  const keep = (map, key, value) => { if (!map.has(key)) map.set(key, value); };
  for (const { type, target, attributeName, attributeNamespace, oldValue, addedNodes, removedNodes, nextSibling } of records) {
    if (type === 'characterData') keep(texts, target, oldValue);
    if (type === 'attributes' && attributeName !== 'draggable') {
      keep(attributes, target, new Map());
      keep(attributes.get(target), attributeName, { namespace: attributeNamespace, value: oldValue });
    }
    removedNodes.forEach((node, i) => keep(nodes, node, { parent: target, next: removedNodes[i + 1] ?? nextSibling }));
    addedNodes.forEach(node => keep(nodes, node, { parent: null, next: null }));
  }
  for (const [target, names] of attributes) {
    if (!target.isConnected || nodes.get(target)?.parent === null) continue; // a node that has come or gone counts itself
    for (const [name, { namespace, value }] of names) {
      if (tidy(name, value) !== tidy(name, target.getAttributeNS(namespace, name))) left.push({ of: target, places: [target], text: false });
    }
  }
  for (const [node, value] of texts) {
    if (node.isConnected && node.data !== value) left.push({ of: node, places: elementsOf(node), text: true });
  }
  for (const [node, { parent, next }] of nodes) {
    const stays = parent === null ? !node.isConnected : node.isConnected && node.parentNode === parent && node.nextSibling === next;
    if (!stays) left.push({ of: node, places: [...elementsOf(node), ...elementsOf(parent)], text: node.nodeType !== ELEMENT });
  }
  return left;
}

// elementsOf returns a list with the element that a node is or is in, an empty list if there is none.
function elementsOf(node) {
  const el = node === null || node.nodeType === ELEMENT ? node : parentOf(node) ?? node.host ?? null;
  return el === null ? [] : [el];
}

// tidy returns the value of an attribute in a form that does not depend on how it was written. A script
// that changes a style and undoes that leaves it written in another way.
function tidy(name, value) {
  if (name !== 'style') return squash(value ?? '');
  const { style } = document.createElement('i');
  style.cssText = value ?? '';
  return style.cssText;
}

Object.assign(chela, { watchDrag, watchDragHere, unwatchDrag, unwatchDragHere, dragEffect, dragEffectHere });
