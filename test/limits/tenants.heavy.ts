import { randomInt } from 'node:crypto'
import { appendFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { type Home, newHome } from '../cli/support.js'
import { requestContent } from '../http/content.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'

/** 1 is a hundred thousand calls. By default a twentieth. */
const SCALE = Number(process.env.HUB_LIMITS_SCALE ?? 0.05)
const CALLS = Math.round(100_000 * SCALE)
/** So many at once; of these a few wait for the step at which refusals go out. */
const AT_ONCE = 200
/** How far refusals at a tenant that is there may be from those at one that is not. */
const MEDIAN_APART_MS = 15
const P95_APART = 0.25

const THERE = ['alpha', 'beta', 'churn'] as const
const NOWHERE = 'ghost'
type Team = (typeof THERE)[number]
const wordOf = (team: string) => `quokka${team}`

const withId = z.object({ id: z.string() })
const ids = z.object({ collections: z.array(withId) })

/** What one team has: its people's tokens and the ids of its records. */
interface Has {
  readonly admin: string
  readonly user: string
  readonly userId: string
  readonly collections: string[]
  readonly requests: string[]
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly took_ms: number
}

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })

interface Asking {
  readonly method: string
  readonly path: string
  readonly token: string
  readonly team: string
  readonly body?: unknown
}

function ask(port: number, { method, path, token, team, body }: Asking): Promise<Answer> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const asked = request({
      ...{ agent, host: '127.0.0.1', port, method, path },
      headers: {
        authorization: `Bearer ${token}`,
        'x-harbor-tenant': team,
        ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
      }
    })
    asked.once('error', reject)
    asked.once('response', (response) => {
      let all = ''
      response.setEncoding('utf8').on('data', (some: string) => {
        all += some
      })
      response.once('error', reject)
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, text: all, took_ms: performance.now() - began })
      )
    })
    asked.end(text)
  })
}

const oneOf = <T>(all: readonly T[]): T => {
  const one = all[randomInt(all.length)]
  if (one === undefined) throw new Error('There is nothing to choose from')
  return one
}

/** A call with ids of anybody, of a kind that reads or writes. */
function anyCall(collection: string, record: string, user: string, word: string): Omit<Asking, 'token' | 'team'> {
  return oneOf([
    { method: 'GET', path: '/collections' },
    { method: 'GET', path: `/collections/${collection}/requests` },
    { method: 'GET', path: `/collections/${collection}/tree` },
    { method: 'GET', path: `/collections/${collection}/activity` },
    { method: 'GET', path: `/requests/${record}/discussions` },
    { method: 'PUT', path: `/requests/${record}`, body: { ...requestContent, collectionId: collection, name: word } },
    { method: 'PUT', path: `/requests/${record}/move`, body: { folderId: null, index: 0 } },
    { method: 'POST', path: '/collections', body: { name: word } },
    { method: 'POST', path: `/collections/${collection}/requests`, body: { ...requestContent, name: word } },
    { method: 'POST', path: `/requests/${record}/discussions`, body: { body: word } },
    { method: 'GET', path: `/search?q=${word}` },
    { method: 'GET', path: '/notices' },
    { method: 'GET', path: '/notices/unread-count' },
    { method: 'GET', path: '/auth/session' },
    { method: 'GET', path: `/auth/users/${user}/avatar` },
    { method: 'GET', path: '/admin/users' },
    { method: 'GET', path: `/admin/users/${user}` },
    { method: 'PUT', path: `/admin/users/${user}`, body: { collectionAccess: ['*'] } },
    { method: 'GET', path: '/admin/audit' },
    { method: 'GET', path: '/admin/status' },
    { method: 'GET', path: '/admin/throttle' },
    { method: 'GET', path: '/admin/tokens' },
    { method: 'POST', path: '/changes/tickets' },
    { method: 'GET', path: '/deleted' }
  ])
}

async function made(home: Home, port: number, team: Team): Promise<Has> {
  const cli = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await home.here(...args)
    assert.is(code, 0, stderr)
    return stdout
  }
  await cli('tenant', 'create', team, '--name', `Team ${wordOf(team)}`)
  const people = ['--tenant', team, '--name'] as const
  const secretIn = (text: string) => /hbk_[\w-]{49}/.exec(text)?.[0] ?? ''
  const admin = secretIn(await cli('user', 'create', ...people, `admin ${wordOf(team)}`, '--role', 'admin'))
  const told = await cli('user', 'create', ...people, wordOf(team), '--role', 'user', '--collection-access', '*')
  const user = secretIn(told)
  const userId = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(told)?.[0] ?? ''
  const has: Has = { admin, user, userId, collections: [], requests: [] }
  const make = async (path: string, body: object) => {
    const { status, text } = await ask(port, { method: 'POST', path, token: user, team, body })
    assert.ok(status < 300, text)
    return withId.parse(JSON.parse(text)).id
  }
  for (let i = 0; i < 3; i++) {
    const id = await make('/collections', { name: `${wordOf(team)} ${i}` })
    has.collections.push(id)
    has.requests.push(await make(`/collections/${id}/requests`, { ...requestContent, name: wordOf(team) }))
  }
  return has
}

