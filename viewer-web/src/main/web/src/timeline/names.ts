// Names of goroutines. The page knows id and group of all of them as two flat columns (12 bytes a
// goroutine), sorted by id, because every block on a P lane wants its goroutine's name at once.

import { api, type Filter } from '../api';

export interface GoroutineColumns {
  ids: Float64Array;
  group: Int32Array;
  groups: string[];
}

export function goroutineName(function_: string): string {
  // Go without its import path, Java without its package and without the number of a lambda.
  return function_
    .replace(/\$\$Lambda.*$/, '$λ')
    .replace(/^.*\/(?=[^/]+$)/, '')
    .replace(/^([a-z_]\w*\.){2,}(?=[A-Z])/, '');
}

export class Names {
  private columns: GoroutineColumns = { ids: new Float64Array(0), group: new Int32Array(0), groups: [] };

  async load() {
    this.columns = await fetchGoroutines({ order: 'ID' });
  }

  get count(): number {
    return this.columns.ids.length;
  }

  groupOf(g: number): string {
    const { ids, group, groups } = this.columns;
    let low = 0;
    let high = ids.length - 1;
    while (low <= high) {
      const mid = (low + high) >>> 1;
      if (ids[mid] === g) return groups[group[mid]] ?? '';
      if (ids[mid] < g) low = mid + 1;
      else high = mid - 1;
    }
    return '';
  }

  label(g: number): string {
    const name = goroutineName(this.groupOf(g));
    return name ? `G${g} ${name}` : `G${g}`;
  }
}

export async function fetchGoroutines(filter: Filter, signal?: AbortSignal): Promise<GoroutineColumns> {
  const answer = await api.goroutineLanes(filter, signal);
  return { ids: answer.ids, group: answer.group, groups: answer.meta.groups };
}
