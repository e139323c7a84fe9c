import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { fields } from '../client.js'
import { type Endpoint, refuses, works } from '../endpoint.js'
import type { World } from '../world.js'

/** A small collection of Postman as a file. */
export const aPostmanFile = (name = 'From a file') =>
  JSON.stringify({
    info: { name, schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    item: [{ name: 'Get user', request: { method: 'GET', url: '{{baseUrl}}/users/7' } }]
  })

const counted = (created: number) => ({ created, updated: 0, deleted: 0, unchanged: 0, conflicts: 0, gone: 0 })

async function exported(world: World, format: string) {
  const id = await world.collection('Café / Orders')
  await world.request(id)
  return { params: { id }, query: `format=${format}`, scope: { collectionAccess: [id] } }
}

/** Collections from files of other tools, and as such files. */
export const formatEndpoints: readonly Endpoint[] = [
  {
    row: 'POST /collections/import',
    access: 'user',
    success: 200,
    refusals: [400, 403, 404, 413],
    matrix: { 'a user without access': 403, 'a user with this id': 403 },
    sample: () => ({ body: { content: aPostmanFile() } }),
    cases: [
      works('a file becomes a new collection, of which the answer tells', () => ({
        body: { content: aPostmanFile() },
        check: ({ body }) => {
          const { preview, format, counts } = fields(body)
          assert.equal([preview, format, counts], [false, 'postman', counted(2)])
        }
      })),
      works('a preview tells the same and changes nothing', (world) => {
        const before = world.position()
        return {
          query: 'preview=true',
          body: { content: Buffer.from(aPostmanFile()).toString('base64'), encoding: 'base64' },
          check: ({ body }) => {
            const { preview, collection, counts } = fields(body)
            assert.equal([preview, collection, counts], [true, { id: null, name: 'From a file' }, counted(2)])
            assert.is(world.position(), before)
          }
        }
      }),
      works('into a collection that is there', async (world) => ({
        body: { content: aPostmanFile(), collectionId: await world.collection('Mine') },
        check: ({ body }) => assert.is(fields(fields(body).collection).name, 'Mine')
      })),
      refuses(404, 'Collection not found', 'into a collection that is not there', () => ({
        body: { content: aPostmanFile(), collectionId: randomUUID() }
      })),
      refuses(
        400,
        'The file is of no format that can be told from its content. Name one: postman, openapi, insomnia, bruno, har, curl.',
        'a file that is none of them',
        () => ({ body: { content: '{"a": 1}' } })
      ),
      refuses(400, 'The file cannot be imported: it does not look like har.', 'a file of another format', () => ({
        body: { content: aPostmanFile(), format: 'har' }
      })),
      refuses(400, null, 'a format that there is not', () => ({ body: { content: aPostmanFile(), format: 'word' } })),
      refuses(400, null, 'a preview that is neither true nor false', () => ({
        query: 'preview=yes',
        body: { content: aPostmanFile() }
      })),
      refuses(400, null, 'no file', () => ({ body: {} })),
      refuses(413, 'The file is too large to import: folders in it nest deeper than 50.', 'too deep a file', () => {
        const deep = Array.from({ length: 60 }).reduce<object>((item) => ({ name: 'F', item: [item] }), {
          name: 'R',
          request: 'x'
        })
        return { body: { content: JSON.stringify({ ...JSON.parse(aPostmanFile()), item: [deep] }) } }
      })
    ]
  },
  {
    row: 'GET /collections/:id/export',
    access: 'user',
    success: 200,
    refusals: [400, 403, 404],
    sample: (world) => exported(world, 'postman'),
    cases: [
      ...(['postman', 'openapi', 'har'] as const).map((format) =>
        works(`for ${format}, under a safe name`, async (world) => ({
          ...(await exported(world, format)),
          check: ({ headers, body }) => {
            const endings = { postman: 'postman_collection.json', openapi: 'openapi.json', har: 'har' }
            assert.is(headers['content-disposition'], `attachment; filename="Cafe-Orders.${endings[format]}"`)
            assert.ok(Object.keys(fields(body)).length > 0)
          }
        }))
      ),
      works('a preview tells what the format has no place for', async (world) => {
        const found = await exported(world, 'bruno')
        return {
          ...found,
          query: 'format=bruno&preview=true',
          check: ({ body }) => {
            const { format, fileName, notes } = fields(body)
            assert.equal([format, fileName, Array.isArray(notes)], ['bruno', 'Cafe-Orders.bruno.zip', true])
          }
        }
      }),
      refuses(400, null, 'a format that there is not', async (world) => exported(world, 'word')),
      refuses(400, null, 'no format', async (world) => ({ ...(await exported(world, 'har')), query: '' })),
      refuses(404, 'Collection not found', 'an unknown collection', () => ({
        params: { id: randomUUID() },
        query: 'format=har'
      }))
    ]
  }
]
