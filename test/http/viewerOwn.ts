import type { Row } from '../../src/storage/storage.js'

/** Something that a viewer changes, since it is their own. */
interface Own {
  readonly why: string
  /** The operations that change it, so far as it is theirs. */
  readonly operations: readonly string[]
  /** The columns that name whose a row is, by table. */
  readonly rows: Readonly<Record<string, string>>
}

/** All that somebody changes who may only look at the records of others: what is not here stays as it is, whatever they call. */
const OWN: readonly Own[] = [
  {
    why: 'results of runs stand in no collection: every user shares their own, and deletes no other',
    operations: ['shareRunResult', 'deleteRunResult'],
    // A payload has the id of its result, and no other column.
    rows: { runResults: 'createdBy', runPayloads: 'id' }
  },
  {
    why: 'what is said of results of runs every user says; what somebody has said before, they may take back',
    operations: ['commentOnRunResult', 'deleteComment'],
    rows: { comments: 'authorId' }
  },
  {
    why: 'what somebody wants to be told of, and has read, is no change of what it is about',
    operations: [
      ...['readNotice', 'readAllNotices', 'setNotificationSettings'],
      ...['subscribeToThread', 'unsubscribeFromThread']
    ],
    rows: { noticeLevels: 'id', threadSubscriptions: 'userId' }
  },
  {
    why: 'devices are of the account that enrols them',
    operations: ['enrollDevice', 'revokeDevice'],
    rows: { devices: 'userId' }
  },
  {
    why: 'whoever may look at a collection may have its changes told to an address of theirs',
    operations: [
      ...['createWebhook', 'changeWebhook', 'deleteWebhook', 'rotateWebhookSecret', 'enableWebhook'],
      ...['replayWebhook', 'testWebhook']
    ],
    rows: { webhooks: 'ownerId' }
  },
  {
    why: 'tokens, and links that give one, are of the account that asks for them',
    operations: ['createOwnToken', 'revokeOwnToken', 'createDesktopLink'],
    rows: { tokens: 'userId', invitations: 'userId' }
  }
]

const operations = new Set(OWN.flatMap((one) => one.operations))
const owners = new Map(OWN.flatMap(({ rows }) => Object.entries(rows)))

/** True for an operation by which a viewer changes what is theirs. */
export function isOfOwn(operation: string): boolean {
  return operations.has(operation)
}

/** Why a viewer may change it. */
export function whyOwn(operation: string): string {
  return OWN.find((one) => one.operations.includes(operation))?.why ?? ''
}

/** True for a row that one of these ids owns: the id of an account, or of a thing of theirs. */
export function isOwnRow(table: string, row: Row, ids: ReadonlySet<string>): boolean {
  const column = owners.get(table)
  if (column === undefined) return false
  const value = Object.entries(row).find(([name]) => name === column)?.[1]
  return typeof value === 'string' && ids.has(value)
}
