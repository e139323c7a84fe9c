import { z } from 'zod'
import { errors } from '../errors.js'
import { boundedText, freeValue, LIMITS, listOf } from '../limits.js'
import { inAnyCase } from './anyCase.js'
import { GROUP_SCHEMA, USER_SCHEMA } from './library.js'
import { mailsAfter, mailsIn, type OnMails, objectIn, type Resource, yesOrNo } from './mails.js'

/** An attribute that the hub keeps, one of its values by what one of its parts is, and a part: nothing that takes long to read. */
const TARGET = /^(\w+)(?:\[\s*(\w{1,64})\s+eq\s+("[^"\\]{0,255}"|true|false)\s*\])?(?:\.(\w{1,64}))?$/i

const operation = inAnyCase(
  z.object({
    op: boundedText(LIMITS.id)
      .transform((op) => op.toLowerCase())
      .pipe(z.enum(['add', 'remove', 'replace']))
      .describe('`add`, `remove` or `replace`, in whatever case.'),
    path: boundedText(LIMITS.label)
      .optional()
      .describe('The attribute that it is about; left out, those that `value` names.'),
    value: freeValue().optional().describe('What is set, or taken out.')
  })
)
export type Operation = z.infer<typeof operation>

/** The body of a PATCH (RFC 7644, section 3.5.2). Directories write the names of operations in any case. */
export const patchBody = inAnyCase(
  z.object({
    Operations: listOf(
      operation,
      LIMITS.scimOperations,
      `At most ${LIMITS.scimOperations.max} operations at once.`
    ).describe('What is changed, in this order.')
  })
)

const OWN = { User: USER_SCHEMA, Group: GROUP_SCHEMA } as const
type Kind = keyof typeof OWN

/** What the hub says itself. */
const READ_ONLY: ReadonlySet<string> = new Set(['schemas', 'id', 'meta', 'groups'])
/** The attributes that the hub keeps; names of attributes are alike in whatever case. */
const KEPT: Readonly<Record<Kind, readonly string[]>> = {
  User: ['userName', 'externalId', 'active', 'displayName', 'name', 'emails'],
  Group: ['displayName', 'externalId', 'members']
}
const NAME_PARTS = ['givenName', 'familyName']

/** An operation on one attribute, which the hub keeps. */
export interface Change {
  readonly op: Operation['op']
  readonly path: string
  readonly value: unknown
}

/**
 * Operations on a resource, each on one attribute without the schema that it is of anyway. What the hub does not keep is left out, of its
 * own schemas and of others: the rest is done all the same. 400 for an operation on what the hub says itself.
 */
export function understood(kind: Kind, operations: readonly Operation[]): readonly Change[] {
  return operations.flatMap(({ op, path, value }) => {
    if (!path || isOwn(kind, path)) return ofEach(kind, op, value)
    const own = inOwn(kind, path)
    if (READ_ONLY.has(attributeOf(own))) throw errors.scimRefused(`${path}: It cannot be changed.`, 'mutability')
    return keptOf(kind, { op, path: own, value })
  })
}

/** An operation without a path, as one on each attribute that its value names. */
function ofEach(kind: Kind, op: Operation['op'], value: unknown): readonly Change[] {
  if (op === 'remove') throw errors.scimRefused('path: What is taken out has to be said.', 'noTarget')
  return Object.entries(objectIn(value)).flatMap(([key, one]) =>
    // Some put all attributes of a schema below its name, as those of an extension are.
    isOwn(kind, key) ? ofEach(kind, op, one) : keptOf(kind, { op, path: inOwn(kind, key), value: one })
  )
}

function keptOf(kind: Kind, change: Change): readonly Change[] {
  const attribute = attributeOf(change.path)
  return KEPT[kind].some((name) => name.toLowerCase() === attribute) ? [change] : []
}

/** True for the schema of such a resource; names of schemas are alike in whatever case. */
function isOwn(kind: Kind, name: string): boolean {
  return name.toLowerCase() === OWN[kind].toLowerCase()
}

/** A path without the schema of such a resource. */
function inOwn(kind: Kind, path: string): string {
  const end = OWN[kind].length
  return path[end] === ':' && isOwn(kind, path.slice(0, end)) ? path.slice(end + 1) : path
}

const attributeOf = (path: string) => path.split(/[.[]/)[0]?.toLowerCase() ?? ''

/** A resource after changes, one after the other. 400 for one that is about nothing there can be. */
export function patched(kind: Kind, resource: Resource, changes: readonly Change[]): Resource {
  let after = resource
  for (const change of changes) {
    const [, name = '', part, literal, attributePart] = TARGET.exec(change.path) ?? []
    const attribute = KEPT[kind].find((one) => one.toLowerCase() === name.toLowerCase())
    if (attribute === undefined || attribute === 'members') throw unreadable(change)
    const chosen = part === undefined ? null : { part: part.toLowerCase(), value: literalOf(literal) }
    after = {
      ...after,
      [attribute]: valueAfter(attribute, after[attribute], { ...change, chosen, part: attributePart })
    }
  }
  return after
}

function valueAfter(attribute: string, before: unknown, change: Change & OnMails): unknown {
  if (attribute === 'emails') return mailsAfter(mailsIn(before), change)
  const { op, chosen, part, value } = change
  const to = op === 'remove' ? null : (value ?? null)
  if (attribute === 'name' && !chosen) return nameAfter(before, part, to)
  if (chosen || part !== undefined) throw unreadable(change)
  return attribute === 'active' ? yesOrNo(to) : to
}

function literalOf(text = ''): string | boolean {
  const folded = text.toLowerCase()
  return folded.startsWith('"') ? folded.slice(1, -1) : folded === 'true'
}

const unreadable = ({ path }: Change) => errors.scimRefused(`${path}: It cannot be read.`, 'invalidPath')

/** A name in its parts: those that are not said stay. */
function nameAfter(before: unknown, part: string | undefined, value: unknown): Resource | null {
  if (part === undefined && value === null) return null
  const sent = Object.entries(part === undefined ? objectIn(value) : { [part]: value })
  const said = NAME_PARTS.flatMap((name) => {
    const [, to] = sent.find(([key]) => key.toLowerCase() === name.toLowerCase()) ?? []
    return to === undefined ? [] : [[name, to] as const]
  })
  return { ...(before ? objectIn(before) : {}), ...Object.fromEntries(said) }
}
