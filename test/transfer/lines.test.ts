import { Readable } from 'node:stream'
import * as assert from 'uvu/assert'
import { LIMITS } from '../../src/limits.js'
import { ImportError, importLog } from '../../src/transfer/import.js'
import { LineTooLong, linesOf } from '../../src/transfer/lines.js'
import { rejection } from '../log/faults.js'
import { openMemory } from '../support/memoryStorage.js'
import { suite } from '../support/suite.js'

const test = suite('lines of a file')

async function all(chunks: readonly (string | Buffer)[], max = 100) {
  const lines: string[] = []
  let bytes = 0
  for await (const line of linesOf(Readable.from(chunks), max)) {
    lines.push(`${line.text}${line.isWhole ? '' : ' ...'}`)
    bytes += line.bytes
  }
  return { lines, bytes }
}

test('lines come whole however they are cut into chunks, also within a character', async () => {
  const text = 'one\ntwo ✓ ü\r\n\n{"a":1}\nlast'
  const bytes = Buffer.from(text)
  const expected = ['one', 'two ✓ ü', '', '{"a":1}', 'last ...']
  for (const size of [1, 2, 3, 7, 1000]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size)
    )
    assert.equal(await all(chunks), { lines: expected, bytes: bytes.length })
  }
  assert.equal(await all([]), { lines: [], bytes: 0 })
})

test('a line that is too long is refused before its end is there', async () => {
  assert.equal((await all(['x'.repeat(100), '\n'], 100)).lines.length, 1)
  let given = 0
  async function* endless() {
    for (;;) {
      given++
      yield 'x'.repeat(60)
    }
  }
  const refusal = await rejection(
    (async () => {
      for await (const _ of linesOf(endless(), 100));
    })()
  )
  assert.instance(refusal, LineTooLong)
  assert.is(given, 2)
})

test('an import refuses a file of one endless line with a clear text, and reads no more of it than a line may have', async () => {
  const storage = openMemory()
  await storage.schema.createTables()
  const chunk = Buffer.alloc(1024 * 1024, 'x')
  let given = 0
  const input = Readable.from(
    (function* () {
      for (; given < 200; given++) yield chunk
    })()
  )
  const refusal = await rejection(importLog(storage, input))
  assert.instance(refusal, ImportError)
  assert.match(String(refusal), 'Line 1 is longer than')
  assert.ok(given <= LIMITS.logLine.max / chunk.length + 20, `${given} chunks`)
})

test.run()
