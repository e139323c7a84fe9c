import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { fields, text } from './client.js'
import { requestContent } from './content.js'
import { usualDrivers } from './drivers.js'
import { encryption, enrolled } from './encryption.js'
import { addressOf, type Sent } from './endpoint.js'
import { endpoints } from './endpoints/index.js'
import { hubSuite } from './hub-suite.js'
import type { Account } from './support.js'
import { isOfOwn, whyOwn } from './viewerOwn.js'
import { statusFor } from './who.js'
import { succeeded, type World } from './world.js'

/** Somebody who may look at a collection, and their way to make things in this world. */
interface Viewing {
  readonly world: World
  readonly viewer: Account
  readonly collectionId: string
}

async function granted({ world, viewer, collectionId }: Viewing, role: string): Promise<void> {
  const grants = [{ kind: 'collection', id: collectionId, role }]
  succeeded(await world.by(world.admin).put(`/admin/users/${viewer.id}/grants`, { grants }))
}

const payload = { harborclientExport: 'request-run-results', results: [{ status: 'passed' }] }
const HOOK = 'https://192.0.2.1/hook'

/** A webhook of the viewer, for the collection that they may look at. */
async function webhook({ world, viewer, collectionId }: Viewing): Promise<Sent> {
  const { body } = succeeded(await world.by(viewer).post('/webhooks', { url: HOOK, collectionId }))
  return { params: { id: text(fields(body).webhook, 'id') } }
}

/** What is a viewer's own, where the tables have what is somebody else's, by the operation that changes it. */
const OF_THEIRS: Readonly<Record<string, (viewing: Viewing) => Promise<Sent>>> = {
  deleteRunResult: async ({ world, viewer }) => ({
    params: { id: await world.make('run-results', { payload }, viewer) }
  }),
  async deleteComment(viewing) {
    const { world, viewer, collectionId } = viewing
    await granted(viewing, 'editor')
    const id = await world.make(`collections/${collectionId}/discussions`, { body: 'Why?' }, viewer)
    await granted(viewing, 'viewer')
    return { params: { id } }
  },
  // What they are told of came about while they could see it.
  async readNotice({ world, collectionId }) {
    const id = await world.request(collectionId)
    const body = { ...requestContent, collectionId, name: 'Next' }
    succeeded(await world.by(world.colleague).put(`/requests/${id}`, body))
    return { params: { id } }
  },
  async revokeDevice({ world, viewer }) {
    await encryption(world, true)
    return { params: { id: await enrolled(world, randomUUID(), viewer) } }
  },
  changeWebhook: async (viewing) => ({
    ...{ ...(await webhook(viewing)), body: { url: `${HOOK}2`, collectionId: viewing.collectionId } }
  }),
  deleteWebhook: webhook,
  rotateWebhookSecret: webhook,
  enableWebhook: webhook,
  replayWebhook: async (viewing) => ({ ...(await webhook(viewing)), body: { after: viewing.world.position() } }),
  testWebhook: webhook,
  async revokeOwnToken({ world, viewer }) {
    const { body } = succeeded(await world.by(viewer).post('/auth/tokens', { name: 'another' }))
    return { params: { id: text(fields(body).token, 'id') } }
  }
}

// Of what is of nobody else, and of what is made, the tables tell: see authorization.test.ts.
const ofTheirs = endpoints.filter(
  (endpoint) => isOfOwn(endpoint.route.description.operation) && statusFor(endpoint, 'a viewer') >= 400
)

for (const driver of usualDrivers) {
  const { test, world } = hubSuite('what those may do who may only look', driver)

  for (const { row, success, route } of ofTheirs) {
    const { operation } = route.description
    test(`${row} by a viewer, of their own: ${success}, since ${whyOwn(operation)}`, async () => {
      await encryption(world, false)
      const viewing = { world, viewer: await world.user(), collectionId: await world.collection() }
      await granted(viewing, 'viewer')
      const sent = await OF_THEIRS[operation]?.(viewing)
      if (!sent) throw new Error(`Nothing tells what of a viewer ${operation} changes`)
      const { token } = viewing.viewer
      const reply = succeeded(await world.hub.send({ ...addressOf({ row }, sent), token, body: sent.body }))
      assert.is(reply.status, success)
    })
  }

  test.run()
}
