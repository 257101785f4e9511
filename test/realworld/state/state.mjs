// The other side of state.sh: a site that keeps its state in every way that a browser has,
// and Playwright, which saves the state of that site and loads what chela has saved.
//
//   node state.mjs serve PORT
//   node state.mjs save URL FILE       opens URL/fill and saves the state with IndexedDB
//   node state.mjs load URL FILE TEXT  opens URL with the state; the page must show TEXT
//
// $CHROMIUM is the browser of Playwright.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';

// The page shows what it finds; /fill puts it there first.
const page = `<!doctype html><title>State</title><p id="shows"></p><script type="module">
const done = r => new Promise((resolve, reject) => { r.onsuccess = () => resolve(r.result); r.onerror = () => reject(r.error); });
const opened = (version, upgrade) => {
  const request = indexedDB.open('kinds', version);
  request.onupgradeneeded = () => upgrade(request.result);
  return done(request);
};
if (location.pathname === '/fill') {
  localStorage.setItem('theme', 'dark "mode"\\n');
  const db = await opened(2, db => {
    db.createObjectStore('keyless').createIndex('by', ['a', 'b'], { unique: true });
    db.createObjectStore('path', { keyPath: 'id', autoIncrement: true }).createIndex('tags', 'tags', { multiEntry: true });
  });
  const transaction = db.transaction(['keyless', 'path'], 'readwrite');
  const one = { n: 1n }, cycle = { one, again: one, map: new Map([['k', new Set([1, 'x'])]]), zero: -0 };
  cycle.self = cycle;
  const keyless = transaction.objectStore('keyless');
  keyless.put({ plain: [1, 'x', null, true] }, 'plain');
  keyless.put(cycle, new Date(0));
  keyless.put([undefined, NaN, new Date(5), /a+/g, new Uint8Array([1, 255]), new ArrayBuffer(3), new TypeError('no')], [1, 'two']);
  transaction.objectStore('path').put({ tags: ['p', 'q'] });
  await new Promise(resolve => { transaction.oncomplete = resolve; });
  db.close();
  sessionStorage.setItem('tab', 'one');
}
const found = ['cookie ' + document.cookie.split('; ').sort(), 'theme ' + JSON.stringify(localStorage.theme), 'session ' + sessionStorage.tab];
if ((await indexedDB.databases()).length) {
  const db = await opened();
  const keyless = db.transaction('keyless').objectStore('keyless');
  const [plain, cycle, list] = await Promise.all(['plain', new Date(0), [1, 'two']].map(key => done(keyless.get(key))));
  found.push('version ' + db.version, 'plain ' + JSON.stringify(plain),
    'cycle ' + [cycle.self === cycle, cycle.one === cycle.again, cycle.one.n === 1n, cycle.map.get('k').has('x'), Object.is(cycle.zero, -0)],
    'list ' + [list[0], list[1], +list[2], list[3], list[4], list[5].byteLength, list[6].name]);
  const path = db.transaction('path').objectStore('path');
  found.push('tags ' + (await done(path.index('tags').get('q'))).id);
}
document.getElementById('shows').textContent = found.join('; ') + '.';
</script>`;

function serve(port) {
  createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html');
    if (request.url === '/fill') response.setHeader('Set-Cookie', ['a=1; Max-Age=3600', 'h=2; HttpOnly; SameSite=Strict']);
    response.end(page);
  }).listen(port, '127.0.0.1');
}

const fail = message => { console.error(message); process.exit(1); };

async function withPlaywright(options, use) {
  const { chromium } = await import(process.env.PLAYWRIGHT);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
  try {
    const context = await browser.newContext(options);
    await use(context, await context.newPage());
  } finally {
    await browser.close();
  }
}

const save = (url, file) => withPlaywright({}, async (context, page) => {
  await page.goto(url + 'fill');
  await page.getByText('tags 1.').waitFor();
  await context.storageState({ path: file, indexedDB: true });
});

// The command load also compares what Playwright then saves with what it has loaded.
const load = (url, file, text) => withPlaywright({ storageState: file }, async (context, page) => {
  await page.goto(url);
  await page.getByText('tags 1.').waitFor();
  const shown = await page.locator('#shows').textContent();
  if (!shown.includes(text)) fail(`Playwright shows\n${shown}\nwithout ${text}`);
  const saved = await context.storageState({ indexedDB: true }), loaded = JSON.parse(await readFile(file, 'utf8'));
  const origin = new URL(url).origin;
  for (const [name, of] of [['origins', state => state.origins.find(o => o.origin === origin)], ['cookies', state => state.cookies]]) {
    if (!isDeepStrictEqual(of(saved), of(loaded))) fail(`${name}: Playwright saves\n${JSON.stringify(of(saved))}\nwhere chela has saved\n${JSON.stringify(of(loaded))}`);
  }
});

const [command, ...args] = process.argv.slice(2);
await { serve, save, load }[command](...args);
