import { z } from 'zod'
import { auth, keyValue, sent, id as sentId, name as sentName, variable } from '../../commands/content.js'
import { account } from '../../commands/people/user/events.js'
import { storedOf } from '../../commands/records/fields.js'
import { nounOf, type RecordKind } from '../../commands/records/kind.js'
import { KINDS, kinds, type RestorableKind } from '../../commands/records/kinds.js'
import { runResult as runResultContent } from '../../commands/records/runResult/events.js'
import { RELOADED_SECTIONS } from '../app/reload.js'
import { feedChange } from '../followers/feed/change.js'
import { activity } from '../records/history/activity.js'
import { fieldChange } from '../records/history/fieldChanges.js'
import { difference, versionShape, who } from '../records/history/history.js'
import { auditEntry } from '../trust/audit/entries.js'
import { auditFacets } from '../trust/audit/facets.js'
import { named } from './openapi/names.js'
import { isTag, type Tag } from './openapi/tags.js'

/** What the interface answers, for its description: no answer of a running hub goes through these. */

const id = z.string()
const time = z.iso.datetime()
const place = z.int().min(0)
const position = z.int().min(0)
const texts = z.array(z.string())

named('Id', sentId)
named('Name', sentName)
named('Variable', variable)
named('KeyValue', keyValue)
named('Auth', auth)
named('VariableInput', sent.variable)
named('KeyValueInput', sent.keyValue)
named('AuthInput', sent.auth)

/** Every refusal. */
export const refusal = named('Error', { error: z.string() })

/**
 * The answer to a list: the records under their name, and in a page where the next one begins. With `fields` the records have these
 * alone, which no schema tells.
 */
export function listAnswer(name: string, record: z.ZodType) {
  return z.object({ [name]: z.array(record), nextCursor: z.string().nullable().optional() })
}

/** The names of the fields that a record of a list may have, beside its id. */
export function fieldsOf({ shape }: Pick<z.ZodObject, 'shape'>): readonly string[] {
  return Object.keys(shape).filter((name) => name !== 'id')
}

/** What stands beside the fields of a record, where its kind shows it. */
const BESIDE: Readonly<Record<string, z.ZodType>> = {
  collectionId: id,
  sortOrder: place,
  createdAt: time,
  updatedAt: time,
  createdByUserId: id.nullable(),
  updatedByUserId: id.nullable(),
  deletionLocked: z.boolean(),
  folderId: id.nullable(),
  parentFolderId: id.nullable()
}
/** What is named otherwise than its kind, or answered otherwise than it is stored. */
const NAMES: Partial<Record<RestorableKind, string>> = { request: 'SavedRequest' }
const AS_ANSWERED: Partial<Record<RestorableKind, z.core.$ZodLooseShape>> = { snippet: { sortOrder: z.int() } }

function recordAnswer({ kind, label, fields, shown }: RecordKind): z.ZodType {
  const isBeside = (name: string) => shown.includes(name) && !Object.hasOwn(fields, name)
  const beside = Object.fromEntries(Object.entries(BESIDE).filter(([name]) => isBeside(name)))
  return named(NAMES[kind] ?? label, z.object({ id, ...storedOf(fields).shape, ...AS_ANSWERED[kind], ...beside }))
}

/** A record of each kind, as its users see it. */
export const records = Object.fromEntries(KINDS.map((kind) => [kind, recordAnswer(kinds[kind])])) as Readonly<
  Record<RestorableKind, z.ZodType>
>

/** A record of a kind with a lock, as administrators list it. */
export const managedRecord = named('ManagedRecord', { id, name: z.string(), deletionLocked: z.boolean() })

export const runResult = named('RunResult', {
  id,
  ...runResultContent.omit({ payload: true }).shape,
  createdAt: time,
  createdByUserId: id.nullable()
})
export const runResultWithPayload = named(
  'RunResultWithPayload',
  runResult.extend({ payload: runResultContent.shape.payload })
)

const avatar = { avatarInitials: z.string(), avatarColor: z.string(), avatarImageUrl: z.string().optional() }
export const shownAvatar = { initials: z.string(), color: z.string(), imageUrl: z.string().optional() }

/** What stands for the own account. */
export const ownAvatar = named('Avatar', z.object(avatar))
/** The hub, and what stands for it. */
export const thisHub = named('Hub', { name: z.string(), ...shownAvatar })
/** An image, as its bytes. */
export const imageAnswers = {
  'image/jpeg': z.string(),
  'image/png': z.string(),
  'image/webp': z.string(),
  'image/gif': z.string()
}

export const user = named('User', {
  id,
  ...account.shape,
  createdAt: time,
  updatedAt: time,
  ...avatar
})
export const listedUser = named('ListedUser', user.extend({ warnings: texts }))

