import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { lineOf, rowsOf } from '../../projections/digest.js'
import { tables } from '../../projections/index.js'
import { writingToken } from '../agents/support.js'
import { randomOf } from '../faults/random.js'
import { isFull } from '../support/full.js'
import { fields, type Reply, records, text } from './client.js'
import { documentContent, requestContent } from './content.js'
import { usualDrivers } from './drivers.js'
import { encryption, enrolled } from './encryption.js'
import { addressOf, type Sample } from './endpoint.js'
import { endpoints } from './endpoints/index.js'
import { hubSuite } from './hub-suite.js'
import { grantsFor } from './people.js'
import type { Account } from './support.js'
import { isOwnRow } from './viewerOwn.js'
import { succeeded, type World } from './world.js'

/** What all of them together come to; single ones are in authorization.test.ts and viewers.test.ts. */
const CALLS = isFull ? 20_000 : 500
const AT_ONCE = 20
const SEED = 20_261

/** What is not called, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  signOut: 'it ends the token that calls',
  changeOwnAvatar: 'the avatar is in the row of the account, which is compared with the role and the grants in it'
}

interface Asked {
  readonly row: (typeof endpoints)[number]['row']
  readonly sample: Sample
}

/** A token of an account with which agents may write, and what its agent sends with it. */
interface Caller {
  readonly token: string
  readonly headers: Readonly<Record<string, string>>
}

async function callerFor(world: World, account: Account): Promise<Caller> {
  const { secret: token } = await writingToken(world.hub, account)
  const introduction = endpoints.find(({ row }) => row === 'POST /mcp')
  const sample = await introduction?.sample(world)
  const { headers } = succeeded(await world.hub.send({ method: 'POST', path: '/mcp', token, body: sample?.body }))
  return { token, headers: { 'mcp-session-id': String(headers['mcp-session-id']) } }
}

/** A call of each tool that writes, on things that the owner has made, and the access that opens these. */
async function toolCalls(world: World) {
  const collectionId = await world.collection()
  const [request, document] = [await world.request(collectionId), await world.document(collectionId)]
  const revisionOf = async (path: string) =>
    Number.parseInt(succeeded(await world.by(world.owner).get(path)).headers.etag?.slice(1) ?? '', 10)
  const { name, ...content } = documentContent
  const calls: Readonly<Record<string, object>> = {
    create_request: { ...requestContent, collectionId },
    update_request: { id: request, revision: await revisionOf(`/requests/${request}`), name: 'New' },
    create_document: { collectionId, name, ...content },
    update_document: { id: document, revision: await revisionOf(`/documents/${document}`), name: 'New' },
    create_folder: { collectionId, name: 'New' },
    write_comment: { kind: 'request', id: request, text: 'Why?' }
  }
  return { calls, scope: { collectionAccess: [collectionId] } }
}

const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })
const toolCall = (name: string, args: object) => rpc('tools/call', { name, arguments: args })

/** Every row that is not the account's own, as lines by their tables and ids. */
async function othersRows({ hub }: World, accountId: string): Promise<ReadonlyMap<string, string>> {
  const lines = new Map<string, string>()
  const own = new Set([accountId])
  await hub.hub.ledger.storage.snapshot(async (live) => {
    for (const table of tables)
      for await (const row of rowsOf((after) => live.scan(table, after, 500))) {
        if (isOwnRow(table.name, row, own)) own.add(row.id)
        else lines.set(`${table.name} ${row.id}`, lineOf(row))
      }
  })
  return lines
}

/** Nobody else's row is otherwise, gone or new. */
async function unchanged(world: World, accountId: string, before: ReadonlyMap<string, string>): Promise<void> {
  const after = await othersRows(world, accountId)
  const keys = new Set([...before.keys(), ...after.keys()])
  assert.equal(
    [...keys].filter((key) => before.get(key) !== after.get(key)),
    [],
    'no row of anybody else is otherwise'
  )
}

/** Lets somebody look at all that these are about, half by a group and half by themselves. */
async function letLook(world: World, { id }: Account, samples: readonly Sample[]): Promise<void> {
  const all = new Map(samples.flatMap((sample) => grantsFor(sample, 'viewer')).map((grant) => [grant.id, grant]))
  const grants = [...all.values()]
  const half = Math.floor(grants.length / 2)
  const by = world.by(world.admin)
  succeeded(await by.put(`/admin/users/${id}/grants`, { grants: grants.slice(0, half) }))
  const { body } = succeeded(
    await by.post('/admin/groups', { name: `Group ${randomUUID()}`, grants: grants.slice(half) })
  )
  succeeded(await by.put(`/admin/groups/${text(body, 'id')}/members/${id}`))
}

