// From what the trace has and what the user chose to the rows on screen.

import type { Info, Lane } from '../answers';
import type { ViewState } from '../url';
import { goroutineName, type GoroutineColumns } from './names';
import { LANE_HEIGHT, NO_BLOCK, reordered, RowLayout, type Block, type Row, type Series } from './rows';
import { count, percent } from '../time';

export interface LaneLists {
  procs: Lane[];
  threads: Lane[];
  ranges: Lane[];
  /** Tracks of tasks, each followed by the tracks of the regions inside. */
  tasks: Lane[];
  goroutines: GoroutineColumns | null;
  nameOf(g: number): string;
}

const COUNTER_ROWS: { key: string; label: string; stacked: boolean; unit: string; series: Series[] }[] = [
  {
    key: 'c:goroutines',
    label: 'Goroutines',
    stacked: true,
    unit: '',
    series: [
      { name: 'g.running', label: 'running', color: 'RUNNING' },
      { name: 'g.syscall', label: 'in syscalls', color: 'SYSCALL' },
      { name: 'g.runnable', label: 'runnable', color: 'RUNNABLE' },
    ],
  },
  {
    key: 'c:queues',
    label: 'Run queues',
    stacked: false,
    unit: '',
    series: [
      { name: 'queue.global', label: 'global', color: 'globalQueue' },
      { name: 'queue.local', label: 'local, all Ps', color: 'localQueue' },
    ],
  },
  {
    key: 'c:threads',
    label: 'Threads',
    stacked: false,
    unit: '',
    series: [
      { name: 'm.total', label: 'all', color: 'threads' },
      { name: 'm.spinning', label: 'spinning', color: 'spinning' },
      { name: 'p.running', label: 'Ps at work', color: 'procs' },
    ],
  },
  {
    key: 'c:heap',
    label: 'Heap',
    stacked: false,
    unit: 'bytes',
    series: [
      { name: 'heap.goal', label: 'goal', color: 'heapGoal' },
      { name: 'heap.alloc', label: 'in use', color: 'heapInUse' },
    ],
  },
];

/** More tracks than this say nothing; the Tasks page has every task. */
const MAX_TASK_LANES = 60;

/** The section of tasks in the goroutine view: closed unless the user has switched it, as others are open. */
const TASKS_ABOVE = 's:tasks.g';

/** Rows of point events: what they are of, and, where the trace does not count them, which counter says that there are some. */
const POINT_ROWS: { key: string; label: string; kinds: string[]; counter?: string }[] = [
  { key: 'x:syscalls', label: 'Syscalls', kinds: ['SYSCALL'], counter: 'g.syscall' },
  { key: 'x:network', label: 'Network', kinds: ['NETPOLL'] },
  { key: 'x:timers', label: 'Timers', kinds: ['TIMER'] },
  { key: 'x:steals', label: 'Steals', kinds: ['STEAL'] },
  { key: 'x:handoffs', label: 'Hand-offs', kinds: ['HANDOFF', 'PROC_STEAL'] },
  { key: 'x:samples', label: 'CPU samples', kinds: ['CPU_SAMPLE'] },
  { key: 'x:logs', label: 'Logs', kinds: ['LOG'] },
  { key: 'x:lost', label: 'Events lost', kinds: ['LOST'] },
];

export function layoutRows(info: Info & { points: Record<string, number> }, lists: LaneLists, state: ViewState): RowLayout {
  const hidden = new Set(state.hidden);
  const head: Row[] = [];
  const pinned = state.pinned.map((key) => laneRow(key, lists, info, true)).filter((row) => row !== null);
  if (pinned.length) head.push(section('s:pinned', 'Pinned', '', true), ...pinned);

  const statistics = [...counterRows(info), ...rangeRows(lists), ...pointRows(info)].filter((row) => !hidden.has(row.key));
  if (statistics.length) {
    const open = !hidden.has('s:statistics');
    head.push(section('s:statistics', 'Statistics', '', open));
    if (open) head.push(...reorderedRows(statistics, state.order));
  }

  const tasks = taskRows(lists, state);
  if (state.view === 'g') {
    head.push(...tasks);
    const total = lists.goroutines?.ids.length ?? 0;
    const note = lists.goroutines === null ? 'loading…' : total === info.goroutines ? count(total) : `${count(total)} of ${count(info.goroutines)}`;
    const open = !hidden.has('s:lanes');
    head.push(section('s:lanes', 'Goroutines', note, open));
    return new RowLayout(head, !open || !lists.goroutines ? NO_BLOCK : goroutineBlock(lists.goroutines, state));
  }
  const lanes = state.view === 'p' ? lists.procs : lists.threads;
  head.push(section('s:lanes', state.view === 'p' ? 'Processors (P)' : 'Threads (M)', count(lanes.length), !hidden.has('s:lanes')));
  if (!hidden.has('s:lanes')) {
    // A few lanes may use the room there is.
    const height = lanes.length <= 4 ? 44 : lanes.length <= 12 ? 34 : lanes.length <= 24 ? 28 : LANE_HEIGHT;
    const rows = lanes.filter((lane) => !hidden.has(lane.id)).map((lane) => ({ type: 'lane', key: lane.id, label: lane.name, note: runningNote(lane, info), height, pinned: false }) as Row);
    head.push(...reorderedRows(rows, state.order));
  }
  head.push(...tasks);
  return new RowLayout(head);
}

