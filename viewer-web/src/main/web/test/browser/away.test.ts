// The server really gone: a proxy in between drops every connection, old and new. It keeps its port, which
// somebody else might take.
import assert from 'node:assert/strict';
import { createServer, request, type Server } from 'node:http';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launch, settled, urls, windowOf } from './harness';

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser.close();
});

/** A way to a server that can be cut. */
class Proxy {
  private cut = false;
  private readonly server: Server;

  private constructor(target: string) {
    const { hostname, port } = new URL(target);
    this.server = createServer((from, to) => {
      const onward = request({ hostname, port, path: from.url, headers: { ...from.headers, host: `localhost:${port}` } }, (answer) => {
        to.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(to);
      });
      onward.on('error', () => to.destroy());
      from.pipe(onward);
    });
    this.server.on('connection', (socket) => this.cut && socket.destroy());
  }

  static async to(target: string): Promise<Proxy> {
    const proxy = new Proxy(target);
    await new Promise<void>((done) => proxy.server.listen(0, 'localhost', done));
    return proxy;
  }

  get url(): string {
    return `http://localhost:${(this.server.address() as { port: number }).port}/`;
  }

  goAway() {
    this.cut = true;
    this.server.closeAllConnections();
  }

  comeBack() {
    this.cut = false;
  }

  async close() {
    const closed = new Promise((done) => this.server.close(done));
    this.server.closeAllConnections();
    await closed;
  }
}

test('the server goes away while panning: the page says so, keeps its picture, and goes on when it is back', async () => {
  const server = await Proxy.to(urls.big);
  try {
    const page = await (await browser.newContext({ viewport: { width: 1300, height: 800 } })).newPage();
    await page.goto(`${server.url}#/timeline?t=1000000-2000000`);
    await settled(page);
    await page.keyboard.down('d');
    await page.waitForFunction(() => (window as any).gmptrace.timeline.win.start > 1_200_000);
    server.goAway();
    await page.locator('.banner').waitFor({ state: 'visible' });
    await page.keyboard.up('d');
    assert.match((await page.locator('.banner').textContent())!, /does not answer/);
    const [start] = await windowOf(page);
    server.comeBack();
    await page.locator('.banner').waitFor({ state: 'hidden' });
    await settled(page);
    assert.ok((await windowOf(page))[0] >= start, 'the window is where it was');
    const missing = await page.evaluate(() => {
      const t = (window as any).gmptrace.timeline;
      return ['p:0', 'p:1', 'p:2', 'p:3'].filter((lane) => !t.tiles.lookup(lane, t.win.start, t.win.end, t.win.nsPerPx, t.duration).complete);
    });
    assert.deepEqual(missing, [], 'every lane has the tiles it wants again');
    await page.context().close();
  } finally {
    await server.close();
  }
});
