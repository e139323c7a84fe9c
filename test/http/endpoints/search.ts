import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { type Endpoint, refuses, works } from '../endpoint.js'
import { exactly, searchPage } from '../shapes.js'

/** A word that nothing else has. */
const unique = () => `word${randomUUID().replaceAll('-', '')}`

/** Search: what is found how is in test/search/. */
export const searchEndpoints: readonly Endpoint[] = [
  {
    row: 'GET /search',
    access: 'user',
    success: 200,
    refusals: [400, 403, 404],
    matrix: { 'a user without access': 200 },
    sample: () => ({ query: 'q=a' }),
    cases: [
      works('what was made a moment ago is found, with the place where', async (world) => {
        const word = unique()
        const id = await world.collection(`All about ${word}`)
        return {
          query: `q=${word.slice(0, 10)}`,
          check: ({ body }) => {
            const { results, nextCursor, isComplete, position } = exactly(searchPage, body)
            assert.equal([nextCursor, isComplete, position], [null, true, world.position()])
            assert.equal(results, [
              {
                ...{ kind: 'collection', id, name: `All about ${word}`, collectionId: null, folderId: null },
                snippets: [{ field: 'name', text: `All about ${word}`, matches: [[10, 10 + word.length]] }]
              }
            ])
          }
        }
      }),
      works('records of some kinds, and of one collection, a page at a time', async (world) => {
        const word = unique()
        const [one, other] = [await world.collection(`${word} a`), await world.collection(`${word} b`)]
        const folders = [await world.folder(one, null, word), await world.folder(one, null, word)]
        await world.folder(other, null, word)
        const path = `/search?q=${word}&kind=folder,request&collectionId=${one}`
        const { get } = world.by(world.owner)
        const first = exactly(searchPage, (await get(`${path}&limit=1`)).body)
        const second = exactly(searchPage, (await get(`${path}&limit=1&cursor=${first.nextCursor}`)).body)
        assert.equal(
          [...first.results, ...second.results].map(({ id }) => id),
          folders.toReversed()
        )
        return {
          query: path.slice(path.indexOf('?') + 1),
          check: ({ body }) => assert.is(exactly(searchPage, body).results.length, 2)
        }
      }),
      refuses(400, null, 'nothing to look for', () => ({ query: '' })),
      refuses(400, null, 'an empty text', () => ({ query: 'q=' })),
      refuses(400, null, 'a text that is too long', () => ({ query: `q=${'a'.repeat(501)}` })),
      refuses(400, null, 'a kind that is none', () => ({ query: 'q=a&kind=request,user' })),
      refuses(400, null, 'too large a page', () => ({ query: 'q=a&limit=101' })),
      refuses(400, null, 'a cursor that is none', () => ({ query: 'q=a&cursor=next' })),
      refuses(403, 'Forbidden', 'a collection that the caller may not see', async (world) => ({
        by: await world.user({ environmentAccess: ['*'] }),
        query: `q=a&collectionId=${await world.collection()}`
      })),
      refuses(404, 'Collection not found', 'a collection that is not there', () => ({
        query: `q=a&collectionId=${randomUUID()}`
      }))
    ]
  }
]
