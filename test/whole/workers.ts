import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { type Home, newHome, type Server } from '../cli/support.js'
import { postgresTestDatabase, type TestDatabase } from '../contract/databases.js'
import type { Body } from '../support/attempt.js'
import { type RedisSpace, redisSpace } from '../support/databases.js'
import { freePort } from '../support/private-server.js'
import { type Suite, suite } from '../support/suite.js'
import { type Call, firstStart } from './client.js'

export interface Answered {
  readonly status: number
  readonly body: string
}

export interface AskOptions {
  readonly method?: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** For a test that waits for several processes. */
export const PATIENT = { timeout_ms: 90_000 }
const REQUEST_LIMIT_MS = 15_000
/** More than there are workers. */
const SOME = 6

/** A hub that two workers serve, in a directory of its own. */
export interface TeamHub {
  readonly home: Home
  readonly port: number
  readonly server: Server
  readonly call: Call
  readonly admin: string
  readonly user: string
  /** Writes the configuration file again, with these sections or lines more. */
  configure(options?: { readonly workers?: number; readonly redis?: string; readonly more?: string }): void
  /** One request on a connection of its own: they go to the workers in turn. */
  ask(token: string, options: AskOptions): Promise<Answered>
  /** The same some times, so that each of the workers gets some. */
  askSome(token: string, options: AskOptions): Promise<readonly Answered[]>
  /** The processes that serve, once the log has named two. */
  both(): Promise<readonly number[]>
  /** The processes that serve, as the log names them that have answered anything since `from` bytes of it. */
  workers(from?: number): ReadonlySet<number>
  remove(): Promise<void>
}

/** Tests of hubs that two workers serve, each with a hub and a Postgres database of its own. */
export interface TeamSuite {
  readonly test: Suite
  /** A test that waits for several processes. */
  readonly patiently: (name: string, body: Body) => void
  readonly hub: () => TeamHub
  readonly database: () => TestDatabase
}

/** Declares a suite. Its hubs have these sections of the configuration beside. */
export function teamSuite(name: string, more = ''): TeamSuite {
  const test = suite(name, { needs: ['postgres', 'redis'] })
  let database: TestDatabase
  let hub: TeamHub
  test.before.each(async () => {
    database = await postgresTestDatabase()
    hub = await startTeam(JSON.stringify(database.config), more)
  })
  test.after.each(async () => {
    await hub?.remove()
    await database?.remove()
  })
  return { test, patiently: (name, body) => test(name, body, PATIENT), hub: () => hub, database: () => database }
}

/** Starts a hub with two workers on a database and a Redis of its own, with these sections of the configuration beside. */
export async function startTeam(db: string, more = ''): Promise<TeamHub> {
  const space = await redisSpace()
  if (!space) throw new Error('There is no Redis.')
  const [home, port] = [await newHome(), await freePort()]
  const configure: TeamHub['configure'] = ({ workers = 2, redis = redisSection(space), more = '' } = {}) =>
    writeFileSync(
      join(home.path, 'server.yaml'),
      [
        `server: {host: 127.0.0.1, port: ${port}, workers: ${workers}}`,
        `db: ${db}`,
        `redis: ${redis}`,
        'logging: {requests: true}',
        more
      ].join('\n')
    )
  const remove = async () => {
    await home.remove()
    await space.clear()
  }
  try {
    configure({ more })
    const started = await firstStart(home, port)
    const ask = (token: string, options: AskOptions) => askOnce(port, token, options)
    const workers = (from = 0) => workersIn(started.server.stdout().slice(from))
    const askSome: TeamHub['askSome'] = (token, options) =>
      Promise.all(Array.from({ length: SOME }, () => ask(token, options)))
    const both = async () => {
      await until(async () => {
        await askSome(started.user, { path: '/auth/session' })
        return workers().size >= 2
      })
      return [...workers()]
    }
    return { home, port, ...started, configure, ask, askSome, workers, both, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

function redisSection({ clear: _, ...redis }: RedisSpace): string {
  return JSON.stringify(redis)
}

function askOnce(port: number, token: string, { method = 'GET', path, body, headers }: AskOptions): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const json = body !== undefined && { 'content-type': 'application/json' }
    const all = { authorization: `Bearer ${token}`, ...json, ...headers }
    const call = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: all,
      agent: false,
      timeout: REQUEST_LIMIT_MS
    })
    call.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
      response.on('error', reject)
    })
    call.on('timeout', () => call.destroy(Object.assign(new Error('No answer'), { code: 'ETIMEDOUT' })))
    call.on('error', reject)
    call.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

const completed = z.object({ pid: z.number(), msg: z.literal('request completed') })

function workersIn(log: string): ReadonlySet<number> {
  const lines = log.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'))
  return new Set(
    lines.flatMap((line) => {
      const { data } = completed.safeParse(JSON.parse(line))
      return data ? [data.pid] : []
    })
  )
}

/** True while there is a process. */
export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20)
}
