import { api, isRefusal } from '../api';
import { app } from '../app';
import type { Findings } from '../answers';
import { h } from '../dom';
import { bytes, count, duration, grouped, percent, wallDate } from '../time';
import { histogram, latencyLine } from '../widgets/charts';
import { table } from '../widgets/table';
import { card, loadingPage, rangeNote, rangeParams, recorded } from './page';
import type { Page } from './pages';

/** What this trace is, what is wrong with it first, then its key figures. */
export function overviewPage(): Page {
  return loadingPage({
    className: 'overview',
    key: () => JSON.stringify(app.state.range),
    async load(signal) {
      const [stats, findings] = await Promise.all([api.stats(rangeParams(), signal), api.findings().catch((e: Error) => (isRefusal(e) ? e : Promise.reject(e)))]);
      const { info } = app;
      const facts: [string, string][] = [
        ['file', `${info.file} (${bytes(info.fileBytes)})`],
        ['format', info.version],
        ['duration', duration(info.durationNs)],
        ['recorded', app.wall ? wallDate(app.wall) : 'wall clock not in the trace'],
        ['events', grouped(info.events)],
        ['goroutines', grouped(info.goroutines)],
        ['processors', grouped(info.procs)],
        ['threads', grouped(info.threads)],
      ];
      return [
        rangeNote('the findings and what this trace is are of all of it'),
        info.truncated || info.eventsLost > 0 || info.warnings.length ? h('div.warnings', { role: 'note' }, ...warnings()) : h('span'),
        h(
          'div.grid.overview-top',
          findingsCard(findings),
          h(
            'div',
            card('This trace', h('dl.facts', ...facts.flatMap(([k, v]) => [h('dt', k), h('dd', v)])), h('p', h('a.button', { href: app.link({ page: 'timeline' }) }, 'Open the timeline'))),
            card('Utilisation of the processors', utilisation(stats)),
          ),
        ),
        h(
          'div.grid.three',
          card('Key figures', figures(stats)),
          card('From runnable to running', h('p.muted', 'How long goroutines that could run had to wait for a processor.'), histogram(stats.schedLatency, { label: 'Scheduling latency' }), latencyLine(stats.schedLatency)),
          card(
            'What goroutines waited for',
            table(
              [
                { label: 'Reason', cell: (r: any) => r.reason || '(none)', sort: (r: any) => r.reason },
                { label: 'Times', numeric: true, cell: (r: any) => count(r.count), sort: (r: any) => r.count },
                { label: 'Time', numeric: true, cell: (r: any) => duration(r.total), sort: (r: any) => r.total },
              ],
              stats.reasons as any[],
              { label: 'Wait reasons', sortBy: 2, limit: 12 },
            ),
          ),
        ),
      ];
    },
  });
}

function warnings(): Node[] {
  const { info } = app;
  const lines = [...info.warnings];
  if (info.truncated && !lines.some((w) => /trunc|cut|tail|end/i.test(w))) lines.push('The file ends in the middle; everything before that is shown.');
  if (info.eventsLost > 0) lines.push(`${grouped(info.eventsLost)} events were lost while recording; times near the gaps are unknown.`);
  return lines.map((w) => h('p', w));
}

function findingsCard(answer: Findings | Error): HTMLElement {
  if (answer instanceof Error) return card('Findings', h('p.error', answer.message));
  const { findings, rulesChecked } = answer;
  if (!findings.length) return card('Findings', h('p', `${rulesChecked.length} rules were checked; none found anything to complain about.`), h('p.muted', rulesChecked.map((r) => r.replaceAll('-', ' ')).join(', ')));
  return card(
    'Findings',
    h(
      'ol.findings',
      ...[...findings]
        .sort((a, b) => b.score - a.score)
        .map((f) =>
          h(
            'li',
            { class: f.severity.toLowerCase() },
            h('h3', f.title, h('span.severity', f.severity.toLowerCase())),
            h('p', f.sentence),
            f.advice ? h('p.muted', f.advice) : null,
            h(
              'p.links',
              f.to > f.from ? h('a', { href: app.link({ page: 'timeline', view: view(f.lane), window: app.around(f.from, f.to, 0.3), span: f.lane && f.lane.startsWith('g:') ? { lane: f.lane, at: f.from } : null, range: f.lane?.startsWith('g:') ? null : [f.from, f.to] }) }, 'Show on the timeline') : null,
              ...Object.entries(f.evidence).slice(0, 6).map(([k, v]) => h('span.evidence', `${k} `, h('b', v))),
            ),
          ),
        ),
    ),
  );
}

const view = (lane: string | null) => (lane?.startsWith('g:') ? 'g' : lane?.startsWith('m:') ? 'm' : 'p');

function figures(stats: any): HTMLElement {
  const list: [string, string][] = [
    ['mean utilisation of the Ps', percent(stats.utilisation)],
    ['goroutines created', count(stats.created)],
    ['goroutines ended', count(stats.ended)],
    ['wake-ups', count(stats.wakes)],
    ['steals', recorded(count(stats.steals))],
    ['hand-offs', count(stats.handoffs)],
    ['preemptions', count(stats.preemptions)],
    ['syscalls', count(stats.syscalls)],
    ['time in GC', percent(stats.gcShare)],
    ['world stopped', percent(stats.stwShare)],
  ];
  return h('dl.figures', ...list.map(([k, v]) => h('div', h('dt', k), h('dd.num', v))));
}

function utilisation(stats: any): HTMLElement {
  const procs = stats.procs as { p: number; utilisation: number }[];
  return h('div.bars', ...procs.slice(0, 64).map((p) => h('div.bar-row', h('span', `P${p.p}`), h('span.track', h('span.fill', { style: `width:${(p.utilisation * 100).toFixed(1)}%` })), h('span.num', percent(p.utilisation)))), procs.length > 64 ? h('p.muted', `and ${procs.length - 64} more`) : null);
}
