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
    this.asked = new Map(); // row or table -> whether its cells are days
  }

  // has reports whether a cell is a day. The controls in it may only be the day itself, and not those of an event.
  has(cell) {
    const isDays = remembered(this.asked, cell.parentNode, () => this.fills(cell.closest('table, [role="grid"]')));
    return isDays && Array.prototype.every.call(cell.querySelectorAll(CONTROLS), control => !Number.isNaN(numberIn(control)));
  }

  // fills reports whether most cells of a table have the number after that of the cell before. Empty cells are left out
  // of that, but they may have been days.
  fills(table) {
    return table !== null && remembered(this.asked, table, () => {
      const numbers = Array.prototype.slice.call(table.querySelectorAll(CELL), 0, MOST_DAYS).filter(cell => /\S/.test(labelOrText(cell))).map(numberIn);
      return numbers.length >= LEAST_DAYS && mostRunOn(numbers);
    });
  }
}

// A table of days has a week at least. Only its first cells are looked at.
const LEAST_DAYS = 7, MOST_DAYS = 100;

const labelOrText = el => el.getAttribute('aria-label') || el.textContent;

// numberIn returns the first number in the label or text of an element, or NaN.
const numberIn = el => numberOf(labelOrText(el).match(/\p{Nd}+/u)?.[0] ?? '');

// numberOf returns the number that digits of any script stand for, or NaN.
const numberOf = digits => digits === '' ? NaN : Number(Array.from(digits, digitOf).join(''));

// digitOf returns the value of a digit. In each script, the ten digits follow each other, and no digit is before them.
function digitOf(digit) {
  let n = 0;
  while (n < 9 && /\p{Nd}/u.test(String.fromCodePoint(digit.codePointAt(0) - n - 1))) n++;
  return n;
}

// runOn reports whether each number is the next one, or the first day of a month after the last.
const runOn = all => all.every((n, i) => i === 0 || n === all[i - 1] + 1 || n === 1 && all[i - 1] >= 28);

const mostRunOn = all => 2 * all.filter((n, i) => i > 0 && runOn([all[i - 1], n])).length > all.length;
