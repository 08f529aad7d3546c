// Measures a running viewer: `node build.mjs bench URL`. Prints one line of JSON.
//
//   firstUsableMs   from the request of the page to a timeline drawn from all its tiles
//   tiles           times of random tile requests over all zooms, P lanes and goroutine lanes
//   frameWorkMs     what a frame costs while panning and zooming in
//   frameGapMs      time between frames then
//   heapMiB         JavaScript heap afterwards
import { chromium } from 'playwright-core';

const REQUESTS = 500;
const WARM_UP = 100;

const base = process.argv[2];
const quantiles = (values: number[]) => {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (q: number) => Number(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))].toFixed(2));
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
};

async function ready(): Promise<any> {
  for (;;) {
    const status = await fetch(`${base}api/v1/status`).then((r) => r.json());
    if (status.state === 'ready') return fetch(`${base}api/v1/info`).then((r) => r.json());
    if (status.state === 'failed') throw new Error(status.error);
    await new Promise((done) => setTimeout(done, 50));
  }
}

async function tiles(info: any) {
  let seed = 7;
  const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  const procs = (await fetch(`${base}api/v1/lanes?kind=p`).then((r) => r.json())).map((l: any) => l.id).slice(0, 48);
  const times: number[] = [];
  for (let i = 0; i < REQUESTS; i++) {
    const level = Math.floor(random() * Math.max(1, Math.log2(info.durationNs / 1024)));
    const span = 1024 * 2 ** level;
    const from = Math.floor((random() * info.durationNs) / span) * span;
    const lanes = random() < 0.5 ? procs : Array.from({ length: 40 }, () => `g:${1 + Math.floor(random() * info.goroutines)}`);
    const begin = performance.now();
    await fetch(`${base}api/v1/tiles?lanes=${lanes.join(',')}&from=${from}&to=${from + span}&px=1024`).then((r) => r.arrayBuffer());
    if (i >= WARM_UP) times.push(performance.now() - begin);
  }
  return quantiles(times);
}

const info = await ready();
const browser = await chromium.launch({
  executablePath: process.env.GMPTRACE_BROWSER ?? '/usr/bin/chromium',
  headless: true,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--enable-precise-memory-info'],
});
try {
  const page = await (await browser.newContext({ viewport: { width: 1600, height: 1000 } })).newPage();
  const begin = performance.now();
  await page.goto(`${base}#/timeline`);
  await page.waitForFunction(() => (window as any).gmptrace?.timeline?.settled && (window as any).gmptrace.timeline.frames.length > 2);
  const firstUsableMs = Math.round(performance.now() - begin);
  const moving = await page.evaluate(async () => {
    const { timeline } = (window as any).gmptrace;
    const gaps: number[] = [];
    timeline.frames.length = 0;
    let last = performance.now();
    for (let zoom = 0; zoom < 5; zoom++) {
      timeline.setWindow(timeline.win.zoom(0.2, 500));
      for (let i = 0; i < 60; i++) {
        timeline.setWindow(timeline.win.pan(15));
        await new Promise((done) => requestAnimationFrame(done));
        gaps.push(performance.now() - last);
        last = performance.now();
      }
    }
    return { work: [...timeline.frames] as number[], gaps, heap: (performance as any).memory.usedJSHeapSize / 2 ** 20 };
  });
  console.log(JSON.stringify({ events: info.events, firstUsableMs, tilesMs: await tiles(info), frameWorkMs: quantiles(moving.work), frameGapMs: quantiles(moving.gaps), heapMiB: Math.round(moving.heap) }));
} finally {
  await browser.close();
}
