import * as assert from 'uvu/assert'
import { fields, holds } from '../client.js'
import { snippetContent } from '../content.js'
import { type Case, type Row, refuses, works } from '../endpoint.js'
import { type LockableKind, livePages, liveServers } from '../kinds.js'

/** What deleting a collection takes with it, whoever does it. */
const cascade = works('with nested folders, requests and documents: all of them go', async (world) => {
  const id = await world.collection()
  const folder = await world.folder(id)
  const requests = [await world.request(id, folder), await world.request(id)]
  const paths = [`folders/${folder}`, ...requests.map((id) => `requests/${id}`)]
  paths.push(`documents/${await world.document(id, folder)}`, `collections/${id}`)
  return {
    params: { id },
    check: async () => {
      for (const path of paths) assert.is((await world.by(world.owner).get(`/${path}`)).status, 404, path)
    }
  }
})

/** What live servers and live pages have beside what all lockable kinds share: many fields, each with a default. */
const bareOf = ({ path, content, defaults }: LockableKind) =>
  works('what is left out: as it is when one is made; what the hub does not know: dropped', async (world) => ({
    params: { id: await world.make(path, content) },
    body: { name: 'Bare', unknown: 'dropped' },
    check: ({ body }) => holds(body, defaults)
  }))

/** More on rows whose common part the kinds share: what each has that the others have not. */
export const casesOfKinds: Readonly<Record<string, readonly Case[]>> = {
  'DELETE /collections/:id': [cascade],
  'DELETE /admin/collections/:id': [cascade],
  'PUT /admin/snippets/:id': [
    refuses(400, null, 'nothing to change', async (world) => ({
      params: { id: await world.make('snippets', snippetContent) },
      body: {}
    }))
  ],
  'PUT /live-servers/:id': [bareOf(liveServers)],
  'PUT /live-pages/:id': [bareOf(livePages)],
  'POST /live-servers': [
    works('some of cors: the rest by default', {
      body: { cors: { enabled: true } },
      check: ({ body }) => holds(body, { cors: { ...fields(liveServers.defaults.cors), enabled: true } })
    })
  ],
  'POST /live-pages': [
    works('an auth block of a type that the hub does not know: kept as it is', {
      body: { auth: { type: 'oauth2', oauth2: { scope: 'all' } } },
      check: ({ body }) => holds(body, { auth: { type: 'oauth2', oauth2: { scope: 'all' } } })
    })
  ]
}

/** A route that clients call though the interface does not list it. */
export const adminSnippetRows: readonly Row[] = [
  {
    row: 'POST /admin/snippets',
    sample: () => ({ body: snippetContent }),
    cases: [works('every field: the full record', { check: ({ body }) => holds(body, snippetContent) })]
  }
]