/**
 * Tasks with their regions below them, at the end; in the goroutine view above the many rows, and closed
 * until they are wanted, because they would fill the screen.
 */
function taskRows(lists: LaneLists, state: ViewState): Row[] {
  if (!lists.tasks.length) return [];
  const hidden = new Set(state.hidden);
  const shown = lists.tasks.slice(0, MAX_TASK_LANES);
  const inTheWay = state.view === 'g';
  const key = inTheWay ? TASKS_ABOVE : 's:tasks';
  const open = inTheWay ? hidden.has(key) || !!state.span?.lane.startsWith('t:') : !hidden.has(key);
  const note = shown.length < lists.tasks.length ? `${shown.length} of ${count(lists.tasks.length)} tracks` : '';
  const rows = [section(key, 'Tasks and regions', note || (open ? '' : count(lists.tasks.length)), open)];
  if (open) rows.push(...reorderedRows(shown.filter((lane) => !hidden.has(lane.id)).map((lane) => taskRow(lane, false)), state.order));
  return rows;
}

function taskRow(lane: Lane, pinned: boolean): Row {
  const nested = lane.name !== lane.group;
  return { type: 'lane', key: lane.id, label: nested ? 'regions' : lane.name, note: nested ? '' : `${count(lane.spans / 2)}`, height: 18, pinned, nested };
}

function section(key: string, label: string, note: string, open: boolean): Row {
  return { type: 'section', key, label, note, height: 24, open };
}

function counterRows(info: Info): Row[] {
  const known = new Map(info.counters.map((c) => [c.name, c]));
  return COUNTER_ROWS.flatMap((row) => {
    const series = row.series.filter((s) => (known.get(s.name)?.max ?? 0) > 0);
    return series.length ? [{ ...row, type: 'counter', series, height: 44 } as Row] : [];
  });
}

function rangeRows(lists: LaneLists): Row[] {
  return lists.ranges.map((lane) => ({ type: 'lane', key: lane.id, label: lane.name, note: '', height: 18, pinned: false }) as Row);
}

/** The row of point events with this key. */
export function pointRow(key: string): { label: string; kinds: string[] } | undefined {
  return POINT_ROWS.find((row) => row.key === key);
}

function pointRows(info: Info & { points: Record<string, number> }): Row[] {
  const counted = (name: string) => info.counters.some((c) => c.name === name && c.max > 0);
  return POINT_ROWS.filter((row) => row.kinds.some((k) => info.points[k] > 0) || (row.counter && counted(row.counter))).map(({ key, label, kinds }) => ({ key, label, kinds, type: 'points', height: 18 }) as Row);
}

function reorderedRows(rows: Row[], order: string[]): Row[] {
  const byKey = new Map(rows.map((row) => [row.key, row]));
  return reordered([...byKey.keys()], order).map((key) => byKey.get(key)!);
}

function laneRow(key: string, lists: LaneLists, info: Info, pinned: boolean): Row | null {
  if (key.startsWith('g:')) {
    return { type: 'lane', key, label: `G${key.slice(2)}`, note: goroutineName(lists.nameOf(Number(key.slice(2)))), height: LANE_HEIGHT, pinned };
  }
  const task = lists.tasks.find((l) => l.id === key);
  if (task) return taskRow(task, pinned);
  const lane = [...lists.procs, ...lists.threads, ...lists.ranges].find((l) => l.id === key);
  return lane ? { type: 'lane', key, label: lane.name, note: runningNote(lane, info), height: LANE_HEIGHT, pinned } : null;
}

function runningNote(lane: Lane, info: Info): string {
  return info.durationNs > 0 && !lane.id.startsWith('r:') ? percent(lane.runningNs / info.durationNs) : '';
}

function goroutineBlock(goroutines: GoroutineColumns, state: ViewState): Block {
  const gone = new Set(state.hidden.filter((k) => k.startsWith('g:')).map((k) => Number(k.slice(2))));
  const { group, groups } = goroutines;
  const index = gone.size ? Uint32Array.from([...goroutines.ids.keys()].filter((i) => !gone.has(goroutines.ids[i]))) : null;
  // Arrows ask for the same few rows in every frame, and a search goes through all of them.
  const known = new Map<string, number>();
  const original = (i: number) => (index ? index[i] : i);
  return {
    count: index ? index.length : goroutines.ids.length,
    at: (i) => {
      const at = original(i);
      const g = goroutines.ids[at];
      return { type: 'lane', key: `g:${g}`, label: `G${g}`, note: goroutineName(groups[group[at]] ?? ''), height: LANE_HEIGHT, pinned: false };
    },
    indexOf: (key) => {
      if (!key.startsWith('g:')) return -1;
      let found = known.get(key);
      if (found === undefined) {
        const at = goroutines.ids.indexOf(Number(key.slice(2)));
        known.set(key, (found = index ? index.indexOf(at) : at));
      }
      return found;
    },
  };
}
