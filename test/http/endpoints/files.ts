import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { fields, holds, idsOf, type Reply, records } from '../client.js'
import { type Row, refuses, works } from '../endpoint.js'
import { listed, type World } from '../world.js'

/** A small collection of Postman as a file. */
export const aPostmanFile = (name = 'From a file') =>
  JSON.stringify({
    info: { name, schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    item: [{ name: 'Get user', request: { method: 'GET', url: '{{baseUrl}}/users/7' } }]
  })

const counts = { created: 2, updated: 0, deleted: 0, unchanged: 0, conflicts: 0, gone: 0 }

async function exported(world: World, format: string) {
  const id = await world.collection('Café / Orders')
  await world.request(id)
  return { params: { id }, query: `format=${format}`, scope: { collectionAccess: [id] } }
}

/** Collections from files of other tools, and as such files. */
const formatRows: readonly Row[] = [
  {
    row: 'POST /collections/import',
    matrix: { 'a user without access': 403, 'a user with this id': 403 },
    sample: () => ({ body: { content: aPostmanFile() } }),
    cases: [
      works('a file becomes a new collection, of which the answer tells', {
        check: ({ body }) => holds(body, { preview: false, format: 'postman', counts })
      }),
      works('a preview tells the same and changes nothing', (world) => {
        const before = world.position()
        return {
          query: 'preview=true',
          body: { content: Buffer.from(aPostmanFile()).toString('base64'), encoding: 'base64' },
          check: ({ body }) => {
            holds(body, { preview: true, collection: { id: null, name: 'From a file' }, counts })
            assert.is(world.position(), before)
          }
        }
      }),
      works('into a collection that is there', async (world) => ({
        body: { content: aPostmanFile(), collectionId: await world.collection('Mine') },
        check: ({ body }) => holds(fields(body).collection, { name: 'Mine' })
      })),
      refuses(404, 'Collection not found', 'into a collection that is not there', {
        body: { collectionId: randomUUID() }
      }),
      refuses(
        400,
        'The file is of no format that can be told from its content. Name one: postman, postman-v3, openapi, insomnia, bruno, opencollection, har, curl, harborclient.',
        'a file that is none of them',
        { body: { content: '{"a": 1}' } }
      ),
      refuses(400, 'The file cannot be imported: it does not look like har.', 'a file of another format', {
        body: { format: 'har' }
      }),
      refuses(
        413,
        'The file is too large to import: folders in it nest deeper than 50. Import it in parts.',
        'too deep a file',
        () => {
          const deep = Array.from({ length: 60 }).reduce<object>((item) => ({ name: 'F', item: [item] }), {
            ...{ name: 'R', request: 'x' }
          })
          return { body: { content: JSON.stringify({ ...JSON.parse(aPostmanFile()), item: [deep] }) } }
        }
      )
    ]
  },
  {
    row: 'GET /collections/:id/export',
    sample: (world) => exported(world, 'postman'),
    cases: [
      ...Object.entries({ postman: 'postman_collection.json', openapi: 'openapi.json', har: 'har' }).map(
        ([format, ending]) =>
          works(`for ${format}, under a safe name`, {
            query: `format=${format}`,
            check: ({ headers, body }) => {
              assert.is(headers['content-disposition'], `attachment; filename="Cafe-Orders.${ending}"`)
              assert.ok(Object.keys(fields(body)).length > 0)
            }
          })
      ),
      works('a preview tells what the format has no place for', {
        query: 'format=bruno&preview=true',
        check: ({ body }) => {
          holds(body, { format: 'bruno', fileName: 'Cafe-Orders.bruno.zip' })
          assert.ok(Array.isArray(fields(body).notes))
        }
      })
    ]
  },
  {
    row: 'GET /environments/:id/export',
    async sample(world) {
      const id = await world.make('environments', {
        name: 'Café / Dev',
        variables: [{ key: 'host', value: 'h', defaultValue: '', share: true, enabled: true }]
      })
      return { params: { id }, query: 'format=postman', scope: { environmentAccess: [id] } }
    },
    cases: [
      ...Object.entries({ insomnia: 'insomnia.yaml', bruno: 'bru', opencollection: 'yml' }).map(([format, ending]) =>
        works(`for ${format}, under a safe name`, {
          query: `format=${format}`,
          check: ({ headers }) => assert.is(headers['content-disposition'], `attachment; filename="Cafe-Dev.${ending}"`)
        })
      ),
      works('a preview tells what the format has no place for', {
        query: 'format=postman&preview=true',
        check: ({ body }) =>
          holds(body, { format: 'postman', fileName: 'Cafe-Dev.postman_environment.json', notes: [] })
      })
    ]
  }
]

/** A word that nothing else has. */
const unique = () => `word${randomUUID().replaceAll('-', '')}`

/** Search: what is found how is in test/search/. */
const searchRows: readonly Row[] = [
  {
    row: 'GET /search',
    matrix: { 'a user without access': 200, 'an administrator': 200 },
    sample: () => ({ query: 'q=a' }),
    cases: [
      works('what was made a moment ago is found, with the place where', async (world) => {
        const word = unique()
        const name = `All about ${word}`
        const id = await world.collection(name)
        return {
          query: `q=${word.slice(0, 10)}`,
          check: ({ body }) =>
            assert.equal(body, {
              ...{ nextCursor: null, isComplete: true, position: world.position() },
              results: [
                {
                  ...{ kind: 'collection', id, name, collectionId: null, folderId: null },
                  snippets: [{ field: 'name', text: name, matches: [[10, 10 + word.length]] }]
                }
              ]
            })
        }
      }),
      works('records of some kinds, and of one collection, a page at a time', async (world) => {
        const word = unique()
        const [one, other] = [await world.collection(`${word} a`), await world.collection(`${word} b`)]
        const folders = [await world.folder(one, null, word), await world.folder(one, null, word)]
        await world.folder(other, null, word)
        const query = `q=${word}&kind=folder,request&collectionId=${one}`
        const first = await world.by(world.owner).get(`/search?${query}&limit=1`)
        assert.equal(idsOf(first, 'results'), folders.slice(1))
        return {
          query: `${query}&limit=1&cursor=${fields(first.body).nextCursor}`,
          check: (reply) => assert.equal(idsOf(reply, 'results'), folders.slice(0, 1))
        }
      }),
      refuses(403, 'Forbidden', 'a collection that the caller may not see', async (world) => ({
        by: 'stranger',
        query: `q=a&collectionId=${await world.collection()}`
      })),
      refuses(404, 'Collection not found', 'a collection that is not there', {
        query: `q=a&collectionId=${randomUUID()}`
      })
    ]
  }
]

const payload = {
  harborclientExport: 'collection-run-results',
  collection: { name: 'Orders' },
  results: [{ status: 'passed' }, { status: 'failed', error: 'timeout' }, { status: 'passed' }, { status: 'skipped' }]
}
const shared = async (world: World) => ({ params: { id: await world.make('run-results', { payload }) } })
const labels = (reply: Reply) => records(reply, 'runResults').map(({ label }) => label)

/** Shared run results: routes that clients call though the interface does not list them. */
const runResultRows: readonly Row[] = [
  {
    row: 'GET /run-results',
    sample: shared,
    cases: [
      works('one’s own, newest first, without payload', async (world) => {
        const by = await world.user()
        for (const label of ['first', 'second']) await world.make('run-results', { label, payload }, by)
        await shared(world)
        return { by, check: (reply) => assert.equal(labels(reply), ['second', 'first']) }
      }),
      works('an administrator has none', {
        by: 'admin',
        check: ({ body }) => assert.equal(body, { runResults: [] })
      })
    ]
  },
  {
    row: 'POST /run-results',
    matrix: { 'a user without access': 200 },
    sample: () => ({ body: { payload } }),
    cases: [
      works('an export: what the list shows is read off it', {
        check: ({ body }, _, { owner }) => {
          assert.match(String(fields(body).label), /^Orders — \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
          holds(body, {
            ...{ kind: 'collection-run-results', collectionName: 'Orders', requestName: null, payload },
            ...{ summary: { passed: 2, failed: 1, skipped: 1 }, createdByUserId: owner.id }
          })
        }
      }),
      works('a label: kept, trimmed', {
        body: { label: ' Nightly ' },
        check: ({ body }) => holds(body, { label: 'Nightly' })
      }),
      ...['', ' '].map((label) =>
        refuses(400, 'label: Must not be empty', `the label ${JSON.stringify(label)}`, { body: { label } })
      )
    ]
  },
  {
    row: 'GET /run-results/:id',
    matrix: { 'a user without access': 200 },
    sample: shared,
    cases: [works('anybody’s, with its payload', { by: 'stranger', check: ({ body }) => holds(body, { payload }) })]
  },
  {
    row: 'DELETE /run-results/:id',
    matrix: { 'a user with this id': 403, 'a user with *': 403 },
    sample: shared,
    cases: [
      works('the caller shared it: it goes', {
        check: async (_, { params }, world) => {
          const left = (await listed(world, '/run-results', 'runResults')).map(({ id }) => id)
          assert.not.ok(left.includes(params?.id))
        }
      })
    ]
  },
  {
    row: 'GET /admin/run-results',
    sample: shared,
    cases: [
      works('everybody’s', {
        check: (reply) => assert.match(String(labels(reply)[0]), 'Orders')
      })
    ]
  },
  {
    row: 'GET /admin/run-results/:id',
    sample: shared,
    cases: [works('anybody’s, with its payload', { check: ({ body }) => holds(body, { payload }) })]
  },
  { row: 'DELETE /admin/run-results/:id', sample: shared }
]

/** What is imported, exported, found and shared. */
export const fileRows: readonly Row[] = [...formatRows, ...searchRows, ...runResultRows]
