// Makes an element like another one. What is in it stays, each node for the node in its place, as in
// frameworks for lists without keys.
function patch(el, like) {
  for (const name of el.getAttributeNames()) if (!like.hasAttribute(name)) el.removeAttribute(name);
  for (const name of like.getAttributeNames()) if (el.getAttribute(name) !== like.getAttribute(name)) el.setAttribute(name, like.getAttribute(name));
  const now = [...el.childNodes], then = [...like.childNodes];
  for (const [i, child] of then.entries()) {
    if (now[i] === undefined) el.append(child);
    else if (now[i].nodeName !== child.nodeName) now[i].replaceWith(child);
    else if (child.nodeType === Node.ELEMENT_NODE) patch(now[i], child);
    else if (now[i].data !== child.data) now[i].data = child.data;
  }
  for (const child of now.slice(then.length)) child.remove();
}
