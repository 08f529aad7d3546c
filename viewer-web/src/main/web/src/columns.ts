// The binary answers of the API: a JSON header that names typed arrays, then the arrays themselves.
//
//   0  "GMT1"
//   4  u32  length of the header in bytes
//   8  header, UTF-8 JSON: {"columns":[{"name","type","length"}…], …}
//      zero bytes up to the next multiple of 8
//      the columns in order, little-endian, each padded to a multiple of 8

export type Column = Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array;

export interface Columns {
  meta: Record<string, any>;
  [column: string]: any;
}

const MAGIC = 0x31544d47;
const TYPES: Record<string, { new (b: ArrayBuffer, at: number, n: number): Column; BYTES_PER_ELEMENT: number }> = {
  f64: Float64Array,
  f32: Float32Array,
  i32: Int32Array,
  u32: Uint32Array,
  u8: Uint8Array,
};

export function decodeColumns(buffer: ArrayBuffer): Columns {
  const view = new DataView(buffer);
  if (buffer.byteLength < 8 || view.getUint32(0, true) !== MAGIC) throw new Error('not a binary answer of this API');
  const headerLength = view.getUint32(4, true);
  const meta = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, headerLength)));
  const columns: Columns = { meta };
  let at = padded(8 + headerLength);
  for (const { name, type, length } of meta.columns as { name: string; type: string; length: number }[]) {
    const Type = TYPES[type];
    if (!Type) throw new Error(`unknown column type ${type}`);
    columns[name] = new Type(buffer, at, length);
    at = padded(at + length * Type.BYTES_PER_ELEMENT);
  }
  return columns;
}

const padded = (n: number) => (n + 7) & ~7;
