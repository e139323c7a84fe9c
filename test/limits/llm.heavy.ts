import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { type RunStep, streamStep } from '../../src/llm/chat.js'
import type { Provider } from '../../src/llm/provider.js'
import { runStep } from '../../src/llm/step.js'
import { openEventStream } from '../../src/net/sse.js'
import { eventsOf, serve, textOf } from '../llm/fakes/client.js'
import { chunk } from '../llm/fakes/openai.js'
import { hubToolsOf } from '../llm/fakes/scripted.js'
import { eventStream, json, type Respond, raw } from '../llm/fakes/upstream.js'
import { ask, type Fixture, gather, KEYS, modelOf, never, startFixtures, streamed } from '../llm/support.js'
import { suite } from '../support/suite.js'
import { longestTurn } from '../support/turns.js'

const MB = 1024 * 1024
const MAX_TURN_MS = 50
const ATTEMPTS = 5

const task = z.object({
  name: z.enum(['openai', 'gemini', 'claude']),
  url: z.string(),
  streams: z.boolean(),
  isStep: z.boolean()
})
const report = z.object({ outcome: z.string(), longest_ms: z.number(), took_ms: z.number() })

function providerOf(name: keyof typeof KEYS, url: string): Provider {
  return modelOf(name, { apiKey: KEYS[name], baseUrl: url, timeoutSeconds: 60, maxRetries: 0 })
}

