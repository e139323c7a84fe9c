import { type AuditEntry, fieldOf, toldText, valueIn } from './auditEntry.js'
import { kindWord, typeLabel } from './logKinds.js'
import { count, counted } from './numbers.js'
import { SYSTEM_ID } from './records.js'
import { capitalized, listed } from './words.js'

/** A piece of a sentence: words, who did it, what it was done to, an address, or a name that somebody gave. */
export type Part =
  | string
  | { readonly is: 'who' }
  | { readonly is: 'it'; readonly word: string }
  | { readonly is: 'address' }
  | { readonly is: 'named'; readonly text: string }

type Say = (entry: AuditEntry) => readonly Part[]

export const who: Part = { is: 'who' }
export const address: Part = { is: 'address' }
const it = (word: string): Part => ({ is: 'it', word })

/** Something by the name that the entry tells in a field; what was erased has none. */
function noun(word: string, entry: AuditEntry, field: string): readonly Part[] {
  const name = toldText(entry, field)
  return name === '' ? [`${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`] : [`the ${word} `, { is: 'named', text: name }]
}

/** A sentence in pieces, without empty ones. */
export function say(words: TemplateStringsArray, ...parts: readonly (Part | readonly Part[])[]): readonly Part[] {
  return words
    .flatMap((text, index) => [text, parts[index] ?? ''])
    .flat()
    .filter((part) => part !== '')
}

/** What happens to records, and to much else, by what the name of the event ends with. */
const STEPS = {
  Created: (word: string) => () => say`${who} made ${it(word)}`,
  Updated: (word: string) => (entry: AuditEntry) =>
    entry.causation === null ? say`${who} changed ${it(word)}` : say`${who} put ${it(word)} back to an earlier version`,
  Changed: (word: string) => () => say`${who} changed ${it(word)}`,
  Deleted: (word: string) => () => say`${who} deleted ${it(word)}`,
  Revoked: (word: string) => () => say`${who} revoked ${it(word)}`,
  Restored: (word: string) => () => say`${who} brought ${it(word)} back`,
  Moved: (word: string) => () => say`${who} moved ${it(word)}`,
  DeletionLocked: (word: string) => () => say`${who} locked ${it(word)} against deletion`,
  DeletionUnlocked: (word: string) => () => say`${who} allowed the deletion of ${it(word)}`,
  Imported: (word: string) => () => say`${who} took ${it(word)} over from an older hub`
} satisfies Readonly<Record<string, (word: string) => Say>>
type Step = keyof typeof STEPS

/** The sentences of these events of something: `LiveServer` is called `live server`. */
const steps = (subject: string, word: string, names: readonly Step[]): Readonly<Record<string, Say>> =>
  Object.fromEntries(names.map((name) => [subject + name, STEPS[name](word)]))

const OF_ALL = ['Created', 'Updated', 'Deleted', 'Restored', 'Imported'] as const
const OF_MEMBERS = [...OF_ALL, 'Moved'] as const
const OF_OTHERS = [...OF_ALL, 'DeletionLocked', 'DeletionUnlocked'] as const

