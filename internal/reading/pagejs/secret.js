// Secrets: entering a text that only the page may get, and that nobody can read off the screen.
//
// A secret is entered by a script and not by input of the browser. So no script of the page can run
// between the check of a field and the text. And the text can reach no other field or frame.

// Input types that take a secret. Other types show what they hold in other places, such as a list of
// earlier searches.
const sealable = words('text password email tel number');

// secretField waits until element n takes a secret, at most until the deadline (by). It returns
//
//	missing  what the element lacks: gone, hidden, disabled, readonly
//	unfit    why it takes no secret: 'kind' for an element of the wrong kind, 'unseen' if nobody can see it
//	origin   the origin of this document
//	targets  the origins that the form of the element may be sent to, if that is known
async function secretField(n, by) {
  const wait = beginWait(n);
  for (;;) {
    const given = element(n);
    if (!given) return { missing: 'gone' };
    const lacks = unfitForSecret(controlOf(given));
    if (lacks === null) return { origin: self.origin, targets: targetsOf(controlOf(given)) };
    if (lacks.unfit || !await waitFor(wait, lacks, by)) return { ...lacks, origin: self.origin };
  }
}

// enterSecret replaces what element n holds by a secret, in one step and without waiting. It does
// nothing unless the origin of this document is the given one, and the form is sent to the given
// targets only. The caller passes what secretField returned. The field shows discs unless open is
// true. The answer has the same fields as the answer of secretField. If the secret was entered, it
// also has
//
//	entered  true
//	differs  the element holds something else than the secret: the page changed or shortened it
//	refused  the page kept what was there
function enterSecret(n, value, origin, targets, open) {
  const given = element(n);
  if (!given) return { missing: 'gone' };
  const el = controlOf(given);
  if (!inView(...middle(el))) reveal(el, 'center');
  if (unfitForSecret(el) === null) {
    giveFocus(el);
    el.select();
  }
  // Handlers of the page have run: what they changed is seen from here on, and no others run.
  const lacks = unfitForSecret(el), now = { origin: self.origin, targets: targetsOf(el) };
  if (lacks !== null) return { ...lacks, ...now };
  if (now.origin !== origin || now.targets.some(target => !targets.includes(target))) return now;
  if (focused() !== el) return { missing: 'unfocusable' };
  if (!inView(...middle(el))) return { unfit: 'unseen', ...now }; // no scrolling brings the field into view
  const before = el.value;
  entering = el;
  taken = false;
  if (!open) seal(el);
  document.execCommand('insertText', false, value);
  entering = null;
  unsealEmpty(el);
  return { ...now, entered: true, differs: el.value !== value, refused: !taken && el.value === before && before !== value };
}

// unfitForSecret returns what an element lacks to take a secret, null if nothing.
function unfitForSecret(el) {
  if (el.localName !== 'input' || !sealable.has(el.type)) return { unfit: 'kind' };
  if (!isRendered(el)) return { missing: 'hidden' };
  if (isInert(el)) return whyInert(el);
  if (el.readOnly || el.getAttribute('aria-readonly') === 'true') return { missing: 'readonly' };
  return isUnseen(el) ? { unfit: 'unseen' } : null;
}

// actionOf reads the address of a form. If the form has a field with the name action, form.action
// is that field and not the address.
const actionOf = Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, 'action').get;

// targetsOf returns the origins to which the form of a field may be sent. The attributes of the
// form and of its buttons name these origins. A form without an address is sent to this document,
// and one with a script as its address is sent nowhere.
function targetsOf(field) {
  const form = field.form, origins = new Set();
  if (form === null) return [];
  const add = (attribute, address) => {
    if (attribute !== null && attribute.trim() !== '' && !/^javascript:/i.test(address)) origins.add(originOf(address));
  };
  add(form.getAttribute('action'), actionOf.call(form));
  for (const button of field.getRootNode().querySelectorAll('button, input')) {
    if (button.form === form) add(button.getAttribute('formaction'), button.formAction);
  }
  return [...origins];
}

// originOf returns the origin of an address, 'null' if it has none.
function originOf(address) {
  try { return new URL(address).origin; } catch { return 'null'; }
}

let entering = null; // the field that gets a secret right now
let taken = false; // whether the field has got an input event

// sealed are the fields that hold a secret, or may hold one.
const sealed = new WeakSet();

// isSealed reports whether a field holds a secret that chela has entered.
function isSealed(field) {
  unsealEmpty(field);
  return sealed.has(field);
}

// isMasked reports whether the value of a field is not to be shown: the field shows discs or the like
// in its place.
function isMasked(field) {
  if (field.type === 'password' || isSealed(field)) return true;
  return takesText(field) && content(field) !== '' && getComputedStyle(field).webkitTextSecurity !== 'none';
}

const DISCS = '-webkit-text-security';

const keepsDiscs = new MutationObserver(records => { for (const { target } of records) if (isSealed(target)) showDiscs(target); });

// seal makes a field show discs in place of its text, from before the first character until the
// field is empty. If the page changes the type or the style of the field, keepsDiscs sets the discs
// again before the page is painted.
function seal(field) {
  if (!sealed.has(field)) keepsDiscs.observe(field, { attributes: true, attributeFilter: ['style', 'type'] });
  sealed.add(field);
  showDiscs(field);
}

function showDiscs(field) {
  if (field.style.getPropertyValue(DISCS) === 'disc' && field.style.getPropertyPriority(DISCS) === 'important') return;
  field.style.setProperty(DISCS, 'disc', 'important');
}

// unsealEmpty ends the discs of a field that is empty. A number field that holds no number has an
// empty value, and shows its text.
function unsealEmpty(field) {
  if (field === entering || !sealed.has(field) || field.value !== '' || field.validity.badInput) return;
  sealed.delete(field);
  field.style.removeProperty(DISCS);
}

// When a page empties a field by a script there is no event. Such a field is unsealed when it is
// looked at, or when something is typed into it.
listen(['input', 'beforeinput'], textComes, { capture: true });

function textComes(event) {
  taken ||= event.type === 'input' && event.isTrusted;
  unsealEmpty(focused());
}

// focusedField returns the number of the element that has the focus, 0 if the focus is not in this
// document or nothing has it.
function focusedField() {
  const el = focused();
  if (!document.hasFocus() || el === null || el === document.body || el.localName === 'iframe' || el.localName === 'frame') return 0;
  return refOf(el);
}

Object.assign(chela, { secretField, enterSecret, focusedField, isMasked });
