// Logins: the fields and buttons of forms, described for package login.

const LOGIN_CHARS = 80;   // longest name of a field or button
const LOGIN_FIELDS = 100; // how many fields of a document are described

// loginForms describes the text inputs of this document, grouped by their forms. Inputs outside of
// all forms make one group. The address of a group is the document's host and path. Inputs that
// nobody can see or change are left out.
function loginForms() {
  const forms = new Map();
  let fields = 0;
  look();
  for (const el of elementsIn(document.documentElement)) {
    if (el.localName !== 'input' || !textTypes.has(el.type) || !takesLogin(el)) continue;
    if (++fields > LOGIN_FIELDS) break;
    if (!forms.has(el.form)) forms.set(el.form, { fields: [], buttons: sendersOf(el).map(nameOfButton), address: location.host + location.pathname });
    forms.get(el.form).fields.push({
      number: refOf(el), type: el.type, autocomplete: (el.getAttribute('autocomplete') ?? '').toLowerCase(),
      names: cutName(fieldNames(el).join(' ')), label: cutName(nameOf(el) || el.placeholder), maxLength: el.maxLength,
    });
  }
  forget();
  return [...forms.values()];
}

function cutName(name) { return name.slice(0, LOGIN_CHARS); }

// takesLogin reports whether an element can be seen and filled in.
function takesLogin(el) { return isRendered(el) && !isInert(el) && !el.readOnly && !isUnseen(el); }

const SENDERS = 'button:not([type=button]):not([type=reset]), input[type=submit], input[type=image]';

// sendersOf returns the buttons that send the form of a field. Without a form, these are the buttons
// of the innermost element around the field that has any.
function sendersOf(field) {
  if (field.form !== null) return [...field.getRootNode().querySelectorAll(SENDERS)].filter(button => button.form === field.form && isRendered(button));
  for (let el = parentOf(field); el !== null; el = parentOf(el)) {
    const found = [...el.querySelectorAll('button, input[type=submit], input[type=button], [role=button]')].filter(isRendered);
    if (found.length > 0) return found;
  }
  return [];
}

function nameOfButton(button) { return cutName(nameOf(button)); }

// loginButtons returns the buttons that send the form of element n, as [{number, name}].
function loginButtons(n) {
  const el = element(n);
  if (el === null) return [];
  look();
  const buttons = sendersOf(controlOf(el)).map(button => ({ number: refOf(button), name: nameOfButton(button) }));
  forget();
  return buttons;
}

Object.assign(chela, { loginForms, loginButtons });
