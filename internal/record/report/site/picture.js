// Pictures of tabs. Each is in the document as base64 text. It becomes an image when its place comes
// near the visible part of the page.
const looking = new IntersectionObserver(load, { rootMargin: "600px" });

// load shows the pictures that have come near the visible part of the page.
function load(entries) {
  for (const { isIntersecting, target } of entries) {
    if (isIntersecting) develop(target);
  }
}

// Pictures that must be shown, but whose text the browser has not read yet: it is at the end of the
// document.
const waiting = new Set();
document.addEventListener("DOMContentLoaded", () => waiting.forEach(develop));

// develop shows a picture as soon as the browser has read its text. A picture that could not be
// written to the report has no text. Words say so in its place.
function develop(picture) {
  const text = $(`picture-${picture.dataset.picture}`)?.textContent;
  if (!text && document.readyState === "loading") return waiting.add(picture);
  looking.unobserve(picture);
  const image = picture.querySelector("image");
  if (!text) return image?.replaceWith(leftOut(picture));
  if (!image.hasAttribute("href")) image.setAttribute("href", `data:image/jpeg;base64,${text}`);
}

// leftOut draws the words in place of a picture that is not in the report.
function leftOut(picture) {
  const { width, height } = picture.viewBox.baseVal;
  return draw("text", { class: "left-out", x: width / 2, y: height / 2, "font-size": width / 12 }, "picture left out");
}

// developAll shows all pictures before the page is printed.
function developAll() {
  document.querySelectorAll("svg[data-picture]").forEach(develop);
}

// picture draws a picture of a tab, with the box of an element on it. It is an SVG with the CSS pixels
// of the tab as units, so the box fits at each size. With dim, the part outside the box is darkened.
function picture(shot, box, { label, dim } = {}) {
  const { width, height } = shot;
  const spoken = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  const svg = draw("svg", { class: "shot", viewBox: `0 0 ${width} ${height}`, "data-picture": shot.picture, ...spoken }, draw("image", { width, height }));
  if (box) svg.append(...outline(box, width, height, dim));
  looking.observe(svg);
  return svg;
}

// outline draws the box of an element as a colored line on a wider white one, to be seen on any page.
// A box without a size is the point of the mouse, drawn as a circle.
function outline(box, width, height, dim) {
  if (!box.width && !box.height) {
    const at = { cx: box.x, cy: box.y, r: width / 60 };
    return [draw("circle", { class: "edge", ...at }), draw("circle", { class: "mark", ...at })];
  }
  const pad = width / 400;
  const at = { x: box.x - pad, y: box.y - pad, width: box.width + 2 * pad, height: box.height + 2 * pad, rx: pad };
  const rest = `M0 0H${width}V${height}H0ZM${at.x} ${at.y}V${at.y + at.height}H${at.x + at.width}V${at.y}Z`;
  const shade = dim ? [draw("path", { class: "shade", d: rest })] : [];
  return [...shade, draw("rect", { class: "edge", ...at }), draw("rect", { class: "mark", ...at })];
}
