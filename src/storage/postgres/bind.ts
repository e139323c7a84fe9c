const MESSAGE = 'B'
const LENGTH_BYTES = 4
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
    Buffer.concat([Buffer.from(MESSAGE), long(length), names, formats]),
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
