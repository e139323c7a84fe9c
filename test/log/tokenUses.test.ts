import * as assert from 'uvu/assert'
import { TokenUses } from '../../src/ledger/tokenUses.js'
import { suite } from '../support/suite.js'
import { memoryLog } from './log.js'

const test = suite('when tokens were used')

test('is written once in a minute for each, with the first moment of it', async () => {
  const written: string[] = []
  const log = await memoryLog()
  const touchTokens = async (uses: ReadonlyMap<string, string>) => {
    for (const [id, at] of uses) written.push(`${id} ${at.slice(17)}`)
  }
  let now = Date.parse('2026-03-04T05:06:00.000Z')
  const uses = new TokenUses({ ...log, touchTokens }, () => now)
  for (const [token, later_ms] of [
    ['t', 0],
    ['t', 59_999],
    ['u', 0],
    ['t', 1]
  ] as const) {
    now += later_ms
    uses.note(token)
    await uses.flush()
  }
  assert.equal(written, ['t 00.000Z', 'u 59.999Z', 't 00.000Z'])
})

test.run()
