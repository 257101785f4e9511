// A page that rerenders itself again and again, and tries to make carry.js move refs to elements
// with another meaning. Each control has its meaning in data-t: the unique names of what it is in,
// and what it does. The function returns what went wrong, and how many refs stayed valid.
//
// With patch, the page keeps its elements, and shows other items in them: see patch.js. Then its
// items have roles and begin with their names, and no two names are alike. What lists are called stays, and a button that does the
// opposite now stays the same button.
(seed, renders, patch) => {
  const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  const below = n => Math.floor(random() * n);
  const pick = list => list[below(list.length)];
  const chance = of => random() < of;

  const NAMES = ['Ann', 'Ann Lee', 'Anne', 'Bob', 'Bob 2', 'Cid', 'Item 1', 'Item 2', 'Item 11', '1', '2', '12', 'Open', 'Delete', 'Dan', 'Eve',
    'new', 'Ann (2)', 'North', 'South', '2026-01', '2026-02', 'a', 'b', 'A'];
  const ALIKE = new Set(['Ann Lee', 'Anne', 'Bob 2', 'Item 2', 'Item 11', '1', '2', '12', 'Ann (2)', '2026-01', '2026-02', 'Open', 'Delete', 'a', 'b', 'A']);
  const unused = items => pick(NAMES.filter(name => !(patch && ALIKE.has(name)) && items.every(item => item.name !== name)));
  const KINDS = patch ? ['list', 'table', 'tree', 'articles'] : ['list', 'table', 'tree', 'cards', 'form', 'articles', 'menu', 'fields', 'pictures', 'chosen', 'drawn', 'flat'];
  const TITLES = ['heading', 'label', 'text', 'inside'];

  const makeItem = (items, depth) => {
    const item = { name: unused(items), count: below(5), done: chance(0.3), items: [] };
    if (depth < 2 && chance(0.4)) for (let i = below(3); i >= 0; i--) item.items.push(makeItem(item.items, depth + 1));
    return item;
  };
  const makeBox = boxes => {
    const box = { name: unused(boxes), kind: pick(KINDS), title: pick(TITLES), items: [], ids: pick(['none', 'place', 'made']), from: 0, size: 99, message: '', counts: chance(0.3),
      wraps: chance(0.5), total: chance(0.4) };
    for (let i = 1 + below(6); i > 0; i--) box.items.push(makeItem(box.items, box.kind === 'tree' ? 0 : 2));
    return box;
  };
  let boxes = [];
  for (let i = 1 + below(3); i > 0; i--) boxes.push(makeBox(boxes));

  const controls = (item, path, id) => {
    const t = JSON.stringify(path).replaceAll('"', '&quot;');
    const attributes = what => `data-t="${t} ${what}" ${id && `id="${what}${id}"`}`;
    return `<button ${attributes(item.done && !patch ? 'undo' : 'do')}>${item.done ? 'Undo' : 'Do'}</button> <button ${attributes('del')} aria-label="Delete">×</button>`
      + ` <a href="#" ${attributes('open')}>Open</a> <input type=number aria-label="Count" ${attributes('count')} value="${item.count}">`;
  };
  let made = 0;
  const idOf = (box, i) => box.ids === 'place' ? '-' + i : box.ids === 'made' ? ':r' + (made++).toString(36) + ':' : '';
  const itemOf = (box, item, path, i) => {
    const own = [...path, item.name], all = controls(item, own, idOf(box, i)), count = box.counts ? `<span>${item.count}</span>` : '';
    switch (box.kind) {
      case 'table': return `<tr><td>${item.name}</td><td>${count}</td><td>${all}</td></tr>`;
      case 'tree': return `<li role=treeitem><span>${item.name}</span>${all}<ul role=group>${item.items.map((each, k) => itemOf(box, each, own, i + '-' + k)).join('')}</ul></li>`;
      case 'cards': return `<div class=card><div>${item.name}${count}</div><div>${all}</div></div>`;
      case 'articles': return `<article><h3>${item.name}</h3>${count}${all}</article>`;
      case 'form': return `<fieldset><legend>${item.name}</legend>${count}${all}</fieldset>`;
      case 'fields': return `<div><input aria-label=Name value="${item.name}"> ${all}</div>`;
      case 'pictures': return `<div><img alt="" src="data:,${item.name}"> ${all}</div>`;
      case 'chosen': return `<div><select aria-label=Name><option>${item.name}</select> ${all}</div>`;
      case 'drawn': return `<div><span class=drawn data-n="${item.name}"></span> ${all}</div>`;
      case 'flat': return `<span>Name</span> <img alt="" src="data:,${item.name}"> ${all}`;
      case 'menu': return `<div><a href="#" data-t="${JSON.stringify(own).replaceAll('"', '&quot;')} go">${item.name}</a>${all}</div>`;
    }
    return `<li>${item.name} ${count}${all}</li>`;
  };
  const AROUND = { list: 'ul', table: 'table', tree: 'ul role=tree', cards: 'div', articles: 'div', form: 'form', menu: 'div', fields: 'div', pictures: 'div', chosen: 'div', drawn: 'div', flat: 'div' };
  const boxOf = box => {
    const path = [box.name], label = box.title === 'label' ? ` role=region aria-label="${box.name}"` : '';
    const title = box.title === 'heading' ? `<h2>${box.name}</h2>` : box.title === 'text' ? `<div>${box.name}</div>` : '';
    const inside = box.title === 'inside' ? `<p>${box.name}</p>` : '';
    const t = JSON.stringify(path).replaceAll('"', '&quot;');
    const items = box.items.slice(box.from, box.from + box.size), shown = items.map((item, i) => itemOf(box, item, path, i)).join('');
    const total = box.total ? `<p>${items.length} items</p>` : '';
    const foot = `<span>${box.items.length} left</span> ${box.message} <button data-t="${t} add">Add</button><input aria-label="New" data-t="${t} new">`;
    const tag = AROUND[box.kind];
    const body = `${inside && `<section>${inside}`}${total}<${tag}>${shown}</${tag.split(' ')[0]}>${foot}${inside && '</section>'}`;
    return label || box.wraps ? `<div${label}>${title}${body}</div>` : title + body;
  };
  const render = () => {
    const body = document.createElement('body');
    body.innerHTML = '<style>.drawn::before { content: attr(data-n) }</style>' + boxes.map(boxOf).join('');
    if (patch) patch(document.body, body);
    else document.body.replaceChildren(...body.childNodes);
  };

  const every = items => items.flatMap(item => [item, ...every(item.items)]);
  const ACTS = {
    sort: box => box.items.sort((a, b) => a.name < b.name ? -1 : 1),
    reverse: box => box.items.reverse(),
    filter: box => { box.items = box.items.filter(() => chance(0.6)); },
    single: box => { box.items = box.items.slice(below(box.items.length || 1)).slice(0, 1); },
    insert: box => { if (box.items.length < 8) box.items.splice(below(box.items.length + 1), 0, makeItem(box.items, box.kind === 'tree' ? 0 : 2)); },
    delete: box => { box.items.splice(below(box.items.length), 1); },
    replace: box => { if (box.items.length > 0) box.items[below(box.items.length)] = makeItem(box.items, 2); },
    rename: box => { if (box.items.length > 0) pick(box.items).name = unused(box.items); },
    title: box => { box.name = unused(boxes); },
    swap: box => {
      if (box.items.length < 2) return;
      const [a, b] = box.items;
      [a.name, b.name] = [b.name, a.name];
    },
    exchange: () => {
      if (boxes.length < 2) return;
      [boxes[0].items, boxes[1].items] = [boxes[1].items, boxes[0].items];
    },
    order: () => boxes.reverse(),
    page: box => { box.size = 1 + below(3); box.from = below(box.items.length || 1); },
    scroll: box => { box.size = 3; box.from = (box.from + 1) % (box.items.length || 1); },
    whole: box => { box.from = 0; box.size = 99; },
    done: box => { for (const item of every(box.items)) if (chance(0.3)) item.done = !item.done; },
    count: box => { for (const item of every(box.items)) if (chance(0.3)) item.count++; },
    message: box => { box.message = chance(0.5) ? '' : pick(['Saved', 'Error', 'Ann was deleted']); },
    nothing: () => {},
  };

  if (patch) for (const act of ['title', 'order', 'exchange']) delete ACTS[act];

  const walk = () => chela.walk({ maxNodes: 1e6, maxMs: 1e4, maxChars: 1e7 });
  const told = new Map(); // number -> what it means
  let last = new Map(); // the same, of the last reading
  const read = wrong => {
    walk();
    last = new Map();
    for (const el of document.querySelectorAll('[data-t]')) {
      const n = chela.refOf(el), before = told.get(n);
      if (before !== undefined && before !== el.dataset.t) wrong.push(`the reading gave ${n} of ${before} to ${el.dataset.t} ${JSON.stringify(boxes)}`);
      told.set(n, el.dataset.t);
      last.set(n, el.dataset.t);
    }
  };
  const wrong = [];
  const ratios = {}; // for each act: [how many refs stayed valid, how many elements with refs are still in the document]
  render();
  read(wrong);
  for (let i = 0; i < renders && wrong.length === 0; i++) {
    if (!patch && chance(0.02)) {
      boxes = [];
      for (let k = 1 + below(3); k > 0; k--) boxes.push(makeBox(boxes));
    }
    const act = pick(Object.keys(ACTS));
    ACTS[act](pick(boxes));
    render();
    const now = new Set(Array.from(document.querySelectorAll('[data-t]'), el => el.dataset.t));
    const all = Array.from(told.keys()).slice(-200);
    for (let k = 0; k < 3; k++) {
      chela.run('element', null, 0, true, null, null, [0]); // a call from Go begins
      const n = pick(all), el = chela.element(n);
      if (el !== null && el.dataset.t !== told.get(n)) wrong.push(`${i}, after ${act}: ${n} was ${told.get(n)} and is ${el.dataset.t}: ${document.body.innerHTML}`);
    }
    if (chance(0.7)) {
      const before = [...last].filter(([, t]) => now.has(t)), is = (ratios[act] ??= [0, 0]);
      read(wrong);
      for (const [n] of before) {
        is[1]++;
        if (last.has(n)) is[0]++;
      }
    }
  }
  return { wrong: wrong.slice(0, 3), ratios };
}
