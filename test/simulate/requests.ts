import { z } from 'zod'
import type { Command } from '../../commands/index.js'
import type { KeyedRequest } from '../../commands/log/idempotency/decide.js'
import { tokensTable } from '../../commands/people/token/table.js'
import { collectionKind, kinds } from '../../commands/records/kinds.js'
import { callerOf } from '../../queries/callers.js'
import { listAllowed, listMembers } from '../../queries/records.js'
import { changesFor } from '../../src/followers/feed/follow.js'
import {
  type AuthenticatedCaller,
  authenticate,
  type IncomingRequest,
  throttledByAddress
} from '../../src/http/auth.js'
import { listing } from '../../src/http/lists.js'
import { type CommandOrigin, systemOrigin } from '../../src/ledger/ledger.js'
import { issueToken } from '../../src/ledger/secrets.js'
import { timeText } from '../../src/lib/clock.js'
import { sha256 } from '../../src/log/chain.js'
import type { Answer } from '../checking/history.js'
import type { OpenHub } from './hubs.js'
import { HOME } from './scene.js'

/** The kinds of record that are read and written. */
export type Kind = 'collection' | 'folder'

/** Nobody is blocked: that is tested elsewhere. */
const POLICY = {
  driver: 'memory',
  maxFailures: 1000,
  windowSeconds: 60,
  blockSeconds: 60,
  maxFailuresPerAddress: 10_000
} as const

function requestTo({ ledger, throttle }: OpenHub, secret: string | null): IncomingRequest {
  const headers = secret === null ? {} : { authorization: `Bearer ${secret}` }
  return {
    headers,
    ip: '127.0.0.1',
    id: '',
    namedTenant: undefined,
    method: 'GET',
    hub: { ledger, throttle, signIn: null, config: { redis: POLICY } }
  }
}

/** Lets whoever shows a secret in, as every request is. */
export function enter(hub: OpenHub, secret: string): Promise<AuthenticatedCaller> {
  return authenticate(requestTo(hub, secret))
}

/** Carries out a command for whoever shows a secret; with a key only once, however often it is sent. */
export async function carryOut(
  hub: OpenHub,
  secret: string,
  command: Command,
  idempotency?: KeyedRequest
): Promise<{ readonly position: number }> {
  const { token } = await enter(hub, secret)
  const origin: CommandOrigin = { tokenId: token.id, address: null, requestId: null, idempotency }
  const { position, repeats } = await hub.ledger.run(command, origin)
  return { position: repeats?.position ?? position }
}

/** Carries out a command that the hub gives itself. */
export async function carryOutItself(hub: OpenHub, command: Command): Promise<{ readonly position: number }> {
  const { position } = await hub.ledger.run(command, systemOrigin)
  return { position }
}

const named = z.object({ id: z.string(), name: z.string() })
const listed = z.union([z.object({ collections: z.array(named) }), z.object({ folders: z.array(named) })])

/** One record. */
export async function readRecord(hub: OpenHub, secret: string, kind: Kind, id: string): Promise<Answer<'read'>> {
  await enter(hub, secret)
  const row = await hub.ledger.readModel.get(kinds[kind].table, id)
  if (!row) return { content: null }
  return { content: named.parse(JSON.parse(row.body)).name, position: row.revision }
}

/** All records of a kind, as the list says that clients get. */
export async function listRecords(hub: OpenHub, secret: string, kind: Kind): Promise<Answer<'list'>> {
  await enter(hub, secret)
  const what = kind === 'collection' ? listAllowed(collectionKind, ['*']) : listMembers(kinds.folder, HOME)
  const { body } = await listing(hub.ledger.readModel, what)
  const lists = listed.parse(JSON.parse(String(body)))
  const records = 'folders' in lists ? lists.folders : lists.collections
  return { contents: Object.fromEntries(records.map(({ id, name }) => [id, name])) }
}

/** Where the log ends. */
export async function readHead(hub: OpenHub, secret: string): Promise<Answer<'head'>> {
  await enter(hub, secret)
  return { position: hub.ledger.readModel.head.position }
}

/** What there is behind a position, once there is something, as a stream of changes tells it. */
export async function followFeed(hub: OpenHub, secret: string, after: number): Promise<Answer<'feed'>> {
  const { token } = await enter(hub, secret)
  const { tail, readModel } = hub.ledger
  await tail.waitForEvents(after, new AbortController().signal)
  const callerNow = async () =>
    callerOf(readModel, await readModel.get(tokensTable, token.id), () => timeText(hub.ledger.now()))
  const batch = await changesFor(tail, () => readModel.head, callerNow)(after)
  const told = (batch?.frames ?? '').matchAll(/"position":(\d+)/g)
  return { positions: [...told].map(([, position]) => Number(position)), through: batch?.position ?? after }
}

/** Redeems an invitation for a new token. */
export async function redeem(hub: OpenHub, secret: string): Promise<{ readonly position: number }> {
  return throttledByAddress(requestTo(hub, null), () => {
    const { token } = issueToken({}, 0)
    return carryOutItself(hub, { type: 'RedeemInvitation', hash: sha256(secret), token, tokenName: undefined })
  })
}
