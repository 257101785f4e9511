// Handlers of frameworks. React, Solid, Svelte, jQuery and interact.js add their listeners to a
// root. They keep the handlers of an element in its properties, in a list, or with a selector. Only
// scripts in the world of the page can see these, so this function runs in that world. It changes
// nothing. It returns the elements that have handlers, by their index in the document, with the
// events that they handle. If the page has no such framework, it returns null. The parameter rooted
// says that an element of the page listens for as many kinds of events as the root of React.
rooted => {
  const react = {
    onClick: 'click', onDoubleClick: 'dblclick', onMouseDown: 'mousedown', onMouseUp: 'mouseup',
    onPointerDown: 'pointerdown', onPointerUp: 'pointerup', onTouchStart: 'touchstart', onContextMenu: 'contextmenu',
    onMouseMove: 'mousemove', onPointerMove: 'pointermove', onMouseEnter: 'mouseenter', onMouseOver: 'mouseover', onPointerEnter: 'pointerenter',
    onDrop: 'drop', onDragOver: 'dragover', onDragEnter: 'dragenter',
  };
  const types = Object.values(react);
  const jQuery = typeof self.jQuery === 'function' || Object.keys(document).some(key => key.startsWith('jQuery'));
  const marked = Boolean(document._$DX_DELEGATE || self.__svelte); // Solid, Svelte
  const zones = self.interact?.scope?.interactables?.list?.filter(one => one.options?.drop?.enabled) ?? []; // drop zones of interact.js
  if (!rooted && !jQuery && !marked && zones.length === 0) return null;
  const all = document.getElementsByTagName('*'), found = new Map();
  for (const { target } of zones) for (const el of typeof target === 'string' ? document.querySelectorAll(target) : [target]) note(el, 'drop');
  for (const el of [document, ...all]) {
    for (const key of Object.keys(el)) {
      if (key.startsWith('__reactProps$') || key.startsWith('__reactEventHandlers$')) {
        for (const [name, type] of Object.entries(react)) if (typeof el[key]?.[name] === 'function') note(el, type);
      } else if (marked && /^(\$\$|__)[a-z]+$/.test(key) && types.includes(key.slice(2)) && el[key]) {
        note(el, key.slice(2));
      } else if (jQuery && key.startsWith('jQuery')) {
        delegated(el, el[key]?.events ?? self.jQuery?._data?.(el, 'events') ?? {});
      }
    }
    if (!marked) continue;
    for (const key of Object.getOwnPropertySymbols(el)) { // Svelte 5.57 keeps its handlers behind such a key
      if (key.description === 'events') for (const type of types) if (el[key]?.[type]) note(el, type);
    }
  }
  return { total: all.length, handled: Array.from(all).flatMap((el, i) => found.has(el) ? [[i, [...found.get(el)].join(' ')]] : []) };

  function note(el, type) {
    if (!found.has(el)) found.set(el, new Set());
    found.get(el).add(type);
  }

  // delegated records the handlers that were added by el.on(type, selector).
  function delegated(el, events) {
    for (const [type, handlers] of Object.entries(events)) {
      if (!types.includes(type)) continue;
      for (const { selector } of handlers) if (selector) for (const target of matching(el, selector)) note(target, type);
    }
  }

  function matching(el, selector) {
    try {
      return el.querySelectorAll(selector);
    } catch {
      return self.jQuery?.(el).find(selector).toArray() ?? []; // jQuery has selectors that browsers do not have
    }
  }
}
