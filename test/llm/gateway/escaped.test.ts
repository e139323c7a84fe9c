import * as assert from 'uvu/assert'
import * as anthropic from '../fakes/anthropic.js'
import * as openai from '../fakes/openai.js'
import { eventStream, type Respond, raw } from '../fakes/upstream.js'
import { KEYS } from '../support.js'
import { CLAUDE, GPT, modelSuite, type Setting } from './setting.js'

let setting: Setting
let token: string
const test = modelSuite('a provider that answers with the hub’s key in escapes', async (made) => {
  setting = made
  token = await setting.person()
})

const JSON_TYPE = { 'content-type': 'application/json' }
const escaped = (text: string) =>
  Array.from(text, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
/** The same answer with the word SECRET in it as the key in escapes, as often escaped as JSON is within JSON. */
const telling = (text: string, key: string) =>
  text.replaceAll('ARGUMENT', escaped(key).replaceAll('\\', '\\\\')).replaceAll('SECRET', escaped(key))

const message = (content: object[]) => ({
  ...{ id: 'm', type: 'message', role: 'assistant', model: 'x', content },
  ...{ stop_reason: 'end_turn', usage: { input_tokens: 1, output_tokens: 1 } }
})
const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":"ARGUMENT"}' } }
const completion = (said: object) => ({ id: 'z', choices: [{ index: 0, finish_reason: 'stop', message: said }] })

const answers: readonly (readonly [
  what: string,
  openai: string | readonly string[],
  claude: string | readonly string[]
])[] = [
  [
    'in a text',
    JSON.stringify(completion({ role: 'assistant', content: 'SECRET' })),
    JSON.stringify(message([{ type: 'text', text: 'SECRET' }]))
  ],
  [
    'in what a tool is called with',
    JSON.stringify(completion({ role: 'assistant', content: null, tool_calls: [call] })),
    JSON.stringify(message([{ type: 'tool_use', id: 't', name: 'f', input: { a: 'SECRET' } }]))
  ],
  [
    'in a stream',
    [openai.chunk([{ index: 0, delta: { content: 'SECRET' }, finish_reason: 'stop' }], null), 'data: [DONE]\n\n'],
    [anthropic.event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'SECRET' } })]
  ]
]

for (const [what, ofOpenAi, ofClaude] of answers) {
  test(`${what} tells nobody, passed on and translated`, async () => {
    const isStream = typeof ofOpenAi !== 'string'
    const respond = (said: string | readonly string[], key: string): Respond =>
      typeof said === 'string'
        ? raw(200, telling(said, key), JSON_TYPE)
        : eventStream(said.map((one) => telling(one, key)))
    setting.openai.answer(respond(ofOpenAi, KEYS.openai))
    setting.claude.answer(respond(ofClaude, KEYS.claude))
    for (const path of ['/v1/chat/completions', '/v1/messages']) {
      for (const model of [GPT, CLAUDE]) {
        const body = { model, max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }], stream: isStream }
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
        const told = await fetch(setting.hub.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
        const text = await told.text().catch(() => '')
        if (!isStream) assert.is(told.status, 502)
        for (const key of Object.values(KEYS))
          for (const secret of [key, escaped(key), escaped(key).replaceAll('\\', '\\\\')])
            assert.not.ok(text.includes(secret), text)
      }
    }
  })
}

test('other escapes are passed on as they are', async () => {
  const said = JSON.stringify(completion({ role: 'assistant', content: 'SECRET' })).replace('SECRET', '\\u00e4\\/\\\\u')
  setting.openai.answer(raw(200, said, JSON_TYPE))
  const body = { model: GPT, messages: [{ role: 'user', content: 'Hello' }] }
  const reply = await setting.hub.send({ method: 'POST', path: '/v1/chat/completions', token, body })
  assert.equal([reply.status, reply.text], [200, said])
})

test.run()
