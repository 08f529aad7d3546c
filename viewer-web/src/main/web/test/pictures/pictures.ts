// Takes the pictures of the documentation: `node build.mjs pictures DIRECTORY TOUR WEB GO`, the last
// three the addresses of viewers over traces of `gmptrace demo`, `gmptrace demo web` and a Go program.
// Where to look is found in the traces, so that a new recording gives the same pictures.
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

const [directory, tour, web, go] = process.argv.slice(2);

const get = async (base: string, path: string): Promise<any> => (await fetch(`${base}api/v1/${path}`)).json();

async function ready(base: string) {
  while ((await get(base, 'status')).state === 'reading') await new Promise((done) => setTimeout(done, 50));
}

async function picture(browser: Browser, name: string, url: string, options: { height?: number; dark?: boolean; wait?: string; hover?: [number, number] } = {}) {
  const page = await (await browser.newContext({ viewport: { width: 1400, height: options.height ?? 640 }, colorScheme: options.dark ? 'dark' : 'light' })).newPage();
  await page.goto(url);
  if (url.includes('#/timeline')) {
    await page.waitForFunction(() => (window as any).gmptrace?.timeline?.layout.head.length > 3 && (window as any).gmptrace.timeline.settled);
    await page.waitForTimeout(600);
    await page.waitForFunction(() => (window as any).gmptrace.timeline.settled);
  }
  if (options.wait) await page.locator(options.wait).first().waitFor();
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(directory, `${name}.png`) });
  await page.context().close();
  console.log(`${name}.png`);
}

/** The stage of the tour with this name. */
async function stage(name: string): Promise<{ start: number; end: number }> {
  const { regions } = await get(tour, `regions?type=${name}`);
  return regions[0] ?? { start: 0, end: (await get(tour, 'info')).durationNs };
}

for (const base of [tour, web, go]) await ready(base);
const browser = await chromium.launch({ executablePath: process.env.GMPTRACE_BROWSER ?? '/usr/bin/chromium', headless: true, args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--force-color-profile=srgb'] });
try {
  const gc = await stage('gc');
  const { ranges } = await get(tour, `ranges?name=stop&from=${gc.start}&to=${gc.end}`);
  const first = ranges[0]?.start ?? gc.start;
  const workers = (await get(tour, `goroutines/list?order=RUNNING&desc=true&limit=3&from=${gc.start}&to=${gc.end}&text=Gc`)).rows;
  const pins = workers.map((g: any) => `g:${g.id}`).sort().join(',');
  await picture(browser, 'timeline', `${tour}#/timeline?t=${Math.max(0, first - 15_000_000)}-${first + 105_000_000}${pins ? `&pin=${pins}` : ''}`, { height: 720 });

  const calls = await stage('syscalls');
  const from = Math.round(calls.start + 8_000_000);
  await picture(browser, 'range-dark', `${tour}#/timeline?t=${from}-${from + 30_000_000}&range=${from + 6_000_000}-${from + 21_000_000}`, { height: 940, dark: true, wait: '[data-testid=range-duration]' });

  await picture(browser, 'overview', `${tour}#/overview`, { height: 760, wait: '.findings, .card' });
  await picture(browser, 'goroutines', `${tour}#/goroutines`, { height: 560, wait: '.card' });

  const { tasks } = await get(web, 'tasks?limit=1');
  const task = tasks[0];
  await picture(browser, 'tasks', `${web}#/timeline?t=${task.start - 2_000_000}-${task.end + 4_000_000}&span=${task.lane}@${task.start}&hide=s:statistics`, { height: 760, wait: '[data-testid=duration]' });
  await picture(browser, 'profile', `${go}#/profiles?p.type=sync`, { height: 560, wait: '.flame-box' });
} finally {
  await browser.close();
}
