import * as assert from 'uvu/assert'
import { z } from 'zod'
import { suite } from '../../support/suite.js'
import * as anthropic from '../fakes/anthropic.js'
import * as openai from '../fakes/openai.js'
import { eventStream, json } from '../fakes/upstream.js'
import { aHubWithModels, CLAUDE, GPT, type Setting } from './setting.js'

const test = suite('budgets of calls by other programs')
let setting: Setting
test.before(async () => {
  setting = await aHubWithModels()
})
test.after(() => setting.close())

const HELLO = [{ role: 'user' as const, content: 'Hello' }]
const post = (token: string, path: string, body: unknown) => setting.hub.send({ method: 'POST', path, token, body })
const limited = (llmMonthlyTokenLimit: number) => setting.person({ llmMonthlyTokenLimit })

test('a call whose most is not left is refused before anybody is asked, and told how much is', async () => {
  const token = await limited(1000)
  setting.openai.answer(openai.completion({ text: 'x' }))
  const reply = await post(token, '/v1/chat/completions', { model: GPT, messages: HELLO, max_tokens: 1000 })
  assert.is(reply.status, 402)
  assert.match(reply.text, /"type":"insufficient_quota"/)
  assert.match(reply.text, /may use up to 1\d\d\d tokens, and 1000 are left/)
  const message = await post(token, '/v1/messages', { model: CLAUDE, messages: HELLO, max_tokens: 1000 })
  assert.equal([message.status, /"type":"billing_error"/.test(message.text)], [402, true])
  assert.is(setting.openai.requests.length, 0)
})

test('who says no bound is given the one that is left', async () => {
  const token = await limited(1000)
  setting.openai.answer(openai.completion({ text: 'x', usage: [10, 20] }))
  assert.is((await post(token, '/v1/chat/completions', { model: GPT, messages: HELLO })).status, 200)
  const sent = z.object({ max_completion_tokens: z.number() }).parse(setting.openai.requests[0]?.body)
  assert.ok(sent.max_completion_tokens > 800 && sent.max_completion_tokens < 1000, JSON.stringify(sent))
  assert.is(await setting.usage(token), 30)
  // Without a limit nothing is added.
  await post(await setting.person(), '/v1/chat/completions', { model: GPT, messages: HELLO })
  assert.equal(setting.openai.requests[1]?.body, { model: GPT, messages: HELLO })
})

test('many at once never use more than is left, and what they reserve is settled by what they used', async () => {
  const limit = 20_000
  const token = await limited(limit)
  // Each uses all that it may.
  setting.openai.answer(async (response, request) => {
    const { max_tokens } = z.object({ max_tokens: z.number() }).parse(request.body)
    await new Promise((resolve) => setTimeout(resolve, 20))
    await eventStream(openai.chunks({ text: 'x', usage: [20, max_tokens] }))(response, request)
  })
  const body = { model: GPT, messages: HELLO, max_tokens: 400, stream: true }
  const statuses: number[] = []
  await Promise.all(
    Array.from({ length: 100 }, async () => statuses.push((await post(token, '/v1/chat/completions', body)).status))
  )
  const used = await setting.usage(token)
  assert.ok(used <= limit, String(used))
  assert.is(statuses.filter((status) => status === 200).length * 420, used)
  // Held by others at first, and used up in the end.
  assert.ok(statuses.includes(429) && statuses.every((status) => [200, 402, 429].includes(status)))
})

test('what a call may use is reserved while it is under way', async () => {
  const token = await limited(10_000)
  let during = 0
  setting.openai.answer(async (response, request) => {
    during = await setting.held(token)
    await openai.completion({ text: 'x', usage: [10, 20] })(response, request)
  })
  assert.is((await post(token, '/v1/chat/completions', { model: GPT, messages: HELLO, max_tokens: 700 })).status, 200)
  assert.ok(during > 700 && during < 1000, String(during))
  assert.equal([await setting.usage(token), await setting.held(token)], [30, 0])
})

test('what is not used is given back: of a refusal and a failure all', async () => {
  const token = await limited(1000)
  const body = { model: GPT, messages: HELLO, max_tokens: 700 }
  for (const respond of [json(400, { error: { message: 'No.' } }), json(500, { error: { message: 'Oops.' } })]) {
    setting.openai.answer(respond)
    assert.ok((await post(token, '/v1/chat/completions', body)).status >= 400)
    setting.openai.answer(openai.completion({ text: 'x', usage: [1, 1] }))
    assert.is((await post(token, '/v1/chat/completions', body)).status, 200)
  }
  assert.equal([await setting.usage(token), await setting.held(token)], [4, 0])
})

test('a call that cannot be carried over reserves nothing', async () => {
  const token = await limited(1000)
  const body = { model: CLAUDE, messages: HELLO, max_tokens: 700, logprobs: true }
  for (let i = 0; i < 3; i++) assert.is((await post(token, '/v1/chat/completions', body)).status, 400)
  setting.claude.answer(anthropic.message({ text: 'x' }))
  assert.is((await post(token, '/v1/chat/completions', { ...body, logprobs: false })).status, 200)
})

test('images count as images, and text in them as nothing else', async () => {
  const token = await limited(10_000)
  const data = 'A'.repeat(100_000)
  setting.claude.answer(anthropic.message({ text: 'x' }))
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }
  const message = { model: CLAUDE, max_tokens: 100, messages: [{ role: 'user', content: [image] }] }
  assert.is((await post(token, '/v1/messages', message)).status, 200)
  setting.openai.answer(openai.completion({ text: 'x' }))
  const url = { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }
  const chat = { model: GPT, max_tokens: 100, messages: [{ role: 'user', content: [url] }] }
  assert.is((await post(token, '/v1/chat/completions', chat)).status, 200)
  const text = { model: GPT, max_tokens: 100, messages: [{ role: 'user', content: data }] }
  assert.is((await post(token, '/v1/chat/completions', text)).status, 402)
})

test('tools that the provider runs are not for who has a limit', async () => {
  const tools = [{ type: 'web_search_20250305', name: 'web_search' }]
  const body = { model: CLAUDE, max_tokens: 10, messages: HELLO, tools }
  setting.claude.answer(anthropic.message({ text: 'x' }))
  assert.is((await post(await limited(100_000), '/v1/messages', body)).status, 400)
  assert.is((await post(await setting.person(), '/v1/messages', body)).status, 200)
})

test('several answers at once are several times the bound', async () => {
  const token = await limited(1000)
  setting.openai.answer(openai.completion({ text: 'x' }))
  const body = { model: GPT, messages: HELLO, max_tokens: 300, n: 4 }
  assert.is((await post(token, '/v1/chat/completions', body)).status, 402)
})

test('a bound that is no number is refused of everybody, and nobody is asked', async () => {
  const before = setting.openai.requests.length
  for (const token of [await limited(100_000), await setting.person()])
    for (const bound of [{ max_tokens: '50' }, { n: '2' }, { max_completion_tokens: 0 }]) {
      const reply = await post(token, '/v1/chat/completions', { model: GPT, messages: HELLO, ...bound })
      assert.equal([reply.status, /must be a whole number above 0/.test(reply.text)], [400, true])
    }
  assert.is(setting.openai.requests.length, before)
})

test.run()
