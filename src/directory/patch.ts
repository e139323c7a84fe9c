import { z } from 'zod'
import { boundedText, freeValue, LIMITS, listOf } from '../limits.js'
import { GROUP_SCHEMA, scim, USER_SCHEMA } from './library.js'
import { asSent } from './refusal.js'

/** An attribute, one of its values by what one of its parts is, and a part: as directories write it, and nothing that takes long to read. */
const PATH = /^[\w$:.-]+(\[\s*\w{1,64}\s+eq\s+("[^"\\]{0,255}"|true|false)\s*\](\.\w{1,64})?)?$/i

const operation = z.object({
  op: boundedText(LIMITS.id)
    .transform((op) => op.toLowerCase())
    .pipe(z.enum(['add', 'remove', 'replace']))
    .describe('`add`, `remove` or `replace`, in whatever case.'),
  path: boundedText(LIMITS.label)
    .regex(PATH, 'It cannot be read.')
    .optional()
    .describe('The attribute that it is about; left out, those that `value` names.'),
  value: freeValue().optional().describe('What is set, or taken out.')
})
export type Operation = z.infer<typeof operation>

/** The body of a PATCH (RFC 7644, section 3.5.2). Directories write the names of operations in any case. */
export const patchBody = z.object({
  Operations: listOf(
    operation,
    LIMITS.scimOperations,
    `At most ${LIMITS.scimOperations.max} operations at once.`
  ).describe('What is changed, in this order.')
})

const OWN = { User: USER_SCHEMA, Group: GROUP_SCHEMA } as const
type Kind = keyof typeof OWN

const READ_ONLY = ['schemas', 'id', 'meta', 'groups']
/** The attributes that the hub keeps, and those that it says itself; names of attributes are alike in whatever case. */
const KEPT: Readonly<Record<Kind, ReadonlySet<string>>> = {
  User: new Set([...READ_ONLY, 'username', 'externalid', 'active', 'displayname', 'name', 'emails']),
  Group: new Set([...READ_ONLY, 'displayname', 'externalid', 'members'])
}

/**
 * Operations on a resource as the library understands them: attributes without the schema that they are of anyway, yes and no as
 * themselves. What the hub does not keep is left out, of its own schemas and of others: the rest is done all the same.
 */
export function understood(kind: Kind, operations: readonly Operation[]): readonly Operation[] {
  return operations.flatMap(({ op, path, value }) => {
    const own = path === undefined || isOwn(kind, path) ? undefined : inOwn(kind, path)
    if (own === null) return []
    const told = own?.toLowerCase() === 'active' ? boolean(value) : withoutOthers(kind, value)
    return [{ op, ...(own !== undefined && { path: own }), ...(told !== undefined && { value: told }) }]
  })
}

/** True for the schema of such a resource; names of schemas are alike in whatever case. */
function isOwn(kind: Kind, name: string): boolean {
  return name.toLowerCase() === OWN[kind].toLowerCase()
}

/** An attribute of such a resource without its schema; null where it is of another one, or not kept. */
function inOwn(kind: Kind, name: string): string | null {
  const end = OWN[kind].length
  const own = name[end] === ':' && isOwn(kind, name.slice(0, end)) ? name.slice(end + 1) : name
  const [attribute = ''] = own.split(/[.[]/)
  return KEPT[kind].has(attribute.toLowerCase()) ? own : null
}

const fields = z.record(z.string(), z.unknown())

/** An object without what is of other schemas. */
function withoutOthers(kind: Kind, value: unknown): unknown {
  const { success, data } = fields.safeParse(value)
  return success && !Array.isArray(value) ? Object.fromEntries(ownEntries(kind, data)) : value
}

function ownEntries(kind: Kind, data: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  return Object.entries(data).flatMap(([key, value]) => {
    // Some put all attributes of a schema below its name, as those of an extension are.
    if (isOwn(kind, key)) return ownEntries(kind, fields.safeParse(value).data ?? {})
    const name = inOwn(kind, key)
    return name === null ? [] : [[name, name.toLowerCase() === 'active' ? boolean(value) : value] as const]
  })
}

/** Some directories send yes and no as texts. */
function boolean(value: unknown): unknown {
  const text = typeof value === 'string' ? value.toLowerCase() : null
  return text === 'true' || text === 'false' ? text === 'true' : value
}

/** A resource after operations; the same where nothing changes. */
export async function patched(
  kind: Kind,
  resource: Readonly<Record<string, unknown>>,
  operations: readonly Operation[]
): Promise<Readonly<Record<string, unknown>>> {
  const { Schemas, Messages } = await scim()
  return asSent('invalidValue', async () => {
    const instance = new Schemas[kind](plain(resource), 'out')
    const Operations = operations.flatMap((one) => withMailAddress(one, resource))
    if (Operations.length === 0) return resource
    const message = new Messages.PatchOp({ schemas: [Messages.PatchOp.id], Operations })
    const changed = await message.apply(instance, async (one) => one)
    return changed ? plain({ ...changed }) : resource
  })
}

function plain(value: object): Record<string, unknown> {
  return fields.parse(JSON.parse(JSON.stringify(value)))
}

const ONE_ADDRESS = /^emails\[\s*type\s+eq\s+"\w{1,32}"\s*\]\.value$/i

/**
 * One address is kept of each person. An operation that writes that of a type is on it where it is of that type, or there is none yet; else
 * it is on one that is not kept.
 */
function withMailAddress(one: Operation, { emails }: Readonly<Record<string, unknown>>): readonly Operation[] {
  if (one.op === 'remove' || !ONE_ADDRESS.test(one.path ?? '')) return [one]
  if (emails !== undefined) return /"work"/i.test(one.path ?? '') ? [one] : []
  return [{ op: 'add', path: 'emails', value: [{ value: one.value, type: 'work', primary: true }] }]
}
