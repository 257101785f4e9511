// Days: elements that are known by a number, in an order. Such are the days of a month or week, years, and the
// numbers of pages.

// isDay reports whether the text of el is only a number with one or two digits, as a day of a month
// is.
function isDay(el) {
  return /^\d{1,2}$/.test(squash(el.textContent));
}

// isAmongDays reports whether all cells beside a cell may also be days or weeks of a month. They have
// such a number, or are empty. A table of names and numbers has no such row.
function isAmongDays(cell) {
  return sampled(cell.parentNode).every(each => /^\s*$|(?<!\d)\d\d?(?!\d)/.test(each.textContent));
}

const CELL = 'td, [role="gridcell"]';

// A Calendar answers which cells of a document are days. It asks each row and each table once.
class Calendar {
  constructor() {
    this.asked = new Map(); // row or table -> which text of its cells has the day; null: they are no days
    this.heads = new Map(); // row or table -> the Heads of its columns; null: they are no days
    this.weeks = new Map(); // row of days -> the words beside the number in each of its cells; null for a cell that is no day
  }

  // dayOf returns the number of the day that a cell is: 0 for an empty one, null if the cell is no day. The controls in it
  // may only be the day itself, and not those of an event.
  dayOf(cell) {
    const textOf = remembered(this.asked, cell.parentNode, () => this.textOfDays(cell.closest(TABLE)));
    if (textOf === null) return null;
    const text = textOf(cell), day = /\S/.test(text) ? numberIn(text) : 0;
    const isDay = !Number.isNaN(day) && Array.prototype.every.call(cell.querySelectorAll(CONTROLS), control => !Number.isNaN(numberIn(labelOrText(control))));
    listed(this.weeks, cell.parentNode).push(isDay ? phraseTerms(text).filter(term => !isNumeral(term)).join(' ') : null);
    return isDay ? day : null;
  }

  // headOf returns the Head of the column of a cell; null if days do not head the columns. In a table of appointments, the
  // head alone says which day a button is about.
  headOf(cell) {
    const heads = remembered(this.heads, cell.parentNode, () => this.headsOf(cell.closest(TABLE)));
    return heads?.[Array.prototype.indexOf.call(cell.parentNode.children, cell)] ?? null;
  }

  // headsOf returns a Head or null for each column of a table; null if the table is null, or days do not head its columns.
  // Heads that stay in view while the body scrolls are in a table of their own.
  headsOf(table) { return table === null ? null : remembered(this.heads, table, () => daysIn(table, table) ?? daysAbove(table)); }

  // isWeek reports whether a row has only days, and most of them show the same words, or none. All of its cells were asked
  // for. In a table of numbered names, the words are the names.
  isWeek(row) {
    const words = this.weeks.get(row) ?? [];
    return words.length > 1 && !words.includes(null) && words.some(some => 2 * words.filter(other => other === some).length > words.length);
  }

  // textOfDays returns the function for the text of a cell that has the day, or null. By it, most cells of the table have
  // the number after that of the cell before. Empty cells are left out of that, but they may have been days. A label may
  // begin with another number.
  textOfDays(table) {
    return table === null ? null : remembered(this.asked, table, () => {
      const cells = Array.prototype.slice.call(table.querySelectorAll(CELL), 0, MOST_DAYS);
      return [spacedText, labelOrText].find(textOf => {
        const texts = cells.map(textOf).filter(text => /\S/.test(text));
        return texts.length >= LEAST_DAYS && mostRunOn(texts.map(numberIn));
      }) ?? null;
    });
  }
}

const TABLE = 'table, [role="grid"], [role="table"], [role="treegrid"]';

// A Head is a day that heads a column: its number, those that belong to it, and the words of the head.
class Head {
  constructor(numbers, words, around) {
    this.numbers = numbers;
    this.words = new Set(words);
    this.around = around; // the element around the heads and the cells below them
  }

  // isOther reports whether another Head is about another day. Words may come or go, such as "today".
  isOther({ numbers, words }) { return this.numbers !== numbers || isApart(this.words, words); }
}

