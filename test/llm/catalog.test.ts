import * as assert from 'uvu/assert'
import type { LlmConfig, LlmProviderConfig } from '../../src/config/types.js'
import { DEFAULT_CATALOG, offeredModels, pricesOf } from '../../src/llm/catalog.js'
import { suite } from '../support/suite.js'

const test = suite('catalog of models')

const key: LlmProviderConfig = { apiKey: 'k', timeoutSeconds: 1, maxRetries: 0 }
const idsOf = (config: Pick<LlmConfig, 'providers' | 'models' | 'catalog'>) => offeredModels(config).map(({ id }) => id)

test('every model of the built-in catalog is offered where all three providers have keys', () => {
  assert.equal(offeredModels({ providers: { gemini: key, claude: key, openai: key } }), [
    { id: 'gpt-6.1-sol', label: 'GPT-6.1 Sol', provider: 'openai' },
    { id: 'gpt-6-luna', label: 'GPT-6 Luna', provider: 'openai' },
    { id: 'claude-sonnet-5-5', label: 'Claude Sonnet 5.5', provider: 'claude' },
    { id: 'claude-haiku-5-5', label: 'Claude Haiku 5.5', provider: 'claude' },
    { id: 'gemini-3.8-flash', label: 'Gemini 3.8 Flash', provider: 'gemini' },
    { id: 'gemini-3.1-flash-lite', label: 'Gemini 3.1 Flash-Lite', provider: 'gemini' }
  ])
})

test('models of a provider without a key are not offered', () => {
  assert.equal(idsOf({ providers: { claude: key } }), ['claude-sonnet-5-5', 'claude-haiku-5-5'])
})

test('a list of models narrows the offer, in catalog order, and unknown ids in it are ignored', () => {
  const models = ['gemini-3.1-flash-lite', 'no-such-model', 'gpt-6.1-sol', 'claude-haiku-5-5']
  assert.equal(idsOf({ providers: { openai: key, gemini: key }, models }), ['gpt-6.1-sol', 'gemini-3.1-flash-lite'])
  assert.equal(idsOf({ providers: { openai: key }, models: [] }), [])
})

test('a catalog of the configuration replaces the built-in one, and only the three fields are told', () => {
  const own = { id: 'gpt-9', label: 'Nine', provider: 'openai', secret: 'x' } as const
  const catalog = [own, { id: 'c', label: 'C', provider: 'claude' } as const]
  assert.equal(offeredModels({ providers: { openai: key }, catalog }), [
    { id: 'gpt-9', label: 'Nine', provider: 'openai' }
  ])
})

test('every model of the built-in catalog has a price, and one that the configuration names again has its own', () => {
  const prices = pricesOf({})
  assert.equal(
    DEFAULT_CATALOG.filter(({ id }) => !prices.has(id)),
    []
  )
  const own = { id: 'gpt-6-luna', label: 'Luna', provider: 'openai', price: { input: 1, output: 2 } } as const
  const llm = { providers: { openai: key }, catalog: [own], mcp: [], stepTimeoutSeconds: 1, toolCallsPerStep: 1 }
  assert.equal(pricesOf({ llm }).get('gpt-6-luna'), { input: 1, output: 2 })
})

test.run()
