// Short descriptions of elements: for messages, for labels on screenshots, and for what has no words.

// describe returns a short description of an element, such as button "Save" or div#consent.banner.
function describe(el) {
  look();
  const role = roleOf(el);
  const name = role && role !== 'none' ? nameOf(el) : '';
  if (name) return role + ' ' + JSON.stringify(bounded(name, 80));
  return cssName(el);
}

function cssName(el) { return bounded(el.localName + idAndClasses(el), 80); }

// idAndClasses returns the id of an element and its classes. An id that a tool has generated says
// nothing beside classes.
function idAndClasses(el) {
  const classes = classNames(el), says = el.id !== '' && (classes === '' || !/[^\w-]/.test(el.id) && !isGenerated(el.id));
  return (says ? '#' + squash(el.id) : '') + classes;
}

// classNames returns up to three classes of an element that a function keeps. The class fa says no more than fa-times, so
// it is left out beside that. So are classes that a tool has generated.
function classNames(el, keeps = () => true) {
  const all = classesOf(el).filter(keeps), chosen = all.filter(each => !isGenerated(each)), telling = chosen.length > 0 ? chosen : all;
  return telling.filter(a => !telling.some(b => b.startsWith(a + '-') || b.startsWith(a + '_'))).slice(0, 3).map(c => '.' + c).join('');
}

// isGenerated reports whether a class is the hash of its styles, such as css-1vps79i or m_ae386778.
// A hash mixes letters and digits. A word that ends with a number, such as col12, is no hash.
function isGenerated(name) { return /^css-/.test(name) || name.split(/[-_]+/).some(part => HASH.test(part) && !NUMBERED.test(part)); }

const HASH = /^(?=.*\d)(?=.*[a-z])[a-z\d]{5,}$/i;
const NUMBERED = /^[a-z]+\d{1,4}$/i;

// Roles of elements whose looks become their description if they have neither name nor content.
// Nothing else distinguishes them.
const KNOWN_BY_LOOKS = new Set(['', 'button', 'link', 'img']);

// isKnownByLooks reports whether the looks of an element (place) describe it, if it says nothing. A
// cell is one of many that look alike, unless it listens for clicks itself.
function isKnownByLooks({ role, isTarget }) {
  return KNOWN_BY_LOOKS.has(role) || !isTarget && (role === 'cell' || HEADERS.has(role));
}

// looksOf returns what distinguishes elements without words, such as payee, .fa-times, cart.png,
// span.like or circle rgb(255, 0, 0); '' when there is nothing. A test id is a word that a person
// chose. The target of a link says more than its icon, whose classes are often only about size and
// color. Both say more than the element's own classes and color. All elements of a class share the
// color of the class, so it does not distinguish one of them. The parameter icon is the result of iconOf.
function looksOf(el, icon = iconOf(el)) {
  const telling = testIdOf(el) || (el.localName === 'img' ? fileOf(el) : leadsTo(el) || icon);
  if (telling !== '') return telling;
  const style = getComputedStyle(el), drawn = el.namespaceURI === SVG;
  const color = drawn ? style.fill : style.backgroundColor;
  const name = drawn || el.id || el.classList.length > 0 ? cssName(el) : '';
  const own = drawn || name === '' || el.style.background !== '' || el.style.backgroundColor !== '';
  return squash(name + ' ' + (!own || UNPAINTED.has(color) || TRANSLUCENT.test(color) ? '' : color));
}

const COUNT = /^\s*\d{1,4}\+?\s*$/; // the number on a badge

// countedBy returns the looks of an element that shows only a number, such as the badge of a cart. A
// number without an icon or a test id is a page or a day. So is one that the looks repeat.
function countedBy(el, number) {
  if (testIdOf(el) === '' && el.querySelector(ICON_BOXES) === null) return '';
  const looks = looksOf(el);
  return looks.includes(number.trim()) ? '' : looks;
}

// tellLooksApart distinguishes elements that have the same looks. It adds their own classes that
// differ, as in ".ql-bold .ql-stroke" for a button with an icon. An element that has none, and stands
// near only a few others, gets those of the closest elements around it, as in ".input rect.port". The
// parameter has pairs of a line and its element; the looks are the description of the line. Handles
// that resize are counted by their looks, so these stay.
function tellLooksApart(shown) {
  for (const [looks, group] of Map.groupBy(shown.filter(([line]) => !line.hints.includes('resize')), ([line]) => line.description)) {
    if (looks === '' || group.length === 1 || group.length > MOST_ALIKE) continue;
    const all = group.map(([, el]) => el), rare = rareClasses(looks, all);
    for (const [line, el] of group) {
      const differs = classNames(el, name => rare.has(name)) || (group.length <= FEW_ALIKE ? differsAround(el, all) : '');
      if (differs !== '') line.description = differs + ' ' + looks;
    }
  }
}

// rareClasses returns the classes that at most half of the elements with the same looks have. A class
// that was rare once counts as rare from then on. Otherwise a click that gives a class to one element
// would take it from the lines of others.
function rareClasses(looks, all) {
  const counts = new Map(), rare = rareByLooks.get(looks) ?? new Set();
  for (const name of all.flatMap(classesOf).filter(tells)) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const [name, count] of counts) if (2 * count <= all.length && rare.size < MOST_RARE) rare.add(name);
  if (rareByLooks.size === MOST_RARE) rareByLooks.clear();
  return rareByLooks.set(looks, rare).get(looks);
}

