import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { records } from './client.js'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { succeeded, type World } from './world.js'

const llm = (models: readonly string[]) => ({ llm: { providers: { openai: { apiKey: 'sk-test' } }, models } })

let world: World
const test = hubSuite(
  'llmModels of users',
  sqlite,
  (made) => {
    world = made
  },
  { config: llm(['gpt-4o', 'gpt-4o-mini']) }
)

const create = (llmModels: readonly string[]) =>
  world.by(world.admin).post('/admin/users', { name: `User ${randomUUID()}`, role: 'user', llmModels })

test('models on offer, none, and the wildcard are taken', async () => {
  for (const models of [['gpt-4o'], ['gpt-4o', 'gpt-4o-mini'], [], ['*']]) succeeded(await create(models))
})

test('a model that is not on offer is refused, whether it is in the catalog or not', async () => {
  await world.refused(400, () => create(['gpt-4o', 'nope']), 'Unknown LLM model id: nope.')
  await world.refused(
    400,
    () => create(['claude-3-5-sonnet-20241022', 'nope']),
    'Unknown LLM model id(s): claude-3-5-sonnet-20241022, nope.'
  )
  const { id } = await world.user()
  const change = { llmModels: ['nope'] }
  await world.refused(400, () => world.by(world.admin).put(`/admin/users/${id}`, change), 'Unknown LLM model id: nope.')
})

test('a model that is on offer no more is a warning, and the account stays as it is', async () => {
  const { id } = await world.user()
  const { put, get, post } = world.by(world.admin)
  succeeded(await put(`/admin/users/${id}`, { llmModels: ['gpt-4o', 'gpt-4o-mini'] }))
  const warnings = async () => records(await get('/admin/users'), 'users').find((user) => user.id === id)?.warnings
  assert.equal(await warnings(), [])
  world.hub.reconfigure(llm(['gpt-4o']))
  succeeded(await post('/admin/config/reload'))
  assert.equal(await warnings(), ['Unknown LLM model id "gpt-4o-mini".'])
  succeeded(await put(`/admin/users/${id}`, { llmAccess: true }))
})

test.run()
