import * as assert from 'uvu/assert'
import { suite } from '../support/suite.js'
import { assertRefused, complaints, parse } from './parsing.js'

const test = suite('config of the models')

const llm = (section: unknown) => parse({ llm: `llm: ${JSON.stringify(section)}` }).config.llm
const refusals = (section: unknown) => complaints(() => llm(section))
const openai = { providers: { openai: { apiKey: 'sk-1' } } }

test('without the section there are no models', () => {
  assert.is(parse().config.llm, undefined)
})

test('one provider with a key is enough', () => {
  const config = llm(openai)
  assert.equal(JSON.parse(JSON.stringify(config)), {
    providers: { openai: { apiKey: 'sk-1', timeoutSeconds: 120, maxRetries: 2 } },
    endpoints: [],
    mcp: [],
    stepTimeoutSeconds: 110,
    toolCallsPerStep: 64
  })
})

test('the placeholders name the same three providers', () => {
  const config = llm({
    providers: { provider_a: { apiKey: 'a' }, provider_b: { apiKey: 'b' }, provider_c: { apiKey: 'c' } },
    catalog: [
      { id: 'm', label: 'M', provider: 'provider_b' },
      { id: 'n', label: 'N', provider: 'gemini' }
    ]
  })
  const { openai, claude, gemini } = config?.providers ?? {}
  assert.equal([openai?.apiKey, claude?.apiKey, gemini?.apiKey], ['a', 'b', 'c'])
  assert.equal(
    config?.catalog?.map(({ provider }) => provider),
    ['claude', 'gemini']
  )
})

test('only configured providers are listed', () => {
  const config = llm({ providers: { gemini: { apiKey: 'g' }, openai: null } })
  assert.equal(Object.keys(config?.providers ?? {}), ['gemini'])
})

test('a provider under both of its names is refused, beside the mistakes inside it', () => {
  assert.equal(refusals({ providers: { openai: { apiKey: 'a' }, provider_a: { apiKey: 7 } } }), [
    'llm.providers.provider_a.apiKey: Must be a string: put the value in quotes.',
    'llm.providers.provider_a: provider_a is another name of openai: keep one of the two.'
  ])
})

test('a section without any provider is refused', () => {
  const none = 'llm.providers: llm.providers must include at least one provider with an apiKey.'
  assert.equal(refusals({}), [none])
  assert.equal(refusals({ providers: null }), [none])
  assert.equal(refusals({ providers: {} }), [none])
  assert.equal(refusals({ providers: { other: { apiKey: 'x' } } }).toSorted(), [
    'llm.providers.other: Unknown key. Known here: openai, claude, gemini, provider_a, provider_b, provider_c.',
    none
  ])
})

test('a section without a value is refused', () => {
  assertRefused(() => parse({ llm: 'llm:' }), ['llm: llm must be a mapping; remove the key to serve no models.'])
})

test('a provider whose key is missing, empty or blank is off, beside another that has one', () => {
  for (const claude of [{}, { apiKey: '' }, { apiKey: '  ' }, { apiKey: null }, { baseUrl: 'http://localhost:1' }]) {
    const config = llm({ providers: { openai: { apiKey: 'sk-1' }, claude } })
    assert.equal(Object.keys(config?.providers ?? {}), ['openai'])
  }
})

test('without any key the section is refused, however many providers it names', () => {
  const none = 'llm.providers: llm.providers must include at least one provider with an apiKey.'
  for (const claude of [{}, { apiKey: '' }, { apiKey: '  ' }]) assert.equal(refusals({ providers: { claude } }), [none])
  assert.equal(refusals({ providers: { claude: {}, gemini: { apiKey: '' } } }), [none])
})

test('a key that cannot be sent is refused', () => {
  assert.is(refusals({ providers: { claude: { apiKey: 'one\ntwo' } } }).length, 1)
})

test('a step may ask for 64 tools, or as many as are configured', () => {
  assert.is(llm({ ...openai, toolCallsPerStep: 7 })?.toolCallsPerStep, 7)
  for (const toolCallsPerStep of [0, 1001, 1.5]) {
    assert.equal(refusals({ ...openai, toolCallsPerStep }), [
      'llm.toolCallsPerStep: Must be an integer between 1 and 1000.'
    ])
  }
})

test('options of a provider are checked, and slashes at the end of its address cut', () => {
  const config = llm({ providers: { openai: { apiKey: 'k', baseUrl: 'http://localhost:1/v1//', maxRetries: '0' } } })
  assert.is(config?.providers.openai?.baseUrl, 'http://localhost:1/v1')
  assert.is(config?.providers.openai?.maxRetries, 0)
  assert.equal(refusals({ providers: { openai: { apiKey: 'k', baseUrl: 'x', timeoutSeconds: 0, maxRetries: -1 } } }), [
    'llm.providers.openai.baseUrl: Must be an http or https URL.',
    'llm.providers.openai.timeoutSeconds: Must be an integer between 1 and 86400.',
    'llm.providers.openai.maxRetries: Must be an integer between 0 and 10.'
  ])
})

