import type { ColumnKind } from '../storage.js'

// What the server calls types in its binary format.
const TYPES = {
  text: { oid: 25, bytes: null },
  bigint: { oid: 20, bytes: 8 },
  smallint: { oid: 21, bytes: 2 }
} as const
const HEADER_BYTES = 20
const LENGTH_BYTES = 4
const NULL_LENGTH = -1
const UTF8_BYTES_MAX = 3

/** The type of a column's values on their way to the server. */
export function typeOf(kind: ColumnKind): keyof typeof TYPES {
  if (kind.startsWith('integer')) return 'bigint'
  return kind === 'flag' ? 'smallint' : 'text'
}

/**
 * The values of a column as an array in the server's binary format. In its text format every quote of a JSON text would be
 * escaped here and unescaped there.
 */
export function binaryArray(kind: ColumnKind, values: readonly (string | number | null)[]): Buffer {
  const { oid, bytes } = TYPES[typeOf(kind)]
  const array = Buffer.allocUnsafe(values.reduce<number>((sum, value) => sum + room(value, bytes), HEADER_BYTES))
  array.writeInt32BE(1, 0)
  array.writeInt32BE(values.includes(null) ? 1 : 0, 4)
  array.writeInt32BE(oid, 8)
  array.writeInt32BE(values.length, 12)
  array.writeInt32BE(1, 16)
  let end = HEADER_BYTES
  for (const value of values) {
    const start = end + LENGTH_BYTES
    let length = NULL_LENGTH
    if (value !== null && bytes === null) length = array.write(String(value), start)
    else if (value !== null && bytes === 8) length = writeInteger(array, Number(value), start)
    else if (value !== null) length = array.writeInt16BE(Number(value), start) - start
    array.writeInt32BE(length, end)
    end = start + Math.max(0, length)
  }
  return array.subarray(0, end)
}

/** A safe integer in eight bytes. */
function writeInteger(array: Buffer, value: number, start: number): number {
  array.writeInt32BE(Math.floor(value / 2 ** 32), start)
  return array.writeUInt32BE(value >>> 0, start + 4) - start
}

function room(value: string | number | null, bytes: number | null): number {
  if (value === null) return LENGTH_BYTES
  return LENGTH_BYTES + (bytes ?? UTF8_BYTES_MAX * String(value).length)
}

const BIND = 'B'
const BINARY = 1

/**
 * The Bind message that gives a prepared statement these values in the server's binary format, in parts to be sent one after
 * the other. The client library would copy each value several times on its way into a message, and these are large.
 */
export function binaryBind(statement: string, values: readonly Buffer[]): readonly Buffer[] {
  // The portal has no name; one format goes for all values.
  const names = Buffer.from(`\0${statement}\0`)
  const formats = shorts(1, BINARY, values.length)
  const results = shorts(0)
  const body = values.reduce((sum, { length }) => sum + LENGTH_BYTES + length, 0)
  const length = LENGTH_BYTES + names.length + formats.length + body + results.length
  return [
    Buffer.concat([Buffer.from(BIND), long(length), names, formats]),
    ...values.flatMap((value) => [long(value.length), value]),
    results
  ]
}

function shorts(...values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(2 * values.length)
  for (const [i, value] of values.entries()) bytes.writeInt16BE(value, 2 * i)
  return bytes
}

function long(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(LENGTH_BYTES)
  bytes.writeInt32BE(value)
  return bytes
}
