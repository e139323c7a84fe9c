import * as assert from 'uvu/assert'
import { errors } from '../../src/errors.js'
import { admitStep, type ChatClient } from '../../src/llm/chat.js'
import { TurnSizes } from '../../src/llm/turnSizes.js'
import { gate, settled } from '../log/faults.js'
import { suite } from '../support/suite.js'
import { hubToolsOf, scripted } from './fakes/scripted.js'
import { ask, never, rejection } from './support.js'

const test = suite('the admission of chat steps')

const model = { id: 'm', label: 'M', provider: 'openai' as const }

/** A client with a monthly limit, whose reservation waits for the door, and what its step sends. */
function waiting(refusal?: Error) {
  const door = gate()
  const provider = scripted({ content: 'Yes.' })
  const prepared: string[] = []
  const noting = {
    ...provider,
    textOf: (...asked: Parameters<typeof provider.textOf>) => {
      prepared.push(provider.textOf(...asked))
      return prepared.at(-1) ?? ''
    }
  }
  const client: ChatClient = {
    ...{ userId: 'u', tokenId: 't', isLimited: true, isStreamed: false, sent_bytes: 100, left: never, now: () => 0 },
    run: async () => {
      await door.passed
      if (refusal) throw refusal
    },
    record: async () => {}
  }
  const llm = { hubTools: hubToolsOf({}), stepTimeoutSeconds: 5, toolCallsPerStep: 64, turnSizes: new TurnSizes() }
  const step = admitStep(client, { llm, model, provider: noting }, ask())
  return { door, step, prepared, asked: provider.asked }
}

test('what the provider is sent is made while the reservation is on its way, and once', async () => {
  const { door, step, prepared, asked } = waiting()
  await settled()
  assert.is(prepared.length, 1)
  assert.is(asked.length, 0)
  door.open()
  assert.is((await (await step).answer()).content, 'Yes.')
  assert.is(prepared.length, 1)
  assert.is(asked.length, 1)
})

test('a provider is asked nothing where the reservation is refused', async () => {
  const refusal = errors.llmLimitReached()
  const { door, step, asked } = waiting(refusal)
  door.open()
  assert.is(await rejection(step), refusal)
  await settled()
  assert.is(asked.length, 0)
})

test.run()