const BLOCKED_FOR: Readonly<Record<string, string>> = {
  oneSecret: ' with one token',
  anySecret: ' with one token or another',
  invitations: ' with invitations'
}
const DISABLED_FOR: Readonly<Record<string, string>> = {
  requested: ', as somebody wished',
  failures: ', since its receiver has failed for too long',
  gone: ', since its receiver says that it is gone',
  access: ', since its owner may not see the changes any more',
  restored: ', since the log was restored or imported'
}
const OUTCOMES: Readonly<Record<string, string>> = {
  refused: ', and was refused',
  failed: ', which failed',
  cancelled: ', which was cancelled'
}
const outcome = (entry: AuditEntry): string => OUTCOMES[toldText(entry, 'outcome')] ?? ''
const disabledFor = (entry: AuditEntry): string => DISABLED_FOR[toldText(entry, 'reason')] ?? ''
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** What each type of event says. */
export const SENTENCES: Readonly<Record<string, Say>> = {
  ...steps('User', 'account', ['Created', 'Updated', 'Deleted', 'Imported']),
  ...steps('Tenant', 'tenant', ['Created', 'Moved', 'Deleted']),
  ...steps('Token', 'token', ['Revoked', 'Deleted', 'Imported']),
  ...steps('Collection', 'collection', OF_OTHERS),
  ...steps('Environment', 'environment', OF_OTHERS),
  ...steps('Snippet', 'snippet', OF_OTHERS),
  ...steps('LiveServer', 'live server', OF_OTHERS),
  ...steps('LivePage', 'live page', OF_OTHERS),
  ...steps('Folder', 'folder', OF_MEMBERS),
  ...steps('Request', 'request', OF_MEMBERS),
  ...steps('Document', 'document', OF_MEMBERS),
  ...steps('Group', 'group', ['Created', 'Updated', 'Deleted']),
  ...steps('LlmBudget', kindWord('llmbudget'), ['Created', 'Updated', 'Deleted']),
  ...steps('Webhook', 'webhook', ['Created', 'Changed', 'Deleted']),
  ...steps('Comment', 'comment', ['Imported']),
  ...steps('Device', 'device', ['Revoked', 'Imported']),
  ...steps('MlsCommit', kindWord('mlscommit'), ['Imported']),
  ...steps('MlsWelcome', kindWord('mlswelcome'), ['Imported']),
  AvatarChanged: () => say`${who} changed what stands for ${it('account')}`,
  HubAvatarChanged: () => say`${who} changed what stands for the hub`,
  TenantRenamed: () => say`${who} gave ${it('tenant')} this name`,
  TokenCreated: () => say`${who} issued ${it('token')}`,
  GrantsChanged: () => say`${who} changed what ${it('account')} may do with single records`,
  UserMarkedAsService: () => say`${who} made ${it('account')} that of a machine`,
  UserProvisioned: () => say`${who} said of ${it('account')} what a directory knows`,
  UserDisabled: () => say`${who} disabled ${it('account')}`,
  UserEnabled: () => say`${who} enabled ${it('account')}`,
  MembershipsChanged: () => say`${who} changed which groups ${it('account')} is in`,
  IdentityBound: () => say`${who} bound somebody at a provider to an account`,
  IdentitySignedIn: () => say`Somebody signed in with a provider`,
  IdentitySignedOut: (entry) => {
    const reason = toldText(entry, 'reason')
    if (reason === 'self') return say`${who} signed out everywhere`
    return reason === 'provider'
      ? say`A provider ended somebody’s sessions, and their tokens with them`
      : say`A provider let somebody in no more, and their sessions and tokens ended`
  },
  IdentityUnbound: () => say`${who} let go of a provider that an account signed in with`,
  TokenReplaced: () => say`${who} replaced ${it('token')} by another one`,
  InvitationCreated: (entry) =>
    valueIn(entry, 'userId') === entry.actor.id
      ? say`${who} made a link for a device of their own`
      : say`${who} invited somebody`,
  InvitationRedeemed: () => say`${who} accepted an invitation`,
  InvitationRevoked: () => say`${who} took an invitation back`,
  InvitationImported: () => say`${who} took an invitation over from an older hub`,
  FoldersReordered: () => say`${who} put folders of ${it('collection')} in another order`,
  ItemsReordered: () => say`${who} put requests or documents of ${it('collection')} in another order`,
  SourceImported: (entry) => {
    const counts = valueIn(entry, 'counts')
    const [made, changed, gone] = ['created', 'updated', 'deleted'].map((one) => numberOf(fieldOf(counts, one)))
    return say`${who} imported ${it('file')}: ${count(made ?? 0)} new, ${count(changed ?? 0)} changed, ${count(gone ?? 0)} deleted`
  },
  RunResultShared: (entry) => say`${who} shared ${noun('run result', entry, 'label')}`,
  RunResultDeleted: (entry) => say`${who} deleted ${noun('run result', entry, 'label')}`,
  RunResultImported: (entry) => say`${who} took ${noun('run result', entry, 'label')} over from an older hub`,

  LlmTurnReserved: (entry) => say`${who} began a turn with a model${tokensOf(entry, 'tokens')}`,
  LlmTurnExtended: () => say`A turn of ${who} with a model goes on`,
  LlmTurnReleased: () => say`A turn of ${who} with a model used nothing`,
  LlmTurnExpired: () => say`A turn with a model was never finished, and counts no more`,
  LlmStepRecorded: (entry) =>
    say`${who} used ${noun('model', entry, 'model')}${tokensOf(entry, 'totalTokens')}${outcome(entry)}`,
  LlmBudgetWarned: (entry) =>
    say`Of ${noun('budget of models', entry, 'name')} ${count(numberOf(valueIn(entry, 'percent')))} percent are used`,
  LlmStepImported: (entry) => say`${who} took a use of ${noun('model', entry, 'model')} over from an older hub`,
  LlmUsageImported: () => say`${who} took a month’s use of models over from an older hub`,

  NoticeLevelSet: () => say`${who} chose which notices to get`,
  ThreadSubscribed: () => say`${who} subscribed to a discussion`,
  ThreadUnsubscribed: () => say`${who} unsubscribed from a discussion`,
  NoticeLevelImported: () => say`${who} took over from an older hub which notices an account gets`,
  ThreadSubscriptionImported: () => say`${who} took a subscription to a discussion over from an older hub`,
  WebhookEnabled: () => say`${who} switched ${it('webhook')} on`,
  WebhookDisabled: (entry) => say`${it('webhook')} was switched off${disabledFor(entry)}`,
  WebhookSecretRotated: () => say`${who} gave ${it('webhook')} a new secret`,
  WebhookReplayed: (entry) => say`${who} had ${it('webhook')} send everything again${behind(entry, 'after')}`,
  CommentWritten: () => say`${who} wrote ${it('comment')}`,
  CommentEdited: () => say`${who} changed ${it('comment')}`,
  CommentRetracted: () => say`${who} took ${it('comment')} back`,
  ThreadResolved: () => say`${who} resolved a discussion`,
  ThreadReopened: () => say`${who} opened a resolved discussion again`,

  DeviceEnrolled: () => say`${who} enrolled ${it('device')}`,
  MlsCommitPosted: () => say`${who} sent ${it(kindWord('mlscommit'))}`,
  MlsGroupRestarted: () => say`${who} had an encrypted group begin anew`,
  MlsWelcomePosted: () => say`${who} sent ${it(kindWord('mlswelcome'))}`,

  DeletionRefused: ({ resource }) => say`${who} tried to delete ${it(kindWord(resource.kind))}, which is locked`,
  LoginBlocked: (entry) => {
    const minutes = Math.ceil(numberOf(valueIn(entry, 'blockedSeconds')) / 60)
    const how = BLOCKED_FOR[toldText(entry, 'failuresWith')] ?? ''
    return say`${address} was blocked for ${counted(minutes, 'minute')}: it failed to sign in too often${how}`
  },
  LoginsUnblocked: () => say`${who} let a blocked address try again`,
  ConfigurationReloaded: (entry) =>
    say`${who} read the configuration again${valueIn(entry, 'fatal') === true ? ', and it could not be used' : ''}`,
  LogExported: (entry) =>
    say`${who} wrote ${toldText(entry, 'what') === 'audit' ? 'what a search of the log found' : 'the log'} to a file${span(entry)}`,
  HeadAccepted: (entry) => {
    const end = toldText(entry, 'end')
    return say`${who} accepted that the log had gone back${end === '' ? '' : ` to entry ${count(Number(end))}`}`
  },
  AuditRead: (entry) => {
    const filter = valueIn(entry, 'filter')
    const position = fieldOf(filter, 'position')
    if (typeof position === 'string') return say`${who} looked at entry ${count(Number(position))} of the log`
    const asked = typeof filter === 'object' && filter !== null ? Object.keys(filter) : []
    return say`${who} searched the log${asked.length === 0 ? '' : ` by ${listed(asked)}`}`
  },
  AgentToolCalled: (entry) => {
    const client = fieldOf(valueIn(entry, 'client'), 'name')
    const agent: Part = typeof client === 'string' ? { is: 'named', text: client } : 'An agent'
    return say`${agent}, for ${who}, called ${noun('tool', entry, 'tool')}${outcome(entry)}`
  },
  ChainSealed: (entry) =>
    valueIn(entry, 'keyId') === null
      ? say`${who} ended the sealing of the log with a key`
      : say`${who} sealed the log with a key`,
  PayloadsErased: (entry) =>
    say`${who} erased what the log said of a deleted ${kindWord(toldText(entry, 'kind')) || 'thing'}`,
  NamesErased: (entry) =>
    say`${who} erased names and addresses of ${valueIn(entry, 'actorId') === null ? 'everybody' : 'one account'}`,
  ValueErased: (entry) => say`${who} erased one value of ${noun('entry', entry, 'position')}`,
  IdempotencyKeyUsed: () => say`The request of ${who} was noted, so that a repeat of it changes nothing`,
  ProjectionsSwitched: () => say`The hub went over to newly built read tables`,
  AuditEntryImported: (entry) =>
    say`${who} took over an entry of an older log${beside([toldText(entry, 'action'), toldText(entry, 'entityType')])}`,
  TakeoverBegun: (entry) => say`${who} began to take over ${noun('tenant', entry, 'tenant')}`,
  TakeoverCompleted: () => say`${who} took over everything of a tenant`
}

