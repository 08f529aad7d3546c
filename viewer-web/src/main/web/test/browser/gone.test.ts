// A server that is away when something is asked: the page says so and asks again by itself.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launch, open, settled, urls } from './harness';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser.close();
});

/** Refuses the connection for addresses that match until the returned function is called. */
async function cutOff(page: Page, addresses: RegExp): Promise<() => Promise<void>> {
  await page.route(addresses, (route) => route.abort());
  return () => page.unroute(addresses);
}

const blank = async () => (await browser.newContext({ viewport: { width: 1300, height: 800 } })).newPage();

test('away when the page opens: lanes, minimap and statistics come when it is back', async () => {
  const page = await blank();
  const back = await cutOff(page, /\/api\/v1\/(lanes\?|heatmap|counters|points|tiles|arrows)/);
  await page.goto(`${urls.web}#/timeline?t=5000000-35000000`);
  await page.locator('.tl-section').first().waitFor();
  await page.locator('.banner').waitFor({ state: 'visible' });
  await back();
  await page.locator('.tl-label[data-key="p:1"]').waitFor();
  await page.locator('.banner').waitFor({ state: 'hidden' });
  await settled(page);
  await page.waitForFunction(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('.minimap canvas')!;
    return canvas.width > 1000 && new Set(new Uint32Array(canvas.getContext('2d')!.getImageData(0, 0, canvas.width, 1).data.buffer)).size > 1;
  });
  await page.context().close();
});

test('away before the page knows what trace it is: it waits', async () => {
  const page = await blank();
  const back = await cutOff(page, /\/api\/v1\/(info|lanes\/goroutines)/);
  await page.goto(`${urls.web}#/timeline`);
  await page.getByText('The server does not answer. Waiting for it').waitFor();
  await back();
  await settled(page);
  await page.context().close();
});

test('no answer is not "nothing there", and is asked again', async () => {
  const { page } = await open(browser, 'web', '#/timeline?t=9500000-10700000');
  await settled(page);
  const back = await cutOff(page, /\/api\/v1\//);
  await page.evaluate(() => (window as any).gmptrace.app.go({ span: { lane: 'p:0', at: 10_000_000 } }));
  await page.locator('.details').getByText('The server does not answer').waitFor();
  assert.doesNotMatch((await page.locator('.details').textContent())!, /Nothing on/);
  await back();
  await page.getByTestId('duration').waitFor();
  await page.context().close();
});

test('sums of a range are asked again, too', async () => {
  const { page } = await open(browser, 'web', '#/timeline?t=5000000-35000000');
  await settled(page);
  const back = await cutOff(page, /\/api\/v1\//);
  await page.evaluate(() => (window as any).gmptrace.app.go({ range: [6_000_000, 9_000_000] }));
  await page.locator('.details').getByText('The server does not answer').waitFor();
  await back();
  await page.getByTestId('range-duration').waitFor();
  await page.context().close();
});
