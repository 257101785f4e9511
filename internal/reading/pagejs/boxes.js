// Boxes: where elements are in this frame's viewport, and whether they can be seen there.

// isShown reports whether an element, or a label that stands for it, can be seen.
function isShown(el) {
  return [el, ...labelsFor(el)].some(takesSpace);
}

// takesSpace reports whether an element is rendered, with a size of its own or of its content.
function takesSpace(el) { return isRendered(el) && rectsOf(el).length > 0; }

// dropDownOf returns the select that lists an option or a group of options, if the page does not
// render the list. Chromium shows the list of a drop-down in a window of its own, which takes no
// input of the DevTools protocol. For all other elements it returns null. With "appearance:
// base-select", the open list is a part of the page, so its options can be clicked.
function dropDownOf(el) {
  if (el.localName !== 'option' && el.localName !== 'optgroup') return null;
  const select = el.closest('select');
  return select && !select.multiple && select.size <= 1 && rectsOf(el).length === 0 ? select : null;
}

// isRendered reports whether an element is rendered and visible, of whatever size. An element
// without a box of its own (display: contents) counts as rendered when its nearest ancestor with a
// box is.
function isRendered(el) {
  if (el.localName === 'area') return true; // an area has no box itself: areaRects checks whether its image is rendered
  const { display, visibility } = getComputedStyle(el);
  if (display !== 'contents') return el.checkVisibility({ visibilityProperty: true });
  let inner = el, box = parentOf(el);
  while (box !== null && getComputedStyle(box).display === 'contents') [inner, box] = [box, parentOf(box)];
  return visibility === 'visible' && (box === null || box.checkVisibility() && !(skipsContent(box) && inner !== summaryOf(box)));
}

// rendersText reports whether text directly in an element is rendered and visible.
function rendersText(el) { return (shown(el) || isRendered(el)) && !skipsContent(el); }

// skipsContent reports whether an element, itself rendered or not, renders nothing of its content.
// A closed details element does so, but renders its summary.
function skipsContent(el) {
  switch (el.localName) {
    case 'details': return !el.open;
    case 'object': return !showsFallback(el);
    case 'canvas': case 'video': case 'audio': case 'iframe': case 'fencedframe': return true;
  }
  return getComputedStyle(el).contentVisibility === 'hidden';
}

// MAY_SKIP has the elements that may skip their content without content-visibility.
const MAY_SKIP = words('details object canvas video audio iframe fencedframe');

// rectsOf returns the boxes of an element that have a size, the largest first. If it has none, the
// boxes come from its content.
function rectsOf(el) {
  if (el.localName === 'details' && summaryOf(el) === null) return [summaryRect(el)];
  let rects = sized(el.localName === 'area' ? areaRects(el) : el.getClientRects());
  if (rects.length === 0) rects = contentRects(el);
  return rects.sort((a, b) => b.width * b.height - a.width * a.height);
}

// summaryRect returns the box of the summary that Chromium makes for a details element without one.
// The summary is above the content, which is rendered while the element is open.
function summaryRect(details) {
  const box = details.getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents(details);
  const inside = details.open ? sized(range.getClientRects()) : [];
  const bottom = Math.min(box.bottom, ...inside.map(r => r.top).filter(top => top > box.top));
  return new DOMRect(box.left, box.top, box.width, bottom - box.top);
}

// contentRects returns the boxes of what an element renders inside itself: its text and its
// children. A child without a box is replaced by its own contents. What the element cuts off is left out.
function contentRects(el) {
  const rects = [], cuts = cutsAllOff(el);
  for (const node of childrenOf(el)) {
    if (cuts && (node.nodeType !== ELEMENT || containing(node) === el)) continue;
    if (node.nodeType === TEXT) {
      const range = document.createRange();
      range.selectNode(node);
      rects.push(...sized(range.getClientRects()));
    } else if (node.nodeType === ELEMENT) {
      const own = sized(node.getClientRects());
      rects.push(...own.length > 0 ? own : contentRects(node));
    }
  }
  return rects;
}

// boxOf returns an element's box. If the element has none, boxOf returns the largest box of its
// content.
function boxOf(el) {
  const r = el.getBoundingClientRect();
  return r.width > 0 && r.height > 0 ? r : rectsOf(el)[0] ?? r;
}

function middlePoint(el) {
  const [x, y] = middle(el);
  return { x, y };
}

function middle(el) {
  const r = el.getBoundingClientRect();
  return [r.left + r.width / 2, r.top + r.height / 2];
}

// isIn reports whether a point is in a rectangle.
function isIn(r, x, y) { return x >= r.left && x < r.right && y >= r.top && y < r.bottom; }

