import * as assert from 'uvu/assert'
import { z } from 'zod'
import { suite } from '../support/suite.js'
import { migratedHome } from './support.js'

const test = suite('hub llm budget')
const home = await migratedHome()
const budgets = async () =>
  z
    .object({ budgets: z.array(z.looseObject({ name: z.string(), limit: z.number(), subject: z.string() })) })
    .parse(await home.json('llm', 'budget', 'list')).budgets

test('makes, lists, changes and deletes budgets', async () => {
  assert.is((await home.here('llm', 'budget', 'list')).stdout, 'No budgets found.\n')
  await home.here('group', 'create', '--name', 'Payments')
  const made = await home.here(
    ...['llm', 'budget', 'create', '--name', 'Money', '--group', 'payments'],
    ...['--limit', '50.5', '--unit', 'usd', '--period', 'week', '--model', 'claude-sonnet-5-5']
  )
  assert.match(made.stdout, /^Made budget "Money" \([0-9a-f-]+\)\.\n/)
  assert.match(made.stdout, /limit: +\$50\.5 a week/)
  await home.here('llm', 'budget', 'create', '--name', 'All', '--limit', '1000000')
  assert.equal(
    (await budgets()).map(({ name, limit, subject }) => [name, limit, subject]),
    [
      ['All', 1_000_000, 'hub'],
      ['Money', 50.5, 'group']
    ]
  )
  assert.match(await home.wide(200, 'llm', 'budget', 'list'), /Money +group payments/i)
  await home.here('llm', 'budget', 'update', 'money', '--limit', '80')
  assert.is((await budgets())[1]?.limit, 80)
  assert.match((await home.here('llm', 'budget', 'delete', 'all')).stdout, /^Deleted budget "All"/)
  // With its group a budget of it goes.
  await home.here('group', 'delete', 'Payments')
  assert.equal(await budgets(), [])
})

test('says what it does not understand', async () => {
  const refused = async (code: number, text: string, ...args: readonly string[]) => {
    const { stderr, ...rest } = await home.here('llm', 'budget', ...args)
    assert.equal({ ...rest, stderr }, { code, stdout: '', stderr: `${text}\n` })
  }
  const create = ['create', '--name', 'One', '--limit']
  await refused(1, '--limit must be a whole number of tokens, above 0 and at most 1000000000.', ...create, '1.5')
  await refused(
    ...([1, '--limit must be US dollars such as 25 or 0.5, above 0 and at most 1000000000.'] as const),
    ...[...create, 'much', '--unit', 'usd']
  )
  await refused(
    ...([2, 'Give one of --user, --group and --token, or none for all of the hub.'] as const),
    ...[...create, '5', '--user', 'a', '--group', 'b']
  )
  await refused(1, '--model must name a model.', ...create, '5', '--model', '')
  await refused(1, '--model must have at most 200 characters.', ...create, '5', '--model', 'm'.repeat(201))
  await refused(1, 'No budget found with id or name "None". See: hub llm budget list', 'update', 'None', '--limit', '5')
})

test.run()
