import { fork } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { postgresDatabase, temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'
import type { Filled, Filling, Measured } from './support/large-hub.js'
import { healthDuring, isPrompt, type Report, told } from './support/probe.js'

const MB = 1024 * 1024
const PARALLEL = 20
const TURN_LIMIT_MS = 50
const RSS_LIMIT_MB = 700
const TIMEOUT = { timeout_ms: 300_000 }
/** 31 MB as a list. */
const MANY = { documents: 25_000, bytes: 840 }

/** How `/health` answers meanwhile. */
const healthOf = ({ port, pid }: Filled, work: () => Promise<unknown>): Promise<Report> =>
  healthDuring(`http://127.0.0.1:${port}`, pid, work)

/** A hub that holds so many documents of so many bytes, and what it takes to answer. */
async function withHub(
  filling: Filling,
  work: (hub: Filled, measured: () => Promise<Measured>) => Promise<void>
): Promise<void> {
  const heap = process.env.HUB_HEAP_MB
  const execArgv = heap === undefined ? [] : [`--max-old-space-size=${heap}`]
  const child = fork(new URL('./support/large-hub.js', import.meta.url), { execArgv })
  const ask = async <T>(question: object): Promise<T> => {
    child.send(question)
    // The other side answers each question with what it is asked for.
    const [answer] = (await once(child, 'message')) as [T]
    return answer
  }
  try {
    const hub = await ask<Filled>(filling)
    const measured = () => ask<Measured>({})
    await sleep(500)
    await measured()
    await work(hub, measured)
  } finally {
    child.kill('SIGKILL')
  }
}

async function ask({ port, secret }: Filled, path: string): Promise<IncomingMessage> {
  const asked = request({ port, path, agent: false, headers: { authorization: `Bearer ${secret}` } })
  asked.end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return response
}

async function bytesOf(response: IncomingMessage): Promise<number> {
  let bytes = 0
  for await (const chunk of response) bytes += chunk.length
  return bytes
}

const counted = (what: string, ...figures: readonly (string | number)[]) =>
  process.stdout.write(`${what}: ${figures.join(', ')}\n`)

async function listed(name: string, filling: Filling, parallel: number, turn_ms: number): Promise<void> {
  await withHub(filling, async (hub, measured) => {
    const begun = performance.now()
    let one = 0
    const health = await healthOf(hub, async () => {
      one = await bytesOf(await ask(hub, hub.path))
    })
    const alone_ms = Math.round(performance.now() - begun)
    const alone = await measured()
    counted(`${name}, one`, `${one} bytes`, `${alone_ms} ms`, told(health), JSON.stringify(alone))
    const from = performance.now()
    const many = async () => {
      const response = await ask(hub, hub.path)
      return { status: response.statusCode, bytes: await bytesOf(response) }
    }
    let answers: readonly Awaited<ReturnType<typeof many>>[] = []
    const healthOfMany = await healthOf(hub, async () => {
      answers = await Promise.all(Array.from({ length: parallel }, many))
    })
    const together = await measured()
    counted(
      `${name}, ${parallel} at once`,
      `${Math.round(performance.now() - from)} ms`,
      told(healthOfMany),
      `${answers.filter(({ status }) => status === 200).length} whole`,
      JSON.stringify(together)
    )
    for (const { status, bytes } of answers) assert.ok(status === 503 || (status === 200 && bytes === one))
    assert.ok(answers.some(({ status }) => status === 200))
    assert.ok(together.peakRss_MB < RSS_LIMIT_MB, `${together.peakRss_MB} MB`)
    assert.ok(isPrompt(health) && isPrompt(healthOfMany))
    assert.ok(alone.longestTurn_ms <= turn_ms, `a turn of ${alone.longestTurn_ms} ms`)
  })
}

const sqlite = async (work: (db: unknown) => Promise<void>) => {
  const directory = await temporaryDirectory()
  await work({ driver: 'sqlite', path: join(directory.path, 'hub.db') })
}
const postgres = async (work: (db: unknown) => Promise<void>) => {
  const database = await postgresDatabase('limits')
  assert.ok(database)
  await work(database.config)
}

for (const [name, needs, on] of [
  ['sqlite', [], sqlite],
  ['postgres', ['postgres'], postgres]
] as const) {
  const test = suite(`large lists on ${name}`, { needs })
  test(
    `a list of 31 MB on ${name}: one, and ${PARALLEL} at once`,
    () => on((db) => listed(`31 MB on ${name}`, { db, ...MANY }, PARALLEL, TURN_LIMIT_MS)),
    TIMEOUT
  )

  // A single record of 8 MB is read in one piece.
  test(
    `a list of 25 documents of 8 MB on ${name}`,
    () => on((db) => listed(`25 x 8 MB on ${name}`, { db, documents: 25, bytes: 7 * MB }, 3, 3 * TURN_LIMIT_MS)),
    TIMEOUT
  )

  test(
    `${PARALLEL} clients on ${name} that do not read a list of 31 MB`,
    () =>
      on((db) =>
        withHub({ db, ...MANY }, async (hub, measured) => {
          const clients = Array.from({ length: PARALLEL }, () => ask(hub, hub.path))
          const health = await healthOf(hub, () => Promise.all([...clients, sleep(5000)]))
          const { peakRss_MB } = await measured()
          counted(`not read on ${name}`, told(health), `${peakRss_MB} MB`)
          assert.ok(isPrompt(health))
          assert.ok(peakRss_MB < RSS_LIMIT_MB, `${peakRss_MB} MB`)
        })
      ),
    TIMEOUT
  )

  test.run()
}