// daysAbove returns what daysIn does for the only table in what stands before a table. Each may be in boxes of its own.
function daysAbove(table) {
  let box = table;
  for (let i = 0; i < MOST_BOXES && box !== null && box.previousElementSibling === null; i++) box = box.parentElement;
  const before = box?.previousElementSibling ?? null, tables = before === null ? [] : before.matches(TABLE) ? [before] : before.querySelectorAll(TABLE);
  return tables.length === 1 ? daysIn(tables[0], parentOf(box)) : null;
}

const MOST_BOXES = 4;

// daysIn returns a Head for each column of a table; null for one that no number heads. The heads are days if one number
// in each of at least three is the next one. The result is null for any other table. See Head for the parameter around.
function daysIn(table, around) {
  const cells = Array.prototype.slice.call(table.querySelectorAll('th, thead td, [role="columnheader"]'), 0, MOST_DAYS);
  for (const row of new Set(cells.map(cell => cell.parentElement))) {
    if (!row.matches('thead > *') && Array.prototype.some.call(row.children, isDataCell)) continue;
    const texts = Array.from(row.children, labelOrText), numbers = texts.map(text => text.match(NUMERAL) ?? []);
    for (let i = 0; i < 3; i++) {
      const days = numbers.map(all => numberOf(all[i] ?? '')).filter(day => !Number.isNaN(day));
      if (days.length > 2 && mostRunOn(days)) return texts.map((text, at) => numbers[at].length > i ? headIn(text, i, around) : null);
    }
  }
  return null;
}

// headIn returns the Head in a text whose number at an index is the day. The numbers before it count too, and a year. So
// do those that are joined to it, as in 2.3.2026. Any other number may be a count or a price.
function headIn(text, day, around) {
  const numbers = [];
  let end = 0;
  for (const { 0: number, index } of text.matchAll(NUMERAL)) {
    const isJoined = /^(?=.*[./-])[./,\s-]{1,2}$/s.test(text.slice(end, index));
    if (numbers.length <= day || isJoined || isYear(numberOf(number))) numbers.push(number);
    end = index + number.length;
  }
  return new Head(numbers.join(' '), text.match(/\p{L}+/gu) ?? [], around);
}

const NUMERAL = /\p{Nd}+/gu;

// A table of days has a week at least. Only its first cells are looked at.
const LEAST_DAYS = 7, MOST_DAYS = 100;

const labelOrText = el => el.getAttribute('aria-label') || spacedText(el);

// spacedText returns the text of an element, with spaces between its texts. Of a large element, such as a cell that holds
// the page, it returns the beginning.
function spacedText(el) {
  const nodes = document.createTreeWalker(el, NodeFilter.SHOW_TEXT), texts = [];
  while (texts.length < MOST_TEXTS && nodes.nextNode() !== null) texts.push(nodes.currentNode.data);
  return texts.join(' ');
}

const MOST_TEXTS = 100;

// numberIn returns the first number in a text, in the digits of any script, or NaN.
const numberIn = text => numberOf(text.match(/\p{Nd}+/u)?.[0] ?? '');

// numberOf returns the number that digits stand for, or NaN.
const numberOf = digits => /^\p{Nd}+$/u.test(digits) ? Number(Array.from(digits, digitOf).join('')) : NaN;

// digitOf returns the value of a digit. The ten digits of a script follow each other. No other digit is before them,
// except in mathematical alphabets.
function digitOf(digit) {
  let n = 0;
  while (n < 9 && /\p{Nd}/u.test(String.fromCodePoint(digit.codePointAt(0) - n - 1))) n++;
  return n;
}

// runOn reports whether each number is the next one, or the first day of a month after the last.
const runOn = all => all.every((n, i) => i === 0 || n === all[i - 1] + 1 || n === 1 && all[i - 1] >= 28);

// mostRunOn reports whether more than half of the steps from one number to the next are of that kind.
const mostRunOn = all => 2 * all.filter((n, i) => i > 0 && runOn([all[i - 1], n])).length > all.length - 1;