export const token = named('Token', {
  id,
  userId: id,
  name: z.string(),
  tokenPrefix: z.string(),
  createdAt: time,
  lastUsedAt: time.nullable(),
  revokedAt: time.nullable(),
  agentWrites: z.boolean()
})
/** A new token with its secret, which is told once. */
export const issuedToken = named('IssuedToken', { token, secret: z.string() })
export const createdUser = named('CreatedUser', { user, ...issuedToken.shape })

export const invitation = named('Invitation', {
  id,
  userId: id,
  codePrefix: z.string(),
  expiresAt: time,
  redeemedAt: time.nullable(),
  revokedAt: time.nullable(),
  createdAt: time,
  status: z.enum(['pending', 'redeemed', 'revoked', 'expired'])
})
/** A new invitation with its secret, which is told once. */
export const issuedInvitation = named('IssuedInvitation', { user, invitation, secret: z.string() })
export const invitationPreview = named('InvitationPreview', {
  user: account.omit({ llmMonthlyTokenLimit: true }),
  expiresAt: time
})

export const block = named('BlockedAddress', {
  address: z.string(),
  failuresWith: z.enum(['oneSecret', 'anySecret', 'invitations']),
  seconds: z.number()
})

named('FieldChange', fieldChange)
named('AuditEntry', auditEntry)

/** `next` is the cursor of the next page; null on the last one. */
export const auditPage = named('AuditPage', { entries: z.array(auditEntry), next: position.nullable() })

named('AuditFacets', auditFacets)

export const history = named('History', {
  versions: z.array(z.object({ ...versionShape, by: who.extend({ avatar: z.object(shownAvatar).optional() }) })),
  count: z.int()
})
named('Difference', difference)
export const tree = named('CollectionTree', {
  position,
  collection: records.collection,
  folders: z.array(records.folder),
  requests: z.array(records.request),
  documents: z.array(records.document)
})

const kind = z.enum(KINDS)

named('Activity', activity)

export const deletedRecord = named('DeletedRecord', {
  kind,
  id,
  name: z.string(),
  collectionId: id.nullable(),
  collection: who.nullable(),
  deletedAt: time,
  deletedByUserId: id.nullable(),
  deletedBy: who,
  position,
  held: z.object({ folders: z.int(), requests: z.int(), documents: z.int() })
})
/** How many records of each kind are back. */
export const undeleted = named('Undeleted', { kind, id, restored: z.partialRecord(kind, z.int()) })

named('Change', feedChange)
/** `cursor` is where the next page begins, and `position` the same without a mark of the log. */
export const changePage = named('ChangePage', {
  changes: z.array(feedChange),
  position,
  cursor: z.string(),
  more: z.boolean()
})

export const session = named('Session', {
  user: z.object({ id, name: z.string(), role: account.shape.role, ...avatar }),
  token: z.object({ id, prefix: z.string() }),
  capabilities: z.object({
    dataApi: z.boolean(),
    managementApi: z.boolean(),
    llm: z.boolean(),
    communication: z.boolean(),
    discussionE2ee: z.boolean()
  }),
  mayCreate: z.array(kind),
  tenantId: z.string(),
  hub: thisHub
})
export const pluginSources = named('PluginSources', { catalogs: texts, trusted: texts })

const reloaded = {
  status: z.enum(['reloaded', 'unchanged', 'failed', 'restart-required']),
  error: z.string().optional()
}
const sections = z.array(z.object({ section: z.enum(RELOADED_SECTIONS), ...reloaded }))
export const reloadReport = named('ReloadReport', {
  sections,
  others: z.array(z.object({ section: z.string(), ...reloaded })).optional()
})
/** What a file that cannot be used is answered with: nothing has changed. */
export const reloadRefusal = named('ReloadRefusal', { sections, fatalError: z.string(), error: z.string() })

export const health = named('Health', { status: z.literal('ok'), version: z.string() })
export const readiness = named('Readiness', {
  status: z.enum(['ok', 'error']),
  version: z.string(),
  checks: z.record(
    z.string(),
    z.object({ status: z.enum(['ok', 'error']), error: z.string().optional(), warning: z.string().optional() })
  )
})

/** What the operations on a kind of record are grouped by. */
export function tagOf(kind: RestorableKind): Tag {
  const tag = `${nounOf(kinds[kind])}s`
  if (!isTag(tag)) throw new Error(`No tag describes the operations on ${tag}.`)
  return tag
}

/** A kind of record, as summaries name one of it. */
export function oneOf(kind: Pick<RecordKind, 'title'>): string {
  return `${/^[AEIOU]/.test(kind.title) ? 'an' : 'a'} ${nounOf(kind)}`
}
