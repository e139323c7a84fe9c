import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import * as assert from 'uvu/assert'
import { LIMITS } from '../../src/limits.js'
import { NO_KEYS } from '../../src/log/chain.js'
import { LineTooLong, linesOf } from '../../src/trust/backup/lines.js'
import { verifyBackup } from '../../src/trust/backup/verify.js'
import { rejection } from '../log/faults.js'
import { temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { refusal } from './place.js'

const MB = 1024 * 1024

const test = suite('lines of a file')

async function all(chunks: readonly (string | Buffer)[], max = 100) {
  const lines: string[] = []
  for await (const line of linesOf(Readable.from(chunks), max)) {
    lines.push(`${line.text}${line.isWhole ? '' : ' ...'}`)
  }
  return lines
}

test('lines come whole however they are cut into chunks, also within a character', async () => {
  const text = 'one\ntwo ✓ ü\n\n{"a":1}\nlast'
  const bytes = Buffer.from(text)
  const expected = ['one', 'two ✓ ü', '', '{"a":1}', 'last ...']
  for (const size of [1, 2, 3, 7, 1000]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size)
    )
    assert.equal(await all(chunks), expected)
  }
  assert.equal(await all([]), [])
})

test('a line that is too long is refused before its end is there', async () => {
  assert.equal((await all(['x'.repeat(100), '\n'], 100)).length, 1)
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

test('a backup with a line that is longer than any is refused with a clear text', async () => {
  const { path } = await temporaryDirectory()
  const file = join(path, 'hub.backup')
  const endless = Readable.from(
    (function* () {
      for (let bytes = 0; bytes <= LIMITS.logLine.max; bytes += MB) yield Buffer.alloc(MB, 'x')
    })()
  )
  await pipeline(endless, createGzip(), createWriteStream(file))
  assert.match(
    await refusal(verifyBackup([file], { keys: NO_KEYS })),
    /Line 1 is longer than .* No backup has such a line\.$/
  )
})

test.run()
