import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runStep } from '../../src/llm/loop.js'
import { stepBody } from '../../src/llm/messages.js'
import { openAiProvider } from '../../src/llm/openai.js'
import { noHubTools } from '../../src/llm/tools.js'
import { chunks, completion } from '../llm/fakes/openai.js'

const CONCURRENCIES = [1, 32, 256]
const STEPS_PER_CHAT = 2
const BODY_BYTES = 75_000
/** How long the provider thinks; chats begin spread over that time. */
const THINKING_MS = 2000
/** One event for each word. */
const ANSWER = { text: 'word '.repeat(100) }

const never = new AbortController().signal
const print = (text: string): void => void process.stdout.write(`${text}\n`)

const SERVE = 'serve-answers'
if (process.argv[2] === SERVE) await serveAnswers()

/**
 * What the step loop adds to the time that a provider takes: the same body sent by a bare `fetch`, by a step, and by a
 * streamed step, to a provider in a process of its own. Numbers of concurrent chats may be given.
 */
export async function llmBenchmark(args: readonly string[]): Promise<void> {
  const upstream = fork(fileURLToPath(import.meta.url), [SERVE])
  const [port]: unknown[] = await once(upstream, 'message')
  const baseUrl = `http://127.0.0.1:${port}/v1`
  const provider = openAiProvider('openai', { apiKey: 'k', baseUrl, timeoutSeconds: 60, maxRetries: 2 })
  const text = bodyOf(BODY_BYTES)
  const step = async (emit?: () => Promise<void>) => {
    const request = stepBody.parse(JSON.parse(text))
    const outcome = await runStep({
      request,
      provider,
      hubTools: noHubTools,
      signal: never,
      timeoutSeconds: 60,
      ...(emit && { emit })
    })
    if (outcome.kind !== 'done') throw new Error(outcome.kind === 'failed' ? outcome.failure.message : outcome.kind)
  }
  const ways: Readonly<Record<string, () => Promise<void>>> = {
    'bare fetch': async () => {
      const reply = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', body: text })
      await reply.json()
    },
    step: () => step(),
    'streamed step': () => step(async () => {})
  }
  print(`${Math.round(text.length / 1000)} KB a body, a provider that thinks for ${THINKING_MS} ms`)
  for (const run of Object.values(ways)) await run()
  for (const concurrency of args.length > 0 ? args.map(Number) : CONCURRENCIES) {
    for (const [name, run] of Object.entries(ways))
      print(`${concurrency} chats, ${name}: ${await measure(concurrency, run)}`)
  }
  upstream.kill()
}

async function measure(concurrency: number, run: () => Promise<void>): Promise<string> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const added: number[] = []
  delay.enable()
  const before = process.cpuUsage()
  const chats = Array.from({ length: concurrency }, async (_, chat) => {
    await setTimeout((chat / concurrency) * THINKING_MS)
    for (let steps = 0; steps < STEPS_PER_CHAT; steps += 1) {
      const begun = performance.now()
      await run()
      added.push(performance.now() - begun - THINKING_MS)
    }
  })
  await Promise.all(chats)
  const { user, system } = process.cpuUsage(before)
  delay.disable()
  const cpu_ms = (user + system) / 1000 / added.length
  added.sort((a, b) => a - b)
  const at = (share: number) => (added[Math.floor(added.length * share)] ?? 0).toFixed(1)
  return `adds p50 ${at(0.5)} ms, p95 ${at(0.95)} ms; ${cpu_ms.toFixed(1)} ms of CPU each; event loop blocked for at most ${(delay.max / 1e6).toFixed(0)} ms`
}

/** A chat of about that size, most of it tools, as desktops send it. */
function bodyOf(bytes: number): string {
  const tool = (at: number) => ({
    type: 'function',
    function: {
      name: `tool_${at}`,
      description: 'Does something that takes a few sentences to describe. '.repeat(12),
      parameters: { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } }
    }
  })
  const tools = Array.from({ length: Math.floor((bytes * 0.8) / JSON.stringify(tool(0)).length) }, (_, at) => tool(at))
  const systemPrompt = 'Be a helpful assistant. '.repeat(Math.floor((bytes * 0.2) / 24))
  return JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }], tools, systemPrompt })
}

/** The provider: reads a body to its end, thinks, and answers in the way that was asked for. */
async function serveAnswers(): Promise<void> {
  const events = chunks(ANSWER).join('')
  const server = createServer(async (request, response) => {
    let tail = ''
    for await (const part of request) tail = (tail + part).slice(-200)
    await setTimeout(THINKING_MS)
    if (tail.includes('"stream":true')) response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events)
    else await completion(ANSWER)(response, { ...nothing, abandoned: Promise.resolve() })
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  process.send?.(typeof address === 'object' ? address?.port : undefined)
  process.once('disconnect', () => process.exit())
}

const nothing = { method: '', path: '', headers: {}, body: {} }
