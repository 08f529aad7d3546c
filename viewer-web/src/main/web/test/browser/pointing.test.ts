// What the mouse and the keys find: point events, arrows, marks, spans to fit, places to come back to.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { address, addressWithout, getJson, launch, open, settled, where, windowOf } from './harness';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser.close();
});

test('a point event has words under the mouse, and a click lists it', async () => {
  const span = await getJson('web', 'span?lane=p:0&at=10000000');
  const { page, errors } = await open(browser, 'web', `#/timeline?t=${span.start - 2_000_000}-${span.end + 2_000_000}`);
  await settled(page);
  const from = Math.round((await windowOf(page))[0]);
  const ns = await page.evaluate(async (start) => {
    const t = (window as any).gmptrace.timeline;
    const answer = await fetch(`api/v1/points?kinds=SYSCALL&from=${start}&to=${Math.round(t.win.end)}&px=1&limit=5000`);
    const raw = await answer.arrayBuffer();
    return JSON.parse(new TextDecoder().decode(new Uint8Array(raw, 8, new DataView(raw).getUint32(4, true)))).exact[0].ns as number;
  }, from);
  const at = await where(page, 'x:syscalls', ns);
  await page.mouse.move(at.x, at.y);
  await page.locator('.tl-tooltip').getByText('Syscalls').waitFor();
  await page.waitForFunction(() => / on P\d|: \d/.test(document.querySelector('.tl-tooltip')!.textContent!));
  await page.mouse.click(at.x, at.y);
  await address(page, /span=x:syscalls@/);
  await page.getByRole('table', { name: 'Syscalls' }).locator('tbody tr').first().waitFor();
  assert.ok((await page.getByRole('table', { name: 'Syscalls' }).locator('a', { hasText: /^G\d+/ }).count()) > 0);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test('an arrow under the mouse says who woke whom, and what for', async () => {
  const { arrows } = await getJson('web', 'arrows?kinds=WAKE&from=5000000&to=40000000&limit=5000');
  const arrow = arrows.find((a: any) => a.fromG > 0 && a.text && a.fromP !== a.toP && a.fromP >= 0 && a.toP >= 0 && a.toNs - a.fromNs > 1000);
  const length = arrow.toNs - arrow.fromNs;
  const { page } = await open(browser, 'web', `#/timeline?t=${arrow.fromNs - 2 * length}-${arrow.toNs + 2 * length}`);
  await settled(page);
  // Half way along the curve is half way between its ends.
  const a = await where(page, `p:${arrow.fromP}`, arrow.fromNs);
  const b = await where(page, `p:${arrow.toP}`, arrow.toNs);
  await page.mouse.move((a.x + b.x - 2.5) / 2, (a.y + b.y) / 2);
  await page.waitForFunction(() => (window as any).gmptrace.timeline.pointing.arrow !== null);
  assert.match((await page.locator('.tl-tooltip').textContent())!, / woke | created /);
  await page.context().close();
});

test('words under the mouse go with what they are about', async () => {
  const { page } = await open(browser, 'web', '#/timeline?t=9500000-10700000');
  await settled(page);
  const at = await where(page, 'p:0', 10_000_000);
  await page.mouse.move(at.x, at.y);
  await page.locator('.tl-tooltip').waitFor({ state: 'visible' });
  const hit = () => page.evaluate(() => (window as any).gmptrace.timeline.pointing.hit?.start ?? null);
  const before = await hit();
  await page.evaluate(() => {
    const { timeline } = (window as any).gmptrace;
    timeline.setWindow(timeline.win.pan(timeline.win.width * 3));
  });
  await page.waitForFunction((start) => (window as any).gmptrace.timeline.pointing.hit?.start !== start, before);
  await page.context().close();
});

test('M sets a mark under the mouse and removes it from nearby', async () => {
  const { page } = await open(browser, 'web', '#/timeline?t=9500000-10700000');
  await settled(page);
  const at = await where(page, 'p:0', 10_000_000);
  await page.mouse.move(at.x, at.y);
  await page.keyboard.press('m');
  await address(page, /marks=\d+/);
  await page.mouse.move(at.x + 3, at.y);
  await page.keyboard.press('m');
  await addressWithout(page, /marks=/);
  await page.context().close();
});

test('a double click fits the span under it and never shows more than before', async () => {
  const span = await getJson('web', 'span?lane=p:0&at=10000000');
  const { page } = await open(browser, 'web', `#/timeline?t=${span.start - 3_000_000}-${span.end + 3_000_000}`);
  await settled(page);
  const at = await where(page, 'p:0', (span.start + span.end) / 2);
  await page.mouse.dblclick(at.x, at.y);
  const width = span.end - span.start;
  await page.waitForFunction((w) => (window as any).gmptrace.timeline.win.end - (window as any).gmptrace.timeline.win.start < 2.5 * w, width);
  await settled(page);
  const [a, b] = await windowOf(page);
  assert.ok(a <= span.start && b >= span.end, 'all of it is shown');
  // Inside the span the window is smaller than what would fit it.
  await page.evaluate((s) => (window as any).gmptrace.app.go({ window: [s.start + 1000, s.start + 2000], span: null }), span);
  await settled(page);
  const inside = await where(page, 'p:0', span.start + 1500);
  await page.mouse.dblclick(inside.x, inside.y);
  await page.waitForFunction(() => (window as any).gmptrace.timeline.win.end - (window as any).gmptrace.timeline.win.start < 999);
  await page.context().close();
});

test('stepping through spans keeps the selected one in the window', async () => {
  const { page } = await open(browser, 'web', '#/timeline?t=9990000-10010000&span=p:0@10000000');
  await page.getByTestId('duration').waitFor();
  for (let i = 0; i < 12; i++) {
    const before = await page.evaluate(() => (window as any).gmptrace.app.state.span.at);
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction((at) => (window as any).gmptrace.app.state.span.at !== at, before);
    await page.waitForFunction(() => (window as any).gmptrace.timeline.selected?.start === (window as any).gmptrace.app.state.span.at);
    const seen = await page.evaluate(() => {
      const { timeline } = (window as any).gmptrace;
      const { start, end } = timeline.selected;
      return end > timeline.win.start && start < timeline.win.end;
    });
    assert.ok(seen, `step ${i}`);
  }
  await page.context().close();
});

test('a reload comes back to the same lanes', async () => {
  const { page } = await open(browser, 'big', '#/timeline?v=g');
  await settled(page);
  await page.evaluate(() => (window as any).gmptrace.timeline.scroll.putFirst('g:60000'));
  await address(page, /top=g:60000/);
  await page.reload();
  await settled(page);
  assert.ok((await page.locator('.tl-lane .tl-name').allTextContents()).includes('G60001'));
  await address(page, /top=g:60000/);
  await page.context().close();
});

test('in the goroutine view most of the screen is goroutines, those that are alive', async () => {
  const { page } = await open(browser, 'web', '#/timeline?v=g&t=5000000-6000000');
  await settled(page);
  const [shown, all] = [await page.evaluate(() => (window as any).gmptrace.timeline.layout.block.count), (await getJson('web', 'info')).goroutines];
  assert.ok(shown > 0 && shown < all, `${shown} of ${all}`);
  assert.equal(await page.locator('.tl-label[data-key^="t:"]').count(), 0, 'tasks are closed');
  await page.getByRole('button', { name: 'Tasks and regions' }).click();
  await page.locator('.tl-label[data-key^="t:"]').first().waitFor();
  await page.context().close();
});

test('the window and the height of the details have keys', async () => {
  const { page } = await open(browser, 'web', '#/timeline?t=10000000-12000000&span=p:0@10000000');
  await page.getByTestId('duration').waitFor();
  await page.getByRole('slider').focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => (window as any).gmptrace.timeline.win.start > 10_400_000);
  await page.keyboard.press('-');
  await page.waitForFunction(() => (window as any).gmptrace.timeline.win.end - (window as any).gmptrace.timeline.win.start > 3_000_000);
  const height = () => page.locator('.details').evaluate((e) => e.clientHeight);
  const before = await height();
  await page.getByRole('separator').focus();
  await page.keyboard.press('ArrowUp');
  await page.waitForFunction((h) => document.querySelector('.details')!.clientHeight > h, before);
  await page.context().close();
});

test('on a narrow screen theme and keys can be reached', async () => {
  const { page } = await open(browser, 'web', '#/timeline');
  await page.setViewportSize({ width: 800, height: 600 });
  await settled(page);
  for (const name of ['Keys', 'Light or dark theme']) {
    const box = (await page.getByRole('button', { name, exact: true }).boundingBox())!;
    assert.ok(box.x >= 0 && box.x + box.width <= 800, `${name} ends at ${box.x + box.width}`);
  }
  await page.context().close();
});
