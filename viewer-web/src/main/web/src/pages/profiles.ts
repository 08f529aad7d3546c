import { address, api } from '../api';
import { app } from '../app';
import { debounce, h } from '../dom';
import { count, duration, percent } from '../time';
import { Flame, type FlameNode } from '../widgets/flame';
import { table } from '../widgets/table';
import { card, loadingPage, rangeNote, rangeParams } from './page';
import type { Page } from './pages';

const TYPES: [string, string, string][] = [
  ['sched', 'Scheduling', 'Time goroutines were runnable and waited for a processor, by what made them runnable'],
  ['start', 'Start', 'Time from creation to the first run, by who created'],
  ['sync', 'Synchronisation', 'Time blocked on channels, select and locks'],
  ['net', 'Network', 'Time blocked on the network'],
  ['syscall', 'System calls', 'Time inside system calls'],
  ['cpu', 'CPU', 'CPU samples in the trace'],
];

export function profilesPage(): Page {
  return loadingPage({
    className: 'profiles',
    key: () => JSON.stringify([app.state.params.type, app.state.params.group, app.state.range]),
    async load(signal) {
      const type = app.state.params.type ?? 'sched';
      const params = { ...rangeParams(), group: app.state.params.group };
      const profile = await api.profile(type, params, signal);
      const unit = (n: number) => (profile.unit === 'ns' ? duration(n) : count(n));
      const what = type === 'cpu' ? 'samples' : 'waits';
      const hover = h('p.flame-note', { 'aria-live': 'off' }, 'Click a box to zoom; the top box leads back.');
      const flame = new Flame(profile.root as FlameNode, unit, undefined, (text) => (hover.textContent = text));
      const find = h('input', { type: 'search', placeholder: 'Highlight functions', 'aria-label': 'Highlight functions', oninput: debounce(120, () => flame.highlight(find.value ? (n) => n.toLowerCase().includes(find.value.toLowerCase()) : () => false)) });
      const file = `${app.info.file}.${type}`;
      return [
        rangeNote(),
        h(
          'div.filters',
          h('span.segmented', { role: 'group', 'aria-label': 'Profile' }, ...TYPES.map(([id, name, title]) => h('a.button', { href: app.link({ params: { ...app.state.params, type: id } }), 'aria-current': id === type ? 'true' : undefined, title }, name))),
          find,
          h('a', { href: address('profile.pb.gz', { type, ...params }), download: `${file}.pb.gz`, title: 'Opens in go tool pprof' }, 'pprof'),
          h('a', { href: address('profile.folded', { type, ...params }), download: `${file}.folded`, title: 'Folded stacks for other flame graph tools' }, 'folded'),
        ),
        app.state.params.group ? h('p.range-note', `Only goroutines started by ${app.state.params.group}. `, h('a', { href: app.link({ params: { type } }) }, 'All goroutines')) : null,
        card(
          TYPES.find(([id]) => id === type)?.[2] ?? type,
          profile.count ? h('p', h('strong.num', unit(profile.total)), ` in ${count(profile.count)} ${what}`) : null,
          profile.count && !profile.top.length ? h('p.muted', `No stacks were recorded, so there is nothing to tell these ${what} apart by. A gmp program records them with GMPDEBUG=tracestack=32.`) : profile.count ? flame.element : h('p.muted', type === 'cpu' ? 'There are no CPU samples in this trace.' : 'Nothing of this kind in this window.'),
          profile.top.length ? hover : null,
        ),
        profile.top.length
          ? card(
              'Functions',
              table<any>(
                [
                  { label: 'Function', cell: (f) => h('span', h('span.fn', f.name), f.file ? h('span.place', { title: `${f.file}:${f.line}` }, ` ${f.file.replace(/^.*\//, '')}:${f.line}`) : ''), sort: (f) => f.name },
                  { label: 'Itself', numeric: true, cell: (f) => unit(f.self), sort: (f) => f.self },
                  { label: 'Share', numeric: true, cell: (f) => percent(f.self / profile.total) },
                  { label: 'With callees', numeric: true, cell: (f) => unit(f.total), sort: (f) => f.total },
                  { label: 'Share', numeric: true, cell: (f) => percent(f.total / profile.total) },
                ],
                profile.top,
                { label: 'Functions', sortBy: 1, limit: 60 },
              ),
            )
          : null,
      ];
    },
  });
}
