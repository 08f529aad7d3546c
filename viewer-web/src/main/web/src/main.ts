import './style.css';
import { api, connection, insist } from './api';
import { app } from './app';
import { h, isTyping, replace } from './dom';
import { Help } from './help';
import { PAGES, type Page } from './pages/pages';
import { Search } from './search';
import { theme } from './theme';
import { bytes, count } from './time';
import type { ViewState } from './url';

const GONE = 'The server does not answer. Waiting for it…';

theme.start();
const root = h('div.app');
document.body.append(root);
void boot();

async function boot() {
  if (!(await waitUntilReady())) return;
  try {
    const info = await insist(() => api.info(), sayGone);
    app.begin(info);
    document.title = `${info.file} – gmptrace`;
    await insist(() => app.names.load(), sayGone);
  } catch (e) {
    replace(root, h('main.opening', h('h1', 'gmptrace'), h('p.error', { role: 'alert' }, 'This trace cannot be shown.'), h('p', (e as Error).message)));
    return;
  }
  startShell();
}

function sayGone() {
  replace(root, h('main.opening', h('h1', 'gmptrace'), h('p.muted', { role: 'status' }, GONE)));
}

/** Shows how far the server is with reading; true when the trace is ready. */
async function waitUntilReady(): Promise<boolean> {
  const bar = h('progress', { max: '1', 'aria-label': 'Reading the trace' });
  const text = h('p.muted', { role: 'status' }, 'Reading the trace…');
  const card = h('main.opening', h('h1', 'gmptrace'), bar, text);
  for (;;) {
    const status = await api.status().catch(() => null);
    if (status?.state === 'ready') return true;
    replace(root, card);
    if (status?.state === 'failed') {
      replace(card, h('h1', 'gmptrace'), h('p.error', { role: 'alert' }, 'This trace cannot be shown.'), h('p', status.error ?? ''));
      return false;
    }
    if (status) {
      bar.value = status.fraction ?? 0;
      text.textContent = `${status.step ?? 'reading'} · ${Math.round((status.fraction ?? 0) * 100)} %${status.events ? ` · ${count(status.events)} events` : ''}`;
    } else {
      text.textContent = GONE;
    }
    await new Promise((done) => setTimeout(done, status ? 150 : 1000));
  }
}

function startShell() {
  const search = new Search();
  const help = new Help();
  const tabs = h('nav', { 'aria-label': 'Pages' });
  const links = PAGES.map((page) => h('a', { 'data-page': page.id }, page.title));
  tabs.append(...links);
  const clock = h('button.icon', { onclick: () => app.go({ clock: app.state.clock === 'wall' ? 'relative' : 'wall' }, 'replace') });
  const { info } = app;
  const header = h(
    'header.topbar',
    h('a.brand', { href: app.link({ page: 'overview' }), title: `${info.file} · ${info.version} · ${bytes(info.fileBytes)} · ${count(info.events)} events` }, h('b', 'gmptrace'), h('span.file', info.file)),
    tabs,
    search.element,
    clock,
    h('button.icon', { 'aria-label': 'Light or dark theme', title: 'Light or dark (L)', onclick: () => theme.toggle() }, '◐'),
    h('button.icon', { 'aria-label': 'Keys', title: 'Keys (?)', onclick: () => help.toggle() }, '?'),
  );
  const banner = h('div.banner', { role: 'alert', hidden: true });
  const main = h('main');
  replace(root, header, banner, main, help.element);
  watchConnection(banner);

  const open = new Map<string, Page>();
  let current: Page | null = null;
  const show = (before: ViewState | null) => {
    const spec = PAGES.find((p) => p.id === app.state.page) ?? PAGES[0];
    let page = open.get(spec.id);
    if (!page) open.set(spec.id, (page = spec.make()));
    if (page !== current) {
      replace(main, page.element);
      current = page;
      main.className = `page-${spec.id}`;
    }
    links.forEach((link, i) => {
      link.setAttribute('href', app.link({ page: PAGES[i].id }));
      if (PAGES[i] === spec) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    });
    clock.hidden = !app.wall;
    clock.textContent = app.state.clock === 'wall' ? '◷' : '0s';
    clock.setAttribute('aria-label', app.state.clock === 'wall' ? 'Wall-clock time; switch to relative' : 'Time since the start; switch to wall clock');
    clock.title = app.state.clock === 'wall' ? 'Wall clock (T)' : 'Since the start (T)';
    page.update(before);
  };
  app.addEventListener('change', (e) => show((e as CustomEvent<ViewState>).detail));
  addEventListener('keydown', (e) => {
    if (isTyping(e) || e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === '/') search.focus();
    else if (e.key === '?') help.toggle();
    else if (e.key.toLowerCase() === 'l') theme.toggle();
    else if (e.key.toLowerCase() === 't' && app.wall) app.go({ clock: app.state.clock === 'wall' ? 'relative' : 'wall' }, 'replace');
    else return;
    e.preventDefault();
  });
  show(null);
}

/** Says when the server is gone, keeps asking, and takes the message away when it is back. */
function watchConnection(banner: HTMLElement) {
  connection.addEventListener('change', () => {
    banner.hidden = !connection.lost;
    banner.textContent = 'The server does not answer: what you see is what was loaded before. Trying again…';
    if (connection.lost) ask();
    // Nothing has changed, but whoever failed to load tries again.
    else app.again();
  });
  function ask() {
    setTimeout(async () => {
      if (!connection.lost) return;
      const status = await api.status().catch(() => null);
      if (status?.state === 'failed') banner.textContent = `This trace cannot be shown any more: ${status.error}`;
      if (status?.state === 'ready') connection.set(false);
      else ask();
    }, 1000);
  }
}
