import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { NOT_STORABLE, storable } from '../../../commands/content.js'
import { usersTable } from '../../../commands/people/user/table.js'
import { deviceId } from '../../../commands/talk/comment/payload.js'
import type { DeviceRow } from '../../../commands/talk/device/decide.js'
import { DEVICE_KEY_FORMATS } from '../../../commands/talk/device/events.js'
import { devicesTable } from '../../../commands/talk/device/table.js'
import { deviceRecord, listDevices } from '../../../queries/devices.js'
import type { Hub } from '../../app/hub.js'
import { errors } from '../../errors.js'
import { boundedText, LIMITS } from '../../limits.js'
import { sha256 } from '../../log/chain.js'
import { fieldsOf, listAnswer } from '../answers.js'
import { device } from '../discussionAnswers.js'
import { freshList } from '../lists.js'
import { madeRow } from '../made.js'
import { type Paging, paging } from '../paging.js'
import { done, json, type Reply } from '../reply.js'
import { routes } from '../route.js'

const enrolment = z.object({
  deviceId: deviceId().describe('What the device calls itself: a UUID of version 4.'),
  label: boundedText(LIMITS.deviceLabel)
    .trim()
    .min(1, 'Must not be empty')
    .refine(storable, NOT_STORABLE)
    .describe('What people call it.'),
  publicKeyMaterial: boundedText(LIMITS.deviceKey)
    .trim()
    .min(1, 'Must not be empty')
    .refine(storable, NOT_STORABLE)
    .describe('Its public key. The hub keeps it as it is.'),
  keyFormat: z.enum(DEVICE_KEY_FORMATS).default('identity-v1').describe('What its key is.')
})

/** 404 where the hub's discussions are not encrypted. */
export function requireEncryption({ config }: Pick<Hub, 'config'>): void {
  if (!config.collaboration.e2ee) throw errors.encryptionOff()
}

/** Devices that people encrypt comments with: everybody sees to their own, administrators see all and revoke any. */
export function deviceRoutes(app: FastifyInstance): void {
  const route = routes(app, 'devices')
  const encrypted = { requires: requireEncryption }
  const devices = listAnswer('devices', device)
  const lists = { ...encrypted, refuses: [404], isTagged: true, query: paging } as const

  const enrolled = { 201: z.object({ device: device.describe('The device.') }) }
  route('POST', '/devices', 'enrollDevice', enrolled, {
    summary: 'Enrol a device of one’s own, with its public key',
    about:
      'The account enrols a `deviceId` once (409) until that is revoked. It has 50 devices at most; the oldest of the revoked ones make room. The key is never shown again, its fingerprint is. 404 where `collaboration.e2ee` is off.',
    ...encrypted,
    refuses: [404, 409],
    body: enrolment,
    takes: 'content',
    handle: async ({ body: { publicKeyMaterial: publicKey, ...rest }, hub, run }) => {
      const id = randomUUID()
      const outcome = await run({
        type: 'EnrollDevice',
        id,
        device: { ...rest, publicKey, fingerprint: sha256(publicKey) }
      })
      const row = await madeRow(hub, outcome, 'device', devicesTable, id)
      return json(`{"device":${deviceRecord(row)}}`, 201)
    }
  })

  route('GET', '/devices', 'listDevices', devices, {
    summary: 'List one’s own devices, newest first',
    about: 'Those that are revoked are listed too. 404 where `collaboration.e2ee` is off.',
    ...lists,
    handle: ({ hub, caller, query }) => devicesReply(hub, query, caller.userId)
  })

  route('DELETE', '/devices/:id', 'revokeDevice', null, {
    summary: 'Revoke a device of one’s own: it writes nothing any more',
    about:
      'What it has written stays, and its `deviceId` may be enrolled anew. To revoke it again changes nothing. 404 where `collaboration.e2ee` is off.',
    ...encrypted,
    handle: ({ params, run }) => done(run({ type: 'RevokeDevice', ...params }))
  })

  route('GET', '/admin/device-keys', 'listAllDevices', devices, {
    summary: 'List the devices of all accounts, newest first',
    about: 'Those that are revoked are listed too. 404 where `collaboration.e2ee` is off.',
    ...lists,
    handle: ({ hub, query }) => devicesReply(hub, query)
  })

  route('GET', '/admin/users/:id/devices', 'listDevicesOfUser', devices, {
    summary: 'List the devices of an account, newest first',
    about: 'Those that are revoked are listed too. 404 where `collaboration.e2ee` is off.',
    ...lists,
    handle: async ({ params, hub, readModel, query }) => {
      if (!(await readModel.get(usersTable, params.id))) throw errors.notFound('User')
      return devicesReply(hub, query, params.id)
    }
  })

  route('DELETE', '/admin/device-keys/:id', 'revokeDeviceAsAdmin', null, {
    summary: 'Revoke a device of any account',
    about: 'What it has written stays. To revoke it again changes nothing. 404 where `collaboration.e2ee` is off.',
    ...encrypted,
    handle: ({ params, run }) => done(run({ type: 'RevokeDeviceAsAdmin', ...params }))
  })
}

/** Devices of one account, or all of them. */
function devicesReply({ ledger: { readModel } }: Hub, asked: Paging, userId?: string): Promise<Reply> {
  const records = (rows: readonly DeviceRow[]) => rows.map(deviceRecord)
  return freshList(readModel, { ...listDevices(userId), name: 'devices', fields: fieldsOf(device), records }, asked)
}
