import * as assert from 'uvu/assert'
import { TokenUses } from '../../src/ledger/tokenUses.js'
import { suite } from '../support/suite.js'
import { memoryLog } from './log.js'

const test = suite('when tokens were used')
const NOW = Date.parse('2026-03-04T05:06:00.000Z')

test('is written once in a minute for each, with the first moment of it', async () => {
  const written: string[] = []
  const log = await memoryLog()
  const touchTokens = async (uses: ReadonlyMap<string, string>) => {
    for (const [id, at] of uses) written.push(`${id} ${at.slice(17)}`)
  }
  let now = NOW
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

test('is written for every token, however many are used in a minute, and once for each of those that are remembered', async () => {
  const written = new Map<string, number>()
  const log = await memoryLog()
  const touchTokens = async (uses: ReadonlyMap<string, string>) => {
    for (const id of uses.keys()) written.set(id, (written.get(id) ?? 0) + 1)
  }
  const uses = new TokenUses({ ...log, touchTokens }, () => NOW)
  const many = 100_000
  for (let i = 0; i < many; i++) uses.note(`t${i}`)
  await uses.flush()
  uses.note('t0')
  await uses.flush()
  assert.equal([written.size, written.get('t0')], [many, 1])
  uses.note('one more')
  // What is remembered has a bound, so that those before are forgotten: they are written again, and none is left out.
  for (let i = 0; i < 10; i++) uses.note(`t${i}`)
  await uses.flush()
  assert.equal([written.size, written.get('one more'), written.get('t0'), written.get('t10')], [many + 1, 1, 2, 1])
})

test('is written again at once where the clock was set back since', async () => {
  const written: string[] = []
  const log = await memoryLog()
  const touchTokens = async (uses: ReadonlyMap<string, string>) => void written.push(...uses.values())
  let now = NOW
  const uses = new TokenUses({ ...log, touchTokens }, () => now)
  for (const set_ms of [0, -30_000, -3_600_000]) {
    now = NOW + set_ms
    uses.note('t')
    await uses.flush()
  }
  assert.equal(written, ['2026-03-04T05:06:00.000Z', '2026-03-04T04:06:00.000Z'])
})

test.run()
