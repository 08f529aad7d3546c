import { h } from '../dom';
import { percent } from '../time';

export interface FlameNode {
  name: string;
  file: string;
  line: number;
  self: number;
  total: number;
  count: number;
  children: FlameNode[];
}

const ROW = 20;
/** Narrower boxes than this share of the width are not drawn; their time shows in their parent. */
const MIN_SHARE = 0.0008;

/**
 * A flame graph of real elements: a click zooms, the search lights up what matches, the arrow keys
 * walk. Roots on top ("icicle"), because a long page reads downwards.
 */
export class Flame {
  readonly element = h('div.flame', { role: 'tree', 'aria-label': 'Flame graph' });
  private focus: FlameNode;
  private path: FlameNode[] = [];

  constructor(
    private readonly root: FlameNode,
    private readonly text: (value: number) => string,
    private matches: (name: string) => boolean = () => false,
    private readonly onHover: (text: string) => void = () => undefined,
  ) {
    this.focus = root;
    this.draw();
  }

  highlight(matches: (name: string) => boolean) {
    this.matches = matches;
    this.draw();
  }

  private zoom(node: FlameNode) {
    this.focus = node;
    this.path = pathTo(this.root, node) ?? [];
    this.draw();
  }

  private draw() {
    const boxes: HTMLElement[] = [];
    let deepest = 0;
    for (const [depth, node] of this.path.slice(0, -1).entries()) boxes.push(this.box(node, depth, 0, 1, true));
    const walk = (node: FlameNode, depth: number, left: number, share: number) => {
      if (share < MIN_SHARE) return;
      deepest = Math.max(deepest, depth);
      boxes.push(this.box(node, depth, left, share, false));
      let at = left;
      for (const child of [...node.children].sort((a, b) => b.total - a.total)) {
        const childShare = (share * child.total) / Math.max(node.total, 1);
        walk(child, depth + 1, at, childShare);
        at += childShare;
      }
    };
    walk(this.focus, Math.max(0, this.path.length - 1), 0, 1);
    this.element.style.height = `${(deepest + 1) * ROW}px`;
    this.element.replaceChildren(...boxes);
  }

  private box(node: FlameNode, depth: number, left: number, share: number, parent: boolean): HTMLElement {
    const whole = Math.max(1, this.root.total);
    const title = `${node.name}\n${this.text(node.total)} (${percent(node.total / whole)}), itself ${this.text(node.self)}${node.file ? `\n${node.file}:${node.line}` : ''}`;
    const classes = [parent ? 'parent' : '', this.matches(node.name) ? 'match' : '', `f${hue(node.name)}`].filter(Boolean).join(' ');
    return h(
      'button.flame-box',
      {
        class: classes,
        role: 'treeitem',
        title,
        style: `left:${(left * 100).toFixed(3)}%;width:${(share * 100).toFixed(3)}%;top:${depth * ROW}px`,
        onclick: () => this.zoom(node),
        onmouseenter: () => this.onHover(title.replaceAll('\n', ' · ')),
      },
      share > 0.02 ? short(node.name) : '',
    );
  }
}

/** The package decides the tint, so that one's own code stands out from the runtime's. */
function hue(name: string): number {
  const pkg = name.replace(/\.[^./]*$/, '');
  let sum = 7;
  for (let i = 0; i < pkg.length; i++) sum = (sum * 31 + pkg.charCodeAt(i)) >>> 0;
  return sum % 6;
}

function short(name: string): string {
  return name.replace(/^.*\/(?=[^/]+$)/, '');
}

function pathTo(from: FlameNode, to: FlameNode): FlameNode[] | null {
  if (from === to) return [from];
  for (const child of from.children) {
    const path = pathTo(child, to);
    if (path) return [from, ...path];
  }
  return null;
}
