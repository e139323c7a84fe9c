import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { postgresDatabase } from '../support/databases.js'
import { suite } from '../support/suite.js'
import type { Sent } from './support/send.js'
import { besiege, type Sections, type Siege } from './support/siege.js'

/** 1 is a hundred of the largest commits and as many welcomes, 2 twice that; by default a quarter. */
const SCALE = Number(process.env.HUB_LIMITS_SCALE ?? 0.25)
const COUNT = Math.round(100 * SCALE)
const AT_ONCE = 10
const LARGEST = 'x'.repeat(262_144)

const withId = z.object({ id: z.string() })
const withSecret = z.object({ secret: z.string() })

async function besieged(sections: Sections): Promise<void> {
  const siege = await besiege(512, { ...sections, more: 'collaboration: {e2ee: true}\n' })
  try {
    await attacked(siege)
  } finally {
    await siege.end()
  }
}

async function attacked({ send, use, admin, user }: Siege): Promise<void> {
  const ask = async (token: string, path: string, body: object) => {
    const answer = await send('POST', path, { token, body: JSON.stringify(body) })
    assert.match(answer.outcome, /^2/, `${path}: ${answer.text}`)
    return answer.text
  }
  const enrolled = async (token: string) => {
    const deviceId = randomUUID()
    await ask(token, '/devices', { deviceId, label: 'Laptop', publicKeyMaterial: 'MCowBQYDK2Vw' })
    return deviceId
  }
  const account = { name: 'Eve', role: 'user', collectionAccess: ['*'] }
  const { secret: eve } = withSecret.parse(JSON.parse(await ask(admin, '/admin/users', account)))
  const { id } = withId.parse(JSON.parse(await ask(user, '/collections', { name: 'Discussed' })))
  const [mine, eves] = [await enrolled(user), await enrolled(eve)]
  const mlsGroupId = `thread:collection:${id}`
  const state = `/discussion-mls/group-state/${encodeURIComponent(mlsGroupId)}`
  const commit = (token: string, senderDeviceId: string, epoch: number, ciphertext: string) => {
    const body = JSON.stringify({ mlsGroupId, epoch, ciphertext, senderDeviceId })
    return send('POST', '/discussion-mls/commits', { token, body })
  }
  const welcome = (token: string) => {
    const body = { mlsGroupId, recipientDeviceId: mine, ciphertext: LARGEST, ratchetTree: LARGEST }
    return send('POST', '/discussion-mls/welcomes', { token, body: JSON.stringify(body) })
  }

  await use('a member takes a group as far as they can', async () => {
    const sent: Sent[] = [await commit(eve, eves, 2 ** 31 - 1, 'x')]
    assert.is(sent[0]?.outcome, '409')
    for (let i = 0; i < COUNT; i++) sent.push(await commit(eve, eves, 9 + i * 10, LARGEST))
    return sent
  })
  await use('a member fills the box of a device', async () => {
    const sent: Sent[] = []
    for (let i = 0; i < COUNT; i += AT_ONCE)
      sent.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => welcome(eve)))))
    assert.is(sent.filter(({ outcome }) => outcome === '201').length, 5)
    return [...sent, await welcome(user)]
  })
  await use('the group begins anew', async () => {
    const sent = [await send('DELETE', state, { token: user }), await commit(user, mine, 0, 'x'), await welcome(user)]
    assert.equal(
      sent.map(({ outcome }) => outcome),
      ['204', '201', '201']
    )
    return [...sent, await send('DELETE', state, { token: admin })]
  })
}

const OPTIONS = { timeout_ms: 600_000 }
const SENTENCE = 'a member who sends all that they may freezes no group and fills no box, and the group begins anew'

const embedded = suite('the relay of devices on SQLite')
embedded(SENTENCE, () => besieged({}), OPTIONS)
embedded.run()

const served = suite('the relay of devices on Postgres', { needs: ['postgres'] })
served(
  SENTENCE,
  async () => {
    const database = await postgresDatabase('relay')
    assert.ok(database)
    await besieged({ db: JSON.stringify(database.config) })
  },
  OPTIONS
)
served.run()
