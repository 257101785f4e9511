// The subject of a call, for recordings: the element that an act is about, or the one that keys go
// to. Recordings must not contain the text of secret fields, so this file also decides which fields
// are secret.

const NAME_CHARS = 200; // longest name of a subject

// Fields with these words in their autocomplete attribute hold secrets.
const SECRET_FIELDS = words('one-time-code current-password new-password cc-number cc-csc cc-exp cc-exp-month cc-exp-year');

// Fields that hold secrets whatever their type is now. A page may turn a password field into a text
// field, to show the password.
const passwords = new WeakSet();

// notePasswords notes the password fields of this origin's documents, before an act that may turn
// them into text fields.
function notePasswords() { for (const each of everywhere()) each.notePasswordsHere(); }

function notePasswordsHere() {
  for (const root of [document, ...shadowRoots()]) {
    for (const field of root.querySelectorAll('input[type=password]')) passwords.add(field);
  }
}

// isSecret reports whether a field holds a secret: chela has entered one, or its type or its
// autocomplete attribute says so. A field with a name that was cut counts as secret.
function isSecret(field) {
  return field.type === 'password' || passwords.has(field) || isSealed(field) || fieldNames(field).some(name => name.length === LONGEST_FIELD_NAME) || (field.getAttribute('autocomplete') ?? '').toLowerCase().split(/\s+/).some(word => SECRET_FIELDS.has(word));
}

// fieldNames returns the names by which the page knows a field: its name and its id. Very long ones are
// cut, and their fields count as secret.
function fieldNames(field) {
  return [field.name, field.id].filter(name => typeof name === 'string' && name !== '').map(name => name.slice(0, LONGEST_FIELD_NAME));
}

const LONGEST_FIELD_NAME = 1000;

// subjectOf describes element n, or the element with the focus if n is 0. It returns null if there
// is none. The answer is {role, name, box, text, secret, names}; text, secret and names are about
// the field that gets text. What has the focus may be in a frame, and then counts as secret.
function subjectOf(n) {
  const el = n === 0 ? focused() : element(n);
  notePasswords();
  if (el === null) return null;
  look();
  lookAtLabels(el);
  const field = controlOf(el), { left, top, width, height } = boxOf(el);
  const subject = {
    role: roleOf(el), name: bounded(nameOf(el), NAME_CHARS), box: { x: left, y: top, width, height },
    text: takesText(field) || takesValue(field),
    secret: isSecret(field) || el.localName === 'iframe' || el.localName === 'frame', names: fieldNames(field),
  };
  forget();
  return subject;
}

// ownWords returns the role and name of a control that is known by its own words, null for other elements.
function ownWords(el) {
  look();
  const role = roleOf(el), name = OWN_WORDS.has(role) ? nameOf(el) : '';
  forget();
  return name === '' ? null : { role, name: bounded(name, NAME_CHARS) };
}

const OWN_WORDS = words('button link menuitem option tab');

// shownTexts reports which texts of fields can be read on a picture of this origin's documents, as
// {secret, names}. If secret is true, one of the fields holds a secret. The list names has the
// names of all other fields, see fieldNames. If there are more than MOST_NAMES, secret is also
// true.
function shownTexts() {
  const answers = everywhere().map(each => each.shownTextsHere()), names = answers.flatMap(each => each.names);
  return { secret: answers.some(each => each.secret) || names.length > MOST_NAMES, names: names.slice(0, MOST_NAMES) };
}

const MOST_NAMES = 2000;
const MOST_FIELDS = 5000; // to look at more would hold up the next call

// shownTextsHere does what shownTexts does, for this document. A document with very many fields counts
// as one that shows a secret. Chromium shows dots in password fields.
function shownTextsHere() {
  notePasswordsHere();
  const fields = [document, ...shadowRoots()].flatMap(root => [...root.querySelectorAll('input,textarea')]);
  if (fields.length > MOST_FIELDS) return { secret: true, names: [] };
  const secrets = fields.filter(isSecret);
  const read = field => field.type !== 'password' && field.value !== '' && isRendered(field);
  return { secret: secrets.some(read), names: fields.filter(field => textTypes.has(field.type) || field.localName === 'textarea').filter(read).flatMap(fieldNames) };
}

Object.assign(chela, { notePasswordsHere, shownTexts, shownTextsHere });
