// The shapes of the API's JSON answers; docs/API.md says what the fields mean.

export interface Status {
  api: number;
  state: 'reading' | 'ready' | 'failed';
  step?: string;
  fraction?: number;
  events?: number;
  error?: string;
}

export interface Info {
  file: string;
  fileBytes: number;
  format: string;
  version: string;
  durationNs: number;
  events: number;
  generations: number;
  goroutines: number;
  procs: number;
  threads: number;
  /** Unix nanoseconds at time 0 as text (too big for a double), "-1" when unknown. */
  wallAtZeroNs: string;
  eventsLost: number;
  truncated: boolean;
  warnings: string[];
  states: { name: string; label: string; busy: boolean }[];
  counters: Counter[];
  pointKinds: string[];
}

export interface Counter {
  name: string;
  label: string;
  unit: string;
  group: string;
  min: number;
  max: number;
  last: number;
}

export interface Lane {
  id: string;
  name: string;
  group: string;
  firstNs: number;
  lastNs: number;
  spans: number;
  busyNs: number;
  /** Time in which a goroutine ran. */
  runningNs: number;
}

export interface Frame {
  pc: number;
  function: string;
  file: string;
  line: number;
}

export interface SpanRef {
  lane: string;
  start: number;
  end: number;
  state: string;
  reason: string;
  g: number;
}

export interface Cause {
  kind: string;
  byG: number;
  byName: string;
  p: number;
  m: number;
  atNs: number;
  text: string;
}

export interface SpanDetail {
  lane: string;
  start: number;
  end: number;
  state: string;
  stateLabel: string;
  reason: string;
  g: number;
  gName: string;
  p: number;
  m: number;
  startStack: Frame[];
  endStack: Frame[];
  why: string;
  whyEnded: string;
  cause: Cause | null;
  prevInLane: SpanRef | null;
  nextInLane: SpanRef | null;
  prevOfG: SpanRef | null;
  nextOfG: SpanRef | null;
  regions: string[];
  tasks: string[];
  taskIds: number[];
  labels: string[];
  unknownWhy: string;
}

export interface Arrow {
  kind: 'CREATE' | 'WAKE' | 'STEAL' | 'HANDOFF';
  fromNs: number;
  fromG: number;
  fromP: number;
  fromM: number;
  toNs: number;
  toG: number;
  toP: number;
  toM: number;
  text: string;
}

/** A single point event; what `a` and `b` mean depends on its kind, `text` says it. */
export interface PointEvent {
  ns: number;
  kind: string;
  g: number;
  p: number;
  m: number;
  a: number;
  b: number;
  text: string;
}

export interface ArrowPage {
  truncated: boolean;
  /** How many there are on the lane asked for. */
  total: number;
  arrows: Arrow[];
}

/** A log message, with the lane of its task if it has one. */
export interface LogMark {
  ns: number;
  lane: string | null;
  task: number;
  g: number;
  category: string;
  message: string;
}

export interface RangeInfo {
  name: string;
  lane: string | null;
  start: number;
  end: number;
  stack: Frame[];
  attributes: Record<string, number>;
}

export interface RangePage {
  truncated: boolean;
  total: number;
  sums: { name: string; count: number; inWindowNs: number; longestNs: number }[];
  ranges: RangeInfo[];
}

export interface Latency {
  count: number;
  total: number;
  min: number;
  p50: number;
  p90: number;
  p99: number;
  p999: number;
  max: number;
  mean: number;
  histogram: { from: number; to: number; count: number }[];
}

export interface Selection {
  from: number;
  to: number;
  gTimeByState: Record<string, number>;
  groups: GroupSlice[];
  procs: ProcSlice[];
  reasons: ReasonSlice[];
  schedLatency: Latency;
  steals: number;
  stolen: number;
  handoffs: number;
  wakes: number;
  created: number;
  ended: number;
  preemptions: number;
  syscalls: number;
  utilisation: number;
}

export interface GroupSlice {
  name: string;
  goroutines: number;
  running: number;
  runnable: number;
  waiting: number;
  syscall: number;
}

export interface ProcSlice {
  p: number;
  running: number;
  syscall: number;
  utilisation: number;
  starts: number;
}

export interface ReasonSlice {
  reason: string;
  count: number;
  total: number;
}

export interface Hit {
  kind: string;
  title: string;
  detail: string;
  lane: string | null;
  ns: number;
  endNs: number;
}

export type Stats = Record<string, any>;

export interface Finding {
  rule: string;
  severity: string;
  score: number;
  title: string;
  sentence: string;
  advice: string;
  evidence: Record<string, string>;
  lane: string | null;
  from: number;
  to: number;
}

export interface Findings {
  findings: Finding[];
  rulesChecked: string[];
}

export type GoroutineReport = Record<string, any>;
export type GoroutineList = Record<string, any>;
export type GoroutineDetail = Record<string, any>;
export type Scheduler = Record<string, any>;
export type Profile = Record<string, any>;
export type TaskReport = Record<string, any>;
export type RegionReport = Record<string, any>;
export type Mmu = Record<string, any>;
export type SchedTrace = Record<string, any>;

export interface EventPage {
  more: boolean;
  next: string;
  untilNs: number;
  kinds: string[];
  rows: { ns: number; kind: string; g: number; p: number; m: number; text: string }[];
}
