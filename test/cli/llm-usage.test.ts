import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { suite } from '../support/suite.js'
import { generic } from './generic.js'
import { type Home, migratedHome } from './support.js'

const test = suite('hub llm usage')
let home: Home

const at = Date.parse('2026-03-05T12:00:00Z')

test.before(async () => {
  home = await migratedHome()
  const record = async (ledger: Ledger, model: string) => {
    const used = { promptTokens: 1000, completionTokens: 200, totalTokens: 1200 }
    const step = { userId: 'gone', tokenId: null, model, provider: 'openai' as const, ...used, isNewTurn: true }
    const outcome = { hadToolCalls: false, messageCount: 1, outcome: 'completed' as const, estimated: false }
    const recorded = { ...step, ...outcome }
    await ledger.run(
      { type: 'RecordLlmStep', id: randomUUID(), step: recorded, budgets: [], price: null },
      systemOrigin
    )
  }
  for (const model of ['gpt-6-luna', 'unheard-of'])
    await home.withLedger((ledger) => record(ledger, model), { now: () => at })
})

test('what was used and what it cost is told by model, by account and by day', async () => {
  const byModel = await home.here('llm', 'usage', '--by', 'model', '--month', '2026-03')
  assert.is(
    byModel.stdout,
    'gpt-6-luna  1200 tokens (1000 prompt, 200 completion)  $0.00020\n' +
      'unheard-of  1200 tokens (1000 prompt, 200 completion)  no price\n' +
      'Total from 2026-03-01 to 2026-03-31  2400 tokens (2000 prompt, 400 completion)  $0.00020\n'
  )
  assert.equal([byModel.code, byModel.stderr], [0, 'Without a price, and in no cost: unheard-of.\n'])
  const byDay = await home.here('llm', 'usage', '--by', 'day', '--from', '2026-03-05', '--to', '2026-03-06')
  assert.match(byDay.stdout, /^2026-03-05 {2}2400 tokens .*\nTotal from 2026-03-05 to 2026-03-06 {2}2400/)
  assert.match((await home.here('llm', 'usage', '--by', 'user', '--month', '2026-03')).stdout, /^gone {2}2400 tokens/)
  const { usage } = z
    .object({ usage: z.array(z.looseObject({ key: z.string() })) })
    .parse(await home.json('llm', 'usage', '--by', 'day', '--month', '2026-03'))
  assert.equal(
    usage.map(({ key }) => key),
    ['2026-03-05']
  )
})

test('the audit names the model of a step and its tokens', async () => {
  const { stdout } = await home.here('audit', 'list', '--type', 'LlmStepRecorded', '--limit', '1')
  assert.match(stdout, /LlmStepRecorded {2}llmstep \S+ "unheard-of" 1200 tokens$/m)
})

test('months by account stay as they were, and an empty answer says where it looked', async () => {
  assert.is((await home.here('llm', 'usage')).stdout, '2026-03  gone  2400 tokens (2000 prompt, 400 completion)\n')
  const none = await home.here('llm', 'usage', '--by', 'user', '--month', '2026-02')
  assert.is(none.stdout, 'No LLM usage records found from 2026-02-01 to 2026-02-28.\n')
  const listed = await home.here('llm', 'list', '--model', 'other', '--month', '2026-03')
  assert.equal(listed, {
    code: 0,
    stdout: 'No LLM usage records found.\n',
    stderr: 'Looked for steps of model other, month 2026-03.\n'
  })
})

test('a report comes as lines of CSV, with their titles, or of JSON', async () => {
  const asked = ['llm', 'usage', '--by', 'day', '--month', '2026-03']
  const csv = await home.here(...asked, '--csv')
  assert.is(
    csv.stdout,
    'from,to,day,name,steps,promptTokens,completionTokens,totalTokens,cost,currency\n2026-03-01,2026-03-31,2026-03-05,,2,2000,400,2400,0.0002,USD\n'
  )
  const [line = ''] = (await home.here(...asked, '--ndjson')).stdout.split('\n')
  assert.is(z.object({ day: z.string() }).parse(JSON.parse(line)).day, '2026-03-05')
  const both = await home.here(...asked, '--csv', '--json')
  assert.equal([both.code, generic(both.stderr)], [2, 'Give one of --csv, --ndjson and --json.\n'])
})

test('what makes no sense together is refused', async () => {
  const refused = async (code: number, text: string, ...args: readonly string[]) => {
    const { stderr, ...rest } = await home.here('llm', 'usage', ...args)
    assert.equal({ ...rest, stderr: generic(stderr) }, { code, stdout: '', stderr: `${text}\n` })
  }
  await refused(2, '--from and --to go with --by user|token|model|tool|day.', '--from', '2026-03-01')
  await refused(
    1,
    '--by must be one of: user, token, model, tool, day. It is "modl".\nDid you mean "model"?',
    '--by',
    'modl'
  )
  await refused(1, '--month must be a month such as 2026-01.', '--month', 'March')
})

test.run()
