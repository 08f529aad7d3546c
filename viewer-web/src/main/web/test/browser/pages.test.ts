// The pages beside the timeline: what they say is what the server says, of the range that is selected.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { getJson, launch, open, urls } from './harness';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser.close();
});

/** What is there when a page has loaded. */
const CONTENT: Record<string, string> = {
  overview: '.overview .figures',
  goroutines: 'table[aria-label="Goroutines by start function"] tbody td a',
  scheduler: '.scheduler .figures',
  profiles: '.flame-box',
  tasks: 'table[aria-label="Tasks"] tbody td a',
  gc: 'table[aria-label="Collections, pauses, assists"] tbody td a',
  schedtrace: '.sched-lines pre',
  events: 'table[aria-label="Events"] tbody td a',
};

for (const [id, content] of Object.entries(CONTENT)) {
  test(`${id}: what could not be loaded is loaded when the server is back`, async () => {
    const page = await (await browser.newContext({ viewport: { width: 1300, height: 800 } })).newPage();
    const other = id === 'tasks' ? 'gc' : 'tasks';
    await page.goto(`${urls.web}#/${other}`);
    await page.locator(CONTENT[other]).first().waitFor();
    await page.route('**/api/v1/**', (route) => route.abort());
    await page.locator(`nav a[data-page=${id}]`).click();
    await page.locator(`main.page-${id} .error`).waitFor();
    assert.match((await page.locator('.error').textContent())!, /does not answer/);
    await page.unroute('**/api/v1/**');
    await page.locator(content).first().waitFor();
    assert.equal(await page.locator('.error').count(), 0);
    await page.context().close();
  });
}

/** The cells of a table's column as they read. */
async function column(page: Page, table: string, n: number): Promise<string[]> {
  const cells = page.locator(`table[aria-label="${table}"] tbody td:nth-child(${n})`);
  await cells.first().waitFor();
  return cells.allTextContents();
}

const sum = (list: string[]) => list.reduce((n, text) => n + Number(text), 0);

