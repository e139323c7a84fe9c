import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Hub } from '../app/hub.js'
import { chosenOf, type ListQuery, type ListResponse } from '../directory/list.js'
import { SCIM_TYPE, scimRefusal } from '../directory/refusal.js'
import { freeObject } from '../limits.js'
import { publicUrl } from '../net/serverUrl.js'
import type { Dialect } from './openapi/description.js'
import { named } from './openapi/names.js'
import { type Reply, tagsOf } from './reply.js'

/** SCIM, as RFC 7644 has it: its content type, and its form of a refusal. */
export const SCIM: Dialect = {
  contentType: SCIM_TYPE,
  refusal: named('ScimError', 'A refusal, as directories read it.', {
    schemas: z.array(z.string()).describe('That it is one.'),
    status: z.string().describe('The status, as a text.'),
    scimType: z.string().optional().describe('What is wrong, in a word of RFC 7644; left out where it has none.'),
    detail: z.string().describe('Why, as a text for people.')
  }),
  refused: scimRefusal
}

/** A resource, or a list of them: its fields are those of RFC 7643. */
const resource = named(
  'ScimResource',
  'A user, a group, or a list of them, as RFC 7643 and 7644 have it.',
  freeObject('A resource.')
)
const form = { [SCIM_TYPE]: resource }
export const answered = { 200: form }
export const made = { 201: form }

/** Where directories find what they keep. */
export function scimBase({ config }: Pick<Hub, 'config'>): string {
  return `${publicUrl(config.server).replace(/\/+$/, '')}/scim/v2`
}

/**
 * Versions that an `If-Match` header accepts; undefined where any will do. Those of SCIM are weak entity tags, which name states of what is
 * kept all the same (RFC 7644, section 3.14). What those are called whom it names is no part of what is changed, and not compared.
 */
export function expectedVersions({ headers }: FastifyRequest): readonly string[] | undefined {
  const header = headers['if-match']
  if (header === undefined) return undefined
  const tags = tagsOf(header)
  return tags.includes('*')
    ? undefined
    : tags.flatMap((tag) => /^"(\d{1,15}(?:-\w{16})?)(?:-\w{16})?"$/.exec(tag)?.[1] ?? [])
}

/**
 * The same for an account, as revisions of its row: the groups that it is in are told with it and are no part of what is changed, so that
 * they are not compared.
 */
export function expectedAccounts(request: FastifyRequest): readonly number[] | undefined {
  return expectedVersions(request)
    ?.flatMap((version) => /^(\d{1,15})(?:-\w+)?$/.exec(version)?.[1] ?? [])
    .map(Number)
}

/** A resource, as far as its version and its address are told. */
export interface Resource {
  readonly meta: { readonly version: string; readonly location: string }
}

/** One resource under the tag of its version, with those of its attributes that are asked for. */
export function resourceReply(resource: Resource, status: number, query: ListQuery): Reply {
  return { ...scimReply(chosenOf(resource, query), status), etag: resource.meta.version }
}

/** An answer in SCIM. */
export function scimReply(value: object, status = 200): Reply {
  return { status, body: JSON.stringify(value), contentType: SCIM_TYPE }
}

const PART_BYTES = 64 * 1024

/** A list in SCIM, which is made while it is sent. */
export function scimListReply({ told, resources }: ListResponse): Reply {
  async function* parts() {
    let before = `${JSON.stringify(told).slice(0, -1)},"Resources":[`
    for await (const text of resources()) {
      const bytes = Buffer.from(before + text)
      for (let from = 0; from < bytes.length; from += PART_BYTES) yield bytes.subarray(from, from + PART_BYTES)
      before = ','
    }
    yield Buffer.from(before === ',' ? ']}' : `${before}]}`)
  }
  return { status: 200, body: { partBytes: PART_BYTES, parts }, contentType: SCIM_TYPE }
}