test('models and catalog are checked entry by entry', () => {
  assert.equal(llm({ ...openai, models: ['a', 'b'] })?.models, ['a', 'b'])
  assert.equal(refusals({ ...openai, models: ['a', ''], catalog: [{ id: 'm', label: 1, provider: 'x' }, {}] }), [
    'llm.models[1]: Must not be empty.',
    'llm.catalog[0].label: Must be a string: put the value in quotes.',
    'llm.catalog[1].id: Config must include llm.catalog[1].id.',
    'llm.catalog[1].label: Config must include llm.catalog[1].label.',
    'llm.catalog[1].provider: Config must include llm.catalog[1].provider.',
    'llm.catalog[0].provider: Provider must be "openai", "claude" or "gemini", or the id of an endpoint in llm.endpoints.'
  ])
})

const tool = (headers?: unknown) =>
  llm({
    ...openai,
    mcp: [{ name: ' t ', url: 'https://t.example/mcp/', ...(headers === undefined ? {} : { headers }) }]
  })

test('a tool server has a trimmed name, an address without a slash at its end, and no headers by default', () => {
  assert.equal(tool()?.mcp, [{ name: 't', url: 'https://t.example/mcp', headers: [] }])
  assert.equal(tool(null)?.mcp[0]?.headers, [])
})

test('the three forms of headers become the same pairs, in order', () => {
  const pairs = [
    ['B', '2'],
    ['A', '1']
  ]
  assert.equal(tool({ B: '2', ' A ': '1' })?.mcp[0]?.headers, pairs)
  assert.equal(tool([{ B: '2' }, { A: '1' }])?.mcp[0]?.headers, pairs)
  assert.equal(tool([[{ B: '2' }, { A: '1' }]])?.mcp[0]?.headers, pairs)
  assert.equal(tool([[{ B: '2' }], { A: '1', ' ': 'dropped' }])?.mcp[0]?.headers, pairs)
})

test('headers that could not be sent are refused', () => {
  const of = (headers: unknown) => complaints(() => tool(headers))
  assert.equal(of({ A: 1, B: 'x\ny' }), [
    'llm.mcp[0].headers.A: Header value must be a string.',
    'llm.mcp[0].headers.B: Header value must not hold line breaks or control characters.'
  ])
  assert.equal(of([{ 'A B': 'x' }]), [
    'llm.mcp[0].headers[0]: Header names may hold only letters, digits and the signs of an HTTP token.'
  ])
  assert.equal(of([[[{ A: 'x' }]]]), ['llm.mcp[0].headers[0][0]: Headers must be a mapping, or a list of mappings.'])
  assert.equal(of('A: x'), ['llm.mcp[0].headers: Headers must be a mapping, or a list of mappings.'])
})

test('endpoints are checked, and models name them and each other', () => {
  const local = { id: 'local', name: 'Local', interface: 'openai', baseUrl: 'http://127.0.0.1:1/v1/' }
  const model = { id: 'm', label: 'M', provider: 'local', model: 'vendor/m', fallbacks: ['n'] }
  const config = llm({
    providers: {},
    endpoints: [local],
    catalog: [model, { id: 'n', label: 'N', provider: 'local' }]
  })
  assert.equal(config?.endpoints, [
    {
      ...local,
      baseUrl: 'http://127.0.0.1:1/v1',
      apiKeys: [],
      timeoutSeconds: 120,
      maxRetries: 2,
      outputField: 'max_completion_tokens'
    }
  ])
  assert.equal(config?.catalog?.[0]?.fallbacks, ['n'])
  assert.equal(refusals({ providers: {}, endpoints: [local, local], catalog: [{ ...model, provider: 'x' }] }), [
    'llm.endpoints: Two endpoints have the same id.',
    'llm.catalog[0].provider: Provider must be "openai", "claude" or "gemini", or the id of an endpoint in llm.endpoints.',
    'llm.catalog[0].fallbacks: The catalog has no model "n".'
  ])
  assert.equal(refusals({ ...openai, endpoints: [{ ...local, id: 'openai', interface: 'x', apiKeys: ['a b'] }] }), [
    'llm.endpoints[0].id: This id is that of a provider in llm.providers.',
    'llm.endpoints[0].interface: Must be "openai" or "anthropic".',
    'llm.endpoints[0].apiKeys[0]: LLM provider apiKey must not hold white space or other characters that a header cannot carry.'
  ])
})

test('a price that is not said is no price of nothing', () => {
  const at = (input: unknown) => ({
    ...openai,
    catalog: [{ id: 'm', label: 'M', provider: 'openai', price: { input, output: '2.5' } }]
  })
  const priced = (input: unknown) => refusals(at(input))
  assert.equal(llm(at('1.25'))?.catalog?.[0]?.price, { input: 1.25, output: 2.5 })
  assert.is(llm(at(0))?.catalog?.[0]?.price?.input, 0)
  const key = 'llm.catalog[0].price.input'
  assert.equal(priced(null), [`${key}: Config must include ${key}.`])
  for (const wrong of ['', ' ', true, [], 'much', '1,5'])
    assert.equal(priced(wrong), [`${key}: A price is a number of US dollars for a million tokens.`])
  assert.equal(priced(-1), [`${key}: A price must not be below 0.`])
  assert.equal(priced('1e7'), [`${key}: A price is in US dollars for a million tokens.`])
})

test.run()
