import { z } from 'zod'
import { auth, keyValue, sent, id as sentId, name as sentName, variable } from '../../commands/content.js'
import { group as groupContent } from '../../commands/people/group/events.js'
import { account, grant, membership, TOLD_ROLES } from '../../commands/people/user/events.js'
import { storedOf } from '../../commands/records/fields.js'
import { nounOf, type RecordKind } from '../../commands/records/kind.js'
import { KINDS, kinds, type RestorableKind } from '../../commands/records/kinds.js'
import { runResult as runResultContent } from '../../commands/records/runResult/events.js'
import { feedChange } from '../followers/feed/change.js'
import { activity } from '../records/history/activity.js'
import { fieldChange } from '../records/history/fieldChanges.js'
import { difference, versionShape, who } from '../records/history/history.js'
import { takenBack } from '../records/history/takeBack.js'
import { auditEntry } from '../trust/audit/entries.js'
import { auditFacets } from '../trust/audit/facets.js'
import type { Answers } from './openapi/description.js'
import { named } from './openapi/names.js'
import { isTag, type Tag } from './openapi/tags.js'

/** What the interface answers, for its description: no answer of a running hub goes through these. */

export const id = z.string()
export const time = z.iso.datetime()
const place = z.int().min(0)
const position = z.int().min(0)
export const texts = z.array(z.string())
export const ownId = id.describe('The id.')
export const createdAt = time.describe('When it was made.')
export const updatedAt = time.describe('When it was changed last.')
const deletionLocked = z.boolean().describe('True where it is locked: users cannot delete it, administrators can.')

named('Id', 'The id of a record or an account: 1 to 255 printable ASCII characters without spaces.', sentId)
named('Name', 'A name: 1 to 500 characters, without the blanks around it.', sentName)
named('Variable', 'A variable of a collection or an environment.', variable)
named('KeyValue', 'A header or a query parameter.', keyValue)
named('Auth', 'How a request says who sends it.', auth)
named('VariableInput', 'A variable of a collection or an environment, as it is sent.', sent.variable)
named('KeyValueInput', 'A header or a query parameter, as it is sent.', sent.keyValue)
named('AuthInput', 'How a request says who sends it, as it is sent.', sent.auth)

/** Every refusal. */
export const refusal = named('Error', 'A refusal, as it is answered by default.', {
  error: z.string().describe('Why, as a text for people.')
})

const NEXT_CURSOR =
  'The `cursor` of the next page; null at the end. It is there only where `limit` or `cursor` was sent.'

/**
 * The answer to a list: the records under their name, and in a page where the next one begins. With `fields` the records have these
 * alone, which no schema tells.
 */
export function listAnswer(name: string, record: z.ZodType) {
  return z.object({
    [name]: z
      .array(record)
      .describe(`The ${name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}, in the order of the list.`),
    nextCursor: z.string().nullable().optional().describe(NEXT_CURSOR)
  })
}

/** The answer to what has been made. */
export function created(made: z.ZodType): Answers {
  return { 201: made }
}

/** The names of the fields that a record of a list may have, beside its id. */
export function fieldsOf({ shape }: Pick<z.ZodObject, 'shape'>): readonly string[] {
  return Object.keys(shape).filter((name) => name !== 'id')
}

/** What stands beside the fields of a record, where its kind shows it. */
const BESIDE: Readonly<Record<string, z.ZodType>> = {
  collectionId: id.describe('The id of the collection that it is in.'),
  sortOrder: place.describe('Its place among its siblings, from 0 and without gaps.'),
  createdAt,
  updatedAt,
  createdByUserId: id.nullable().describe('The id of the account that made it; null where no account did.'),
  updatedByUserId: id.nullable().describe('The id of the account that changed it last; null where no account did.'),
  deletionLocked,
  folderId: id.nullable().describe('The id of the folder that it is in; null at the root of the collection.'),
  parentFolderId: id.nullable().describe('The id of the folder that it is in; null at the root of the collection.')
}
/** What is named otherwise than its kind, or answered otherwise than it is stored. */
const NAMES: Partial<Record<RestorableKind, string>> = { request: 'SavedRequest' }
const AS_ANSWERED: Partial<Record<RestorableKind, z.core.$ZodLooseShape>> = {
  snippet: { sortOrder: z.int().describe('Where it stands among the snippets: lower numbers first.') }
}

function recordAnswer({ kind, label, title, fields, shown }: RecordKind): z.ZodType {
  const isBeside = (name: string) => shown.includes(name) && !Object.hasOwn(fields, name)
  const beside = Object.fromEntries(Object.entries(BESIDE).filter(([name]) => isBeside(name)))
  const name = NAMES[kind] ?? label
  return named(name, `${oneOf({ title }).replace(/^a/, 'A')}, as its users see it.`, {
    id: ownId,
    ...storedOf(fields).shape,
    ...AS_ANSWERED[kind],
    ...beside
  })
}

