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

interface Box {
  element: HTMLElement;
  depth: number;
  left: number;
  share: number;
}

const ROW = 20;
/** Rounding of positions. */
const EDGE = 1e-9;
/** Narrower boxes than this share of the width are not drawn; their time shows in their parent. */
const MIN_SHARE = 0.0008;

/**
 * A flame graph of real elements: a click or Enter zooms, the search lights up what matches, the arrow
 * keys walk: down to the widest callee, up to the caller, left and right to its neighbours. Roots on top ("icicle"), because a long page reads downwards.
 */
export class Flame {
  readonly element = h('div.flame', { role: 'tree', 'aria-label': 'Flame graph; arrow keys walk, Enter zooms', onkeydown: (e: KeyboardEvent) => this.key(e) });
  private boxes: Box[] = [];
  /** The one box that Tab reaches. */
  private at = 0;
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
    const focused = this.element.contains(document.activeElement);
    this.at = Math.max(0, this.path.length - 1);
    this.draw();
    if (focused) this.boxes[this.at].element.focus();
  }

  private key(e: KeyboardEvent) {
    const here = this.boxes[this.at];
    const row = (depth: number) => this.boxes.filter((b) => b.depth === depth);
    const beside = row(here.depth);
    const place = beside.indexOf(here);
    let to: Box | undefined;
    if (e.key === 'ArrowDown') to = row(here.depth + 1).find((b) => b.left >= here.left - EDGE && b.left < here.left + here.share);
    else if (e.key === 'ArrowUp') to = row(here.depth - 1).find((b) => b.left <= here.left + EDGE && b.left + b.share > here.left);
    else if (e.key === 'ArrowLeft') to = beside[place - 1];
    else if (e.key === 'ArrowRight') to = beside[place + 1];
    else if (e.key === 'Home') to = this.boxes[0];
    else return;
    e.preventDefault();
    if (to) this.walkTo(to);
  }

  private walkTo(to: Box) {
    this.boxes[this.at].element.tabIndex = -1;
    this.at = this.boxes.indexOf(to);
    to.element.tabIndex = 0;
    to.element.focus();
  }

  private draw() {
    const boxes: Box[] = [];
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
    this.boxes = boxes;
    this.at = Math.min(this.at, boxes.length - 1);
    for (const [i, box] of boxes.entries()) box.element.tabIndex = i === this.at ? 0 : -1;
    this.element.replaceChildren(...boxes.map((b) => b.element));
  }

  private box(node: FlameNode, depth: number, left: number, share: number, parent: boolean): Box {
    const whole = Math.max(1, this.root.total);
    const title = `${node.name}\n${this.text(node.total)} (${percent(node.total / whole)}), itself ${this.text(node.self)}${node.file ? `\n${node.file}:${node.line}` : ''}`;
    const classes = [parent ? 'parent' : '', this.matches(node.name) ? 'match' : '', `f${hue(node.name)}`].filter(Boolean).join(' ');
    const element = h(
      'button.flame-box',
      {
        class: classes,
        role: 'treeitem',
        title,
        style: `left:${(left * 100).toFixed(3)}%;width:${(share * 100).toFixed(3)}%;top:${depth * ROW}px`,
        onclick: () => this.zoom(node),
        'aria-level': depth + 1,
        onmouseenter: () => this.onHover(title.replaceAll('\n', ' · ')),
        onfocus: () => this.onHover(title.replaceAll('\n', ' · ')),
      },
      share > 0.02 ? short(node.name) : '',
    );
    return { element, depth, left, share };
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