const tokensOf = (entry: AuditEntry, field: string): string => {
  const tokens = numberOf(valueIn(entry, field))
  return tokens === 0 ? '' : `: ${counted(tokens, 'token')}`
}

const behind = (entry: AuditEntry, field: string): string => {
  const position = toldText(entry, field)
  return position === '' ? '' : `, from behind entry ${count(Number(position))}`
}
const span = (entry: AuditEntry): string => {
  const [from, to] = [toldText(entry, 'from'), toldText(entry, 'to')]
  return from === '' ? '' : `: entries ${count(Number(from))} to ${count(Number(to))}`
}
const beside = (words: readonly string[]): string => {
  const text = words.filter(Boolean).join(' ')
  return text === '' ? '' : `: ${text}`
}

/** What an entry says, in pieces: those that name somebody or something can be links. */
export function sentenceOf(entry: AuditEntry): readonly Part[] {
  const sentence = Object.hasOwn(SENTENCES, entry.type) ? SENTENCES[entry.type] : undefined
  return sentence?.(entry) ?? say`${who}: ${typeLabel(entry.type)}`
}

/** What somebody is called who has done something; `none` where there is no name. */
export function actorName({ id, name }: AuditEntry['actor'], none: string): string {
  return id === SYSTEM_ID ? 'The hub' : (name ?? none)
}

