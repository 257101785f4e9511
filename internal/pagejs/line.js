// Lines: what the walker writes down. Go reads them: a line a node, its fields
// parted by tabs. No string of the page can contain either, all are squashed.

class Line {
  constructor(depth, role) {
    this.depth = depth;
    this.role = role;
    this.ref = 0;
    this.name = '';
    this.text = '';
    this.states = '';
    this.hints = '';
    this.placeholder = '';
    this.url = '';
    this.description = '';
  }

  toString() {
    const more = this.more();
    const states = more || this.states !== '';
    const text = states || this.text !== '';
    let s = this.depth + '\t' + this.role;
    if (this.ref) s += '\t' + this.ref + '\t' + this.name;
    else if (text || this.name) s += '\t\t' + this.name;
    if (text) s += '\t' + this.text;
    if (states) s += '\t' + this.states;
    if (more) s += '\t' + this.hints + '\t' + this.placeholder + '\t' + this.url + '\t' + this.description;
    return s;
  }

  // more says whether the line has what few lines have.
  more() {
    return this.hints !== '' || this.placeholder !== '' || this.url !== '' || this.description !== '';
  }
}

const LONGEST_NAME = 400;
const LONGEST_VALUE = 2000;
const LONGEST_TEXT = 2000;

// bounded cuts s and says how much is missing, unless that would take as long as
// what is missing.
function bounded(s, most) {
  if (s.length <= most) return s;
  const marker = '…(' + (s.length - most) + ' more characters)';
  return s.length - most <= marker.length ? s : s.slice(0, most) + marker;
}

// pieces parts a long text at spaces, so that none of it is lost.
function pieces(s) {
  if (s.length <= LONGEST_TEXT) return [s];
  const all = [];
  while (s.length > LONGEST_TEXT) {
    const space = s.lastIndexOf(' ', LONGEST_TEXT);
    const end = space > 0 ? space : LONGEST_TEXT;
    all.push(s.slice(0, end));
    s = s.slice(end).trim();
  }
  all.push(s);
  return all;
}
