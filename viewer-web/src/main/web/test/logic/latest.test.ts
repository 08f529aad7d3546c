import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Latest } from '../../src/latest';

test('of many questions the first and the last are asked, one after the other', async () => {
  const latest = new Latest();
  const asked: number[] = [];
  const answers: (() => void)[] = [];
  for (let i = 0; i < 100; i++) {
    latest.run(() => {
      asked.push(i);
      return new Promise((done) => answers.push(done));
    });
  }
  assert.deepEqual(asked, [0]);
  answers[0]();
  await new Promise((done) => setTimeout(done, 0));
  assert.deepEqual(asked, [0, 99]);
  answers[1]();
  await new Promise((done) => setTimeout(done, 0));
  assert.equal(asked.length, 2);
});

test('a question that fails does not stop the next', async () => {
  const latest = new Latest();
  let asked = 0;
  latest.run(() => Promise.reject(new Error('gone')));
  latest.run(async () => void asked++);
  await new Promise((done) => setTimeout(done, 0));
  assert.equal(asked, 1);
});