/** A record of each kind, as its users see it. */
export const records = Object.fromEntries(KINDS.map((kind) => [kind, recordAnswer(kinds[kind])])) as Readonly<
  Record<RestorableKind, z.ZodType>
>

/** A record of a kind with a lock, as administrators list it. */
export const managedRecord = named(
  'ManagedRecord',
  'What administrators see of a record in a list: its name and its lock.',
  { id: ownId, name: z.string().describe('What it is called.'), deletionLocked }
)

export const runResult = named('RunResult', 'The result of a run, as it is listed.', {
  id: ownId,
  ...runResultContent.omit({ payload: true }).shape,
  createdAt: time.describe('When it was shared.'),
  createdByUserId: id.nullable().describe('The id of the account that shared it; null where it is gone.')
})
export const runResultWithPayload = named(
  'RunResultWithPayload',
  'The result of a run, with everything that the client has sent of it.',
  runResult.extend({ payload: runResultContent.shape.payload })
)

const initials = z.string().describe('One or two letters in upper case.')
const color = z.string().describe('The name of a colour, such as `teal-600`.')
const imageUrl = z
  .string()
  .optional()
  .describe('The path of the image, which changes with the image; it is missing where there is none.')
/** What stands for an account, beside its other fields. */
export const avatar = { avatarInitials: initials, avatarColor: color, avatarImageUrl: imageUrl }
export const shownAvatar = { initials, color, imageUrl }

/** What stands for the own account. */
export const ownAvatar = named('Avatar', 'What stands for the own account.', avatar)
/** The hub, and what stands for it. */
export const thisHub = named('Hub', 'The hub, and what stands for it.', {
  name: z.string().describe('What the hub, or the tenant, is called.'),
  ...shownAvatar
})
/** An image, as its bytes. */
export const imageAnswers: Answers = {
  200: { 'image/jpeg': z.string(), 'image/png': z.string(), 'image/webp': z.string(), 'image/gif': z.string() }
}

/** The role of an account, as every client knows it, and exactly. */
export const roles = {
  role: z
    .enum(TOLD_ROLES)
    .describe('The role, for clients that know two: `admin`, or `user` for every other one. `exactRole` says which.'),
  exactRole: account.shape.role
}

export const user = named('User', 'An account, as administrators see it.', {
  id: ownId,
  ...account.shape,
  ...roles,
  createdAt,
  updatedAt,
  ...avatar,
  grants: z.array(grant).optional().describe('What it has beside its access lists; left out where that is nothing.'),
  groups: z.array(membership).optional().describe('The groups that it is in; left out where that is none.'),
  isService: z.literal(true).optional().describe('True for that of a machine; left out for others.'),
  disabledAt: time.optional().describe('Since when nothing is let in as it; left out where it is not disabled.')
})
export const listedUser = named(
  'ListedUser',
  'An account in the list of them.',
  user.extend({
    warnings: texts.describe('A text for each entry of an access list that names nothing which is there.')
  })
)

export const group = named('Group', 'A group, and what its members may use by it.', {
  id: ownId,
  ...groupContent.shape,
  createdAt,
  updatedAt
})
export const member = named('Member', 'An account that is in a group.', {
  userId: id.describe('The id of the account.'),
  name: z.string().describe('What it is called.'),
  ...membership.omit({ id: true }).shape
})

export const token = named('Token', 'A token of an account, without its secret.', {
  id: ownId,
  userId: id.describe('The id of the account that it belongs to.'),
  name: z.string().describe('What it is called, such as the machine that it is for.'),
  tokenPrefix: z.string().describe('The beginning of the secret, by which people recognise it.'),
  createdAt,
  lastUsedAt: time.nullable().describe('When it was used last, to within a few minutes; null where it never was.'),
  revokedAt: time.nullable().describe('When it was revoked; null where it is in force.'),
  agentWrites: z.boolean().describe('Whether agents may write with it.'),
  expiresAt: time.nullable().describe('Until when it is in force; null where it has no end.'),
  scopes: z
    .array(z.string())
    .nullable()
    .describe('What it is limited to of what its account may; null where it is not limited.'),
  isSession: z
    .literal(true)
    .optional()
    .describe(
      'True for the session of a browser, which a sign-in has given and which ends by itself, until it is revoked.'
    )
})
/** A new token with its secret, which is told once. */
export const issuedToken = named('IssuedToken', 'A new token with its secret.', {
  token: token.describe('The token.'),
  secret: z.string().describe('The secret, `hbk_` and 49 characters. It is told this once.')
})
export const createdUser = named('CreatedUser', 'A new account with its first token.', {
  user: user.describe('The account.'),
  ...issuedToken.shape
})

