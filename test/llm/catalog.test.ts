import * as assert from 'uvu/assert'
import type { LlmConfig, LlmProviderConfig } from '../../src/config/types.js'
import { DEFAULT_CATALOG, modelWarnings, type Offer, offeredModels, pricesOf } from '../../src/llm/catalog.js'
import { suite } from '../support/suite.js'

const test = suite('catalog of models')

const key: LlmProviderConfig = { apiKey: 'k', timeoutSeconds: 1, maxRetries: 0 }
const idsOf = (config: Offer, at_ms?: number) => offeredModels(config, at_ms).map(({ id }) => id)
/** Before and after the last day of the models that are kept until their vendor ends them. */
const BEFORE = Date.parse('2027-01-14T23:59:59.999Z')
const AFTER = Date.parse('2027-01-15T00:00:00Z')
const llmOf = (offer: Offer): LlmConfig => ({
  endpoints: [],
  ...offer,
  mcp: [],
  stepTimeoutSeconds: 1,
  toolCallsPerStep: 1
})

test('every model of the built-in catalog is offered where all three providers have keys', () => {
  assert.equal(offeredModels({ providers: { gemini: key, claude: key, openai: key } }, BEFORE), [
    { id: 'gpt-6.1-sol', label: 'GPT-6.1 Sol', provider: 'openai' },
    { id: 'gpt-6-luna', label: 'GPT-6 Luna', provider: 'openai' },
    { id: 'claude-sonnet-5-5', label: 'Claude Sonnet 5.5', provider: 'claude' },
    { id: 'claude-haiku-5-5', label: 'Claude Haiku 5.5', provider: 'claude' },
    { id: 'gemini-3.8-flash', label: 'Gemini 3.8 Flash', provider: 'gemini' },
    { id: 'gemini-3.1-flash-lite', label: 'Gemini 3.1 Flash-Lite', provider: 'gemini' },
    { id: 'gpt-4o', label: 'GPT-4o (until 2027-01-14)', provider: 'openai' },
    { id: 'gpt-4o-mini', label: 'GPT-4o Mini (until 2027-01-14)', provider: 'openai' }
  ])
})

test('a model is offered until the end of the day on which its vendor ends it', () => {
  const models = ['gpt-4o', 'gpt-6-luna']
  assert.equal(idsOf({ providers: { openai: key }, models }, BEFORE), ['gpt-6-luna', 'gpt-4o'])
  assert.equal(idsOf({ providers: { openai: key }, models }, AFTER), ['gpt-6-luna'])
})

test('what is named and not offered is told of with why, an end that is announced, and that nothing is left', () => {
  const models = ['gpt-6-luna', 'gpt-4o', 'gpt-0', 'claude-haiku-5-5', 'gpt-0']
  const llm = llmOf({ providers: { openai: key }, models })
  assert.equal(modelWarnings({ llm }, BEFORE), [
    'llm.models names gpt-4o, which its vendor ends on 2027-01-14.',
    'llm.models names gpt-0, which is not offered: the catalog does not have it.',
    'llm.models names claude-haiku-5-5, which is not offered: claude has no key.'
  ])
  assert.equal(modelWarnings({ llm: llmOf({ ...llm, models: ['gpt-4o'] }) }, AFTER), [
    'llm.models names gpt-4o, which is not offered: its vendor has ended it on 2027-01-14.',
    'No model is on offer: name others in llm.models, or leave it out for all of the catalog.'
  ])
  assert.equal(modelWarnings({ llm: llmOf({ providers: { openai: key } }) }, AFTER), [])
  assert.equal(modelWarnings({}), [])
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
  const llm = llmOf({ providers: { openai: key }, catalog: [own] })
  assert.equal(pricesOf({ llm }).get('gpt-6-luna'), { input: 1, output: 2 })
})

test.run()
