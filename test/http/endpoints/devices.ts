import { createHash, randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { fields, records } from '../client.js'
import { device } from '../deviceShapes.js'
import { aDevice, encryption, enrolled } from '../encryption.js'
import { type Endpoint, refuses, works } from '../endpoint.js'
import { exactly, listOf } from '../shapes.js'
import type { Account } from '../support.js'
import type { World } from '../world.js'

const OFF = 'Device enrollment is only available on Team Hubs with discussion E2EE enabled.'
const NO_DEVICE = 'Device not found'

/** Rows of hubs whose discussions are encrypted: on others every one of them is 404, whoever asks. */
export const encrypted = (rows: readonly Endpoint[]): readonly Endpoint[] =>
  rows.map((endpoint) => {
    const sample = async (world: World) => {
      await encryption(world, true)
      return endpoint.sample(world)
    }
    const onHub = endpoint.cases.map((one) => ({
      ...one,
      make: async (world: World) => {
        await encryption(world, true)
        return one.make(world)
      }
    }))
    const whereOff = (when: string, by: (world: World) => Account) =>
      refuses(404, OFF, when, async (world) => {
        const sent = await sample(world)
        await encryption(world, false)
        return { ...sent, by: by(world) }
      })
    const off = [
      whereOff('the discussions of the hub are not encrypted, for a user', ({ owner }) => owner),
      whereOff('the discussions of the hub are not encrypted, for an administrator', ({ admin }) => admin)
    ]
    return { ...endpoint, refusals: [...new Set([...endpoint.refusals, 404])], sample, cases: [...onHub, ...off] }
  })

/** A device that somebody has enrolled and revokes again in the end, so that nobody has too many. */
const ofOwner = async (world: World, as = world.owner) => ({ params: { id: await enrolled(world, randomUUID(), as) } })
const unknown = () => ({ params: { id: randomUUID() } })
const revoked = async (world: World) => {
  const { params } = await ofOwner(world)
  await world.by(world.owner).delete(`/devices/${params.id}`)
  return { params }
}
const others = {
  ...{ 'a user without access': 404, 'a user with this id': 404, 'a user with *': 404 },
  'an administrator': 404
} as const
const notTheirs = Object.fromEntries(Object.keys(others).map((who) => [who, NO_DEVICE]))

const enrolling = (when: string, body: (world: World) => object, error: string | null = null) =>
  refuses(400, error, when, (world) => ({ body: body(world) }))

/** Devices that people encrypt comments with. */
export const deviceEndpoints: readonly Endpoint[] = encrypted([
  {
    row: 'POST /devices',
    access: 'any',
    success: 201,
    refusals: [400, 409],
    sample: async (world) => ({ by: await world.user(), body: aDevice() }),
    cases: [
      works('a device: its fingerprint is shown, and its key is not', async (world) => {
        const by = await world.user()
        const body = { ...aDevice(), label: ' Lee laptop ', publicKeyMaterial: '  key text\n' }
        return {
          by,
          body,
          check: (reply) => {
            const { device: made, ...rest } = fields(reply.body)
            assert.equal(rest, {})
            const { id: _, createdAt, ...shown } = exactly(device, made)
            const fingerprint = createHash('sha256').update('key text').digest('hex')
            assert.equal(shown, {
              ...{ userId: by.id, deviceId: body.deviceId, label: 'Lee laptop', keyFormat: 'identity-v1' },
              ...{ fingerprint, fingerprintPrefix: fingerprint.slice(0, 8), lastSeenAt: createdAt, revokedAt: null }
            })
            assert.not.ok(reply.text.includes('key text'))
          }
        }
      }),
      works('a key package', async (world) => ({
        by: await world.user(),
        body: { ...aDevice(), keyFormat: 'mls-key-package' }
      })),
      works('an id that somebody else has enrolled', async (world) => {
        const deviceId = randomUUID()
        await enrolled(world, deviceId, await world.user())
        return { by: await world.user(), body: aDevice(deviceId) }
      }),
      refuses(409, 'This device is already enrolled.', 'it is enrolled', async (world) => {
        const by = await world.user()
        const deviceId = randomUUID()
        await enrolled(world, deviceId, by)
        return { by, body: aDevice(deviceId) }
      }),
      enrolling('no id', () => ({ ...aDevice(), deviceId: undefined })),
      enrolling('an id of another version', () => aDevice('0b6e7a3c-1f6f-1a53-9d0e-3f2b8b1c9d10')),
      enrolling('a blank label', () => ({ ...aDevice(), label: ' \t' })),
      enrolling('a label that is too long', () => ({ ...aDevice(), label: 'x'.repeat(129) })),
      enrolling('a label with NUL', () => ({ ...aDevice(), label: 'a\0b' })),
      enrolling('a label of half a character', () => ({ ...aDevice(), label: '\u{d83d}' })),
      enrolling('a blank key', () => ({ ...aDevice(), publicKeyMaterial: ' ' })),
      enrolling('a key that is too long', () => ({ ...aDevice(), publicKeyMaterial: 'x'.repeat(65_537) })),
      enrolling('another format of key', () => ({ ...aDevice(), keyFormat: 'pgp' }))
    ]
  },
  {
    row: 'GET /devices',
    access: 'any',
    success: 200,
    refusals: [400],
    sample: () => ({}),
    cases: [
      works('one’s own, those that are revoked too, newest first', async (world) => {
        const by = await world.user()
        const first = await enrolled(world, randomUUID(), by)
        const second = await enrolled(world, randomUUID(), by)
        await world.by(by).delete(`/devices/${first}`)
        return {
          by,
          check: ({ body }) => {
            const { devices } = exactly(listOf('devices', device), body)
            assert.equal(new Set(devices?.map(({ id }) => id)), new Set([first, second]))
            const times = devices?.map(({ createdAt }) => createdAt) ?? []
            assert.equal(times, times.toSorted().toReversed())
            assert.is.not(devices?.find(({ id }) => id === first)?.revokedAt, null)
          }
        }
      }),
      refuses(400, null, 'a page of no size', () => ({ query: 'limit=0' }))
    ]
  },
  {
    row: 'DELETE /devices/:id',
    access: 'any',
    success: 204,
    refusals: [404],
    matrix: others,
    texts: notTheirs,
    sample: ofOwner,
    cases: [
      works('one’s own: its id may be enrolled again, as another device', async (world) => {
        const by = await world.user()
        const deviceId = randomUUID()
        const id = await enrolled(world, deviceId, by)
        return {
          by,
          params: { id },
          check: async () => {
            assert.is.not(await enrolled(world, deviceId, by), id)
            assert.is(records(await world.by(by).get('/devices'), 'devices').length, 2)
          }
        }
      }),
      refuses(404, NO_DEVICE, 'an unknown one', unknown),
      refuses(404, NO_DEVICE, 'it is revoked', revoked),
      refuses(404, NO_DEVICE, 'somebody else’s', async (world) => ({
        ...(await ofOwner(world)),
        by: world.colleague
      }))
    ]
  },
  {
    row: 'GET /admin/device-keys',
    access: 'admin',
    success: 200,
    refusals: [400, 403],
    sample: () => ({}),
    cases: [
      works('those of all accounts', async (world) => {
        const [one, other] = [await world.user(), await world.user()]
        const made = [await enrolled(world, randomUUID(), one), await enrolled(world, randomUUID(), other)]
        return {
          check: ({ body }) => {
            const { devices } = exactly(listOf('devices', device), body)
            assert.equal(new Set(devices?.slice(0, 2).map(({ id }) => id)), new Set(made))
          }
        }
      }),
      refuses(400, null, 'a cursor of nothing', () => ({ query: 'cursor=nonsense' }))
    ]
  },
  {
    row: 'GET /admin/users/:id/devices',
    access: 'admin',
    success: 200,
    refusals: [403, 404],
    sample: ({ owner }) => ({ params: { id: owner.id } }),
    cases: [
      works('those of the account', async (world) => {
        const user = await world.user()
        const made = await enrolled(world, randomUUID(), user)
        return {
          params: { id: user.id },
          check: ({ body }) => {
            const { devices } = exactly(listOf('devices', device), body)
            assert.equal(
              devices?.map(({ id, userId }) => [id, userId]),
              [[made, user.id]]
            )
          }
        }
      }),
      refuses(404, 'User not found', 'an unknown one', unknown)
    ]
  },
  {
    row: 'DELETE /admin/device-keys/:id',
    access: 'admin',
    success: 204,
    refusals: [403, 404],
    sample: ofOwner,
    cases: [
      works('anybody’s', async (world) => {
        const by = await world.user()
        return {
          ...(await ofOwner(world, by)),
          check: async () => {
            const [left] = records(await world.by(by).get('/devices'), 'devices')
            assert.is.not(left?.revokedAt, null)
          }
        }
      }),
      refuses(404, NO_DEVICE, 'an unknown one', unknown),
      refuses(404, NO_DEVICE, 'it is revoked', revoked)
    ]
  }
])
