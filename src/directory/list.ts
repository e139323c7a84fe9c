import { z } from 'zod'
import { giveWay } from '../lib/turns.js'
import { boundedText, LIMITS } from '../limits.js'
import { filterOf } from './filter.js'

const whole = boundedText(LIMITS.id)
  .regex(/^-?\d{1,9}$/, 'A whole number.')
  .transform(Number)

/** What a directory asks for of a list (RFC 7644, section 3.4.2). */
export const listQuery = z.object({
  filter: boundedText(LIMITS.scimFilter).optional().describe('Only those that this filter holds for.'),
  startIndex: whole.optional().describe('The place of the first one, from 1.'),
  count: whole.optional().describe(`How many, ${LIMITS.scimPage.max} at most.`),
  attributes: boundedText(LIMITS.scimFilter).optional().describe('The names of the attributes that are wanted alone.'),
  excludedAttributes: boundedText(LIMITS.scimFilter).optional().describe('The names of those that are not.')
})
export type ListQuery = z.infer<typeof listQuery>

/** A list response: what is said of it as a whole, and its resources as texts, each made when the one before is sent. */
export interface ListResponse {
  readonly told: object
  readonly resources: () => AsyncIterable<string>
}

/**
 * The part of a list that was asked for, of what the filter holds for, which `comparedOf` tells of each. However large it is, no turn
 * of the event loop is.
 */
export async function listOfResources<T extends object>(
  rows: readonly T[],
  query: ListQuery,
  resourceOf: (row: T) => Promise<object>,
  comparedOf: (row: T) => object | Promise<object> = resourceOf
): Promise<ListResponse> {
  const found = query.filter === undefined ? rows : await matching(rows, query.filter, comparedOf)
  return partOfList(found, query, async (part) => part, resourceOf)
}

/** The part that was asked for of all that there is: no more of it is read than is told. */
export async function partOfList<S, T>(
  all: readonly S[],
  query: ListQuery,
  rowsOf: (part: readonly S[]) => Promise<readonly T[]>,
  resourceOf: (row: T) => Promise<object>
): Promise<ListResponse> {
  const { startIndex = 1, count = LIMITS.scimPage.max } = query
  const first = Math.max(1, startIndex)
  const part = await rowsOf(all.slice(first - 1, first - 1 + Math.min(Math.max(0, count), LIMITS.scimPage.max)))
  async function* resources() {
    for (const row of part) {
      yield JSON.stringify(chosenOf(await resourceOf(row), query))
      await giveWay()
    }
  }
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:ListResponse']
  const told = { schemas, totalResults: all.length, startIndex: first, itemsPerPage: part.length }
  return { told, resources }
}

/** The text of an attribute that a filter asks for and nothing else, as most do: it is looked up. */
export function textAsked(
  filter: string | undefined,
  attribute: 'userName' | 'displayName' | 'externalId'
): string | null {
  const [, named, text] = /^\s*(\w+)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i.exec(filter ?? '') ?? []
  if (text === undefined || named?.toLowerCase() !== attribute.toLowerCase()) return null
  try {
    return z.string().parse(JSON.parse(text))
  } catch {
    return null
  }
}

async function matching<T extends object>(
  rows: readonly T[],
  filter: string,
  comparedOf: (row: T) => object | Promise<object>
): Promise<readonly T[]> {
  const holds = filterOf(filter)
  const found: T[] = []
  for (const row of rows) {
    if (holds(await comparedOf(row))) found.push(row)
    await giveWay()
  }
  return found
}

/** A resource with those of its attributes alone that were asked for; what it is, always. */
export function chosenOf(resource: object, { attributes, excludedAttributes }: ListQuery): object {
  const wanted = namesIn(attributes)
  const unwanted = namesIn(excludedAttributes)
  if (!wanted && !unwanted) return resource
  const always = new Set(['schemas', 'id', 'meta'])
  return Object.fromEntries(
    Object.entries(resource).filter(
      ([name]) => always.has(name) || (wanted ? wanted.has(name.toLowerCase()) : !unwanted?.has(name.toLowerCase()))
    )
  )
}

/** The attributes in a list of them, without the schema that they are of and what they have of parts. */
export function namesIn(text: string | undefined): ReadonlySet<string> | null {
  if (!text) return null
  const names = text.split(',').map((one) =>
    one
      .trim()
      .toLowerCase()
      .replace(/^urn:[^ ]*:/, '')
  )
  return new Set(names.map((one) => one.split('.')[0] ?? one))
}