// inSight returns a point of an element that is in the viewport and that no scrolling ancestor
// clips away. It returns null if there is no such point.
function inSight(el) {
  const clips = [];
  for (let n = parentOf(el); n; n = parentOf(n)) {
    if (getComputedStyle(n).overflow !== 'visible' && !isWhole(n)) clips.push(n.getBoundingClientRect());
  }
  const within = ({ x, y }) => inView(x, y) && clips.every(r => isIn(r, x, y));
  for (const point of points(el)) if (within(point)) return point;
  return null;
}

// scrollable reports whether an element is a box that can be scrolled.
function scrollable(el) {
  return (el.scrollHeight > el.clientHeight || el.scrollWidth > el.clientWidth) && getComputedStyle(el).overflow !== 'visible';
}

// reveal scrolls an element into the viewport. The parameter block says where, as for
// scrollIntoView. For an area it scrolls to its image, and for a control that is not rendered to
// its label.
function reveal(el, block) {
  if (spot?.el === el) return revealSpot(el);
  let box = el;
  if (el.localName === 'area') box = imageOf(el) ?? el;
  else if (!el.checkVisibility()) box = labelsFor(el)[0] ?? el;
  const boxless = getComputedStyle(box).display === 'contents';
  if (boxless) revealContents(box);
  else box.scrollIntoView({ block, inline: block === 'nearest' ? 'nearest' : 'center', behavior: 'instant' });
}

// revealContents scrolls the content of an element that has no box itself. In each box that scrolls
// the content, it brings the content to the middle.
function revealContents(el) {
  closest(parentOf(el), scroller => {
    const page = scroller === document.documentElement, [r] = rectsOf(el);
    if (r && (page || scrollable(scroller))) scrollToMiddle(scroller, page, { x: r.left + r.width / 2, y: r.top + r.height / 2 });
    return false;
  });
}

// scrollToMiddle scrolls a box, or the page, until a point of the viewport is in the middle of it.
function scrollToMiddle(scroller, page, { x, y }) {
  const view = page ? new DOMRect(0, 0, innerWidth, innerHeight) : scroller.getBoundingClientRect();
  (page ? document.scrollingElement : scroller).scrollBy({
    left: x - view.left - view.width / 2, top: y - view.top - view.height / 2, behavior: 'instant',
  });
}

function sized(rects) { return [...rects].filter(r => r.width > 0 && r.height > 0); }

// areaRects returns a list with one small box that lies within an area of an image map. The list is
// empty if the image is not rendered.
function areaRects(area) {
  const img = imageOf(area);
  if (!img || !isRendered(img)) return [];
  const box = img.getBoundingClientRect();
  const { x, y } = pointInArea(area, box);
  return [new DOMRect(box.left + img.clientLeft + x - 1, box.top + img.clientTop + y - 1, 2, 2)];
}

// pointInArea returns a point in an area, counted from the corner of the image. An area for all that the
// others leave gets a point outside of them.
function pointInArea(area, { width, height }) {
  const outline = outlineOf(area);
  if (outline !== null) return spotsOf(outline).find(at => isWithin(outline, at)) ?? middleOf(outline);
  const others = [...area.closest('map').areas].map(outlineOf).filter(each => each !== null);
  const all = [{ x: 0, y: 0 }, { x: width, y: 0 }, { x: width, y: height }, { x: 0, y: height }];
  return spotsOf(all).find(at => !others.some(each => isWithin(each, at))) ?? middleOf(all);
}

// outlineOf returns the corners of an area, null if it has none: it is for all that the others leave. A
// circle has the corners of the square within it. The shapes have the names that Chromium knows.
function outlineOf(area) {
  const shape = area.shape.toLowerCase(), isCircle = /^circ(le)?$/.test(shape), c = area.coords.trim().split(/[\s,;]+/).map(Number);
  if (shape === 'default' || c.length < (isCircle ? 3 : 4) || c.some(Number.isNaN)) return null;
  if (/^poly(gon)?$/.test(shape)) return c.flatMap((x, i) => i % 2 === 0 && i + 1 < c.length ? [{ x, y: c[i + 1] }] : []);
  const [x, y, r] = c, [left, top, right, bottom] = isCircle ? [x - r * .7, y - r * .7, x + r * .7, y + r * .7] : c;
  return [{ x: left, y: top }, { x: right, y: top }, { x: right, y: bottom }, { x: left, y: bottom }];
}

