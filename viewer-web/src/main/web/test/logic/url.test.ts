import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode, emptyState, encode, type ViewState } from '../../src/url';

test('a view survives its address', () => {
  const state: ViewState = {
    page: 'timeline',
    window: [-100, 2_000_000],
    view: 'g',
    span: { lane: 'g:17', at: 12_345 },
    range: [5, 10],
    pinned: ['p:0', 'g:3'],
    hidden: ['c:heap'],
    order: ['p:1', 'p:0'],
    marks: [7, 9],
    top: 'g:12',
    filter: { text: 'main.web&co', state: 'RUNNING' },
    clock: 'wall',
    params: { group: 'net/http.(*conn).serve' },
  };
  assert.deepEqual(decode(encode(state)), state);
});

test('nothing said is the overview of the whole trace', () => {
  assert.deepEqual(decode(''), emptyState());
  assert.equal(encode(emptyState()), '#/overview');
});

test('an empty start function is still a group', () => {
  const state = { ...emptyState(), page: 'goroutines', params: { group: 'x' } };
  assert.equal(decode(encode(state)).params.group, 'x');
});

test('rubbish in an address is ignored', () => {
  const state = decode('#/timeline?t=9-3&v=x&span=foo&range=abc&marks=1,zwei&clock=sundial');
  assert.equal(state.page, 'timeline');
  assert.equal(state.window, null);
  assert.equal(state.view, 'p');
  assert.equal(state.span, null);
  assert.equal(state.range, null);
  assert.deepEqual(state.marks, [1]);
  assert.equal(state.clock, 'relative');
});
