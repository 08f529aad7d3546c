import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goroutineName } from '../../src/timeline/names';

test('names are short: no import path, no package', () => {
  assert.equal(goroutineName('net/http.(*conn).serve'), 'http.(*conn).serve');
  assert.equal(goroutineName('main.web.func2'), 'main.web.func2');
  assert.equal(goroutineName('main.Serve'), 'main.Serve');
  assert.equal(goroutineName('dev.example.shop.Orders.poll'), 'Orders.poll');
  assert.equal(goroutineName('dev.example.Main$$Lambda/0x0001.run'), 'Main$λ');
  assert.equal(goroutineName(''), '');
});
