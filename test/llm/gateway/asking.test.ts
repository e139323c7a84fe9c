import OpenAI from 'openai'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import type { TestHub } from '../../http/support.js'
import * as anthropic from '../fakes/anthropic.js'
import * as openai from '../fakes/openai.js'
import { endpointSuite, HELLO, personOf } from './setting.js'

// What programs send beside a call, and what they read of its refusal.
const SMALL = 'vendor/small:7b'
const configured = (local: string, other: string) => ({
  endpoints: [
    { id: 'local', name: 'Local', interface: 'openai', baseUrl: local },
    { id: 'other', name: 'Other', interface: 'anthropic', baseUrl: other }
  ],
  catalog: [
    { id: SMALL, label: 'Small', provider: 'local' },
    { id: 'large', label: 'Large', provider: 'other' }
  ]
})
let hub: TestHub
let token: string
let limited: string
const test = endpointSuite('how programs ask below /v1, and how they are refused', configured, async (made) => {
  hub = made.hub
  token = await personOf(hub)
  limited = await personOf(hub, { llmModels: [SMALL] })
  made.local.answer(openai.completion({ text: 'Good day' }))
  made.other.answer(anthropic.message({ text: 'Good day' }))
})

type Headers = Readonly<Record<string, string>>
const VERSION = { 'anthropic-version': '2023-06-01' }
const bearer = (secret = token): Headers => ({ authorization: `Bearer ${secret}` })
const get = (path: string, headers: Headers = bearer()) => hub.send({ method: 'GET', path, headers })
const post = (path: string, more: object, headers: Headers = bearer()) =>
  hub.send({ method: 'POST', path, headers, body: { model: SMALL, messages: HELLO, max_tokens: 9, ...more } })

const refusal = z.strictObject({
  error: z.strictObject({ message: z.string().min(1), type: z.string(), param: z.null(), code: z.string() })
})
const otherRefusal = z.strictObject({
  type: z.literal('error'),
  error: z.strictObject({ type: z.string(), message: z.string().min(1) })
})

test('an Idempotency-Key, which libraries send by themselves, is ignored', async () => {
  for (const key of ['stainless-node-retry-1', 'x'.repeat(300)]) {
    const headers = { ...bearer(), 'idempotency-key': key }
    for (const content of ['Hello', 'Another']) {
      const more = { messages: [{ role: 'user', content }] }
      assert.is((await post('/v1/chat/completions', more, headers)).status, 200)
      assert.is((await post('/v1/messages', { ...more, model: 'large' }, headers)).status, 200)
    }
  }
  const client = new OpenAI({ apiKey: token, baseURL: `${hub.url}/v1`, maxRetries: 0 })
  const options = { idempotencyKey: 'once', headers: { 'Idempotency-Key': 'once' } }
  const asked = { model: SMALL, messages: HELLO }
  assert.is((await client.chat.completions.create(asked, options)).object, 'chat.completion')
})

test('the token is found in whichever header it is', async () => {
  const good: readonly Headers[] = [
    { 'x-api-key': token },
    { 'x-api-key': token, authorization: '' },
    { 'x-api-key': token, authorization: 'Bearer ' },
    { 'x-api-key': token, authorization: 'Basic YTpi' },
    { 'x-api-key': token, authorization: 'Bearer sk-of-another' },
    { 'x-api-key': 'sk-of-another', ...bearer() },
    { 'x-api-key': '', ...bearer() }
  ]
  for (const headers of good) {
    assert.is((await get('/v1/models', headers)).status, 200, JSON.stringify(headers))
    assert.is((await post('/v1/messages', { model: 'large' }, headers)).status, 200)
  }
  const bad: readonly Headers[] = [
    {},
    { 'x-api-key': 'sk-of-another', authorization: 'Bearer sk-of-another' },
    { 'x-api-key': '', authorization: '' }
  ]
  for (const headers of bad) assert.is((await get('/v1/models', headers)).status, 401)
})

