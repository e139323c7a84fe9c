import * as assert from 'uvu/assert'
import { z } from 'zod'
import type { StepOutcome } from '../../src/llm/step.js'
import { finalEvents, stepReply } from '../../src/llm/stepEvents.js'
import { suite } from '../support/suite.js'

const test = suite('answers to chat steps, as client libraries read them')

const toolCall = z.object({ id: z.string(), name: z.string(), arguments: z.string() })
const count = z.int().nonnegative()
const usage = z.object({ promptTokens: count, completionTokens: count, totalTokens: count })

/** What each client library accepts: it refuses the answer, and with it the chat, where this does not parse. */
const libraries = {
  'the interface': z.object({ content: z.string(), toolCalls: z.array(toolCall), usage }),
  'the library of desktop clients': z.object({
    content: z.string().nullable(),
    toolCalls: z.array(toolCall).optional(),
    usage
  })
}
const stepEnd = z.object({
  type: z.literal('step.end'),
  content: z
    .string()
    .max(1024 * 1024)
    .nullable(),
  toolCalls: z.array(toolCall).optional(),
  usage: usage.optional(),
  iteration: z.object({ hitIterationLimit: z.boolean(), boundary: z.string() }).optional()
})

const used = { promptTokens: 1, completionTokens: 2, totalTokens: 3, estimated: false }
const calls = [{ id: 'a', name: 'weather', arguments: '{}' }]
const outcomes: Readonly<Record<string, Extract<StepOutcome, { kind: 'done' }>>> = {
  'a text': { kind: 'done', content: 'Hi', toolCalls: [], hitIterationLimit: false, usage: used },
  'a call without a text': { kind: 'done', content: null, toolCalls: calls, hitIterationLimit: false, usage: used },
  'a text and a call': { kind: 'done', content: 'Hi', toolCalls: calls, hitIterationLimit: false, usage: used },
  nothing: { kind: 'done', content: null, toolCalls: [], hitIterationLimit: false, usage: used },
  'the limit of a step': { kind: 'done', content: 'Stop', toolCalls: [], hitIterationLimit: true, usage: used }
}

for (const [what, outcome] of Object.entries(outcomes)) {
  test(`${what} is a content and a list of calls, always, and every library takes it`, () => {
    const reply = JSON.parse(JSON.stringify(stepReply(outcome)))
    const { estimated: _, ...usage } = used
    assert.equal(reply, { content: outcome.content ?? '', toolCalls: outcome.toolCalls, usage })
    for (const [library, schema] of Object.entries(libraries)) {
      assert.equal(schema.parse(reply), reply, `${library} takes it whole`)
    }
  })

  test(`${what} ends a stream as clients of streams expect it`, () => {
    const end = JSON.parse(JSON.stringify(finalEvents(outcome).at(-1)))
    assert.equal(stepEnd.parse(end), end)
    assert.is(end.content, outcome.content)
    assert.is('toolCalls' in end, outcome.toolCalls.length > 0, 'calls are told where there are some')
  })
}

test.run()
