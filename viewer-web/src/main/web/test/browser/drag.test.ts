// What a drag costs: nothing is asked and nothing written until the mouse is let go.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { address, launch, open, settled, where } from './harness';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser.close();
});

test('a shift-drag of hundreds of moves asks for its sums once and writes the address once', async () => {
  const { page, errors } = await open(browser, 'web', '#/timeline?t=5000000-15000000');
  await settled(page);
  const asked: string[] = [];
  page.on('request', (r) => r.url().includes('/select') && asked.push(r.url()));
  await page.evaluate(() => {
    const w = window as any;
    w.writes = 0;
    for (const how of ['pushState', 'replaceState'] as const) {
      const original = history[how].bind(history);
      history[how] = (data: unknown, unused: string, url?: string | URL | null) => (w.writes++, original(data, unused, url));
    }
  });
  const a = await where(page, 'p:0', 7_000_000);
  const b = await where(page, 'p:0', 12_000_000);
  await page.keyboard.down('Shift');
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  await page.mouse.move(b.x, b.y, { steps: 300 });
  assert.deepEqual(asked, [], 'nothing is asked while dragging');
  assert.equal(await page.evaluate(() => (window as any).writes), 0);
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await page.getByTestId('range-duration').waitFor();
  assert.equal(asked.length, 1);
  assert.equal(await page.evaluate(() => (window as any).writes), 1);
  await address(page, /range=\d+-\d+/);
  await page.goBack();
  await page.waitForFunction(() => !location.hash.includes('range='));
  assert.deepEqual(errors, []);
  await page.context().close();
});

test('Escape gives a drag up', async () => {
  const { page } = await open(browser, 'web', '#/timeline?t=5000000-15000000');
  await settled(page);
  const a = await where(page, 'p:0', 7_000_000);
  await page.keyboard.down('Shift');
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  await page.mouse.move(a.x + 200, a.y, { steps: 5 });
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await settled(page);
  assert.doesNotMatch(page.url(), /range=/);
  await page.context().close();
});

test('hundreds of changes that no step undoes write the address a few times, and the last one stays', async () => {
  const { page } = await open(browser, 'web', '#/timeline');
  await settled(page);
  const writes = await page.evaluate(async () => {
    let n = 0;
    const original = history.replaceState.bind(history);
    history.replaceState = (data: unknown, unused: string, url?: string | URL | null) => (n++, original(data, unused, url));
    for (let i = 1; i <= 300; i++) (window as any).gmptrace.app.go({ marks: [i] }, 'replace');
    return n;
  });
  assert.ok(writes <= 1, `${writes} writes at once`);
  await page.waitForFunction(() => location.hash.includes('marks=300'));
  await page.context().close();
});

test('undo ends at the first view and never leaves the page', async () => {
  const { page } = await open(browser, 'web', '#/timeline');
  await settled(page);
  await page.keyboard.press('2');
  await page.waitForFunction(() => location.hash.includes('v=m'));
  await page.keyboard.press('u');
  await page.waitForFunction(() => !location.hash.includes('v=m'));
  for (let i = 0; i < 3; i++) await page.keyboard.press('u');
  await page.keyboard.press('3');
  await page.waitForFunction(() => location.hash.includes('v=g'));
  assert.ok(page.url().startsWith('http'));
  await page.context().close();
});