test('of two tokens of the hub the one in Authorization counts', async () => {
  const { body } = await get('/v1/models', { 'x-api-key': token, ...bearer(limited) })
  assert.is(z.object({ data: z.array(z.unknown()) }).parse(body).data.length, 1)
})

test('models are refused in the form of the interface that asks', async () => {
  for (const path of ['/v1/models', '/v1/models/none']) {
    const [status, type] = path.endsWith('none') ? [404, 'not_found_error'] : [401, 'authentication_error']
    const headers = status === 401 ? {} : bearer()
    const anthropic = await get(path, { ...headers, ...VERSION })
    assert.equal([anthropic.status, otherRefusal.parse(anthropic.body).error.type], [status, type])
    const openai = await get(path, headers)
    assert.equal([openai.status, refusal.parse(openai.body).error.type], [status, 'invalid_request_error'])
  }
})

test('what is not there below /v1 is refused as the interfaces have it, and elsewhere as ever', async () => {
  const paths = ['/v1', '/v1/', '/v1/completions', '/v1/chat/completions/', '/v1/v1/messages', '/v1/x?y=/v2', '/v1/%']
  for (const path of paths) {
    for (const { status, body } of [await get(path), await post(path, {})]) {
      assert.is(status, path.endsWith('%') ? 400 : 404, path)
      refusal.parse(body)
    }
    otherRefusal.parse((await get(path, VERSION)).body)
  }
  for (const path of ['/v1/messages/', '/v1/messages/batches']) otherRefusal.parse((await post(path, {})).body)
  refusal.parse((await get('/v1/chat/completions')).body)
  for (const path of ['/v1x', '/v2/models', '/none'])
    assert.is(z.object({ error: z.string() }).parse((await get(path)).body).error, 'Not Found')
})

test('models are listed behind a slash too, and one is told by its id as it is', async () => {
  for (const path of ['/v1/models/', '/v1/models/?limit=5', '/v1/models?limit=5'])
    assert.equal((await get(path)).body, (await get('/v1/models')).body)
  for (const id of [SMALL, `${SMALL}/`, encodeURIComponent(SMALL), 'vendor%2Fsmall:7b?x=/y']) {
    const { status, body } = await get(`/v1/models/${id}`)
    assert.equal([status, z.object({ id: z.string() }).parse(body).id], [200, SMALL], id)
  }
  assert.is((await get('/v1/models/vendor')).status, 404)
  const client = new OpenAI({ apiKey: token, baseURL: `${hub.url}/v1`, maxRetries: 0 })
  assert.is((await client.models.retrieve(SMALL)).id, SMALL)
})

test('a model that is not there is 404, and one that the account may not use 403', async () => {
  const ways: readonly (readonly [path: string, more: object])[] = [
    ['/v1/chat/completions', {}],
    ['/v1/responses', { input: 'Hello' }],
    ['/v1/embeddings', { input: 'Hello' }]
  ]
  for (const [path, more] of ways) {
    const unknown = await post(path, { ...more, model: 'none' })
    const { type, code } = refusal.parse(unknown.body).error
    assert.equal([unknown.status, type, code], [404, 'invalid_request_error', 'model_not_found'])
    const kept = await post(path, { ...more, model: 'large' }, bearer(limited))
    assert.equal([kept.status, refusal.parse(kept.body).error.code], [403, 'model_not_allowed'])
  }
  for (const path of ['/v1/messages', '/v1/messages/count_tokens']) {
    const unknown = await post(path, { model: 'none' })
    assert.equal([unknown.status, otherRefusal.parse(unknown.body).error.type], [404, 'not_found_error'])
    const kept = await post(path, { model: 'large' }, bearer(limited))
    assert.equal([kept.status, otherRefusal.parse(kept.body).error.type], [403, 'permission_error'])
  }
  assert.is(refusal.parse((await get('/v1/models/none')).body).error.code, 'model_not_found')
})

test.run()
