import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { LIMITS } from '../../src/limits.js'
import { postgresDatabase } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { changeIn } from '../webhooks/receiver.js'
import type { Sent } from './support/send.js'
import { besiege, type Sections, type Siege } from './support/siege.js'

/** 1 is the size at which one account once delayed everybody's webhooks by minutes, 2 twice that; by default a half. */
const SCALE = Number(process.env.HUB_LIMITS_SCALE ?? 0.5)
/** An account has so many webhooks at most, so twice as many are of two. */
const ATTACKERS = Math.max(1, SCALE)
const SLOW = Math.round(LIMITS.webhooksOfOne.max * Math.min(1, SCALE))
const CHANGES = 20
const MEASURED = Math.round(40 * SCALE)
/** A slow receiver takes what it gets, just before the hub gives it up. */
const SLOW_MS = 9000
/** Minutes are too long; everything below is the machine's. */
const DELAY_MAX_MS = 5000

const withId = z.object({ id: z.string() })
const withSecret = z.object({ secret: z.string() })

/** Takes changes at `/fast` at once and at `/slow` late. */
async function startReceiver() {
  const arrivals = new Map<string, (at: number) => void>()
  const held = { now: 0, most: 0, taken: 0 }
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (request.url === '/fast') arrivals.get(changeIn({ body }).id)?.(performance.now())
    else {
      held.most = Math.max(held.most, ++held.now)
      await sleep(SLOW_MS, undefined, { ref: false })
      held.now--
      held.taken++
    }
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, arrivals, held, close: () => server.close().closeAllConnections() }
}

type Post = (token: string, path: string, body: object) => Promise<string>

/** A user with so many webhooks at a URL, for a collection of their own; returns what makes a folder in it. */
async function subscribed(post: Post, admin: string, name: string, url: string, count: number) {
  const made = await post(admin, '/admin/users', { name, role: 'user', collectionAccess: ['*'] })
  const { secret } = withSecret.parse(JSON.parse(made))
  const { id: collectionId } = withId.parse(JSON.parse(await post(secret, '/collections', { name })))
  const asked = { url, types: ['FolderCreated'], collectionId }
  for (let i = 0; i < count; i++) await post(secret, '/webhooks', asked)
  const change = async () =>
    withId.parse(JSON.parse(await post(secret, `/collections/${collectionId}/folders`, { name: 'Folder' }))).id
  return { secret, asked, change }
}

async function besieged(sections: Sections): Promise<void> {
  const receiver = await startReceiver()
  const more = 'webhooks: {keyFile: ./webhook-key, allowPrivateAddresses: [127.0.0.1]}\n'
  const siege = await besiege(512, { ...sections, more })
  try {
    await delays(siege, receiver)
  } finally {
    await siege.end()
    receiver.close()
  }
}

async function delays({ send, use, admin }: Siege, receiver: Awaited<ReturnType<typeof startReceiver>>) {
  const sent: Sent[] = []
  const post: Post = async (token, path, body) => {
    const answer = await send('POST', path, { token, body: JSON.stringify(body) })
    sent.push(answer)
    assert.match(answer.outcome, /^2/, `${path}: ${answer.text}`)
    return answer.text
  }
  const fast = await subscribed(post, admin, 'Fast', `${receiver.url}/fast`, 1)
  const measured = async () => {
    const times: number[] = []
    for (let i = 0; i < MEASURED; i++) {
      const from = performance.now()
      const id = await fast.change()
      times.push((await new Promise<number>((resolve) => receiver.arrivals.set(id, resolve))) - from)
      await sleep(500)
    }
    return times.sort((a, b) => a - b)
  }
  const told = (times: readonly number[]) =>
    `median ${Math.round(times[times.length >> 1] ?? 0)} ms, at most ${Math.round(times.at(-1) ?? 0)} ms of ${times.length}`
  const alone = await measured()
  await use(`${SLOW * ATTACKERS} slow webhooks of ${ATTACKERS} beside a fast one of another`, async () => {
    for (let i = 0; i < ATTACKERS; i++) {
      const slow = await subscribed(post, admin, `Slow ${i}`, `${receiver.url}/slow`, SLOW)
      if (SLOW === LIMITS.webhooksOfOne.max)
        assert.is(
          (await send('POST', '/webhooks', { token: slow.secret, body: JSON.stringify(slow.asked) })).outcome,
          '409'
        )
      for (let j = 0; j < CHANGES; j++) await slow.change()
    }
    const beside = await measured()
    const { most, taken } = receiver.held
    process.stdout.write(
      `    the fast one's deliveries: alone ${told(alone)}; beside the slow ones ${told(beside)}; ` +
        `slow ones: ${most} at once, ${taken} taken\n`
    )
    assert.ok((beside.at(-1) ?? 0) < DELAY_MAX_MS, 'The slow ones delayed the fast one.')
    assert.ok(most <= LIMITS.webhooksAtOnce.max, 'There are more at once than may be.')
    return sent
  })
}

const OPTIONS = { timeout_ms: 1_500_000 }
const SENTENCE = 'one account is told at once while others’ receivers are slow, and the hub stays well'

const embedded = suite('slow webhooks on SQLite')
embedded(SENTENCE, () => besieged({}), OPTIONS)
embedded.run()

const served = suite('slow webhooks on Postgres', { needs: ['postgres'] })
served(
  SENTENCE,
  async () => {
    const database = await postgresDatabase('slow_webhooks')
    assert.ok(database)
    await besieged({ db: JSON.stringify(database.config) })
  },
  OPTIONS
)
served.run()
