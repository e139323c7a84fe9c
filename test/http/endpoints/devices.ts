import { createHash, randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { fields, holds, idsOf, records } from '../client.js'
import { aDevice, encryption, enrolled } from '../encryption.js'
import { type Row, refuses, requestOf, works } from '../endpoint.js'
import type { World } from '../world.js'

const OFF = 'Device enrollment is only available on Team Hubs with discussion E2EE enabled.'
const NO_DEVICE = 'Device not found'

/** Rows of hubs whose discussions are encrypted: on others every one of them is 404, whoever asks. */
export const encrypted = (rows: readonly Row[]): readonly Row[] =>
  rows.map((row) => {
    const sample = async (world: World) => {
      await encryption(world, true)
      return row.sample(world)
    }
    const cases = (row.cases ?? []).map((one) => ({
      ...one,
      make: async (world: World) => {
        await encryption(world, true)
        return requestOf(row, one, world)
      }
    }))
    const off = refuses(
      404,
      OFF,
      'the discussions of the hub are not encrypted, for an administrator',
      async (world) => {
        const { by: _, ...sent } = await sample(world)
        await encryption(world, false)
        return { ...sent, by: 'admin' }
      }
    )
    return { ...row, sample, cases: [...cases, off] }
  })

const ofOwner = async (world: World, as = world.owner) => ({ params: { id: await enrolled(world, randomUUID(), as) } })
const revoked = refuses(404, NO_DEVICE, 'it is revoked', async (world) => {
  const { params } = await ofOwner(world)
  await world.by(world.owner).delete(`/devices/${params.id}`)
  return { params }
})
const others = {
  ...{ 'a user without access': 404, 'a user with this id': 404, 'a user with *': 404 },
  'an administrator': 404
} as const

/** Devices that people encrypt comments with. */
export const deviceRows: readonly Row[] = encrypted([
  {
    row: 'POST /devices',
    sample: async (world) => ({ by: await world.user(), body: aDevice() }),
    cases: [
      works('a device: its fingerprint is shown, and its key is not', async (world) => {
        const by = await world.user()
        const body = { ...aDevice(), label: ' Lee laptop ', publicKeyMaterial: '  key text\n' }
        return {
          by,
          body,
          check: (reply) => {
            const { device } = fields(reply.body)
            const fingerprint = createHash('sha256').update('key text').digest('hex')
            holds(device, {
              ...{ userId: by.id, deviceId: body.deviceId, label: 'Lee laptop', keyFormat: 'identity-v1' },
              ...{ fingerprint, fingerprintPrefix: fingerprint.slice(0, 8), revokedAt: null },
              lastSeenAt: fields(device).createdAt
            })
            assert.not.ok(reply.text.includes('key text'))
          }
        }
      }),
      works('a key package', { body: { keyFormat: 'mls-key-package' } }),
      ...[{ label: ' \t' }, { label: 'a\0b' }, { label: '\u{d83d}' }, { publicKeyMaterial: ' ' }].map((body) =>
        refuses(400, null, `the device ${JSON.stringify(body)}`, { body })
      )
    ]
  },
  {
    row: 'GET /devices',
    sample: () => ({}),
    cases: [
      works('one’s own, those that are revoked too, newest first', async (world) => {
        const by = await world.user()
        const [first, second] = [await enrolled(world, randomUUID(), by), await enrolled(world, randomUUID(), by)]
        await world.by(by).delete(`/devices/${first}`)
        return {
          by,
          check: (reply) => {
            const devices = records(reply, 'devices')
            assert.equal(new Set(devices.map(({ id }) => id)), new Set([first, second]))
            const times = devices.map(({ createdAt }) => String(createdAt))
            assert.equal(times, times.toSorted().toReversed())
            assert.is.not(devices.find(({ id }) => id === first)?.revokedAt, null)
          }
        }
      })
    ]
  },
  {
    row: 'DELETE /devices/:id',
    matrix: others,
    texts: Object.fromEntries(Object.keys(others).map((who) => [who, NO_DEVICE])),
    sample: ofOwner,
    cases: [
      works('one’s own: its id may be enrolled again, as another device', async (world) => {
        const [by, deviceId] = [await world.user(), randomUUID()]
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
      revoked
    ]
  },
  {
    row: 'GET /admin/device-keys',
    sample: () => ({}),
    cases: [
      works('those of all accounts', async (world) => {
        const made = [
          await enrolled(world, randomUUID(), await world.user()),
          await enrolled(world, randomUUID(), await world.user())
        ]
        return { check: (reply) => assert.equal(new Set(idsOf(reply, 'devices').slice(0, 2)), new Set(made)) }
      })
    ]
  },
  {
    row: 'GET /admin/users/:id/devices',
    sample: ({ owner }) => ({ params: { id: owner.id } }),
    cases: [
      works('those of the account', async (world) => {
        const { id, ...user } = await world.user()
        const made = await enrolled(world, randomUUID(), { id, ...user })
        return { params: { id }, check: (reply) => assert.equal(idsOf(reply, 'devices'), [made]) }
      })
    ]
  },
  {
    row: 'DELETE /admin/device-keys/:id',
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
      revoked
    ]
  }
])
