// A CSS selector for the list that a snapshot shows only a part of.

// selectorAround returns a selector for the smallest element around the elements of two refs. The
// selector is a path from that element upwards, as short as possible, whose first match in the
// document is the element. If there is no such path, as in a shadow tree, the result is an empty
// text.
chela.selectorAround = (first, last) => {
  const inside = element(last);
  let around = element(first);
  while (around !== null && !around.contains(inside)) around = around.parentElement;
  return pathTo(around, stepOf) || pathTo(around, countedStep);
};

// pathTo returns the shortest path whose first match in the document is el. The function step
// writes one element of the path.
function pathTo(el, step) {
  let path = '';
  for (let up = el; up !== null; up = up.parentElement) {
    path = step(up) + (path === '' ? '' : ' > ' + path);
    if (document.querySelector(path) === el) return path;
  }
  return '';
}

// stepOf writes an element by its id, else by its name and first plain class. The selector is a part of a
// command, so ids and classes that could end its quotes are left out.
function stepOf(el) {
  if (PLAIN_NAME.test(el.id)) return '#' + CSS.escape(el.id);
  const name = Array.from(el.classList).find(each => PLAIN_NAME.test(each));
  return el.localName + (name === undefined ? '' : '.' + CSS.escape(name));
}

const PLAIN_NAME = /^[\w-]+$/;

// countedStep writes an element by its name and place.
function countedStep(el) {
  return el.parentElement === null ? el.localName : el.localName + `:nth-child(${1 + [...el.parentElement.children].indexOf(el)})`;
}