/** All that may be called, with the tools of agents, and what a device sends that is the viewer's own. */
async function allOf(world: World, viewer: Account, { headers }: Caller): Promise<readonly Asked[]> {
  const asked: Asked[] = []
  for (const { row, route, access, success, sample } of endpoints) {
    // Models, which this hub has none of, are told so first.
    if (access === 'public' || success >= 500 || LEFT_OUT[route.description.operation] !== undefined) continue
    asked.push({ row, sample: await sample(world) })
  }
  const deviceId = randomUUID()
  await enrolled(world, deviceId, viewer)
  const ofDevice = asked.flatMap(({ row, sample }): readonly Asked[] =>
    row === 'POST /discussion-mls/commits'
      ? [{ row, sample: { ...sample, body: { ...fields(sample.body), senderDeviceId: deviceId } } }]
      : []
  )
  const { calls, scope } = await toolCalls(world)
  const ofTools = Object.entries(calls).map(([name, args]): Asked => {
    return { row: 'POST /mcp', sample: { scope, headers, body: toolCall(name, args) } }
  })
  return [...asked, ...ofDevice, ...ofDevice, ...ofTools, ...ofTools]
}

for (const driver of usualDrivers) {
  const { test, world } = hubSuite('a viewer who calls anything in any order', driver)

  test('no tool of agents changes what a viewer may only look at', async () => {
    const viewer = await world.user()
    const { calls, scope } = await toolCalls(world)
    await letLook(world, viewer, [{ scope }])
    const { token, headers } = await callerFor(world, viewer)
    const send = (body: object) => world.hub.send({ method: 'POST', path: '/mcp', token, headers, body })
    const resultOf = (reply: Reply) => fields(fields(succeeded(reply).body).result)
    const tools = records({ text: '', body: resultOf(await send(rpc('tools/list'))) }, 'tools')
    const writing = tools.filter(({ annotations }) => fields(annotations).readOnlyHint !== true)
    assert.equal(writing.map(({ name }) => name).toSorted(), Object.keys(calls).toSorted())
    const before = await othersRows(world, viewer.id)
    for (const [name, args] of Object.entries(calls)) {
      const { isError, content } = resultOf(await send(toolCall(name, args)))
      assert.ok(isError, name)
      assert.match(JSON.stringify(content), 'You may look at this and not change it.', name)
    }
    await unchanged(world, viewer.id, before)
    const editor = [{ kind: 'collection', id: scope.collectionAccess[0], role: 'editor' }]
    succeeded(await world.by(world.admin).put(`/admin/users/${viewer.id}/grants`, { grants: editor }))
    for (const [name, args] of Object.entries(calls))
      assert.is.not(resultOf(await send(toolCall(name, args))).isError, true, `${name}, of an editor`)
  })

  const all = async () => {
    const viewer = await world.user()
    const caller = await callerFor(world, viewer)
    const asked = await allOf(world, viewer, caller)
    await letLook(
      world,
      viewer,
      asked.map(({ sample }) => sample)
    )
    const draw = randomOf(SEED)
    const statuses = new Map<number, number>()
    const call = () => {
      const { row, sample } = draw.pick(asked)
      // As it is for its route, or with the ids or the body of another one.
      const params = draw.below(10) < 3 ? { ...sample.params, ...draw.pick(asked).sample.params } : sample.params
      const body = draw.below(10) < 2 ? draw.pick(asked).sample.body : sample.body
      const { method, path } = addressOf({ row }, { ...sample, ...(params && { params }) })
      const { headers } = sample
      return { method, path, token: caller.token, ...(headers && { headers }), ...(method !== 'GET' && { body }) }
    }
    // Whether comments are encrypted decides which of them are taken, and whether there are devices.
    for (const isEncrypted of [true, false]) {
      await encryption(world, isEncrypted)
      const before = await othersRows(world, viewer.id)
      for (let i = 0; i < CALLS / 2; i += AT_ONCE) {
        const replies = await Promise.all(Array.from({ length: AT_ONCE }, () => world.hub.send(call())))
        for (const { status } of replies) statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
      await unchanged(world, viewer.id, before)
    }
    assert.equal(
      [...statuses.keys()].filter((status) => status >= 500),
      [],
      'no call has failed'
    )
    const told = JSON.stringify([...statuses])
    assert.ok((statuses.get(200) ?? 0) > CALLS / 20 && (statuses.get(403) ?? 0) > CALLS / 20, told)
  }
  const title = `${CALLS} of their calls change no row but of what is their own, whatever they name`
  test(title, all, { timeout_ms: CALLS * 60 })

  test.run()
}
