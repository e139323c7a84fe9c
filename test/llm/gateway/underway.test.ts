import * as assert from 'uvu/assert'
import { HUB_ID } from '../../../commands/tenants/hub/events.js'
import { HubError } from '../../../src/errors.js'
import { LIMITS } from '../../../src/limits.js'
import type { Asked, ModelCall } from '../../../src/llm/gateway/call.js'
import { chatCompletions } from '../../../src/llm/gateway/endpoint.js'
import { KeyRing } from '../../../src/llm/gateway/keyRing.js'
import { admit } from '../../../src/llm/gateway/settling.js'
import { Underway } from '../../../src/llm/gateway/underway.js'
import type { ChatClient } from '../../../src/llm/reservation.js'
import { NO_USAGE } from '../../../src/llm/usage.js'
import { until } from '../../http/support.js'
import * as anthropic from '../fakes/anthropic.js'
import { hang, json } from '../fakes/upstream.js'
import { CLAUDE, GPT, modelSuite, type Setting } from './setting.js'

const [OWN, ALL] = [LIMITS.modelCallsOfAccount.max, LIMITS.modelCalls.max]
const COUNT = '/v1/messages/count_tokens'
let setting: Setting
const test = modelSuite(
  'calls of models that are let through, and how many are under way',
  (made) => {
    setting = made
  },
  { timeoutSeconds: 60 }
)

const statusOf = (enter: () => unknown) => {
  try {
    enter()
    return 200
  } catch (error) {
    return error instanceof HubError ? error.status : error
  }
}

test(`an account has ${OWN}, all together ${ALL}, and one that ends lets in another`, () => {
  assert.equal([OWN, ALL], [256, 1024])
  const underway = new Underway()
  const leave = Array.from({ length: OWN }, () => underway.enter('ada', HUB_ID))
  assert.is(
    statusOf(() => underway.enter('ada', HUB_ID)),
    429
  )
  leave[0]?.()
  underway.enter('ada', HUB_ID)
  for (const one of ['bob', 'cleo', 'dan']) for (let i = 0; i < OWN; i++) underway.enter(one, HUB_ID)
  assert.is(
    statusOf(() => underway.enter('eve', HUB_ID)),
    429
  )
  leave[1]?.()
  underway.enter('eve', HUB_ID)
})

test('a tenant has as many as it leaves to others, whoever of it asks', () => {
  const underway = new Underway()
  const enter = (account: string, tenant: string) => () => underway.enter(account, tenant)
  const takes = (tenant: string) => {
    let taken = 0
    while (statusOf(enter(`${tenant} ${taken % 4}`, tenant)) === 200) taken++
    return taken
  }
  assert.equal(['one', 'two', 'three'].map(takes), [ALL / 2, ALL / 4, ALL / 8])
  assert.is(statusOf(enter('ada', HUB_ID)), 200)
})

test('calls and counts of tokens enter them together, and those that are left leave them', async () => {
  const token = await setting.person()
  const leaving = new AbortController()
  const call = (path: string, more: object = {}, signal: AbortSignal | null = null) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ model: CLAUDE, max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }], ...more })
    return fetch(setting.hub.url + path, { method: 'POST', headers, body, signal })
  }
  setting.claude.answer(hang)
  const open = Array.from({ length: OWN }, (_, at) =>
    call(at % 2 === 0 ? COUNT : '/v1/messages', {}, leaving.signal).then(
      ({ status }) => status,
      () => 'left'
    )
  )
  await until(() => (setting.claude.requests.length === OWN ? true : null))
  for (const path of [COUNT, '/v1/messages']) {
    const refused = await call(path)
    assert.is(refused.status, 429)
    assert.match(await refused.text(), /"type":"rate_limit_error"/)
  }
  assert.is(setting.claude.requests.length, OWN)
  leaving.abort()
  assert.equal(new Set(await Promise.all(open)), new Set(['left']))
  setting.claude.answer(json(200, { input_tokens: 14 }))
  await until(async () => ((await call(COUNT)).status === 200 ? true : null))
  assert.not.match(JSON.stringify(setting.hub.log), /The call was aborted/)
  setting.claude.answer(anthropic.message({ text: 'x' }))
  assert.is((await call('/v1/messages')).status, 200)
  // Nor does a count reach what the provider keeps of others.
  const sent = setting.claude.requests.length
  assert.is((await call(COUNT, { container: 'c' })).status, 400)
  assert.is(setting.claude.requests.length, sent)
})

