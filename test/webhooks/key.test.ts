import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { webhookKeyIn } from '../../src/followers/webhooks/key.js'
import { type TemporaryDirectory, temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'

const test = suite('the key of webhooks')
let directory: TemporaryDirectory
let file: string

test.before.each(async () => {
  directory = await temporaryDirectory()
  file = join(directory.path, 'data', 'webhook-key')
})

test('it is made once, for its owner alone, and the secrets are the same after a restart', () => {
  const first = webhookKeyIn(file)
  assert.equal([statSync(file).mode & 0o777, statSync(file).size], [0o600, 32])
  const again = webhookKeyIn(file)
  assert.equal([again.id, again.secretOf('w', 1)], [first.id, first.secretOf('w', 1)])
  assert.is(readFileSync(file).toString('hex').includes(first.id), false)
})

test('each webhook and each version has a secret of its own, and so has each key', () => {
  const [key, other] = [webhookKeyIn(file), webhookKeyIn(`${file}-2`)]
  const secrets = [key.secretOf('w', 1), key.secretOf('w', 2), key.secretOf('v', 1), other.secretOf('w', 1)]
  assert.is(new Set(secrets).size, 4)
})

test('a key that others can read is closed to them', () => {
  webhookKeyIn(file)
  chmodSync(file, 0o644)
  webhookKeyIn(file)
  assert.is(statSync(file).mode & 0o777, 0o600)
})

test('what is no key is refused, and what it is stays as it was', () => {
  webhookKeyIn(file)
  writeFileSync(file, 'short')
  assert.throws(() => webhookKeyIn(file), /must hold 32 bytes, and it holds 5\.$/)
  assert.is(readFileSync(file, 'utf8'), 'short')
  assert.throws(() => webhookKeyIn(directory.path), /cannot be read or made: .* \(EISDIR\)$/)
})

test.run()