export const invitation = named('Invitation', 'An invitation, without its secret.', {
  id: ownId,
  userId: id.describe('The id of the account that it is for.'),
  codePrefix: z.string().describe('The beginning of the secret, by which people recognise it.'),
  expiresAt: time.describe('Until when it can be redeemed.'),
  redeemedAt: time.nullable().describe('When it was redeemed; null where it was not.'),
  revokedAt: time.nullable().describe('When it was revoked; null where it was not.'),
  createdAt,
  status: z.enum(['pending', 'redeemed', 'revoked', 'expired']).describe('What it is at this moment.')
})
/** A new invitation with its secret, which is told once. */
export const issuedInvitation = named('IssuedInvitation', 'A new invitation with its secret.', {
  user: user.describe('The account that it is for.'),
  invitation: invitation.describe('The invitation.'),
  secret: z.string().describe('The secret, which begins with `hbi_`. It is told this once.')
})
export const invitationPreview = named(
  'InvitationPreview',
  'What an invitation is for, as whoever holds its secret sees it.',
  {
    user: account
      .omit({ llmMonthlyTokenLimit: true })
      .extend(roles)
      .describe('The account that a token is issued for.'),
    expiresAt: invitation.shape.expiresAt
  }
)

export const block = named('BlockedAddress', 'An address that is blocked for failed authentications.', {
  address: z.string().describe('The IPv4 or IPv6 address, or the IPv6 network.'),
  failuresWith: z
    .enum(['oneSecret', 'anySecret', 'invitations'])
    .describe('What failed too often: one secret, any secrets, or secrets of invitations.'),
  seconds: z.number().describe('For how many seconds more.')
})

named('FieldChange', 'One field that differs between two states of a record.', fieldChange)
named('AuditEntry', 'One entry of the log, with secrets masked.', auditEntry)

/** `next` is the cursor of the next page; null on the last one. */
export const auditPage = named('AuditPage', 'A page of what a search of the log finds.', {
  entries: z.array(auditEntry).describe('The entries, in the order that was asked for.'),
  next: position.nullable().describe('The `cursor` of the next page; null on the last one.')
})

named('AuditFacets', 'What a search of the log finds, counted.', auditFacets)

export const history = named('History', 'A page of the versions of a record.', {
  versions: z
    .array(
      z.object({
        ...versionShape,
        by: who
          .extend({
            avatar: z
              .object(shownAvatar)
              .optional()
              .describe('What stands for the account now; missing where it is gone.')
          })
          .describe('The account that made the version.')
      })
    )
    .describe('The versions, the newest first.'),
  count: z.int().describe('How many versions there are in all.')
})
named('Difference', 'What differs between two versions of a record.', difference)
export const tree = named('CollectionTree', 'A collection with all that it holds, at one moment.', {
  position: position.describe('The position of the log that this is the state of.'),
  collection: records.collection.describe('The collection.'),
  folders: z.array(records.folder).describe('Its folders, at any depth.'),
  requests: z.array(records.request).describe('Its requests, in any folder.'),
  documents: z.array(records.document).describe('Its documents, in any folder.')
})

const kind = z.enum(KINDS)

named('Activity', 'A page of what happened in a collection.', activity)

export const deletedRecord = named('DeletedRecord', 'A record that is deleted and can be brought back.', {
  kind: kind.describe('What kind of record it is.'),
  id: ownId,
  name: z.string().describe('What it was called.'),
  collectionId: id.nullable().describe('The id of the collection that it was in; null for a kind that is in none.'),
  collection: who.nullable().describe('That collection with its name; null for a kind that is in none.'),
  deletedAt: time.describe('When it was deleted.'),
  deletedByUserId: id.nullable().describe('The id of the account that deleted it; null where no account did.'),
  deletedBy: who.describe('That account with its name.'),
  position: position.describe('The position of the deletion in the log.'),
  held: z
    .object({
      folders: z.int().describe('Folders that went with it.'),
      requests: z.int().describe('Requests that went with it.'),
      documents: z.int().describe('Documents that went with it.')
    })
    .describe('How much went with it, and comes back with it.')
})
/** How many records of each kind are back. */
export const undeleted = named('Undeleted', 'A record that is back.', {
  kind: kind.describe('What kind of record it is.'),
  id: ownId,
  restored: z
    .partialRecord(kind, z.int())
    .describe('How many records of each kind are back with it, itself among them.')
})

export const undone = named('Undo', 'What an undo has come to, or with `preview` would.', {
  preview: z.boolean().describe('True where nothing was changed.'),
  position: position.describe('Where the log ended when it was asked for.'),
  ...takenBack.shape
})

named('Change', 'That something has changed, and what: never what it is now.', feedChange)
/** `cursor` is where the next page begins, and `position` the same without a mark of the log. */
export const changePage = named('ChangePage', 'A page of changes.', {
  changes: z.array(feedChange).describe('The changes that the caller may see, the oldest first. A page may have none.'),
  position: position.describe('The position of the log up to which the page goes.'),
  cursor: z.string().describe('The `after` of the next page. It is refused once the log went back behind it.'),
  more: z.boolean().describe('True where the next page is there already.')
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
