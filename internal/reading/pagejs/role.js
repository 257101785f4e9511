// Roles, by WAI-ARIA 1.2 and HTML-AAM. A role of '' means generic: the element groups what is in it
// and says nothing itself.

const ARIA_ROLES = words('alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox'
  + ' comment complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid'
  + ' gridcell group heading image img insertion link list listbox listitem log main mark marquee math menu menubar menuitem'
  + ' menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup'
  + ' region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong subscript'
  + ' suggestion superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid'
  + ' treeitem'
  + ' doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography'
  + ' doc-biblioref doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnote'
  + ' doc-endnotes doc-epigraph doc-epilogue doc-errata doc-example doc-footnote doc-foreword doc-glossary doc-glossref'
  + ' doc-index doc-introduction doc-noteref doc-notice doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part'
  + ' doc-preface doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc'
  + ' graphics-document graphics-object graphics-symbol');

const SYNONYMS = { image: 'img', presentation: 'none', directory: 'list' };

// The global attributes. An element that has one of them keeps its role although its author wrote
// role=none (WAI-ARIA, presentational roles conflict resolution).
const GLOBAL_ARIA = ('atomic braillelabel brailleroledescription busy controls current describedby description details'
  + ' dropeffect flowto grabbed keyshortcuts label labelledby live owns relevant roledescription').split(' ').map(name => 'aria-' + name);

// Roles of elements that can be acted on. Go has the same list, and a test compares the two.
const INTERACTIVE = words('button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio searchbox slider'
  + ' spinbutton switch tab textbox treeitem');

const SECTIONING = words('article aside main nav section');
const SECTIONING_ROLES = words('article complementary main navigation region');

const INPUT_ROLES = {
  button: 'button', submit: 'button', reset: 'button', image: 'button', file: 'button', color: 'button',
  checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton', search: 'searchbox', hidden: '',
};
const SUGGESTED = words('text search email tel url');

const scoped = role => el => insideSection(el) ? '' : role;
const whenNamed = role => el => explicitName(el) ? role : '';

const NATIVE_ROLES = {
  a: el => el.hasAttribute('href') || el.hasAttributeNS(XLINK, 'href') ? 'link' : '',
  area: el => el.hasAttribute('href') ? 'link' : '',
  address: 'group', article: 'article', blockquote: 'blockquote', button: 'button', caption: 'caption', code: 'code',
  aside: el => insideSection(el) && !explicitName(el) && !onlyInMain(el) ? '' : 'complementary',
  dd: 'definition', del: 'deletion', s: 'deletion', details: 'group', dfn: 'term', dialog: 'dialog', dt: 'term',
  dir: 'list', em: 'emphasis', embed: el => holdsPage(el, 'embed') ? 'iframe' : '', fieldset: 'group', figure: 'figure',
  footer: scoped('contentinfo'), form: 'form', g: el => svgTitle(el) ? 'group' : '',
  h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading',
  header: scoped('banner'), hgroup: 'group', hr: 'separator', iframe: 'iframe', frame: 'iframe', ins: 'insertion',
  img: el => el.getAttribute('alt') === '' && !explicitName(el) && !el.title.trim() && !insists(el) ? 'none' : 'img',
  input: inputRole, li: itemRole, main: 'main', mark: 'mark', math: 'math',
  menu: 'list', meter: 'meter', nav: 'navigation', object: el => holdsPage(el, 'object') ? 'iframe' : '', ol: 'list',
  optgroup: 'group', option: 'option', output: 'status', p: 'paragraph',
  progress: 'progressbar', search: 'search', section: whenNamed('region'),
  select: el => el.multiple || el.size > 1 ? 'listbox' : 'combobox',
  strong: 'strong', sub: 'subscript', sup: 'superscript',
  summary: el => el.parentElement?.localName === 'details' && summaryOf(el.parentElement) === el ? 'button' : '',
  svg: 'img', table: 'table', tbody: inTable('rowgroup'), tfoot: inTable('rowgroup'), thead: inTable('rowgroup'),
  td: cellRole, th: headerCellRole, tr: inTable('row'),
  textarea: 'textbox', time: 'time', ul: 'list',
};

// roleOf returns the role of el: '' if it is generic, 'none' if the author has taken its role away.
function roleOf(el) {
  const native = nativeRole(el, el.localName);
  const asked = attributeOf(el, 'role');
  return asked === null ? native : askedRole(el, asked, native);
}

function nativeRole(el, tag) {
  const role = NATIVE_ROLES[tag];
  if (role === undefined) return '';
  return typeof role === 'function' ? role(el) : role;
}