/** Who did it, as a sentence names them. */
export const whoOf = ({ actor, operator }: AuditEntry): string =>
  operator ? `${operator.user} on the host` : actorName(actor, 'Somebody whose name is erased')

/** Who gave a command on the host, and which. */
export const operatorText = ({ user, host, command }: NonNullable<AuditEntry['operator']>): string =>
  `${user}@${host}: ${command}`

/** What an entry says as one text. */
export const textOf = (entry: AuditEntry): string => wordsOf(sentenceOf(entry), entry)

/** The pieces of a sentence about an entry as one text. */
export function wordsOf(parts: readonly Part[], entry: AuditEntry): string {
  const words = parts.map((part) => {
    if (typeof part === 'string') return part
    if (part.is === 'who') return whoOf(entry)
    if (part.is === 'address') return entry.address ?? 'An address'
    return part.is === 'named' ? part.text : itOf(entry, part.word)
  })
  return capitalized(words.join('').trim())
}

/** What it was done to: by its name where the entry has one. */
const itOf = ({ resource }: AuditEntry, word: string): string =>
  resource.name === null ? `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}` : `the ${word} ${resource.name}`

/** Types of event that tell of the hub's own book-keeping, and so are shown more quietly. */
export const isBookkeeping = (type: string): boolean => QUIET.has(type)
const QUIET = new Set([
  ...['AuditRead', 'IdempotencyKeyUsed'],
  ...['LlmTurnReserved', 'LlmTurnExtended', 'LlmTurnReleased', 'LlmTurnExpired']
])
