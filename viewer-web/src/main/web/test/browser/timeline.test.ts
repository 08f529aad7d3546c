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

/** "1.50 ms" in nanoseconds. */
function parseTime(text: string): number {
  const [value, unit] = text.split(/\s/);
  return Number(value) * ({ ns: 1, µs: 1e3, ms: 1e6, s: 1e9 } as Record<string, number>)[unit];
}

test('lanes of the Ps are there, with statistics above them', async () => {
  const { page, errors } = await open(browser, 'web', '#/timeline');
  await settled(page);
  const labels = await page.locator('.tl-label .tl-name').allTextContents();
  for (const expected of ['Goroutines', 'Heap', 'P0', 'P1']) assert.ok(labels.includes(expected), `${expected} in ${labels}`);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test('lanes of threads and goroutines are a key away', async () => {
  const { page } = await open(browser, 'web', '#/timeline');
  await settled(page);
  await page.keyboard.press('2');
  await settled(page);
  assert.ok((await page.locator('.tl-lane .tl-name').allTextContents()).some((t) => /^M\d+$/.test(t)));
  await page.keyboard.press('3');
  await settled(page);
  assert.ok((await page.locator('.tl-lane .tl-name').allTextContents()).includes('G1'));
  await address(page, /v=g/);
  await page.context().close();
});

test('what is drawn is what the trace says: a busy and an idle pixel', async () => {
  const span = await getJson('web', 'span?lane=p:0&at=10000000');
  assert.equal(span.state, 'RUNNING');
  const { page } = await open(browser, 'web', `#/timeline?t=${span.start - 100_000}-${span.end + 100_000}`);
  await settled(page);
  const at = await where(page, 'p:0', (span.start + span.end) / 2 + 150_000);
  const color = await page.evaluate(({ x, y }) => {
    const canvas = document.querySelector<HTMLCanvasElement>('.tl-canvas')!;
    const box = canvas.getBoundingClientRect();
    return [...canvas.getContext('2d')!.getImageData((x - box.left) * devicePixelRatio, (y - box.top) * devicePixelRatio - 8, 1, 1).data];
  }, at);
  assert.ok(color[2] > color[0] + 40, `a running block is blue, not ${color}`);
  await page.context().close();
});

test('a click on a span shows its exact duration and who woke it', async () => {
  const span = await getJson('web', 'span?lane=p:0&at=10000000');
  const { page } = await open(browser, 'web', `#/timeline?t=${span.start - 500_000}-${span.end + 500_000}`);
  await settled(page);
  const at = await where(page, 'p:0', (span.start + span.end) / 2);
  await page.mouse.click(at.x, at.y);
  await page.getByTestId('duration').waitFor();
  const text = (await page.getByTestId('duration').textContent())!.replace(/[\s\u202f]/g, '');
  assert.ok(text.endsWith(`${span.end - span.start}ns`), text);
  assert.match(await page.locator('.details h2').textContent() as string, new RegExp(`^G${span.g} `));
  await page.context().close();
});

test('an arrow leads to the goroutine that did it', async () => {
  const { arrows } = await getJson('blocking', 'arrows?kinds=WAKE&limit=500');
  const arrow = arrows.find((a: any) => a.fromG > 0 && a.toG > 0 && a.fromG !== a.toG);
  const woken = await getJson('blocking', `span?lane=g:${arrow.toG}&at=${arrow.toNs}`);
  const { page } = await open(browser, 'blocking', `#/timeline?v=g&span=g:${arrow.toG}@${woken.start}`);
  await page.getByTestId('duration').waitFor();
  if (arrow.text) assert.match((await page.locator('.details .facts').textContent())!, new RegExp(`Waited for${arrow.text}`));
  const cause = woken.cause ?? (await getJson('blocking', `span?lane=g:${arrow.toG}&at=${woken.prevOfG.start}`)).cause;
  if (!woken.cause) {
    await page.keyboard.press('[');
    await page.getByTestId('cause').waitFor();
  }
  assert.equal(cause.byG, arrow.fromG);
  await page.getByTestId('cause').locator('a').click();
  await page.waitForFunction((g) => document.querySelector('.details h2')?.textContent?.startsWith(`G${g}`), arrow.fromG);
  await address(page, new RegExp(`span=g:${arrow.fromG}@`));
  await page.context().close();
});

test('a shift-drag selects a range whose figures are those of gmptrace stats', async () => {
  const { page } = await open(browser, 'web', '#/timeline?t=5000000-15000000');
  await settled(page);
  const a = await where(page, 'p:0', 7_000_000);
  const b = await where(page, 'p:0', 12_000_000);
  await page.keyboard.down('Shift');
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  await page.mouse.move(b.x, b.y, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await page.getByTestId('range-duration').waitFor();
  const [from, to] = /range=(\d+)-(\d+)/.exec(page.url())!.slice(1).map(Number);
  assert.ok(Math.abs(from - 7_000_000) < 20_000 && Math.abs(to - 12_000_000) < 20_000, `${from}–${to}`);
  // `select` is compared with what the command prints in the tests of the command.
  const sums = await getJson('web', `select?from=${from}&to=${to}`);
  const shown = Object.fromEntries(await page.locator('.details .figures').first().locator('div').evaluateAll((divs) => divs.map((d) => [d.querySelector('dt')!.textContent, d.querySelector('dd')!.textContent])));
  for (const [name, figure] of Object.entries({ syscalls: sums.syscalls, created: sums.created, ended: sums.ended, preemptions: sums.preemptions, 'hand-offs': sums.handoffs, 'wake-ups': sums.wakes, steals: sums.steals })) assert.equal(shown[name], String(figure), name);
  assert.equal(shown['utilisation of the Ps'], `${(sums.utilisation * 100).toFixed(1)} %`);
  const states = Object.fromEntries(await page.getByLabel('Goroutine time by state').last().locator('tbody tr').evaluateAll((rows) => rows.map((r) => [...r.querySelectorAll('td')].slice(0, 2).map((td) => td.textContent))));
  const { states: names } = await getJson('web', 'info');
  for (const { name, label } of names) {
    if (sums.gTimeByState[name] > 0) assert.ok(Math.abs(parseTime(states[label]) - sums.gTimeByState[name]) <= sums.gTimeByState[name] * 0.005 + 1, `${label}: ${states[label]} is not ${sums.gTimeByState[name]} ns`);
  }
  await page.keyboard.press('f');
  await settled(page);
  const [start, end] = await windowOf(page);
  assert.ok(start <= from && end >= to && end - start < (to - from) * 1.2);
  await page.keyboard.press('Escape');
  await page.locator('.details').waitFor({ state: 'hidden' });
  await page.context().close();
});

test('W A S D move, Back undoes', async () => {
  const { page } = await open(browser, 'web', '#/timeline?t=10000000-20000000');
  await settled(page);
  const [a0, b0] = await windowOf(page);
  await page.keyboard.press('w', { delay: 200 });
  await page.waitForFunction((wide) => (window as any).gmptrace.timeline.win.end - (window as any).gmptrace.timeline.win.start < wide, b0 - a0);
  await settled(page);
  const [a1] = await windowOf(page);
  await page.keyboard.press('d', { delay: 200 });
  await page.waitForFunction((left) => (window as any).gmptrace.timeline.win.start > left, a1);
  await settled(page);
  await page.goBack();
  await page.waitForFunction((left) => Math.abs((window as any).gmptrace.timeline.win.start - left) < 1000, a1);
  await page.context().close();
});

test('Forward redoes, and so does Shift + U', async () => {
  const { page } = await open(browser, 'web', '#/timeline?t=10000000-20000000');
  await settled(page);
  await page.keyboard.press('2');
  await page.keyboard.press('3');
  await address(page, /v=g/);
  await page.keyboard.press('u');
  await page.waitForFunction(() => location.hash.includes('v=m'));
  await page.goBack();
  await page.waitForFunction(() => !location.hash.includes('v='));
  await page.goForward();
  await page.waitForFunction(() => location.hash.includes('v=m'));
  await page.keyboard.press('Shift+U');
  await page.waitForFunction(() => location.hash.includes('v=g'));
  await settled(page);
  assert.ok((await page.locator('.tl-lane .tl-name').allTextContents()).includes('G1'));
  await page.context().close();
});

test('M marks, R makes a range, T changes the clock, arrows step', async () => {
  const { page } = await open(browser, 'web', '#/timeline?t=9500000-10700000&span=p:0@10000000');
  await page.getByTestId('duration').waitFor();
  await page.keyboard.press('m');
  await address(page, /marks=10000000/);
  await page.keyboard.press('m');
  await addressWithout(page, /marks=/);
  await page.keyboard.press('t');
  await address(page, /clock=wall/);
  const before = page.url();
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction((url) => location.href !== url, before);
  await page.waitForFunction(() => (window as any).gmptrace.timeline.selected?.start === (window as any).gmptrace.app.state.span.at);
  await page.keyboard.press('r');
  await page.getByTestId('range-duration').waitFor();
  await page.context().close();
});

test('the address restores the whole view', async () => {
  const hash = '#/timeline?t=10000000-12000000&v=g&span=g:1@1000&pin=p:0&hide=c:heap&marks=11000000&f.text=main&clock=wall';
  const { page } = await open(browser, 'web', hash);
  await settled(page);
  const [start, end] = await windowOf(page);
  assert.ok(Math.abs(start - 10_000_000) < 10 && Math.abs(end - 12_000_000) < 10);
  const labels = await page.locator('.tl-label .tl-name').allTextContents();
  assert.ok(labels.includes('P0'), 'pinned');
  assert.ok(!labels.includes('Heap'), 'hidden');
  assert.ok(labels.includes('G1'));
  assert.ok(!labels.includes('G3'), 'filtered');
  const before = page.url();
  await page.reload();
  await settled(page);
  assert.equal(page.url(), before);
  await page.context().close();
});

test('lanes are pinned, hidden and brought back from their labels', async () => {
  const { page } = await open(browser, 'web', '#/timeline');
  await settled(page);
  await page.locator('.tl-label[data-key="p:1"]').hover();
  await page.getByLabel('Pin P1').click();
  await address(page, /pin=p:1/);
  await page.locator('.tl-label[data-key="c:threads"]').hover();
  await page.getByLabel('Hide Threads').click();
  await address(page, /hide=c:threads/);
  await page.getByText('Show hidden lanes').click();
  await addressWithout(page, /hide=/);
  await page.context().close();
});

test('only goroutines alive in the window, when asked for', async () => {
  const { page } = await open(browser, 'web', '#/timeline?v=g&t=5000000-6000000&f.here=1');
  await settled(page);
  const shown = await page.evaluate(() => (window as any).gmptrace.timeline.layout.block.count);
  const all = (await getJson('web', 'info')).goroutines;
  assert.ok(shown > 0 && shown < all, `${shown} of ${all}`);
  await page.keyboard.press('0');
  await page.waitForFunction((n) => (window as any).gmptrace.timeline.layout.block.count === n, all);
  await page.context().close();
});

test('search finds a goroutine and goes there', async () => {
  const { page } = await open(browser, 'web', '#/overview');
  await page.locator('.findings, .card').first().waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('g1');
  await page.locator('.search-results li[role=option]').first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByTestId('duration').waitFor();
  await address(page, /#\/timeline.*span=g:\d+@/);
  await page.context().close();
});

for (const [name, heading] of [
  ['overview', 'This trace'],
  ['goroutines', 'Goroutines by start function'],
  ['scheduler', 'From runnable to running'],
  ['profiles', 'Functions'],
  ['tasks', 'Regions'],
  ['gc', 'Minimum mutator utilisation'],
]) {
  test(`the ${name} page is there and complains of nothing`, async () => {
    const { page, errors } = await open(browser, 'web', `#/${name}`);
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    assert.equal(await page.locator('.error').count(), 0);
    assert.deepEqual(errors, []);
    await page.context().close();
  });
}

test('schedtrace lines lead to their instant on the timeline', async () => {
  const { page } = await open(browser, 'web', '#/schedtrace');
  await page.locator('.sched-lines pre').nth(5).click();
  await settled(page);
  await address(page, /#\/timeline.*marks=\d+/);
  await page.context().close();
});

test('the event table goes on as one scrolls, and filters', async () => {
  const { page } = await open(browser, 'web', '#/events');
  await page.locator('.events tbody tr').nth(200).waitFor();
  await page.locator('main').evaluate((e) => e.scrollTo(0, e.scrollHeight));
  await page.locator('.events tbody tr').nth(400).waitFor();
  await page.getByLabel('Goroutine', { exact: true }).fill('1');
  await page.waitForFunction(() => [...document.querySelectorAll('.events tbody tr td:nth-child(5)')].slice(0, 5).every((td) => td.textContent!.startsWith('G1 ')));
  await page.context().close();
});

test('a row of a table leads from the groups to one goroutine and to its lane', async () => {
  const { page } = await open(browser, 'web', '#/goroutines');
  await page.getByRole('link', { name: 'main.web.func2' }).click();
  await page.getByRole('link', { name: /^G\d+$/ }).first().click();
  await page.getByRole('heading', { name: 'Its life' }).waitFor();
  await page.locator('.facts a', { hasText: 'main.web.func2' }).click();
  await page.getByTestId('duration').waitFor();
  await address(page, /#\/timeline.*v=g/);
  await page.context().close();
});

test('the question mark shows the keys', async () => {
  const { page } = await open(browser, 'web', '#/timeline');
  await settled(page);
  await page.keyboard.press('?');
  assert.ok(await page.getByText('undo, redo navigation').isVisible());
  await page.keyboard.press('Escape');
  assert.ok(await page.getByText('undo, redo navigation').isHidden());
  await page.context().close();
});

test('the theme follows the system and can be switched', async () => {
  const { page } = await open(browser, 'web', '#/timeline', { colorScheme: 'dark' });
  await settled(page);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await page.keyboard.press('l');
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'light');
  await page.context().close();
});

test('a cut file is shown up to its end, with a warning', async () => {
  const { page, errors } = await open(browser, 'cut', '#/overview');
  await page.locator('.warnings').waitFor();
  assert.ok(((await page.locator('.warnings').textContent()) ?? '').length > 10);
  await page.getByRole('link', { name: 'Timeline', exact: true }).click();
  await settled(page);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test('a trace in which almost nothing happens is shown all the same', async () => {
  const { page, errors } = await open(browser, 'empty', '#/timeline');
  await settled(page);
  for (const key of ['w', 's', 'a', 'd', 'f', '0', '2', '3', '1']) await page.keyboard.press(key, { delay: 20 });
  assert.deepEqual(errors, []);
  await page.context().close();
});

test('a file that is no trace is refused with a sentence', async () => {
  const { page } = await open(browser, 'broken', '');
  await page.getByText('This trace cannot be shown.').waitFor();
  await page.context().close();
});

test('a server that is gone is said, and its return too', async () => {
  const { page } = await open(browser, 'web', '#/timeline?t=10000000-12000000');
  await settled(page);
  await page.route('**/api/**', (route) => route.abort());
  await page.keyboard.press('s', { delay: 400 });
  await page.locator('.banner').waitFor({ state: 'visible' });
  const pixels = await page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('.tl-canvas')!;
    const data = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height).data;
    return new Set(new Uint32Array(data.buffer)).size;
  });
  assert.ok(pixels > 10, 'the old picture stays');
  await page.unroute('**/api/**');
  await page.locator('.banner').waitFor({ state: 'hidden' });
  await settled(page);
  await page.context().close();
});

test('everything is reachable by keyboard and has a name', async () => {
  const { page } = await open(browser, 'web', '#/timeline?span=p:0@10000000');
  await page.getByTestId('duration').waitFor();
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, a, input, select, canvas')]
      .filter((e) => e.offsetParent !== null && e.getAttribute('aria-hidden') !== 'true')
      .filter((e) => !(e.textContent?.trim() || e.getAttribute('aria-label') || e.title || e.closest('[role=application],[role=img],label')))
      .map((e) => e.outerHTML.slice(0, 80)),
  );
  assert.deepEqual(nameless, []);
  await page.keyboard.press('Tab');
  assert.ok(await page.evaluate(() => document.activeElement !== document.body));
  await page.context().close();
});

test('text has contrast in both themes', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await open(browser, 'web', '#/overview', { colorScheme });
    await page.locator('.card').first().waitFor();
    const ratios = await page.evaluate(() => {
      const style = getComputedStyle(document.documentElement);
      const rgb = (name: string) => [1, 3, 5].map((i) => parseInt(style.getPropertyValue(name).trim().slice(i, i + 2), 16) / 255);
      const light = (c: number[]) => c.map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
      const contrast = (a: string, b: string) => {
        const [x, y] = [light(rgb(a)), light(rgb(b))].sort((p, q) => q - p);
        return (x + 0.05) / (y + 0.05);
      };
      return ['--text', '--muted', '--accent', '--bad'].map((c) => [c, contrast(c, '--bg'), contrast(c, '--bg-soft')] as [string, number, number]);
    });
    for (const [name, onPage, onBar] of ratios) assert.ok(onPage >= 4.5 && onBar >= 4.5, `${name} in ${colorScheme}: ${onPage.toFixed(1)}, ${onBar.toFixed(1)}`);
    await page.context().close();
  }
});
