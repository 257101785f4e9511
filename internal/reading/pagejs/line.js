// A line of the walk's answer, as Go reads it in snapshot.Walk: its fields separated by tabs,
// trailing empty ones left out.

// The hints that say that an element reacts to clicks. The hint off-screen is here because it may
// stand beside the others.
const CLICKS = words('off-screen cursor:pointer onclick onmousedown onmouseup onpointerdown onpointerup ontouchstart onkeydown'
  + ' onmouseover onmouseenter onpointerover onpointerenter');

class Line {
  constructor(depth, role) {
    this.depth = depth;
    this.role = role;
    this.ref = 0;
    this.subject = null; // the element of the ref
    this.part = null;    // where the element is, see region.js
    this.name = '';
    this.text = '';
    this.states = '';
    this.chosen = ''; // one more state, see classOfChoice
    this.hints = '';
    this.placeholder = '';
    this.url = '';
    this.href = undefined; // the address of a link that was read, see carry.js
    this.description = '';
    this.icon = ''; // the name of the icon of an element without words, see lastingName
  }

  // addState adds a state, unless the line has it already.
  addState(state) {
    if (!(' ' + this.states + ' ').includes(' ' + state + ' ')) this.states += (this.states && ' ') + state;
  }

  // onlyTakesClicks reports whether the element of the line is only there to be clicked. The line says
  // nothing else about it but its text, and that it is chosen.
  onlyTakesClicks() {
    return this.ref !== 0 && this.role === 'generic' && this.name === '' && this.states === '' && this.placeholder === ''
      && this.hints.split(', ').every(hint => CLICKS.has(hint));
  }

  toString() {
    const more = this.more();
    const said = this.chosen === '' ? this.states : this.states + (this.states && ' ') + this.chosen;
    const states = more || said !== '';
    const text = states || this.text !== '';
    let s = this.depth + '\t' + this.role;
    if (this.ref) s += '\t' + this.ref + '\t' + inField(this.name);
    else if (text || this.name) s += '\t\t' + inField(this.name);
    if (text) s += '\t' + inField(this.text);
    if (states) s += '\t' + said;
    if (more) s += '\t' + this.hints + '\t' + inField(this.placeholder) + '\t' + inField(this.url) + '\t' + inField(this.description);
    return s;
  }

  // extra returns the number of characters that the line has beside its text.
  extra() {
    return this.name.length + this.states.length + this.placeholder.length + this.url.length + this.description.length;
  }

  // more reports whether the line has one of the fields that few lines have.
  more() {
    return this.hints !== '' || this.placeholder !== '' || this.url !== '' || this.description !== '';
  }
}

// inField returns a string of the page without tabs and newlines. With these, a page could write
// fields and lines itself, such as a button with the ref of another element.
function inField(s) { return /[\t\n]/.test(s) ? s.replace(/[\t\n]+/g, ' ') : s; }
