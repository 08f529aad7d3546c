// Times are nanoseconds since the first event of the trace, as plain numbers: exact up to 104 days.

const UNITS: [number, string][] = [
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, 'µs'],
  [1, 'ns'],
];

/** A duration for reading: three significant digits, the unit that fits. */
export function duration(ns: number): string {
  if (!Number.isFinite(ns)) return '–';
  const size = Math.abs(ns);
  // 59.96 s would round to "60.0 s".
  if (size >= 59.95e9) {
    const seconds = Math.round(size / 1e9);
    return `${ns < 0 ? '−' : ''}${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  }
  for (const [factor, unit] of UNITS) {
    // 999.6 µs would round to "1000 µs": such values belong to the next unit up.
    if (size >= factor * 0.9995 || unit === 'ns') {
      const value = ns / factor;
      const digits = unit === 'ns' ? 0 : Math.abs(value) >= 99.95 ? 0 : Math.abs(value) >= 9.995 ? 1 : 2;
      return `${value.toFixed(digits).replace('-', '−')} ${unit}`;
    }
  }
  return '0 ns';
}

/** A duration to the nanosecond, for the details panel: "1 234 567 ns" grouped by thousands. */
export function exactDuration(ns: number): string {
  return `${grouped(ns)} ns`;
}

export function grouped(n: number): string {
  return Math.round(n)
    .toString()
    .replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f');
}

export function count(n: number): string {
  // What would round to "1000 k" belongs to the next unit up, what to "100.0 k" has no fraction.
  for (const [factor, unit, least] of [
    [1e9, 'G', 0.9995e9],
    [1e6, 'M', 0.9995e6],
    [1e3, 'k', 9.9995e3],
  ] as [number, string, number][]) {
    if (n >= least) return `${(n / factor).toFixed(n >= 99.95 * factor || (n >= 9.95 * factor && unit !== 'k') ? 0 : 1)} ${unit}`;
  }
  return grouped(n);
}

export function bytes(n: number): string {
  for (const [factor, unit] of [
    [1 << 30, 'GiB'],
    [1 << 20, 'MiB'],
    [1 << 10, 'KiB'],
  ] as [number, string][]) {
    // What would round to 1024 of one unit is one of the next.
    if (n >= factor * (1 - 0.5 / 1024)) return `${(n / factor).toFixed(n >= 99.95 * factor ? 0 : 1)} ${unit}`;
  }
  return `${n} B`;
}

export function percent(share: number): string {
  if (!Number.isFinite(share)) return '–';
  const p = share * 100;
  if (p > 0 && p < 0.1) return '<0.1 %';
  return `${p.toFixed(p >= 99.95 || p === 0 ? 0 : 1)} %`;
}

/** How an instant is written: since the trace began, or by the clock on the wall. */
export interface Clock {
  /** Unix nanoseconds of time 0 split into whole milliseconds and the rest, or null if unknown. */
  wall: { ms: number; ns: number } | null;
  mode: 'relative' | 'wall';
}

export function clockFrom(wallAtZeroNs: string | number): Clock['wall'] {
  // As text, because Unix time in nanoseconds does not fit a double.
  const text = String(wallAtZeroNs);
  if (text.startsWith('-')) return null;
  const ms = Number(text.slice(0, -6) || '0');
  return { ms, ns: Number(text.slice(-6)) };
}

/** An instant, with as many digits as `resolution` (ns) asks for. */
export function instant(ns: number, resolution: number, clock: Clock): string {
  if (clock.mode === 'wall' && clock.wall) return wallInstant(ns, resolution, clock.wall);
  const [factor, unit] = UNITS.find(([f]) => Math.max(Math.abs(ns), resolution) >= f * 0.9995) ?? UNITS[3];
  const digits = digitsFor(factor, resolution);
  return `${(ns / factor).toFixed(digits).replace('-', '−')} ${unit}`;
}

/** Decimals that tell instants `resolution` ns apart from each other, in units of `factor` ns. */
function digitsFor(factor: number, resolution: number): number {
  const step = Math.max(resolution, 1) / factor;
  const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  // A step of 0.25 needs its second digit, or marks read 0.3, 0.5, 0.8.
  const whole = (places: number) => Math.abs(step * 10 ** places - Math.round(step * 10 ** places)) < 1e-6;
  return Math.min(9, !whole(digits) && whole(digits + 1) ? digits + 1 : digits);
}

function wallInstant(ns: number, resolution: number, wall: { ms: number; ns: number }): string {
  const total = wall.ns + ns;
  const date = new Date(wall.ms + Math.floor(total / 1e6));
  const nsOfSecond = date.getMilliseconds() * 1e6 + (((total % 1e6) + 1e6) % 1e6);
  const two = (n: number) => String(n).padStart(2, '0');
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  const digits = digitsFor(1e9, resolution);
  if (digits === 0) return clock;
  return `${clock}.${String(Math.floor(nsOfSecond)).padStart(9, '0').slice(0, digits)}`;
}

export function wallDate(wall: { ms: number; ns: number }): string {
  const d = new Date(wall.ms);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}`;
}

/** Steps of clocks above a second: people do not count in hundreds of seconds there. */
const CLOCK_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400].map((s) => s * 1e9);

/**
 * Where the axis puts its marks: a step of 1, 2 or 5 times a power of ten, about `spacing` px apart, at
 * round times of the clock that is shown.
 */
export function ticks(start: number, end: number, nsPerPx: number, spacing = 110, clock: Clock = { wall: null, mode: 'relative' }): { step: number; at: number[] } {
  const rough = Math.max(nsPerPx * spacing, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const wall = clock.mode === 'wall' ? clock.wall : null;
  const fits = (s: number) => s >= rough * 0.999999;
  const step = (wall && power >= 1e8 ? CLOCK_STEPS.find(fits) : undefined) ?? [1, 2, 5, 10].map((m) => m * power).find(fits) ?? rough;
  const past = wall ? pastTick(wall, step) : 0;
  const at: number[] = [];
  for (let i = Math.ceil((start + past) / step); i * step - past <= end && at.length < 1000; i++) at.push(i * step - past);
  return { step, at };
}

/** How far time 0 is past a multiple of `step` on the clock of this place. */
function pastTick(wall: { ms: number; ns: number }, step: number): number {
  if (step < 1e6) return wall.ns % step;
  const ms = wall.ms - new Date(wall.ms).getTimezoneOffset() * 60_000;
  return (ms % (step / 1e6)) * 1e6 + wall.ns;
}
