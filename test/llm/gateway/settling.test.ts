import * as assert from 'uvu/assert'
import type { ModelCall } from '../../../src/llm/gateway/call.js'
import { chatCompletions } from '../../../src/llm/gateway/endpoint.js'
import { KeyRing } from '../../../src/llm/gateway/keyRing.js'
import { admit } from '../../../src/llm/gateway/settling.js'
import type { ChatClient } from '../../../src/llm/reservation.js'
import { NO_USAGE } from '../../../src/llm/usage.js'
import { suite } from '../../support/suite.js'
import { GPT } from './setting.js'

const test = suite('letting calls through')

test('a call whose budget is deleted in the same moment is asked as it came', async () => {
  const client: ChatClient = {
    ...{ userId: 'ada', tokenId: 'token', isLimited: false, sent_bytes: 10, left: new AbortController().signal },
    now: () => 0,
    budgets: async () => [{ id: 'gone', model: null }],
    run: async () => undefined,
    record: async () => undefined,
    held: async () => 0
  }
  const target = {
    ...({ id: GPT, model: GPT, provider: 'openai', label: 'OpenAI', wire: 'openai', baseUrl: '' } as const),
    ...{ keys: [], timeoutSeconds: 5, maxRetries: 0 }
  }
  const body = { model: GPT, messages: [] }
  const call: ModelCall = { endpoint: chatCompletions, body, headers: {}, tool: null, translation: () => null }
  const model = { id: GPT, label: GPT, provider: 'openai' } as const
  const llm = { counted: () => () => {}, price: () => null, keys: new KeyRing() }
  const admitted = await admit(client, { llm, model, targets: [target] }, call)
  assert.is(admitted.body, body)
  await admitted.settle('failed', NO_USAGE, { target, attempts: 1 })
})

test.run()