/** Moves a tenant there and back, and deletes it and has it again from its export, until all is over. */
async function churn(home: Home, isOver: () => boolean): Promise<number> {
  const file = join(home.path, 'churn.backup')
  for (let rounds = 0; ; rounds++) {
    for (const args of [
      ['move', 'churn', '--database', 'east'],
      ['move', 'churn', '--database', 'hub'],
      ['export', 'churn', file, '--force'],
      ['delete', 'churn', '--yes'],
      ['import', 'churn', file, '--name', 'Team again', '--database', 'east']
    ]) {
      const { code, stderr } = await home.hub('tenant', ...args)
      assert.is(code, 0, `${args.join(' ')}: ${stderr}`)
      await sleep(50)
    }
    rmSync(file, { force: true })
    if (isOver()) return rounds + 1
  }
}

const at = (sorted: readonly number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
const figures = (times: readonly number[]) => {
  const sorted = times.toSorted((a, b) => a - b)
  return { count: sorted.length, median_ms: at(sorted, 0.5), p95_ms: at(sorted, 0.95) }
}

const test = suite('tenants under a heap of swapped calls')

test(
  `of ${CALLS} calls with swapped ids, tokens and tenants none reads what is another's, while one is moved, deleted and restored`,
  async () => {
    const home = await newHome()
    const port = await freePort()
    home.configure({ port, redis: '{driver: memory, maxFailures: 1000000000, maxFailuresPerAddress: 100000000}' })
    appendFileSync(
      join(home.path, 'server.yaml'),
      'logging: {level: warn}\nmultitenancy: {enabled: true, databases: {east: {driver: sqlite, path: east/hub.sqlite}}}\n'
    )
    const server = await home.start(['start', '--init'], 'HUB_ADMIN')
    try {
      const has = new Map<string, Has>()
      for (const team of THERE) has.set(team, await made(home, port, team))
      const of = (team: string): Has => {
        const own = has.get(team)
        if (!own) throw new Error(`There is no ${team}`)
        return own
      }
      const statuses = new Map<string, number>()
      const refusals = { there: [] as number[], nowhere: [] as number[] }
      const acknowledged = new Map<string, Set<string>>(THERE.map((team) => [team, new Set(of(team).collections)]))
      let left = CALLS
      let isOver = false
      const churned = churn(home, () => isOver)
      churned.catch(() => {})

      const one = async () => {
        const team = oneOf([...THERE, NOWHERE])
        const whose = oneOf(THERE)
        const stranger = oneOf(THERE)
        const { collections, requests, userId } = of(stranger)
        const isKnown = randomInt(4) > 0
        const holder = of(isKnown ? (team === NOWHERE ? whose : team) : whose)
        const token = oneOf([holder.admin, holder.user])
        const isOwn = team !== NOWHERE && [of(team).admin, of(team).user].includes(token)
        const call = anyCall(oneOf(collections), oneOf(requests), userId, wordOf(team))
        const { status, text, took_ms } = await ask(port, { ...call, token, team })
        const what = `${call.method} ${call.path} of ${stranger} at ${team}: ${status} ${text.slice(0, 400)}`
        for (const other of THERE) if (other !== team) assert.not.ok(text.includes(wordOf(other)), what)
        statuses.set(
          `${isOwn ? 'own' : 'other'} ${status}`,
          (statuses.get(`${isOwn ? 'own' : 'other'} ${status}`) ?? 0) + 1
        )
        if (!isOwn) {
          assert.ok(status === 401 || (team === 'churn' && status === 503), what)
          if (status === 401 && team !== 'churn') refusals[team === NOWHERE ? 'nowhere' : 'there'].push(took_ms)
        } else if (team === 'churn') assert.is.not(status, 500, what)
        else assert.ok(status < 500 && status !== 401, what)
        if (isOwn && status < 300 && call.method === 'POST' && call.path === '/collections')
          acknowledged.get(team)?.add(withId.parse(JSON.parse(text)).id)
      }
      const began = performance.now()
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          while (left-- > 0) await one()
        })
      )
      const seconds = (performance.now() - began) / 1000
      isOver = true
      const rounds = await churned

      for (const team of THERE) {
        const { status, text } = await ask(port, { method: 'GET', path: '/collections', token: of(team).user, team })
        assert.is(status, 200, text)
        const held = ids.parse(JSON.parse(text)).collections.map(({ id }) => id)
        const expected = acknowledged.get(team) ?? new Set()
        const strange = held.filter((id) => THERE.some((other) => other !== team && acknowledged.get(other)?.has(id)))
        assert.equal(strange, [], `${team} has what is another's`)
        // What somebody has written between an export and the deletion is in no backup.
        if (team !== 'churn') assert.equal(new Set(held), expected, `${team} has what it was told that it has`)
      }
      const [there, nowhere] = [figures(refusals.there), figures(refusals.nowhere)]
      const shown = (f: typeof there) =>
        `median ${f.median_ms.toFixed(1)} ms, p95 ${f.p95_ms.toFixed(1)} ms of ${f.count}`
      process.stdout.write(
        `  ${CALLS} calls in ${seconds.toFixed(0)} s, ${rounds} rounds of moves, deletion and import; ` +
          `${[...statuses]
            .toSorted()
            .map(([status, count]) => `${status}: ${count}`)
            .join(', ')}\n` +
          `  refused where a tenant is: ${shown(there)}; where none is: ${shown(nowhere)}\n`
      )
      assert.ok(Math.abs(there.median_ms - nowhere.median_ms) < MEDIAN_APART_MS, 'medians tell a tenant')
      assert.ok(Math.abs(there.p95_ms - nowhere.p95_ms) < P95_APART * nowhere.p95_ms, 'p95 tell a tenant')
    } catch (error) {
      process.stdout.write(`${server.stdout().slice(-4000)}\n`)
      throw error
    } finally {
      agent.destroy()
      await server.stop()
    }
  },
  { timeout_ms: 1_500_000 }
)

test.run()
