import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { getJson, launch, open, settled, where, windowOf } from './harness';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser.close();
});

test('a million events: from the whole trace down to one span', async () => {
  const { page, errors } = await open(browser, 'big', '#/timeline');
  await settled(page);
  const info = await getJson('big', 'info');
  assert.ok(info.events >= 1_000_000, `${info.events} events`);
  const span = await getJson('big', `span?lane=p:2&at=${Math.round(info.durationNs / 2)}`);
  // A pixel is a hundred spans wide at first: aim again at every step, as a hand would.
  for (let i = 0; i < 80; i++) {
    const at = await where(page, 'p:2', (span.start + span.end) / 2);
    await page.mouse.move(at.x, at.y);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -150);
    await page.keyboard.up('Control');
    await page.waitForTimeout(10);
    const [a, b] = await windowOf(page);
    if (b - a < (span.end - span.start) * 20) break;
  }
  await settled(page);
  const exact = await where(page, 'p:2', (span.start + span.end) / 2);
  await page.mouse.click(exact.x, exact.y);
  await page.getByTestId('duration').waitFor();
  const text = (await page.getByTestId('duration').textContent())!.replace(/[\s\u202f]/g, '');
  assert.ok(text.endsWith(`${span.end - span.start}ns`), `${text} is not ${span.end - span.start} ns`);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test('a hundred thousand goroutine rows scroll', async () => {
  const { page, errors } = await open(browser, 'big', '#/timeline?v=g');
  await settled(page);
  const rows = await page.evaluate(() => (window as any).gmptrace.timeline.layout.block.count);
  assert.ok(rows >= 100_000, `${rows} rows`);
  const slowest = await page.evaluate(async () => {
    const { timeline } = (window as any).gmptrace;
    let worst = 0;
    for (let i = 0; i < 60; i++) {
      timeline.scroller.scrollTop = (i * timeline.scroller.scrollHeight) / 60;
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      worst = Math.max(worst, timeline.frames[timeline.frames.length - 1]);
    }
    return worst;
  });
  console.log(`# slowest frame while scrolling: ${slowest.toFixed(1)} ms`);
  await settled(page);
  const shown = await page.locator('.tl-lane .tl-name').allTextContents();
  assert.ok(shown.some((name) => Number(name.slice(1)) > 90_000), 'the last rows are shown');
  assert.ok((await page.locator('.tl-label').count()) < 80, 'only rows on screen are elements');
  const inside = await page.context().newCDPSession(page);
  await inside.send('HeapProfiler.collectGarbage');
  const heap = (await inside.send('Runtime.getHeapUsage')).usedSize;
  console.log(`# JS heap ${(heap / 2 ** 20).toFixed(0)} MiB`);
  assert.ok(heap < 200 * 2 ** 20, `${heap} bytes of heap`);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test('panning draws every frame, from what is at hand', async () => {
  const { page } = await open(browser, 'big', '#/timeline');
  await settled(page);
  const frames: number[] = await page.evaluate(async () => {
    const { timeline } = (window as any).gmptrace;
    timeline.setWindow(timeline.win.zoom(0.05, 400));
    while (!timeline.settled) await new Promise((done) => requestAnimationFrame(done));
    timeline.frames.length = 0;
    for (let i = 0; i < 90; i++) {
      timeline.setWindow(timeline.win.pan(12));
      await new Promise((done) => requestAnimationFrame(done));
    }
    return [...timeline.frames];
  });
  frames.sort((a, b) => a - b);
  console.log(`# frames while panning: median ${frames[frames.length >> 1].toFixed(1)} ms, 95 % ${frames[Math.floor(frames.length * 0.95)].toFixed(1)} ms`);
  assert.ok(frames.length >= 60);
  await settled(page);
  await page.context().close();
});

test('filters choose among the goroutines', async () => {
  const { page } = await open(browser, 'big', '#/timeline?v=g&f.text=Partner');
  await settled(page);
  assert.equal(await page.evaluate(() => (window as any).gmptrace.timeline.layout.block.count), 4);
  await page.context().close();
});
