// Playwright or Puppeteer on the tabs of sessions: endpoint.mjs LIBRARY SITE URL..., with the URL of an
// endpoint for each agent. All agents work at once, and each finds its own pages only.
import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import puppeteer from "puppeteer-core";

const [library, site, ...endpoints] = process.argv.slice(2);

const playwright = {
  connect: async (url) => {
    const browser = await chromium.connectOverCDP(url);
    const [context] = browser.contexts();
    return { open: () => context.newPage(), pages: () => context.pages(), leave: () => browser.close() };
  },
  fill: (page, text) => page.fill("input", text),
};
const puppeteers = {
  connect: async (url) => {
    const browser = await puppeteer.connect({ browserWSEndpoint: url });
    return { open: () => browser.newPage(), pages: () => browser.pages(), leave: () => browser.disconnect() };
  },
  fill: (page, text) => page.type("input", text),
};
const { connect, fill } = { "playwright-core": playwright, "puppeteer-core": puppeteers }[library];

async function work(url, number) {
  const name = `${library} ${number}`;
  const agent = await connect(url);
  assert.equal((await agent.pages()).length, 0, name);
  const page = await agent.open();
  await page.goto(`${site}/${number}`);
  await fill(page, name);
  await page.click("button");
  assert.equal(await page.evaluate(() => document.title), `Hello ${name}`);
  assert((await page.screenshot()).length > 1000, name);
  await assert.rejects(page.goto("file:///etc/passwd"), /unsupported protocol/);
  assert.deepEqual((await agent.pages()).map((p) => p.url()), [`${site}/${number}`]);
  await page.close();
  await agent.leave();
}

await Promise.all(endpoints.map(work));
console.log(`${library}, ${endpoints.length} at once: ok`);
