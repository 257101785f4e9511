// Preformatted text. Lines and indentation of code mean something; elsewhere every run of white
// space is one space. White space that must be preserved is replaced by noncharacters of Unicode
// until Go reads the text: nothing takes these for white space.

const NEWLINE = '\ufdd0', BLANK = '\ufdd1', TABULATOR = '\ufdd2';

// preserved returns s with its newlines and tabs preserved. Spaces are preserved where there are
// several, or at the beginning of a line. Editors may write a space as U+00A0.
function preserved(s) {
  return s.replace(/\r\n?|\n/g, NEWLINE).replace(/\t/g, TABULATOR).replace(/\u00a0/g, ' ')
    .replace(/ {2,}|(^|[\ufdd0\ufdd2]) /g, (spaces, before) => before === undefined ? BLANK.repeat(spaces.length) : before + BLANK);
}

// flattened returns s with plain spaces in place of the preserved characters.
function flattened(s) {
  return squash(s.replace(/[\ufdd0-\ufdd2]+/g, ' '));
}

// preserves reports whether text in an element (place) is preformatted. Asking for the style is
// expensive, so it is asked only about a text that squashing would change.
function preserves(place, text) {
  if (!/[\n\t]|^\u00a0|[ \u00a0]{2}/.test(text)) return false;
  place.preformatted ??= /^(pre|break)/.test(place.style.whiteSpace);
  return place.preformatted;
}

// trimPreserved returns s without the empty lines around it.
function trimPreserved(s) {
  return s.replace(/^(?:[\ufdd1\ufdd2 ]*\ufdd0)+|[\ufdd0-\ufdd2 ]+$/g, '');
}