test('types of tasks and regions count what was under way in the selected range', async () => {
  const part = 'from=10000000&to=12000000';
  const [tasks, regions, whole] = await Promise.all([getJson('web', `tasks?${part}`), getJson('web', `regions?${part}`), getJson('web', 'tasks')]);
  assert.ok(tasks.total < whole.total);
  const { page, errors } = await open(browser, 'web', '#/tasks?range=10000000-12000000');
  assert.equal(sum(await column(page, 'Regions', 2)), regions.total);
  assert.equal(sum((await page.locator('.grid table[aria-label="Tasks"] tbody td:nth-child(2)').allTextContents())), tasks.total);
  assert.match((await page.locator('.range-note').textContent())!, /2\.00 ms/);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test('one goroutine, overview and collections are of the selected range too', async () => {
  const range = '10000000-12000000';
  const { page } = await open(browser, 'web', `#/goroutines?range=${range}&p.g=1`);
  const times = await column(page, 'Time by state', 2);
  assert.ok(times.every((t) => /ns|µs|ms/.test(t)), `${times}`);
  assert.deepEqual(await column(page, 'Waited for', 3), ['2.00 ms']);
  await page.goto(`${urls.web}#/overview?range=${range}`);
  await page.locator('.overview .figures').first().waitFor();
  const stats = await getJson('web', 'stats?from=10000000&to=12000000');
  const figures = await page.locator('.overview .figures').first().textContent();
  assert.match(figures!, new RegExp(`wake-ups${stats.wakes}(?!\\d)`));
  assert.match(figures!, /steals\s*not recorded/);
  await page.goto(`${urls.web}#/gc?range=${range}`);
  assert.match((await page.locator('.range-note').textContent())!, /2\.00 ms/);
  await page.context().close();
});

test('events: every kind is there, filters take any case, and a page holds no more than it says', async () => {
  const { page, errors } = await open(browser, 'web', '#/events?p.kind=taskbegin');
  const tasks = await getJson('web', 'tasks');
  await page.getByText(/^\d+ events$/).waitFor();
  const begun = tasks.tasks.filter((t: any) => t.start > 0).length;
  assert.deepEqual(await column(page, 'Events', 2), Array(begun).fill('TaskBegin'));
  await page.goto(`${urls.big}#/events`);
  await page.getByText('500 events, and more').waitFor();
  const rows = page.locator('table[aria-label="Events"] tbody tr');
  assert.equal(await rows.count(), 500);
  const last = await rows.last().textContent();
  const top = await rows.first().textContent();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.waitForFunction((was) => document.querySelector('.events tbody tr')?.textContent !== was && document.querySelectorAll('.events tbody tr').length === 500, top);
  const next = await getJson('big', 'events?limit=501');
  assert.ok((await rows.first().textContent())!.endsWith(next.rows[500].text), 'the second page begins where the first ended');
  assert.ok(last!.endsWith(next.rows[499].text));
  await page.getByRole('button', { name: 'Previous' }).click();
  await page.waitForFunction((was) => document.querySelectorAll('.events tbody tr')[499]?.textContent === was, last);
  await page.getByLabel('Text').fill('no event says this');
  await page.getByText('No event matches.').waitFor();
  assert.deepEqual(errors, []);
  await page.context().close();
});

test('a list that the server cut is sorted by the server', async () => {
  const { page } = await open(browser, 'big', '#/goroutines?p.group=demo.Worker.run');
  await page.locator('.cut').waitFor();
  assert.match((await page.locator('.cut').textContent())!, /The first 300 of 100 k/);
  await page.getByRole('button', { name: 'Life' }).click();
  await page.waitForURL(/p\.order=LIFE/);
  await page.locator('.cut', { hasText: 'Life' }).waitFor();
  const list = await getJson('big', 'goroutines/list?group=demo.Worker.run&order=LIFE&desc=yes&limit=1');
  assert.equal((await column(page, 'Goroutines of the group', 1))[0], `G${list.rows[0].id}`);
  await page.context().close();
});

test('search: rows say when, the active one is announced, a function leads to its goroutines', async () => {
  const { page } = await open(browser, 'web', '#/overview');
  await page.keyboard.press('/');
  const field = page.getByRole('combobox', { name: 'Search' });
  const options = page.locator('.search-results [role=option]');
  const task = (await getJson('web', 'tasks')).types[0].name;
  await field.fill(task);
  await page.locator('.hit-more').waitFor();
  const rows = await page.locator('.search-results li:has(.hit-kind:text-is("task"))').allTextContents();
  assert.equal(new Set(rows).size, rows.length, 'no two rows read the same');
  await page.keyboard.press('ArrowDown');
  assert.equal(await field.getAttribute('aria-activedescendant'), await options.nth(1).getAttribute('id'));
  assert.equal(await options.nth(1).getAttribute('aria-selected'), 'true');
  await field.fill('main.web.func2');
  await page.locator('.hit-kind', { hasText: 'function' }).first().waitFor();
  await page.keyboard.press('Enter');
  await page.locator('h1', { hasText: 'main.web.func2' }).waitFor();
  await page.context().close();
});

test('arrow keys walk the flame graph, and T changes the clock on any page', async () => {
  const { page } = await open(browser, 'web', '#/profiles?p.type=sync');
  await page.locator('.flame-box').first().focus();
  await page.keyboard.press('ArrowDown');
  const first = await page.evaluate(() => document.activeElement!.textContent);
  assert.equal(await page.evaluate(() => document.activeElement!.getAttribute('aria-level')), '2');
  await page.keyboard.press('ArrowRight');
  assert.notEqual(await page.evaluate(() => document.activeElement!.textContent), first);
  await page.keyboard.press('ArrowUp');
  assert.equal(await page.evaluate(() => document.activeElement!.getAttribute('aria-level')), '1');
  await page.keyboard.press('t');
  await page.waitForURL(/clock=wall/);
  await page.keyboard.press('t');
  await page.waitForURL((url) => !url.hash.includes('clock'));
  await page.context().close();
});
