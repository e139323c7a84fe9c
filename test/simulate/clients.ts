import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { noAuth } from '../../commands/content.js'
import type { Command } from '../../commands/index.js'
import { issueToken } from '../../src/ledger/secrets.js'
import type { OpenHub } from './hubs.js'
import type { Random } from './random.js'
import * as requests from './requests.js'
import { ADA, BUDGET, HOME, type Scene, SPENDER, type Token } from './scene.js'
import type { Sender } from './sender.js'

/** A record that clients read and write. */
export interface Known {
  readonly kind: requests.Kind
  readonly id: string
}

/** What all clients of a run share. */
export interface Shared {
  readonly random: Random
  readonly scene: Scene
  /** All tokens of the one user, the revoked ones too. */
  readonly tokens: [Token, ...Token[]]
  readonly records: Known[]
  /** How many operations are still to be done. */
  left: number
}

type Action = (sender: Sender, shared: Shared, reserved: string[]) => Promise<unknown>

const PAUSE_MAX_MS = 60
const TOKENS_HELD_MAX = 60
/** Clients meet at a few records, which were there from the beginning or made last. */
const MET = 3

/** One client: does one thing after another, until the run has had enough. */
export async function client(sender: Sender, shared: Shared): Promise<void> {
  const { random } = shared
  /** The reservations of this client that are not settled. */
  const reserved: string[] = []
  while (shared.left-- > 0) {
    await random.pick(ACTIONS)(sender, shared, reserved)
    if (random.chance(0.3)) await sleep(random.below(PAUSE_MAX_MS))
  }
}

/** The first two records are there from the beginning, and nobody deletes them. */
export const SHARED: readonly [Known, Known] = [
  { kind: 'collection', id: HOME },
  { kind: 'folder', id: 'shared' }
]

function metIn({ records, random }: Shared): Known {
  return random.chance(0.6) ? random.pick(SHARED) : (records.at(-1 - random.below(MET)) ?? SHARED[0])
}

const create: Action = async (sender, shared) => {
  const { random, records } = shared
  const kind = random.pick(['collection', 'folder'])
  const id = randomUUID()
  const name = `made ${id}`
  const command: Command =
    kind === 'collection'
      ? { type: 'CreateCollection', id, name }
      : { type: 'CreateFolder', id, name, collectionId: HOME, parentFolderId: null }
  records.push({ kind, id })
  await change(sender, shared, id, name, command)
}

/** What a collection holds beside its name. */
const EMPTY = { variables: [], headers: [], auth: noAuth, preRequestScript: '', postRequestScript: '' }

const update: Action = async (sender, shared) => {
  const { kind, id } = metIn(shared)
  const name = `changed ${randomUUID()}`
  const command: Command =
    kind === 'collection'
      ? { type: 'UpdateCollection', id, content: { ...EMPTY, name } }
      : { type: 'UpdateFolder', id, name }
  await change(sender, shared, id, name, command)
}

const remove: Action = async (sender, shared) => {
  const met = metIn(shared)
  if (SHARED.includes(met)) return
  const { kind, id } = met
  await change(sender, shared, id, null, { type: kind === 'collection' ? 'DeleteCollection' : 'DeleteFolder', id })
}

/** Sends a change, half of the time under a key with which it can be sent again. */
function change(sender: Sender, { random, tokens }: Shared, id: string, content: string | null, command: Command) {
  const token = random.pick(tokens)
  const isRepeatable = random.chance(0.5)
  const key = isRepeatable ? { useId: randomUUID(), key: `key of ${randomUUID()}`, bodyHash: '' } : undefined
  const work = (hub: OpenHub) => requests.carryOut(hub, token.secret, command, key)
  return sender({ f: 'write', sent: { id, content }, token, isRepeatable, work })
}

const read: Action = (sender, shared) => lookAt(sender, metIn(shared), shared.random.pick(shared.tokens))

/** Reads a record. */
export function lookAt(sender: Sender, { kind, id }: Known, token: Token) {
  return sender({ f: 'read', sent: { id }, token, work: (hub) => requests.readRecord(hub, token.secret, kind, id) })
}

const list: Action = (sender, { random, tokens }) =>
  listAll(sender, random.pick(['collection', 'folder']), random.pick(tokens))

/** Lists the records of a kind. */
export function listAll(sender: Sender, kind: requests.Kind, token: Token) {
  const work = (hub: OpenHub) => requests.listRecords(hub, token.secret, kind)
  return sender({ f: 'list', sent: { kind }, token, work })
}

const head: Action = (sender, { random, tokens }) => {
  const token = random.pick(tokens)
  return sender({ f: 'head', sent: {}, token, work: (hub) => requests.readHead(hub, token.secret) })
}

