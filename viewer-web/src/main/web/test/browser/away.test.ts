// The server really gone: a proxy in between stops listening and drops every connection.
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

function proxy(target: string, port: number): Promise<Server> {
  const { hostname, port: there } = new URL(target);
  const server = createServer((from, to) => {
    const onward = request({ hostname, port: there, path: from.url, headers: { ...from.headers, host: `localhost:${there}` } }, (answer) => {
      to.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(to);
    });
    onward.on('error', () => to.destroy());
    from.pipe(onward);
  });
  return new Promise((done) => server.listen(port, 'localhost', () => done(server)));
}

async function stop(server: Server) {
  const closed = new Promise((done) => server.close(done));
  server.closeAllConnections();
  await closed;
}

test('the server goes away while panning: the page says so, keeps its picture, and goes on when it is back', async () => {
  let server = await proxy(urls.big, 0);
  try {
    const { port } = server.address() as { port: number };
    const page = await (await browser.newContext({ viewport: { width: 1300, height: 800 } })).newPage();
    await page.goto(`http://localhost:${port}/#/timeline?t=1000000-2000000`);
    await settled(page);
    await page.keyboard.down('d');
    await page.waitForFunction(() => (window as any).gmptrace.timeline.win.start > 1_200_000);
    await stop(server);
    await page.locator('.banner').waitFor({ state: 'visible' });
    await page.keyboard.up('d');
    assert.match((await page.locator('.banner').textContent())!, /does not answer/);
    const [start] = await windowOf(page);
    server = await proxy(urls.big, port);
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
    await stop(server);
  }
});
