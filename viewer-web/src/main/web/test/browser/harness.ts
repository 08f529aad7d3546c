import { chromium, type Browser, type Page } from 'playwright-core';

/** Name → address of the servers that JUnit started. */
export const urls = Object.fromEntries((process.env.GMPTRACE_URLS ?? '').split(' ').map((pair) => pair.split(/=(.*)/s).slice(0, 2))) as Record<string, string>;

export async function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.GMPTRACE_BROWSER,
    headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

export interface Opened {
  page: Page;
  /** Errors the page logged or threw. */
  errors: string[];
}

export async function open(browser: Browser, server: string, hash: string, options: { colorScheme?: 'light' | 'dark' } = {}): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1300, height: 800 }, colorScheme: options.colorScheme ?? 'light' });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (e) => errors.push(e.message));
  page.on('console', (m) => m.type() === 'error' && !/Failed to load resource/.test(m.text()) && errors.push(m.text()));
  await page.goto(`${urls[server]}${hash}`);
  return { page, errors };
}

/** Waits until everything on the timeline is drawn from what it wants, and the address says so. */
export async function settled(page: Page) {
  await page.waitForFunction(() => {
    const t = (window as any).gmptrace?.timeline;
    return t && t.layout.head.length > 0 && t.settled;
  });
}

/** Waits until the address says this; steps that Back does not undo are written a little later. */
export async function address(page: Page, pattern: RegExp) {
  await page.waitForFunction((p) => new RegExp(p).test(location.href), pattern.source);
}

export async function addressWithout(page: Page, pattern: RegExp) {
  await page.waitForFunction((p) => !new RegExp(p).test(location.href), pattern.source);
}

/** Where on the page an instant of a lane is. */
export async function where(page: Page, lane: string, ns: number): Promise<{ x: number; y: number }> {
  return page.evaluate(
    ([l, t]) => {
      const tl = (window as any).gmptrace.timeline;
      const box = tl.scroller.getBoundingClientRect();
      const at = tl.layout.place(l, tl.scroll.top);
      return { x: box.left + tl.labelWidth + tl.win.x(t), y: box.top + at.y - tl.scroll.top + at.height / 2 };
    },
    [lane, ns] as [string, number],
  );
}

export const windowOf = (page: Page): Promise<[number, number]> => page.evaluate(() => [(window as any).gmptrace.timeline.win.start, (window as any).gmptrace.timeline.win.end]);

export async function getJson(server: string, path: string): Promise<any> {
  return (await fetch(`${urls[server]}api/v1/${path}`)).json();
}
