import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { records } from './client.js'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { succeeded } from './world.js'

const llm = (models: readonly string[]) => ({ llm: { providers: { openai: { apiKey: 'sk-test' } }, models } })

const { test, world } = hubSuite('llmModels of users', sqlite, { config: llm(['gpt-6.1-sol', 'gpt-6-luna']) })

const create = (llmModels: readonly string[]) =>
  world.by(world.admin).post('/admin/users', { name: `User ${randomUUID()}`, role: 'user', llmModels })

test('models on offer, none, and the wildcard are taken', async () => {
  for (const models of [['gpt-6.1-sol'], ['gpt-6.1-sol', 'gpt-6-luna'], [], ['*']]) succeeded(await create(models))
})

test('a model that is not on offer is refused, whether it is in the catalog or not', async () => {
  await world.refused(400, () => create(['gpt-6.1-sol', 'nope']), 'Unknown LLM model id: nope.')
  await world.refused(
    400,
    () => create(['claude-sonnet-5-5', 'nope']),
    'Unknown LLM model id(s): claude-sonnet-5-5, nope.'
  )
  const { id } = await world.user()
  const change = { llmModels: ['nope'] }
  await world.refused(400, () => world.by(world.admin).put(`/admin/users/${id}`, change), 'Unknown LLM model id: nope.')
})

test('a model that is on offer no more is a warning, and the account stays as it is', async () => {
  const { id } = await world.user()
  const { put, get, post } = world.by(world.admin)
  succeeded(await put(`/admin/users/${id}`, { llmModels: ['gpt-6.1-sol', 'gpt-6-luna'] }))
  const warnings = async () => records(await get('/admin/users'), 'users').find((user) => user.id === id)?.warnings
  assert.equal(await warnings(), [])
  world.hub.reconfigure(llm(['gpt-6.1-sol']))
  succeeded(await post('/admin/config/reload'))
  assert.equal(await warnings(), ['Unknown LLM model id "gpt-6-luna".'])
  succeeded(await put(`/admin/users/${id}`, { llmAccess: true }))
})

test.run()