test('while models answer, nobody waits for the room that bodies are read in', async () => {
  const token = await setting.person()
  const leaving = new AbortController()
  // Of a body that does not say how large it is, the most is counted.
  const call = (path: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const text = JSON.stringify({ model: CLAUDE, max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] })
    const sent = { method: 'POST', headers, body: new Blob([text]).stream(), duplex: 'half' as const }
    return fetch(setting.hub.url + path, { ...sent, signal: leaving.signal }).then(
      ({ status }) => status,
      () => 'left'
    )
  }
  setting.claude.answer(hang)
  const fitting = LIMITS.bodiesHeld.max / LIMITS.contentBody.max
  const open = Array.from({ length: fitting }, (_, at) => call(at % 2 === 0 ? COUNT : '/v1/messages'))
  await until(() => (setting.claude.requests.length === fitting ? true : null))
  let refused: unknown = null
  const further = call(COUNT).then((status) => {
    refused = status
    return status
  })
  assert.is(await until(() => refused ?? (setting.claude.requests.length > fitting ? 'asked' : null)), 'asked')
  leaving.abort()
  assert.equal(new Set(await Promise.all([...open, further])), new Set(['left']))
})

test('a call that another model answers is counted as one of that, at its price', async () => {
  const counted: string[] = []
  const client: ChatClient = {
    ...{ userId: 'ada', tokenId: 'token', isLimited: false, sent_bytes: 10, left: new AbortController().signal },
    now: () => 0,
    budgets: async () => [],
    reserve: async () => 0,
    record: async () => undefined
  }
  const target = (id: string, provider: string) => ({
    ...({ id, model: id, provider, label: provider, wire: 'openai', baseUrl: '' } as const),
    ...{ keys: [], timeoutSeconds: 5, maxRetries: 0 }
  })
  const [first, other] = [target(GPT, 'openai'), target('stand-in', 'local')] as const
  const call: ModelCall = {
    ...{ endpoint: chatCompletions, body: { model: GPT, messages: [] }, headers: {}, tool: null },
    translation: () => null
  }
  const model = { id: GPT, label: GPT, provider: 'openai' } as const
  const llm: Asked['llm'] = {
    counted:
      ({ id, provider }) =>
      (outcome) =>
        void counted.push(`${id} of ${provider}: ${outcome}`),
    price: () => null,
    keys: new KeyRing()
  }
  const admitted = () => admit(client, { llm, model, targets: [first, other] }, call, [])
  await (await admitted()).settle('completed', NO_USAGE, { target: other, attempts: 2 })
  await (await admitted()).settle('cancelled', NO_USAGE, null)
  assert.equal(counted, ['stand-in of local: completed', `${GPT} of openai: cancelled`])
})

test('a call whose budget is deleted in the same moment is asked as it came', async () => {
  const client: ChatClient = {
    ...{ userId: 'ada', tokenId: 'token', isLimited: false, sent_bytes: 10, left: new AbortController().signal },
    now: () => 0,
    budgets: async () => [{ id: 'gone', model: null }],
    reserve: async () => 0,
    record: async () => undefined
  }
  const target = {
    ...({ id: GPT, model: GPT, provider: 'openai', label: 'OpenAI', wire: 'openai', baseUrl: '' } as const),
    ...{ keys: [], timeoutSeconds: 5, maxRetries: 0 }
  }
  const body = { model: GPT, messages: [] }
  const call: ModelCall = { endpoint: chatCompletions, body, headers: {}, tool: null, translation: () => null }
  const model = { id: GPT, label: GPT, provider: 'openai' } as const
  const llm = { counted: () => () => {}, price: () => null, keys: new KeyRing() }
  const admitted = await admit(client, { llm, model, targets: [target] }, call, [])
  assert.is(admitted.body, body)
  await admitted.settle('failed', NO_USAGE, { target, attempts: 1 })
})

test.run()