/** Asks a provider in a thread in which nothing else happens, and tells how that went. */
async function askAlone({ name, url, streams }: z.infer<typeof task>): Promise<z.infer<typeof report>> {
  const provider = providerOf(name, url)
  const begun = performance.now()
  const { value, longest_ms } = await longestTurn(async () => {
    try {
      const { content, toolCalls } = streams
        ? ((await gather(provider, ask(), never)).completion ?? { content: null, toolCalls: [] })
        : await provider.complete(ask(), never)
      return `${content?.length ?? 0} characters, ${toolCalls.length} calls`
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  })
  return { outcome: value, longest_ms, took_ms: performance.now() - begun }
}

const calls = Array.from({ length: 20_000 }, (_, at) => ({ id: `c${at}`, name: 'search_docs', arguments: '{}' }))
const EVENTS = { 'content-type': 'text/event-stream' }
const allAtOnce = calls.map(({ id, name, arguments: args }, index) => {
  return { index, id, type: 'function', function: { name, arguments: args } }
})
const byteByByte: Respond = async (response) => {
  response.writeHead(200, EVENTS).write('data: ')
  for (let sent = 0; sent < 200_000 && !response.destroyed; sent += 1) {
    response.write('x')
    if (sent % 200 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  response.end()
}

interface Case {
  readonly what: string
  readonly streams?: false
  /** Streamed to a client through a whole step, and not only read. */
  readonly isStep?: true
  readonly answer: (fixture: Fixture) => Respond
  readonly outcome: RegExp
}
const PARTS = /more than 1000 parts/
const TOO_LARGE = /an answer that is too large\./
const cases: readonly Case[] = [
  {
    what: '30,000 deltas',
    answer: (fixture) => streamed(fixture, { text: 'abcde'.repeat(30_000) }),
    outcome: /^150000 characters/
  },
  {
    what: 'a step of 30,000 deltas',
    isStep: true,
    answer: (fixture) => streamed(fixture, { text: 'abcde'.repeat(30_000) }),
    outcome: /^30002 events, 0 tools, step\.end 150000$/
  },
  {
    what: 'a step of 900 calls of a tool of the hub',
    isStep: true,
    answer: (fixture) => streamed(fixture, { calls: calls.slice(0, 900) }),
    outcome: /^3 events, 0 tools, step\.end 1\d\d$/
  },
  {
    what: 'a step of 20,000 calls of a tool of the hub',
    isStep: true,
    answer: (fixture) => streamed(fixture, { calls }),
    outcome: /^2 events, 0 tools, turn\.error \w+ sent an answer with more than 1000 parts/
  },
  { what: '20,000 calls', answer: (fixture) => streamed(fixture, { calls }), outcome: PARTS },
  {
    what: '20,000 calls in one event',
    answer: () => eventStream([chunk([{ index: 0, delta: { tool_calls: allAtOnce } }], null)]),
    outcome: /more than 1000 parts|too large|not a message/
  },
  {
    what: '20,000 calls at once',
    streams: false,
    answer: (fixture) => fixture.whole({ calls }),
    outcome: /more than 1000 parts|too large/
  },
  { what: 'a line of 32 MB', answer: () => raw(200, `data: ${'x'.repeat(32 * MB)}`, EVENTS), outcome: TOO_LARGE },
  {
    what: 'a line in pieces of a byte',
    answer: () => byteByByte,
    outcome: /empty answer|not a message|not valid JSON/
  },
  { what: '16 MB of comments', answer: () => raw(200, ':x\n'.repeat(5 * MB), EVENTS), outcome: TOO_LARGE },
  {
    what: '16 MB of blank lines',
    answer: () => raw(200, '\n'.repeat(16 * MB), EVENTS),
    outcome: /empty|not a message/
  },
  {
    what: 'a megabyte of brackets in an event',
    answer: () => raw(200, `data: ${'['.repeat(MB - 6)}\n\n`, EVENTS),
    outcome: TOO_LARGE
  },
  {
    what: '30 MB of brackets',
    streams: false,
    answer: () => raw(200, '['.repeat(30 * MB), { 'content-type': 'application/json' }),
    outcome: TOO_LARGE
  },
  {
    what: 'a million choices',
    streams: false,
    answer: () => json(200, { choices: Array.from({ length: 1_000_000 }, () => ({ message: {} })) }),
    outcome: TOO_LARGE
  },
  {
    what: '24,000 choices',
    streams: false,
    answer: () => json(200, { choices: Array.from({ length: 24_000 }, () => ({ message: 0 })) }),
    outcome: /not a chat completion|not a message/
  },
  {
    what: '49,000 blocks',
    streams: false,
    answer: () => json(200, { type: 'message', content: Array.from({ length: 49_000 }, () => 0) }),
    outcome: /not a chat completion|more than 1000 parts/
  },
  {
    what: '30 MB of text',
    streams: false,
    answer: (fixture) => fixture.whole({ text: 'x'.repeat(30 * MB) }),
    outcome: TOO_LARGE
  },
  {
    what: '3.9 MB of text',
    streams: false,
    answer: (fixture) => fixture.whole({ text: 'x'.repeat(3.9 * MB) }),
    outcome: /^4089446/
  },
  {
    what: 'an error of 28 MB',
    streams: false,
    answer: () => json(400, { error: { message: 'http://'.repeat(4 * MB) } }),
    outcome: /rejected the request/
  }
]

/** A step that is streamed to a client, with a tool of the hub that counts how often it is called. */
async function streamAlone({ name, url }: z.infer<typeof task>): Promise<z.infer<typeof report>> {
  const hubTools = hubToolsOf({ search_docs: async () => ({ text: '[]', ok: true }) })
  const ref = { turnId: 't', stepIndex: 0 }
  const limits = { timeoutSeconds: 60, toolCallsPerStep: 64 }
  const step = { request: ask(), provider: providerOf(name, url), hubTools, ...limits }
  const run: RunStep = (signal, emit) => runStep({ ...step, signal, ...(emit && { emit }) })
  const served = await serve((response) => void streamStep(openEventStream(response), ref, run))
  const begun = performance.now()
  try {
    const { value, longest_ms } = await longestTurn(async () => textOf(await served.request()))
    const took_ms = performance.now() - begun
    const events = eventsOf(value)
    const { type, content, message } = events.at(-1) ?? {}
    const ending = `${type} ${typeof content === 'string' ? content.length : message}`
    return { outcome: `${events.length} events, ${hubTools.called.length} tools, ${ending}`, longest_ms, took_ms }
  } finally {
    await served.close()
  }
}

if (isMainThread) {
  const test = suite('floods from providers')
  let fixtures: readonly Fixture[] = []
  const worker = new Worker(fileURLToPath(import.meta.url))
  test.before(async () => {
    fixtures = await startFixtures()
  })
  test.after(async () => {
    await worker.terminate()
    await Promise.all(fixtures.map(({ upstream }) => upstream.close()))
  })
  const measure = (asked: z.infer<typeof task>): Promise<z.infer<typeof report>> =>
    new Promise((resolve) => {
      worker.once('message', (message) => resolve(report.parse(message)))
      worker.postMessage(asked)
    })
  for (const { what, streams = true, isStep = false, answer, outcome } of cases) {
    test(
      `${what}: no turn is longer than ${MAX_TURN_MS} ms`,
      async () => {
        for (const fixture of fixtures) {
          fixture.upstream.answer(answer(fixture))
          let best = await measure({ name: fixture.name, url: fixture.upstream.url, streams, isStep })
          // Others may use the machine meanwhile, so what was slow once gets another chance.
          for (let attempt = 1; attempt < ATTEMPTS && best.longest_ms > MAX_TURN_MS; attempt += 1) {
            const again = await measure({ name: fixture.name, url: fixture.upstream.url, streams, isStep })
            if (again.longest_ms < best.longest_ms) best = again
          }
          const figures = `${best.took_ms.toFixed(0)} ms, longest turn ${best.longest_ms.toFixed(0)} ms`
          process.stdout.write(`${what}, ${fixture.name}: ${figures}: ${best.outcome.slice(0, 80)}\n`)
          assert.match(best.outcome, outcome)
          assert.ok(best.longest_ms <= MAX_TURN_MS, figures)
        }
      },
      { timeout_ms: 120_000 }
    )
  }
  test.run()
} else {
  parentPort?.on('message', async (message) => {
    const asked = task.parse(message)
    parentPort?.postMessage(await (asked.isStep ? streamAlone(asked) : askAlone(asked)))
  })
}
