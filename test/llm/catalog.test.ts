import * as assert from 'uvu/assert'
import type { LlmConfig, LlmProviderConfig } from '../../src/config/types.js'
import { DEFAULT_CATALOG, offeredModels } from '../../src/llm/catalog.js'
import { suite } from '../support/suite.js'

const test = suite('catalog of models')

const key: LlmProviderConfig = { apiKey: 'k', timeoutSeconds: 1, maxRetries: 0 }
const idsOf = (config: Pick<LlmConfig, 'providers' | 'models' | 'catalog'>) => offeredModels(config).map(({ id }) => id)

test('every model of the built-in catalog is offered where all three providers have keys', () => {
  assert.equal(offeredModels({ providers: { gemini: key, claude: key, openai: key } }), [
    { id: 'gpt-4o', label: 'GPT-4o', provider: 'openai' },
    { id: 'gpt-4o-mini', label: 'GPT-4o Mini', provider: 'openai' },
    { id: 'claude-3-5-sonnet-20241022', label: 'Claude 3.5 Sonnet', provider: 'claude' },
    { id: 'claude-3-5-haiku-20241022', label: 'Claude 3.5 Haiku', provider: 'claude' },
    { id: 'gemini-1.5-pro', label: 'Gemini 1.5 Pro', provider: 'gemini' },
    { id: 'gemini-1.5-flash', label: 'Gemini 1.5 Flash', provider: 'gemini' }
  ])
})

test('models of a provider without a key are not offered', () => {
  assert.equal(idsOf({ providers: { claude: key } }), ['claude-3-5-sonnet-20241022', 'claude-3-5-haiku-20241022'])
})

test('a list of models narrows the offer, in catalog order, and unknown ids in it are ignored', () => {
  const models = ['gemini-1.5-flash', 'no-such-model', 'gpt-4o', 'claude-3-5-haiku-20241022']
  assert.equal(idsOf({ providers: { openai: key, gemini: key }, models }), ['gpt-4o', 'gemini-1.5-flash'])
  assert.equal(idsOf({ providers: { openai: key }, models: [] }), [])
})

test('a catalog of the configuration replaces the built-in one, and only the three fields are told', () => {
  const own = { id: 'gpt-9', label: 'Nine', provider: 'openai', secret: 'x' } as const
  const catalog = [own, { id: 'c', label: 'C', provider: 'claude' } as const]
  assert.equal(offeredModels({ providers: { openai: key }, catalog }), [
    { id: 'gpt-9', label: 'Nine', provider: 'openai' }
  ])
  assert.is(DEFAULT_CATALOG.length, 6)
})

test.run()
