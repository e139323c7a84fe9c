import { setTimeout as sleep } from 'node:timers/promises'
import type { Benchmark, BenchOptions } from './benchmark.js'
import { chosenOf } from './options.js'
import { beside } from './past/beside.js'
import { type PastSeed, type Sizes, seedPast } from './past/seed.js'
import { NEW_STRETCH_AFTER_MS, type Strain } from './past/watch.js'
import { startChild } from './support/child.js'
import { onEachSetting, type Setting } from './support/setting.js'
import { table } from './support/table.js'

const MB = 1024 * 1024
const PER_SECOND = 500
const SETTLE_MS = 300
const FULL = { versions: 5000, versionBytes: MB, requests: 3000, reorders: 20_000, deleted: 10_000, events: 1_000_000 }

interface Question {
  readonly name: string
  readonly path: string
  readonly secret: string
  readonly body?: object
}

/** What the past costs: time, memory above idle, and how long everybody else has to wait meanwhile. */
export const pastBenchmark: Benchmark = {
  name: 'past',
  summary: 'history, trees, audit and undelete of a large past, beside 500 other requests a second',
  run: (options) => onEachSetting(options, (setting) => measure(setting, scaled(options.scale), options))
}

function scaled(scale: number): Sizes {
  const part = (full: number) => Math.max(2, Math.round(full * scale))
  return {
    ...FULL,
    versions: part(FULL.versions),
    requests: part(FULL.requests),
    reorders: part(FULL.reorders),
    deleted: part(FULL.deleted),
    events: part(FULL.events)
  }
}

async function measure({ driver, config, description }: Setting, sizes: Sizes, options: BenchOptions): Promise<void> {
  const seed = await seedPast(config, sizes, (text) => options.progress(`${driver}: ${text}`))
  const file = new URL('./past/hub.js', import.meta.url)
  const hub = await startChild({ name: `past-${driver}`, file, input: config, ...options })
  try {
    const lines = [
      ['', 'time', 'answer', 'heap above idle', 'longest turn', 'most work', 'others/s', 'p99', 'longest', 'failed']
    ]
    for (const question of chosenOf(questions(seed, sizes), options.only)) {
      options.progress(`${driver}: ${question.name}`)
      lines.push(await asked(hub, question, seed))
    }
    options.print(`${description}: ${JSON.stringify(sizes)}\n${table(lines)}`)
  } finally {
    await hub.stop()
  }
}

async function asked(hub: Awaited<ReturnType<typeof startChild>>, question: Question, seed: PastSeed) {
  // The child that this benchmark starts adds its strain to what others tell.
  const strain = async () => (await hub.usage()) as unknown as Strain
  const stop = beside(hub.port, `/environments/${seed.environment}`, seed.user, PER_SECOND)
  await sleep(SETTLE_MS)
  const idle = await strain()
  await sleep(2 * NEW_STRETCH_AFTER_MS)
  const started = performance.now()
  const { bytes, status } = await answer(hub.port, question)
  const took_ms = performance.now() - started
  const { longestTurn_ms, mostWork_ms, peakHeap_bytes } = await strain()
  const others = await stop()
  return [
    question.name,
    `${took_ms.toFixed(0)} ms`,
    status === 200 ? `${(bytes / 1024).toFixed(0)} KB` : String(status),
    `${((peakHeap_bytes - idle.heap_bytes) / MB).toFixed(0)} MB`,
    `${longestTurn_ms.toFixed(0)} ms`,
    `${mostWork_ms.toFixed(0)} ms`,
    String(others.perSecond),
    `${others.p99_ms.toFixed(1)} ms`,
    `${others.longest_ms.toFixed(0)} ms`,
    String(others.failed)
  ]
}

async function answer(port: number, { path, secret, body }: Question) {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const options = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, options)
  let bytes = 0
  for await (const chunk of response.body ?? []) bytes += chunk.length
  return { bytes, status: response.status }
}

function questions(seed: PastSeed, { versions }: Sizes): readonly Question[] {
  const { user, admin, document, ordered, request, amid, unordered, userId, deleted, environment, halfway } = seed
  const mine = (name: string, path: string) => ({ name, path, secret: user })
  const audit = (name: string, query: string) => ({ name, path: `/admin/audit?${query}`, secret: admin })
  return [
    mine('history, newest', `/documents/${document}/history?limit=1`),
    mine('history, page of 50', `/documents/${document}/history?limit=50`),
    mine('history, oldest 50', `/documents/${document}/history?limit=50&before=51`),
    mine('diff of first and last', `/documents/${document}/diff?from=1&to=${versions}`),
    mine('document at', `/documents/${document}?at=${halfway}`),
    mine('tree now', `/collections/${ordered}/tree`),
    mine('tree before reorders', `/collections/${ordered}/tree?at=${unordered}`),
    mine('tree amid reorders', `/collections/${ordered}/tree?at=${amid}`),
    mine('request amid reorders', `/requests/${request}?at=${amid}`),
    mine('history of a collection', `/collections/${ordered}/history`),
    audit('audit, newest 200', 'limit=200'),
    audit('audit, oldest 200', 'limit=200&order=oldest'),
    audit('audit of an actor', `actor=${userId}&limit=200`),
    audit('audit of a record', `kind=environment&id=${environment}&limit=200`),
    audit('audit of a type', 'type=ItemsReordered&limit=200'),
    audit('audit of an address', 'address=192.0.2.1&limit=200'),
    audit('audit of nobody', 'actor=nobody&limit=200'),
    { name: 'deleted', path: '/admin/deleted', secret: admin },
    { name: 'undelete', path: '/admin/undelete', secret: admin, body: { kind: 'collection', id: deleted } }
  ]
}
