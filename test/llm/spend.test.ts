import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { LlmCommand } from '../../commands/llm/decide.js'
import { migrate } from '../../migrations/migrate.js'
import { spendDays, spendOf } from '../../queries/llmSpend.js'
import { openLedger } from '../../src/app/openLedger.js'
import { systemOrigin } from '../../src/ledger/ledger.js'
import { LIMITS } from '../../src/limits.js'
import { usageOf } from '../../src/llm/usage.js'
import { openMemory } from '../support/memoryStorage.js'
import { suite } from '../support/suite.js'

const test = suite('what models cost')

const prices = new Map([
  ['large', { input: 4, output: 20 }],
  ['small', { input: 0.1, output: 0.5 }]
])
const DAYS = { from: '2026-03-01', to: '2026-03-31' }

function step(
  userId: string,
  model: string,
  promptTokens: number,
  completionTokens: number
): Extract<LlmCommand, { readonly type: 'RecordLlmStep' }> {
  const used = { ...usageOf(promptTokens, completionTokens), estimated: false }
  const about = { tokenId: null, provider: 'openai', isNewTurn: true, hadToolCalls: false, messageCount: 1 } as const
  const step = { userId, model, ...used, ...about, outcome: 'completed' } as const
  return { type: 'RecordLlmStep', id: randomUUID(), step, budgets: [], price: null }
}

async function ledgerAt(now: () => number) {
  const storage = openMemory()
  await migrate(storage)
  return openLedger(
    storage,
    () => null,
    () => 'full',
    now
  )
}

test('steps are summed by user, model or day and priced by what went in and what came out', async () => {
  let now = Date.parse('2026-02-28T23:59:59Z')
  const ledger = await ledgerAt(() => now)
  const run = (command: LlmCommand) => ledger.run(command, systemOrigin)
  await run(step('ada', 'large', 9, 9))
  now = Date.parse('2026-03-01T00:00:00Z')
  await run(step('ada', 'large', 1_000_000, 100_000))
  await run(step('bob', 'small', 500_000, 1))
  now = Date.parse('2026-03-31T23:59:59Z')
  await run(step('ada', 'free', 7, 3))
  const report = (by: 'user' | 'model' | 'day') => spendOf(ledger.readModel, by, DAYS, prices)

  const byModel = await report('model')
  assert.equal(
    byModel.usage.map(({ key, steps, totalTokens, cost }) => [key, steps, totalTokens, cost]),
    [
      ['free', 1, 10, null],
      ['large', 1, 1_100_000, 6],
      ['small', 1, 500_001, 0.050001]
    ]
  )
  assert.equal(byModel.unpriced, ['free'])
  assert.equal(byModel.total, {
    steps: 3,
    promptTokens: 1_500_007,
    completionTokens: 100_004,
    totalTokens: 1_600_011,
    cost: 6.050001
  })
  assert.equal(
    (await report('user')).usage.map(({ key, name, cost }) => [key, name, cost]),
    [
      ['ada', null, 6],
      ['bob', null, 0.050001]
    ]
  )
  assert.equal(
    (await report('day')).usage.map(({ key, steps }) => [key, steps]),
    [
      ['2026-03-01', 2],
      ['2026-03-31', 1]
    ]
  )
  await ledger.close()
})

test('programs that call themselves something new each time are told together from some number on', async () => {
  const ledger = await ledgerAt(() => Date.parse('2026-03-04T00:00:00Z'))
  const rows = LIMITS.spendRows.max
  for (let i = 0; i < rows + 3; i += 100) {
    const some = Array.from({ length: Math.min(100, rows + 3 - i) }, (_, at) => `program/${i + at}`)
    await Promise.all(
      some.map((tool) => {
        const { step: one, ...command } = step('ada', 'large', 1, 1)
        return ledger.run({ ...command, step: { ...one, tool } }, systemOrigin)
      })
    )
  }
  const { usage, total } = await spendOf(ledger.readModel, 'tool', DAYS, prices)
  assert.equal([usage.length, usage[0]?.key, usage[0]?.steps, total.steps], [rows + 1, '', 3, rows + 3])
  await ledger.close()
})

test('any month that can be written is one month, the first and the last of them too', async () => {
  const ledger = await ledgerAt(() => Date.parse('2026-03-01T00:00:00Z'))
  for (const [month, last] of [
    ['0000-02', '29'],
    ['0050-01', '31'],
    ['2026-12', '31'],
    ['9999-12', '31']
  ] as const) {
    const days = spendDays({ month }, '2026-03-01')
    assert.equal(days, { from: `${month}-01`, to: `${month}-${last}` })
    assert.equal((await spendOf(ledger.readModel, 'day', days, prices)).usage, [])
  }
  await ledger.close()
})

test.run()
