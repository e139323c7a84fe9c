import { id } from '../../commands/content.js'
import { kinds } from '../../commands/records/kinds.js'
import { errors } from '../errors.js'
import { type Agent, readingContext, recorded } from './call.js'
import { collectionsPage } from './listTools.js'
import { readRecord } from './recordTools.js'

const SCHEME = 'hub://'
const READ = ['collection', 'request', 'document'] as const
type Read = (typeof READ)[number]

const JSON_TYPE = 'application/json'

/** The kinds of record that can be read as resources: `hub://requests/{id}`. */
export const TEMPLATES = READ.map((kind) => ({
  uriTemplate: `${SCHEME}${kinds[kind].plural}/{id}`,
  name: kind,
  title: kinds[kind].title,
  description: `A ${kind}, by its id, as JSON. Secrets in it are masked.`,
  mimeType: JSON_TYPE
}))

/** One page of the collections that the caller has access to; what is in them is found by templates. */
export async function listResources(agent: Agent, cursor: string | undefined) {
  const { items, next } = await recorded(agent, { tool: 'resources/list', record: () => null }, () =>
    collectionsPage(readingContext(agent), cursor, PAGE)
  )
  const resources = items.map(({ id, name }) => ({ uri: `${SCHEME}collections/${id}`, name, mimeType: JSON_TYPE }))
  return { resources, ...(next !== null && { nextCursor: next }) }
}

const PAGE = 200

/** A record by its URI, under the caller's access. One that is larger than an answer is refused: tools read it in parts. */
export async function readResource(agent: Agent, uri: string) {
  const { kind, id } = recordAt(uri)
  return recorded(agent, { tool: 'resources/read', record: () => ({ kind, id }) }, async () => {
    const found = await readRecord(readingContext(agent), kind, id)
    if (!('record' in found)) throw errors.resourceTooLarge()
    return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(found.record) }] }
  })
}

const URI = /^hub:\/\/([a-z]+)\/([^/]+)$/

function recordAt(uri: string): { readonly kind: Read; readonly id: string } {
  const [, plural, named] = URI.exec(uri.slice(0, URI_LENGTH)) ?? []
  const kind = READ.find((one) => kinds[one].plural === plural)
  const known = id.safeParse(named)
  if (!kind || !known.success) throw errors.resourceUnknown()
  return { kind, id: known.data }
}

/** Longer than the URI of any record. */
const URI_LENGTH = 200