const rareByLooks = new Map();
const MOST_RARE = 1000; // only hostile pages have more

// differsAround returns the classes of the closest element around el that those beside it lack. Those
// beside it are around others of the elements. It returns '' if the element around el holds several of
// them.
function differsAround(el, all) {
  for (let level = 1, up = el, ups = all; level <= LEVELS_AROUND; level++) {
    up = up.parentElement;
    ups = ups.map(each => each?.parentElement ?? null);
    if (up === null || ups.filter(each => each === up).length > 1) return '';
    const beside = ups.filter(each => each !== null && each !== up && each.parentNode === up.parentNode);
    const own = classNames(up, name => tells(name) && !beside.some(each => each.classList.contains(name)));
    if (own !== '' && beside.length > 0) return own;
  }
  return '';
}

// tells reports whether a class may distinguish an element. A number in a class counts the items of a
// list, as odd and last do. A class such as selected may change with the next click.
function tells(name) { return !COUNTS.test(name) && !CHOSEN_CLASS.test(name); }

const COUNTS = /\d|(^|[-_])(odd|even|first|last)$/i;
const FEW_ALIKE = 10;    // elements with the same looks; if there are more, they are in the items of a list
const MOST_ALIKE = 256;  // elements with the same looks, such as the squares of a board; of more, only the number is shown
const LEVELS_AROUND = 2; // how many ancestors may distinguish an element

const NAMES_OF_ICONS = ['data-icon', 'data-mat-icon-name', ...TEST_IDS];
const ICONS = ['use', 'img', ...NAMES_OF_ICONS.map(name => `[${name}]`), '[class]', '[id]'].join();

// ICON_BOXES are elements that hold icons. Other elements with a class may be layers that a library
// puts into each of its buttons, to color them when they are pressed.
const ICON_BOXES = ['svg', 'i', 'img', 'mat-icon', '[data-mat-icon-name]', ...['icon', 'icons'].flatMap(word => [`[class$=${word}]`, `[class*="${word} "]`])].join();
const INSIDE_ICONS = `:scope :is(${ICON_BOXES}):is(${ICONS}),:scope :is(${ICON_BOXES}) :is(${ICONS})`;

// iconOf returns the page's name for the first icon inside el, '' if there is none. A class such as
// p-icon only says that it is an icon. The parts of a large drawing are no icons of it: a click on the
// drawing does not go to the first of them.
function iconOf(el) {
  if (el.localName === 'svg' && Math.min(boxOf(el).width, boxOf(el).height) > WIDEST_ICON) return '';
  const icons = el.querySelectorAll(INSIDE_ICONS);
  for (const icon of icons.length > 0 ? icons : el.querySelectorAll(ICONS)) {
    if (icon.localName === 'img') return fileOf(icon);
    const name = NAMES_OF_ICONS.find(each => icon.hasAttribute(each));
    const own = icon.localName === 'use' ? addressIn(icon) : name && icon.getAttribute(name);
    if (own) return bounded(squash(own), 80);
    const said = icon.querySelector('use,[data-icon]') === null ? idAndClasses(icon) : '';
    if (said !== '' && !ONLY_AN_ICON.test(said)) return bounded(said, 80);
  }
  return '';
}

// lastingName returns the name of an icon as iconOf gives it, if it stays the same when the icon is drawn again, or ''.
// An id that counts or is random does not, nor does the query of a picture's address.
function lastingName(icon) {
  const name = icon.replace(/\?.*/, '');
  return name.startsWith('#') || name.split('.').some(isGenerated) ? '' : name;
}

const WIDEST_ICON = 64; // pixels

const ONLY_AN_ICON = /^(\.[\w-]*icons?)+$/;

// addressIn returns the address of a <use> element as its attribute has it.
function addressIn(use) { return use.getAttribute('href') ?? use.getAttributeNS(XLINK, 'href'); }

// fileOf returns the name of the file that an image shows.
function fileOf({ src }) {
  return src.startsWith('data:') ? '' : bounded(squash(/[^/]*$/.exec(src)[0]), 80);
}

// leadsTo returns where a link leads. That is the path and the query, with the host if it is
// another one, or the fragment if the link stays on this page. It returns '' for what is no link.
function leadsTo(el) {
  if (el.localName !== 'a' || !URL.canParse(el.href) || el.protocol === 'javascript:') return '';
  const { pathname, search, hash, host } = el;
  if (host !== location.host) return bounded(host + pathname + search, 80);
  return bounded(pathname !== location.pathname || search !== location.search ? pathname + search : hash, 80);
}

const TRANSLUCENT = /^rgba\(.*, 0\.\d+\)$/; // a translucent shade over other colors, not a color of the element itself
const UNPAINTED = new Set(['none', 'transparent', 'rgba(0, 0, 0, 0)', 'rgb(239, 239, 239)']); // the last is the color of every button

// boxes returns where the given refs, or all refs of this frame, are in its viewport. In a child
// frame it leaves out elements that are outside of the iframe element's box.
chela.boxes = given => {
  look();
  const found = [];
  for (const n of given ?? refs()) {
    const el = element(n);
    if (!el || !shown(el)) continue;
    const { x, y, width, height } = el.getBoundingClientRect();
    const cut = parent !== self && (x + width <= 0 || y + height <= 0 || x >= innerWidth || y >= innerHeight);
    if (width > 0 && height > 0 && !cut) found.push({ n, x, y, width, height, role: roleOf(el) || 'generic', name: nameOf(el) });
  }
  return found;
};