const use: Action = (sender, { random, tokens }) => {
  const token = random.pick(tokens)
  const work = async (hub: OpenHub) => {
    await requests.enter(hub, token.secret)
    return {}
  }
  return sender({ f: 'use', sent: {}, token, work })
}

const issue: Action = async (sender, { scene: { admin }, tokens }) => {
  const { secret, token } = issueToken({}, 0)
  const command = { type: 'CreateToken', userId: ADA, name: 'another', ...token } as const
  const work = (hub: OpenHub) => requests.carryOut(hub, admin.secret, command)
  tokens.push({ id: token.tokenId, secret })
  await sender({ f: 'issue', sent: { token: token.tokenId }, token: admin, work })
}

const revoke: Action = (sender, { random, scene: { admin, ada }, tokens }) => {
  const { id } = random.pick(tokens)
  if (id === ada.id) return Promise.resolve()
  const work = async (hub: OpenHub) => {
    await requests.carryOut(hub, admin.secret, { type: 'RevokeToken', id })
    return {}
  }
  return sender({ f: 'revoke', sent: { token: id }, token: admin, work })
}

const reserve: Action = async (sender, { random, scene: { spender } }, reserved) => {
  const [id, tokens] = [randomUUID(), 1 + random.below(TOKENS_HELD_MAX)]
  const command = {
    type: 'ReserveLlmTurn',
    id,
    ...{ models: ['model'], tokens, input: 0, atLeast: 1, price: null },
    expiresAt: NEVER,
    chat: { continues: null }
  } as const
  const work = (hub: OpenHub) => requests.carryOut(hub, spender.secret, command)
  const sent = { budget: SPENDER, limit: BUDGET, id, tokens }
  const answer = await sender({ f: 'reserve', sent, token: spender, work })
  if (answer) reserved.push(id)
}

const NEVER = '9999-01-01T00:00:00.000Z'
const CALL = { userId: SPENDER, tokenId: null, model: 'model', provider: 'provider', estimated: false } as const
const STEP = { ...CALL, completionTokens: 0, isNewTurn: true, hadToolCalls: false, messageCount: 1 } as const

/** Most turns use less than they have reserved, so that the budget lasts; some nothing. */
const settle: Action = async (sender, { random }, reserved) => {
  const id = reserved.shift()
  if (id === undefined) return
  const used = random.chance(0.5) ? 0 : 1 + random.below(20)
  const step = { ...STEP, promptTokens: used, totalTokens: used, outcome: 'completed' } as const
  const command: Command =
    used === 0 ? { type: 'ReleaseLlmTurn', id } : { type: 'RecordLlmStep', id, step, budgets: [], price: null }
  const work = (hub: OpenHub) => requests.carryOutItself(hub, command)
  await sender({ f: 'settle', sent: { budget: SPENDER, id, used }, work })
}

const redeem: Action = async (sender, { random, scene }) => {
  const secret = random.pick(scene.invitations)
  await sender({ f: 'redeem', sent: { secret }, work: (hub) => requests.redeem(hub, secret) })
}

/** Each as often as it stands here. */
const ACTIONS: readonly [Action, ...Action[]] = [
  create,
  ...[update, update, update, update, update, update, remove, read, read, read, read, read, list, list, list],
  ...[head, use, use, issue, revoke, reserve, reserve, settle, redeem]
]

/** Follows the changes of the log over one hub after another, until it has come as far as it is to go. */
export async function follower(sender: Sender, { scene }: Shared, name: string, end: () => number): Promise<void> {
  const { admin } = scene
  let after = 0
  while (after < end()) {
    const work = (hub: OpenHub) => requests.followFeed(hub, admin.secret, after)
    const answer = await sender({ f: 'feed', sent: { connection: name, after }, token: admin, work })
    if (answer) after = answer.through
    else await sleep(PAUSE_MAX_MS)
  }
}

/** Looks at everything once more and changes something; true where all of that was answered. */
export async function lastLook(sender: Sender, shared: Shared): Promise<boolean> {
  const { scene, records } = shared
  const answers: unknown[] = []
  for (const kind of ['collection', 'folder'] as const) answers.push(await listAll(sender, kind, scene.ada))
  for (const known of records.slice(-MET)) answers.push(await lookAt(sender, known, scene.ada))
  answers.push(await write(sender, shared))
  return !answers.includes(null)
}

/** Writes a record that nobody else knows. */
export function write(sender: Sender, { scene: { ada } }: Shared) {
  const [id, name] = [randomUUID(), `last ${randomUUID()}`]
  const work = (hub: OpenHub) => requests.carryOut(hub, ada.secret, { type: 'CreateCollection', id, name })
  return sender({ f: 'write', sent: { id, content: name }, token: ada, work })
}