// spotsOf returns points that may lie within an outline: its middle, then a grid, then the middles of each
// three corners that follow each other. One of the last lies within any outline.
function spotsOf(outline) {
  const xs = outline.map(at => at.x), ys = outline.map(at => at.y);
  const left = Math.min(...xs), top = Math.min(...ys), width = Math.max(...xs) - left, height = Math.max(...ys) - top;
  const ears = outline.map((_, i) => middleOf([0, 1, 2].map(n => outline[(i + n) % outline.length])));
  return [middleOf(outline), ...gridOf({ left, top, width, height }), ...ears];
}

// isWithin reports whether a point lies within an outline: a line from it to the left crosses the outline
// an odd number of times.
function isWithin(outline, { x, y }) {
  const crosses = (a, b) => (a.y > y) !== (b.y > y) && x > a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y);
  return outline.filter((at, i) => crosses(at, outline.at(i - 1))).length % 2 === 1;
}

function middleOf(points) {
  const mean = values => values.reduce((sum, n) => sum + n, 0) / values.length;
  return { x: mean(points.map(at => at.x)), y: mean(points.map(at => at.y)) };
}

// imageOf returns the image whose map the area belongs to, or null.
function imageOf(area) {
  const map = area.closest('map');
  return map && [...area.getRootNode().querySelectorAll('img[usemap]')].find(i => i.useMap === '#' + map.name) || null;
}

function labelsFor(el) { return el.labels ? [...el.labels] : []; }

function inView(x, y) { return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight; }

// box returns where element n is in the viewport.
function box(n) {
  const el = element(n);
  if (!el) return { missing: 'gone' };
  const [r] = rectsOf(el).length > 1 ? [el.getBoundingClientRect()] : rectsOf(el);
  if (!r) return { missing: 'hidden' };
  return { x: r.left, y: r.top, width: r.width, height: r.height };
}

// find returns the number of the first element that a CSS selector matches. It returns 0 if there
// is none, and -1 if the selector is invalid.
function find(selector) {
  try {
    const el = document.querySelector(selector);
    return el ? refOf(el) : 0;
  } catch { return -1; }
}

// mapping describes how points of a child frame's viewport map to the viewport of this frame. It
// returns the members of a DOMMatrix. The number n stands for the child's iframe element.
function mapping(n) {
  const el = element(n);
  if (!el) return { missing: 'gone' };
  const { a, b, c, d } = linear(el), { x, y } = outOf(el, 0, 0);
  return { a, b, c, d, e: x, f: y };
}

// pointThrough maps a point of the child frame in iframe element n to this frame's
// viewport, if the point can be seen there.
function pointThrough(n, x, y) {
  const el = element(n);
  if (!el) return { missing: 'gone' };
  const at = outOf(el, x, y);
  const hit = inView(at.x, at.y) ? deepest(at.x, at.y) : null;
  if (hit === null) return { missing: 'outside' };
  return hit === el ? at : { missing: 'covered', ...inTheWay(hit) };
}

// outOf maps a point of the frame in an iframe element to the viewport around it. Transforms turn
// and scale the element around an origin that is not known here. But the middle of the element is
// also the middle of its bounding box, so points are counted from there.
function outOf(el, x, y) {
  const box = el.getBoundingClientRect(), style = getComputedStyle(el);
  const fromMiddle = {
    x: el.clientLeft + parseFloat(style.paddingLeft) + x - el.offsetWidth / 2,
    y: el.clientTop + parseFloat(style.paddingTop) + y - el.offsetHeight / 2,
  };
  const turned = linear(el).transformPoint(fromMiddle);
  return { x: box.left + box.width / 2 + turned.x, y: box.top + box.height / 2 + turned.y };
}

// into maps a point of this viewport to the viewport of the frame in an iframe element. It is the
// inverse of outOf.
function into(el, x, y) {
  const box = el.getBoundingClientRect(), style = getComputedStyle(el);
  const fromMiddle = linear(el).inverse().transformPoint({ x: x - box.left - box.width / 2, y: y - box.top - box.height / 2 });
  return {
    x: fromMiddle.x + el.offsetWidth / 2 - el.clientLeft - parseFloat(style.paddingLeft),
    y: fromMiddle.y + el.offsetHeight / 2 - el.clientTop - parseFloat(style.paddingTop),
  };
}

// linear returns how an element is turned and scaled, by itself and by its ancestors, as a matrix
// without a translation.
function linear(el) {
  let all = new DOMMatrix().scale(el.currentCSSZoom ?? 1);
  for (let e = el; e; e = parentOf(e)) {
    all = ownTransform(getComputedStyle(e)).multiply(all);
  }
  return new DOMMatrix([all.a, all.b, all.c, all.d, 0, 0]);
}

// viewport returns the size of the viewport.
function viewport() { return { x: innerWidth, y: innerHeight }; }

Object.assign(chela, { viewport, box, find, mapping, pointThrough });
