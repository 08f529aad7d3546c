// Lanes and what can be done with them: order, keyboard, tasks, the same thing in several views.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { address, getJson, launch, open, settled, where } from './harness';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser.close();
});

/** Names of the lanes of a kind from top to bottom. */
const lanes = (page: Page, kind: string): Promise<string[]> => page.evaluate((k) => (window as any).gmptrace.timeline.layout.head.map((r: any) => r.key).filter((key: string) => key.startsWith(k)), `${kind}:`);

test('a lane is moved by dragging its name, and Back moves it back', async () => {
  const { page } = await open(browser, 'web', '#/timeline');
  await settled(page);
  assert.deepEqual(await lanes(page, 'p'), ['p:0', 'p:1']);
  const from = (await page.locator('.tl-label[data-key="p:1"] .tl-name').boundingBox())!;
  const to = (await page.locator('.tl-label[data-key="p:0"] .tl-name').boundingBox())!;
  await page.mouse.move(from.x + 4, from.y + 4);
  await page.mouse.down();
  await page.mouse.move(to.x + 4, to.y + 4, { steps: 6 });
  await page.mouse.up();
  assert.deepEqual(await lanes(page, 'p'), ['p:1', 'p:0']);
  const url = page.url();
  await page.reload();
  await settled(page);
  assert.equal(page.url(), url);
  assert.deepEqual(await lanes(page, 'p'), ['p:1', 'p:0']);
  assert.ok((await where(page, 'p:1', 0)).y < (await where(page, 'p:0', 0)).y, 'drawn in that order');
  await page.goBack();
  await page.waitForFunction(() => !location.hash.includes('order='));
  await settled(page);
  assert.deepEqual(await lanes(page, 'p'), ['p:0', 'p:1']);
  await page.context().close();
});

test('moving one lane leaves all others in their order, also those out of sight', async () => {
  const { page } = await open(browser, 'web', '#/timeline');
  await settled(page);
  const before = await page.evaluate(() => (window as any).gmptrace.timeline.layout.head.map((r: any) => r.key));
  await page.locator('.tl-label[data-key="c:heap"]').focus();
  await page.keyboard.press('Alt+ArrowUp');
  const after = await page.evaluate(() => (window as any).gmptrace.timeline.layout.head.map((r: any) => r.key));
  const at = before.indexOf('c:heap');
  [before[at - 1], before[at]] = [before[at], before[at - 1]];
  assert.deepEqual(after, before);
  await page.context().close();
});

test('lanes are reached, pinned, hidden and selected from the keyboard', async () => {
  const { page } = await open(browser, 'web', '#/timeline?t=9500000-10700000');
  await settled(page);
  assert.equal(await page.locator('.tl-label[tabindex="0"]').count(), 1, 'one tab stop for all lanes');
  await page.locator('.tl-label[tabindex="0"]').focus();
  for (let i = 0; i < 60 && (await page.evaluate(() => document.activeElement?.getAttribute('data-key'))) !== 'p:0'; i++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByTestId('duration').waitFor();
  await address(page, /span=p:0@/);
  await page.locator('.tl-label[data-key="p:0"]').last().focus();
  await page.keyboard.press('p');
  await address(page, /pin=p:0/);
  await page.locator('.tl-label[data-key="c:heap"]').focus();
  await page.keyboard.press('h');
  await address(page, /hide=c:heap/);
  await page.context().close();
});

test('a selected span stays in sight when the lanes change', async () => {
  const span = await getJson('web', 'span?lane=p:0&at=10000000');
  const { page } = await open(browser, 'web', `#/timeline?t=${span.start - 500_000}-${span.end + 500_000}&span=p:0@${span.start}`);
  await page.getByTestId('duration').waitFor();
  await page.keyboard.press('3');
  await settled(page);
  const box = (await page.locator(`.tl-label[data-key="g:${span.g}"]`).boundingBox())!;
  const stage = (await page.locator('.tl-scroll').boundingBox())!;
  assert.ok(box.y >= stage.y && box.y + box.height <= stage.y + stage.height, `G${span.g} is on screen`);
  await page.context().close();
});

test('tasks are lanes with their regions below, and lead to their page and back', async () => {
  const { tasks } = await getJson('web', 'tasks');
  const task = tasks.find((t: any) => t.regions.length > 0 && t.complete);
  const { page, errors } = await open(browser, 'web', `#/tasks?p.task=${task.id}`);
  await page.getByRole('link', { name: 'Show on the timeline' }).click();
  await settled(page);
  await address(page, new RegExp(`span=${task.lane}@${task.start}`));
  await page.getByTestId('duration').waitFor();
  const text = (await page.getByTestId('duration').textContent())!.replace(/[\s\u202f]/g, '');
  assert.ok(text.endsWith(`${task.end - task.start}ns`), text);
  const below = await getJson('web', `span?lane=t:${Number(task.lane.slice(2)) + 1}&at=${task.regions[0].start}`);
  assert.equal(below.reason, task.regions[0].name);
  const at = await where(page, `t:${Number(task.lane.slice(2)) + 1}`, (below.start + below.end) / 2);
  await page.mouse.click(at.x, at.y);
  await page.waitForFunction((name) => document.querySelector('.details h2')?.textContent === name, below.reason);
  await page.locator('.details .facts a', { hasText: `task ${task.id}` }).click();
  await page.getByRole('heading', { name: 'Timeline of the task' }).waitFor();
  assert.deepEqual(errors, []);
  await page.context().close();
});

test('a log message is a mark on the lane of its task', async () => {
  const { logs } = await getJson('web', 'logs?limit=5000');
  const log = logs.find((l: any) => l.lane);
  const { page } = await open(browser, 'web', `#/timeline?t=${Math.max(0, log.ns - 100_000)}-${log.ns + 100_000}`);
  await settled(page);
  await page.evaluate((lane) => (window as any).gmptrace.timeline.scroll.reveal(lane), log.lane);
  await settled(page);
  const at = await where(page, log.lane, log.ns);
  await page.mouse.move(at.x, at.y);
  await page.mouse.move(at.x + 1, at.y);
  await page.locator('.tl-tooltip', { hasText: log.message }).waitFor();
  await page.context().close();
});

test('schedtrace lines go in step with the timeline', async () => {
  const { page } = await open(browser, 'web', '#/timeline?t=5000000-35000000');
  await settled(page);
  await page.locator('.tl-scroll').focus();
  await page.keyboard.press('e');
  await page.locator('.sched-panel pre').nth(10).waitFor();
  for (const ns of [8_000_000, 30_000_000]) {
    const at = await where(page, 'p:0', ns);
    await page.mouse.move(at.x, at.y);
    await page.waitForFunction((t) => {
      const now = document.querySelector<HTMLElement>('.sched-panel pre.now');
      const next = now?.nextElementSibling as HTMLElement | null;
      return now && Number(now.dataset.ns) <= t + 50_000 && (!next || Number(next.dataset.ns) > t - 50_000);
    }, ns);
    const line = (await page.locator('.sched-panel pre.now').boundingBox())!;
    const panel = (await page.locator('.sched-panel').boundingBox())!;
    assert.ok(line.y >= panel.y && line.y < panel.y + panel.height, 'the line is in sight');
  }
  const line = page.locator('.sched-panel pre').nth(3);
  await line.scrollIntoViewIfNeeded();
  const ns = Number(await line.getAttribute('data-ns'));
  await line.hover();
  await page.waitForFunction((t) => (window as any).gmptrace.timeline.pointed === t, ns);
  await line.click();
  await address(page, new RegExp(`marks=${ns}`));
  await page.context().close();
});
