import { h } from './dom';

const KEYS: [string, [string, string][]][] = [
  [
    'Move',
    [
      ['W / S', 'zoom in, out (at the mouse)'],
      ['A / D', 'go left, right'],
      ['Ctrl + wheel', 'zoom'],
      ['Shift + wheel', 'go left, right'],
      ['drag', 'move the window'],
      ['double click', 'zoom to what is under the mouse'],
      ['0', 'the whole trace'],
      ['U / Shift + U', 'undo, redo navigation (also Back, Forward)'],
    ],
  ],
  [
    'Select',
    [
      ['click', 'a span, with all its details'],
      ['Shift + drag', 'a range of time, with its sums'],
      ['F', 'fit the selection into the window'],
      ['R', 'make the selected span a range'],
      ['← / →', 'previous, next span of the lane'],
      ['[ / ]', 'previous, next span of the goroutine'],
      ['M', 'set a mark, or remove the one there'],
      ['Esc', 'nothing selected'],
    ],
  ],
  [
    'Lanes (Tab to a name)',
    [
      ['↑ / ↓', 'other lanes'],
      ['Enter', 'select what the lane does nearest to the middle of the window'],
      ['P', 'pin or unpin'],
      ['H', 'hide'],
      ['Alt + ↑ / Alt + ↓', 'move up, down (or drag the name)'],
    ],
  ],
  [
    'Show',
    [
      ['1 / 2 / 3', 'lanes per P, per M, per goroutine'],
      ['E', 'schedtrace lines below the lanes'],
      ['T', 'wall clock or time since the start'],
      ['L', 'light or dark'],
      ['/', 'search'],
      ['?', 'this list'],
    ],
  ],
];

/** All keys on one card. */
export class Help {
  readonly element = h('dialog.help', { 'aria-label': 'Keys' });

  constructor() {
    this.element.append(
      h('h2', 'Keys'),
      h('div.help-cols', ...KEYS.map(([title, keys]) => h('div', h('h3', title), h('dl', ...keys.flatMap(([k, text]) => [h('dt', ...k.split(' / ').flatMap((one, i) => [i ? ' ' : '', h('kbd', one)])), h('dd', text)]))))),
      h('form', { method: 'dialog' }, h('button', { autofocus: true }, 'Close')),
    );
    this.element.addEventListener('click', (e) => e.target === this.element && this.element.close());
  }

  toggle() {
    if (this.element.open) this.element.close();
    else this.element.showModal();
  }
}
