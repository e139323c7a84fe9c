import * as assert from 'uvu/assert'
import { fields } from '../client.js'
import { snippetContent } from '../content.js'
import { type Case, type Endpoint, refuses, works } from '../endpoint.js'
import { exactly, snippet } from '../shapes.js'
import { listed, type World } from '../world.js'

async function aSnippet(world: World) {
  return { params: { id: await world.make('snippets', snippetContent) } }
}

/** What snippets have beside what all lockable kinds share: text and an order. */
export const snippetCases: Readonly<Record<string, readonly Case[]>> = {
  'POST /snippets': [
    works('every field: behind all others', async (world) => {
      await aSnippet(world)
      return {
        body: snippetContent,
        check: async ({ body }) => {
          const made = exactly(snippet, body)
          assert.equal({ ...made, ...snippetContent }, made)
          const orders = (await listed(world, '/snippets')).map(({ sortOrder }) => Number(sortOrder))
          assert.is(made.sortOrder, Math.max(...orders))
          assert.is(new Set(orders).size, orders.length)
        }
      }
    }),
    refuses(400, null, 'a scope that is none', () => ({ body: { ...snippetContent, scope: 'never' } }))
  ],
  'PUT /snippets/:id': [
    works('sortOrder: it goes there', async (world) => ({
      ...(await aSnippet(world)),
      body: { ...snippetContent, sortOrder: -5 },
      check: async ({ body }) => {
        assert.is(exactly(snippet, body).sortOrder, -5)
        assert.equal((await listed(world, '/snippets'))[0], body)
      }
    })),
    works('without sortOrder: it keeps its place', async (world) => {
      const made = exactly(snippet, (await world.by(world.owner).post('/snippets', snippetContent)).body)
      return {
        params: { id: made.id },
        body: { ...snippetContent, name: 'Renamed' },
        check: ({ body }) => assert.is(exactly(snippet, body).sortOrder, made.sortOrder)
      }
    })
  ],
  'PUT /admin/snippets/:id': [
    works('name, code and scope, as an administrator edits it', async (world) => {
      const edited = { name: 'Edited', code: 'edited()', scope: 'any' }
      return {
        ...(await aSnippet(world)),
        body: edited,
        check: ({ body }) => {
          const { deletionLocked, ...now } = exactly(snippet, body)
          assert.equal({ ...now, ...edited }, now)
          assert.is(deletionLocked, false)
        }
      }
    }),
    works('the lock and the text at once', async (world) => ({
      ...(await aSnippet(world)),
      body: { deletionLocked: true, name: 'Both' },
      check: ({ body }) => {
        const { deletionLocked, name, code } = exactly(snippet, body)
        assert.equal([deletionLocked, name, code], [true, 'Both', snippetContent.code])
      }
    }))
  ]
}

/** A route that clients call though the interface does not list it. */
export const adminSnippetEndpoints: readonly Endpoint[] = [
  {
    row: 'POST /admin/snippets',
    access: 'admin',
    success: 201,
    refusals: [400, 403],
    sample: () => ({ body: snippetContent }),
    cases: [
      works('every field: the full record', () => ({
        body: snippetContent,
        check: ({ body }) => {
          const made = fields(exactly(snippet, body))
          assert.equal({ ...made, ...snippetContent }, made)
        }
      })),
      refuses(400, 'Name must not be empty.', 'a blank name', () => ({ body: { ...snippetContent, name: ' ' } }))
    ]
  }
]