// askedRole returns the first word of a role attribute that is a known role and may be used here.
// If there is none, it returns the native role. A field takes input whatever its role attribute says:
// Carbon's number input has role=alert. So a field does not get a role that takes no input.
function askedRole(el, list, native) {
  for (const word of list.toLowerCase().split(/\s+/)) {
    if (!ARIA_ROLES.has(word)) continue;
    const role = SYNONYMS[word] ?? word;
    if (role === 'none' && insists(el)) return native;
    if (role !== 'none' && isNativeField(el) && !INTERACTIVE.has(role)) continue;
    if ((role === 'form' || role === 'region') && !explicitName(el)) continue;
    const context = CONTEXTS[role];
    if (context !== undefined && closest(owned.get(el) ?? parentOf(el), context) === null) continue;
    return role === 'generic' ? '' : role;
  }
  return native;
}

// Roles that mean nothing outside of elements with certain other roles. WAI-ARIA has more such
// roles; Chromium ignores these outside of their context.
const CONTEXTS = {
  listitem: isList,
  option: el => roleOf(el) === 'listbox',
  treeitem: el => roleOf(el) === 'tree',
};

// insists reports whether el keeps its role although its author wrote role=none.
function insists(el) {
  return focusable(el) || GLOBAL_ARIA.some(a => el.hasAttribute(a));
}

function focusable(el) {
  if (el.hasAttribute('tabindex')) return true;
  switch (el.localName) {
    case 'a': case 'area': return el.hasAttribute('href') || el.hasAttributeNS(XLINK, 'href');
    case 'button': case 'select': case 'textarea': return !el.disabled;
    case 'input': return !el.disabled && el.type !== 'hidden';
    case 'iframe': case 'summary': return true;
    default: return el.isContentEditable === true && el.hasAttribute('contenteditable');
  }
}

// explicitName reports whether el is named by an attribute for that purpose.
function explicitName(el) {
  return Boolean(ariaLabel(el)) || labelledBy(el).length > 0 || Boolean(el.getAttribute('title')?.trim());
}

// itemRole returns the role of an item in a list, '' if the list has another role.
function itemRole(el) {
  const list = closest(parentOf(el), isList);
  return list !== null && roleOf(list) === 'list' ? 'listitem' : '';
}

const LISTS = words('ul ol menu dir');

function isList(el) {
  return LISTS.has(el.localName) || roleOf(el) === 'list';
}

function insideSection(el) {
  return closest(parentOf(el), isSection) !== null;
}

function isSection(el) {
  return attributeOf(el, 'role') !== null ? SECTIONING_ROLES.has(roleOf(el)) : SECTIONING.has(el.localName);
}

// onlyInMain reports whether main is the only section around el.
function onlyInMain(el) {
  return closest(parentOf(el), e => isSection(e) && roleOf(e) !== 'main') === null;
}

function inputRole(el) {
  const type = el.type;
  if (SUGGESTED.has(type) && el.list) return 'combobox';
  return INPUT_ROLES[type] ?? 'textbox';
}

// Caches for one look (see look.js): the role of each table, and the role of the td elements of
// each row. A table has many parts, and a row has many cells.
let tableRoles = new Map();
let cellRoles = new Map(); // row -> role of a td in it

function tableRole(el) {
  const table = el.closest('table');
  if (table === null) return '';
  let role = tableRoles.get(table);
  if (role === undefined) {
    role = roleOf(table);
    tableRoles.set(table, role);
  }
  return role;
}

const GRIDS = words('grid treegrid');

// inTable returns a function for a part of a table. The function returns the given role, or '' if
// the author has given the table a role other than table or grid.
function inTable(role) {
  return el => {
    const table = tableRole(el);
    return table === 'table' || GRIDS.has(table) ? role : '';
  };
}

function cellRole(el) {
  const row = el.parentNode;
  let role = cellRoles.get(row);
  if (role === undefined) {
    role = roleInRow(el);
    cellRoles.set(row, role);
  }
  return role;
}

function roleInRow(el) {
  if (el.parentElement?.hasAttribute('role') && roleOf(el.parentElement) !== 'row') return '';
  const table = tableRole(el);
  if (GRIDS.has(table)) return 'gridcell';
  return table === 'table' ? 'cell' : '';
}

function headerCellRole(el) {
  const table = tableRole(el);
  if (table !== 'table' && !GRIDS.has(table)) return '';
  switch (el.scope) {
    case 'row': case 'rowgroup': return 'rowheader';
    case 'col': case 'colgroup': return 'columnheader';
  }
  return headsRow(el) ? 'rowheader' : 'columnheader';
}

let dataRows = new Map(); // row -> whether it has a td with content; the corner above row headers is an empty td

// headsRow reports whether a th without scope is in a row of data. In a row of headers alone, it
// heads a column.
function headsRow(th) {
  const row = th.parentNode;
  let data = dataRows.get(row);
  if (data === undefined) {
    data = Array.prototype.some.call(row.children, isDataCell);
    dataRows.set(row, data);
  }
  return data;
}

function isDataCell(cell) {
  return cell.localName === 'td' && (cell.firstElementChild !== null || /\S/.test(cell.textContent));
}
