import * as assert from 'uvu/assert'
import { eachOf, fields, holds, idsOf, records, text } from '../client.js'
import { requestContent, snippetContent } from '../content.js'
import { type Case, type Row, refuses, works } from '../endpoint.js'
import { recordKinds } from '../kinds.js'
import type { Account } from '../support.js'
import { succeeded, type World } from '../world.js'

/** Single records for administrators, history, differences and restoring, of every kind of record alike. */
const historyRows = recordKinds.flatMap(({ path, make }): readonly Row[] => {
  /** A record of two versions, the first named One and the second Two. */
  const two = async (world: World) => {
    const { id, scope, method, body } = await make(world, 'One')
    const { token } = world.owner
    succeeded(await world.hub.send({ method, path: `/${path}/${id}`, token, body: body('Two') }))
    return { params: { id }, scope }
  }
  const versionsOf = async ({ by, owner }: World, id = '') =>
    records(await by(owner).get(`/${path}/${id}/history`), 'versions')
  return [
    {
      row: `GET /admin/${path}/:id`,
      sample: two,
      cases: [
        works('the record of anybody', { check: ({ body }, { params }) => holds(body, { ...params, name: 'Two' }) })
      ]
    },
    {
      row: `GET /${path}/:id/history`,
      sample: two,
      cases: [
        works('the versions, newest first, with who and which fields', {
          check: (reply, _, { owner: { name } }) => {
            holds(reply.body, { count: 2 })
            const versions = records(reply, 'versions')
            assert.equal(
              versions.map(({ version, by }) => [version, fields(by).name]),
              [2, 1].map((version) => [version, name])
            )
            assert.match(JSON.stringify(versions[0]?.changed), '"name"')
          }
        }),
        works('a page of it', {
          query: 'limit=1&before=2',
          check: (reply) => assert.equal(eachOf(records(reply, 'versions'), 'version'), [1])
        })
      ]
    },
    {
      row: `GET /${path}/:id/diff`,
      sample: async (world) => ({ ...(await two(world)), query: 'from=1&to=2' }),
      cases: [
        works('field by field', {
          check: (reply) => {
            holds(reply.body, { from: 1, to: 2 })
            const change = records(reply, 'changes').find(({ path }) => path === '/name')
            assert.equal(change, { path: '/name', from: 'One', to: 'Two' })
          }
        }),
        refuses(404, 'There is no such version: this record has versions 1 to 2.', 'an unknown version', {
          query: 'from=1&to=3'
        })
      ]
    },
    {
      row: `POST /${path}/:id/restore`,
      sample: async (world) => ({ ...(await two(world)), body: { version: 1 } }),
      cases: [
        works('the record reads as it did, as one more version that tells where it comes from', {
          check: async (reply, { params }, world) => {
            assert.is(text(reply.body, 'name'), 'One')
            assert.is((await world.by(world.owner).get(`/${path}/${params?.id}`)).text, reply.text)
            const [newest, , first] = await versionsOf(world, params?.id)
            assert.equal([newest?.version, newest?.causation], [3, first?.position])
          }
        }),
        works('the version that is there: nothing happens', {
          body: { version: 2 },
          check: async (_, { params }, world) => assert.is((await versionsOf(world, params?.id)).length, 2)
        }),
        refuses(404, null, 'an unknown version', { body: { version: 9 } })
      ]
    }
  ]
})

async function ofCollection(world: World) {
  const id = await world.collection()
  return { params: { id }, scope: { collectionAccess: [id] } }
}

/** A collection that somebody has deleted, with a request in it. */
async function deletedCollection(world: World, as = world.owner): Promise<string> {
  const id = await world.collection('Gone', as)
  await world.request(id)
  succeeded(await world.by(as).delete(`/collections/${id}`))
  return id
}

/** What both lists tell of the same deletions. */
const told = (by: 'owner' | 'admin'): Case =>
  works('what is deleted, newest first: by whom, where it was, and what went with it', async (world) => {
    const id = await deletedCollection(world)
    const kept = await world.collection('Kept')
    const request = await world.request(kept)
    succeeded(await world.by(world.owner).delete(`/requests/${request}`))
    const deletedBy = { id: world.owner.id, name: world.owner.name }
    const nothing = { folders: 0, requests: 0, documents: 0 }
    return {
      by,
      query: 'limit=2',
      check: (reply) => {
        const [newest, other] = records(reply, 'deleted')
        holds(newest, {
          ...{ kind: 'request', id: request, name: requestContent.name, held: nothing, deletedBy },
          ...{ collectionId: kept, collection: { id: kept, name: 'Kept' }, deletedByUserId: deletedBy.id }
        })
        holds(other, {
          ...{ kind: 'collection', id, name: 'Gone', held: { ...nothing, requests: 1 }, deletedBy },
          ...{ collectionId: id, collection: null }
        })
      }
    }
  })

const undeleting = (world: World) => deletedCollection(world).then((id) => ({ body: { kind: 'collection', id } }))
/** A snippet by this name. */
const made = (world: World, name: string, as = world.owner) => world.make('snippets', { ...snippetContent, name }, as)
const named = async (world: World, id: string, name: string, as: Account) =>
  void succeeded(await world.by(as).put(`/snippets/${id}`, { ...snippetContent, name }))

/** An account whose token has deleted, changed and made something; somebody else has gone on with a part of it. */
async function defacing(world: World) {
  const [before, gone] = [await made(world, 'Before'), await made(world, 'Gone')]
  const vandal = await world.user({ snippetAccess: ['*'] })
  await named(world, before, 'After', vandal)
  succeeded(await world.by(vandal).delete(`/snippets/${gone}`))
  await made(world, 'Junk', vandal)
  const kept = await made(world, 'Kept', vandal)
  await named(world, kept, 'Built on', world.owner)
  return { body: { token: vandal.tokenId } }
}

