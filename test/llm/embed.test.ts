import * as assert from 'uvu/assert'
import type { LlmProviderConfig } from '../../src/config/types.js'
import { openAiEmbed } from '../../src/llm/openai.js'
import { ProviderFailure } from '../../src/llm/provider.js'
import { builtIn } from '../../src/llm/targets.js'
import { suite } from '../support/suite.js'
import * as openai from './fakes/openai.js'
import { json, raw, type Upstream } from './fakes/upstream.js'
import { KEYS, never, rejection } from './support.js'

const test = suite('embeddings')

let upstream: Upstream
let config: LlmProviderConfig
test.before(async () => {
  upstream = await openai.startOpenAi(KEYS.openai)
  config = { apiKey: KEYS.openai, baseUrl: upstream.url, timeoutSeconds: 5, maxRetries: 0 }
})

const vector = Array.from({ length: 1536 }, (_, at) => Math.sin(at))
const answer = (embedding: unknown) =>
  json(200, { object: 'list', data: [{ object: 'embedding', index: 0, embedding }] })
const embed = () => openAiEmbed(builtIn('openai', config))('How do I log in?', never)

test('a text becomes the vector that OpenAI sends, asked for as numbers', async () => {
  upstream.answer(answer(vector))
  assert.equal(await embed(), vector)
  assert.equal(upstream.requests[0]?.body, {
    model: 'text-embedding-3-small',
    input: 'How do I log in?',
    encoding_format: 'float'
  })
})

test('what is not a list of numbers is a failure', async () => {
  const none = 'OpenAI sent something that is not an embedding.'
  const cases: readonly unknown[] = [
    [...vector.slice(1), null],
    [...vector.slice(1), '0'],
    Buffer.from(new Float32Array(vector).buffer).toString('base64'),
    null
  ]
  for (const embedding of cases) {
    upstream.answer(answer(embedding))
    const error = await rejection(embed())
    assert.instance(error, ProviderFailure)
    assert.is((error as ProviderFailure).message, none)
  }
  // JSON has no infinity, but a number may be too large to be one.
  upstream.answer(
    raw(200, JSON.stringify({ data: [{ embedding: vector }] }).replace('[0,', '[1e999,'), {
      'content-type': 'application/json'
    })
  )
  assert.is(((await rejection(embed())) as Error).message, none)
})

test('an embedding fails like any other call', async () => {
  upstream.answer(openai.error(429, 'slow down'))
  assert.match(String(await rejection(embed())), /OpenAI is limiting/)
})

test.run()
