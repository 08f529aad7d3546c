import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeColumns } from '../../src/columns';

function message(header: object, ...columns: ArrayBufferView[]): ArrayBuffer {
  const json = new TextEncoder().encode(JSON.stringify(header));
  const pad = (n: number) => (n + 7) & ~7;
  const size = pad(8 + json.length) + columns.reduce((s, c) => s + pad(c.byteLength), 0);
  const out = new Uint8Array(size);
  out.set(new TextEncoder().encode('GMT1'));
  new DataView(out.buffer).setUint32(4, json.length, true);
  out.set(json, 8);
  let at = pad(8 + json.length);
  for (const c of columns) {
    out.set(new Uint8Array(c.buffer, c.byteOffset, c.byteLength), at);
    at += pad(c.byteLength);
  }
  return out.buffer;
}

test('columns of different widths are read where they lie', () => {
  const c = decodeColumns(
    message(
      { total: 3, columns: [{ name: 'a', type: 'u8', length: 3 }, { name: 'b', type: 'f64', length: 2 }, { name: 'c', type: 'i32', length: 1 }] },
      Uint8Array.of(1, 2, 3),
      Float64Array.of(0.5, 2 ** 53),
      Int32Array.of(-7),
    ),
  );
  assert.equal(c.meta.total, 3);
  assert.deepEqual([...c.a], [1, 2, 3]);
  assert.deepEqual([...c.b], [0.5, 2 ** 53]);
  assert.deepEqual([...c.c], [-7]);
});

test('anything else is refused', () => {
  assert.throws(() => decodeColumns(new ArrayBuffer(4)), /binary answer/);
  assert.throws(() => decodeColumns(new TextEncoder().encode('{"error":1}').buffer as ArrayBuffer), /binary answer/);
});