const undeleteCases: readonly Case[] = [
  works('with what went with it', {
    check: ({ body }) => holds(body, { restored: { collection: 1, request: 1 } })
  })
]

/** Records and collections as they were, what happened in them, what is deleted, and bringing it back. */
export const pastRows: readonly Row[] = [
  ...historyRows,
  {
    row: 'GET /collections/:id/activity',
    sample: ofCollection,
    cases: [
      works('what happened in it, newest first', async (world) => {
        const { params } = await ofCollection(world)
        const request = await world.request(params.id)
        const { id, name } = world.owner
        return {
          params,
          query: 'limit=1',
          check: (reply) => {
            const what = { type: 'RequestCreated', kind: 'request', id: request, name: requestContent.name }
            holds(records(reply, 'events')[0], { ...what, actor: { id, name }, position: world.position() })
            holds(reply.body, { next: world.position() })
          }
        }
      })
    ]
  },
  {
    row: 'GET /collections/:id/tree',
    sample: ofCollection,
    cases: [
      works('everything in it, as it was', async (world) => {
        const { params } = await ofCollection(world)
        const folder = await world.folder(params.id)
        const request = await world.request(params.id, folder)
        const at = world.position()
        succeeded(await world.by(world.owner).delete(`/folders/${folder}`))
        await world.document(params.id)
        return {
          params,
          query: `at=${at}`,
          check: (reply) => {
            assert.equal([idsOf(reply, 'folders'), idsOf(reply, 'requests')], [[folder], [request]])
            holds(reply.body, { documents: [], position: at })
          }
        }
      }),
      refuses(404, 'Collection was not there at that time.', 'a time before it was made', { query: 'at=2020-01-01' })
    ]
  },
  {
    row: 'GET /deleted',
    matrix: { 'a user without access': 200 },
    sample: () => ({}),
    cases: [
      told('owner'),
      works('what others have deleted is not in it', async (world) => {
        await deletedCollection(world, world.colleague)
        const by = await world.user({ collectionAccess: ['*'] })
        return { by, check: ({ body }) => assert.equal(body, { deleted: [] }) }
      })
    ]
  },
  {
    row: 'POST /undelete',
    matrix: { 'a user without access': 404, 'a viewer': 404, 'a user with this id': 404, 'a user with *': 404 },
    sample: undeleting,
    cases: undeleteCases
  },
  { row: 'GET /admin/deleted', sample: () => ({}), cases: [told('admin')] },
  { row: 'POST /admin/undelete', sample: undeleting, cases: undeleteCases },
  {
    row: 'POST /admin/undo',
    sample: defacing,
    cases: [
      works('what a token did: deleted comes back, changed is reverted, made goes, built on stays', {
        check: async (reply, _, world) => {
          const told = fields(reply.body)
          assert.equal(
            ['returned', 'reverted', 'removed', 'kept'].map((list) => records(reply, list).map(({ name }) => name)),
            [['Gone'], ['Before'], ['Junk'], ['Built on']]
          )
          assert.match(String(told.requestId), /^undo-/)
          const { body } = await world.by(world.owner).get('/snippets')
          assert.match(JSON.stringify(body), /Before/)
          // Whose doing it is, and what it takes back, is in the log; by its request it is taken back itself.
          const request = String(told.requestId)
          const entries = records(await world.by(world.admin).get(`/admin/audit?request=${request}`), 'entries')
          assert.ok(entries.length >= 3)
          for (const { actor, causation } of entries) {
            assert.is(fields(actor).id, world.admin.id)
            assert.is(typeof causation, 'number')
          }
          const again = succeeded(await world.by(world.admin).post('/admin/undo', { request }))
          assert.equal(
            ['returned', 'reverted', 'removed', 'kept'].map((list) => records(again, list).map(({ name }) => name)),
            [['Junk'], ['After'], ['Gone'], []]
          )
        }
      }),
      works('with preview only told, up to a position', async (world) => {
        const { body } = await defacing(world)
        const before = world.position()
        return {
          body: { ...body, to: String(before) },
          query: 'preview=true',
          check: (reply) => {
            holds(reply.body, { preview: true, position: before, requestId: null })
            assert.is(world.position(), before)
            assert.equal(eachOf(records(reply, 'kept'), 'reason'), ['somebody has changed it since'])
          }
        }
      }),
      works('what the command of an event did', async (world) => {
        const snippet = await made(world, 'By an event')
        return {
          body: { event: world.position() },
          check: (reply) => assert.equal(idsOf(reply, 'removed'), [snippet])
        }
      }),
      works('of a token that has done nothing, nothing', async (world) => ({
        body: { token: (await world.user()).tokenId },
        check: (reply) => holds(reply.body, { requestId: null, returned: [], reverted: [], removed: [], kept: [] })
      })),
      refuses(400, 'Send one of token, event and request.', 'two things at once', { body: { event: 1 } }),
      refuses(400, 'Send one of token, event and request.', 'nothing', () => ({ body: {} })),
      refuses(
        400,
        'Send from and to with a token alone: an event or a request is at one time.',
        'an event with a time',
        () => ({ body: { event: 1, from: '2026-01-01' } })
      ),
      refuses(404, 'Token not found', 'an unknown token', () => ({ body: { token: 'nobody' } })),
      refuses(404, 'Event not found', 'a position behind the end', () => ({ body: { event: 1_000_000 } })),
      refuses(404, 'Request not found', 'an unknown request', () => ({ body: { request: 'nothing' } }))
    ]
  }
]
