import { readFileSync } from 'node:fs'
import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { LIMITS } from '../../src/limits.js'
import { newHome } from '../cli/support.js'
import { requestContent } from '../http/content.js'
import { freePort } from '../support/private-server.js'
import { suite } from '../support/suite.js'
import { firstStart } from '../whole/client.js'
import { send } from './support/send.js'

/** 1 is ten minutes. By default a twentieth, so that all of these tests take less than ten minutes. */
const SCALE = Number(process.env.HUB_LIMITS_SCALE ?? 0.05)
const FOLLOWERS = 500
const WRITERS = 50
const MINUTES = 10 * SCALE
/** So often each writer saves a request: together they tell 500 accounts of a dozen a second, on connections that no time-out ends between two. */
const PAUSE_MS = 4000
const MB = 1024 * 1024
const GROWTH_MAX_MB = 40

const withId = z.object({ id: z.string() })
const made = z.object({ user: withId, secret: z.string() })
const event = z.object({ noticeId: z.string(), unreadCount: z.number() })
const page = z.object({ notices: z.array(withId), nextCursor: z.string().optional() })
const count = z.object({ count: z.number() })

/** Somebody whose stream is open. */
interface Follower {
  readonly token: string
  readonly told: string[]
  lastCount: number
  response?: IncomingMessage
}

const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })

function open(base: string, follower: Follower): Promise<void> {
  const headers = { authorization: `Bearer ${follower.token}` }
  return new Promise((resolve, reject) => {
    get(`${base}/notices/stream`, { headers, agent }, (response) => {
      assert.is(response.statusCode, 200)
      follower.response = response.setEncoding('utf8')
      let rest = ''
      response.on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          if (!line.startsWith('data: ')) continue
          const { noticeId, unreadCount } = event.parse(JSON.parse(line.slice(6)))
          follower.told.push(noticeId)
          follower.lastCount = unreadCount
        }
      })
      response.on('error', () => {})
      resolve()
    }).on('error', reject)
  })
}

const residentOf = (pid: number) =>
  (Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024) / MB

type Ask = <T>(schema: z.ZodType<T>, method: string, path: string, token: string, body?: object) => Promise<T>

function asking(base: string): Ask {
  return async (schema, method, path, token, body) => {
    const sending = { token, kept: Number.POSITIVE_INFINITY, ...(body && { body: JSON.stringify(body) }) }
    const { outcome, text } = await send(base, method, path, sending)
    assert.ok(outcome.startsWith('2'), `${method} ${path}: ${outcome} ${text.slice(0, 200)}`)
    return schema.parse(JSON.parse(text))
  }
}

/** The list has everything that was saved, as far back as it goes, and the counts say the same. */
async function assertCounted(ask: Ask, { token, lastCount }: Follower, saved: number): Promise<void> {
  const ids: string[] = []
  for (let cursor = ''; ; ) {
    const { notices, nextCursor } = await ask(page, 'GET', `/notices?limit=100&cursor=${cursor}`, token)
    ids.push(...notices.map(({ id }) => id))
    if (nextCursor === undefined) break
    cursor = nextCursor
  }
  const unread = (await ask(count, 'GET', '/notices/unread-count', token)).count
  assert.equal([unread, lastCount, new Set(ids).size], [ids.length, ids.length, ids.length])
  assert.is(ids.length, Math.min(saved, LIMITS.noticed.max))
}

const test = suite('notices of a large team')

test(
  `${FOLLOWERS} followers are told of what ${WRITERS} writers do for ${MINUTES} minutes, each thing once; counts equal lists, and memory does not grow`,
  async () => {
    const home = await newHome()
    const port = await freePort()
    const base = `http://127.0.0.1:${port}`
    home.configure({ port })
    const { server, admin } = await firstStart(home, port)
    const followers: Follower[] = []
    try {
      const ask = asking(base)
      const account = (name: string) =>
        ask(made, 'POST', '/admin/users', admin, { name, role: 'user', collectionAccess: ['*'] })
      const writers = await Promise.all(Array.from({ length: WRITERS }, (_, i) => account(`Writer ${i}`)))
      for (let i = 0; i < FOLLOWERS; i++)
        followers.push({ token: (await account(`Follower ${i}`)).secret, told: [], lastCount: 0 })
      const [first] = writers
      const { id: collectionId } = await ask(withId, 'POST', '/collections', first?.secret ?? '', { name: 'Shared' })
      await Promise.all(followers.map((follower) => open(base, follower)))

      const saved: string[] = []
      const end = performance.now() + MINUTES * 60_000
      const resident: number[] = []
      const writes = writers.map(async ({ secret }, i) => {
        await sleep((i / WRITERS) * PAUSE_MS)
        while (performance.now() < end) {
          const path = `/collections/${collectionId}/requests`
          const { id } = await ask(withId, 'POST', path, secret, requestContent)
          await ask(withId, 'PUT', `/requests/${id}`, secret, { ...requestContent, collectionId, name: `Saved ${i}` })
          saved.push(id)
          await sleep(PAUSE_MS)
        }
      })
      const watch = (async () => {
        while (performance.now() < end) {
          await sleep(Math.max(1000, (MINUTES * 60_000) / 20))
          resident.push(residentOf(server.pid))
        }
      })()
      await Promise.all([...writes, watch])
      const late_ms = performance.now()
      while (followers.some(({ told }) => told.length < saved.length) && performance.now() - late_ms < 10_000)
        await sleep(50)
      const waited_ms = performance.now() - late_ms

      const expected = saved.toSorted()
      for (const { told } of followers) assert.equal(told.toSorted(), expected)
      for (const follower of [followers[0], followers[FOLLOWERS - 1]])
        if (follower) await assertCounted(ask, follower, saved.length)
      // What a process takes while it warms up is not growth.
      const half = resident.slice(Math.floor(resident.length / 2))
      const growth = Math.max(...half) - (half[0] ?? 0)
      process.stdout.write(
        `  ${saved.length} saves, ${saved.length * FOLLOWERS} notices, the last ${waited_ms.toFixed(0)} ms behind; ` +
          `resident ${resident.map((mb) => mb.toFixed(0)).join(' ')} MB\n`
      )
      assert.ok(growth < GROWTH_MAX_MB, `${growth.toFixed(0)} MB more in the second half`)
    } catch (error) {
      process.stdout.write(`${server.stdout().slice(-4000)}\n`)
      throw error
    } finally {
      for (const { response } of followers) response?.destroy()
      await server.stop()
    }
  },
  { timeout_ms: 1_500_000 }
)

test.run()
