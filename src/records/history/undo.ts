import { nameOf } from '../../../commands/record.js'
import { environmentsTable } from '../../../commands/records/environment/table.js'
import { itemPositionOf } from '../../../commands/records/kind.js'
import { isMember, kinds, MEMBERS, type Restorable, type RestorableKind } from '../../../commands/records/kinds.js'
import { deletionOf } from '../../../queries/tombstones.js'
import { codeOf, HubError } from '../../errors.js'
import { type CommandOrigin, type Ledger, systemOrigin } from '../../ledger/ledger.js'
import { giveWay } from '../../lib/turns.js'
import { sha256 } from '../../log/chain.js'
import type { LogQuery } from '../../log/logQuery.js'
import { columnsOf } from '../../readmodel/manyRows.js'
import type { Columns, Row } from '../../storage/storage.js'
import { changesFoundBy, type FoundMost, foreignTouches } from './foundChanges.js'
import { type Past, pastOf, type RecordPast, rowsOf } from './past.js'
import { batchesOf, containersFirst, type Returning, versionOf } from './undelete.js'

/** A record that something is taken back of. */
export interface UndoneRecord {
  readonly kind: RestorableKind
  readonly id: string
  readonly name: string
}

/** What taking back comes to, as references: contents are read when it is carried out. */
export interface UndoPlan {
  /** Deleted records that come back. */
  readonly returning: readonly (UndoneRecord & { readonly record: Returning })[]
  /** Records that get back what they were. */
  readonly reverting: readonly (UndoneRecord & { readonly before: RecordPast; readonly revision: number })[]
  /** Records that were made, innermost first: they go. */
  readonly removing: readonly (UndoneRecord & RecordPast & { readonly revision: number })[]
  /** What stays as it is, and why. */
  readonly kept: readonly (UndoneRecord & { readonly reason: string })[]
}

const BUILT_ON = 'somebody has changed it since'
const INSIDE_ITSELF = ['folderInItself', 'environmentInItself'].map(codeOf)
const HOLDS_OTHERS = 'it holds what others have put there since'

/**
 * Finds how what a query finds, as what a token or a command did, can be taken back. Nothing is changed. Refuses with 413 what is
 * more than `most`.
 */
export async function planUndo(ledger: Ledger, query: LogQuery, most?: FoundMost): Promise<UndoPlan> {
  const { isOurs, records } = await changesFoundBy(ledger, query, most)
  const { position: at } = await ledger.storage.head()
  const found = [...records].map(([stream, changes]) => ({ stream, ...changes }))
  const nows = await pastOf(
    ledger,
    found.map((one) => ({ ...one, at }))
  )
  const builtOn = await foreignTouches(ledger, records, nows, isOurs)
  // What was done last can be taken back; what was done before somebody else's change cannot.
  const befores = await pastOf(
    ledger,
    found.map((one) => ({ ...one, at: builtOn.get(one.stream) ?? one.first - 1 }))
  )
  // An undo that was cut off has put back what it had come to: of that nothing is left to take back.
  const contested = befores.filter(({ stream }) => builtOn.has(stream))
  const firsts = contested.map(({ stream, kind, id, first }) => ({ stream, kind, id, at: first - 1 }))
  const then = await statesOf(ledger, await pastOf(ledger, firsts))
  const since = await statesOf(ledger, contested)
  const names = await namesOf(ledger, befores, nows)
  const plan = { returning: [], reverting: [], removing: [], kept: [] } as Mutable<UndoPlan>
  for (const [i, before] of befores.entries()) {
    const { stream, kind, id, first, last } = before
    const now = nows[i]
    if (!now?.outline) continue
    const foreign = builtOn.get(stream) ?? 0
    const touched = { kind, id, name: names.get(stream) ?? '' }
    const isAsBefore = then.get(stream) === since.get(stream)
    if (first < foreign && !isAsBefore) plan.kept.push({ ...touched, reason: BUILT_ON })
    if (last < foreign) continue
    const wasThere = before.outline !== null && !before.gone
    if (now.gone) {
      if (wasThere) plan.returning.push({ ...touched, record: await returning(ledger, before, now) })
      continue
    }
    const { revision } = now.outline
    if (wasThere) plan.reverting.push({ ...touched, before, revision })
    else plan.removing.push({ ...now, ...touched, revision })
    await giveWay()
  }
  const going = await emptied(ledger, plan)
  for (const { kind, id, name, stream } of plan.removing)
    if (!going.has(stream)) plan.kept.push({ kind, id, name, reason: HOLDS_OTHERS })
  return { ...plan, removing: containersFirst(plan.removing.filter(({ stream }) => going.has(stream))).toReversed() }
}

/**
 * Takes back what a plan says, on behalf of `by`: the system account or an administrator. Returns what it could not, and why.
 * `requestId` is that of all its events, and of no others: by it they are found, and taken back themselves.
 */
export async function carryOutUndo(
  ledger: Ledger,
  plan: UndoPlan,
  causation: number,
  requestId: string,
  by: CommandOrigin = systemOrigin
): Promise<UndoPlan['kept']> {
  const kept: (UndoneRecord & { readonly reason: string })[] = []
  const origin = { ...by, causation, requestId }
  const keep = (all: readonly UndoneRecord[], refusal: HubError | null) => {
    if (refusal) kept.push(...all.map(({ kind, id, name }) => ({ kind, id, name, reason: refusal.message })))
  }
  const bringBack = (records: readonly Restorable[]) =>
    refusalOf(ledger.run({ type: 'RestoreRecords', records, isExact: true }, origin))
  for await (const records of batchesOf(ledger, containersFirst(plan.returning.map(({ record }) => record)))) {
    if (!(await bringBack(records))) continue
    // What is refused for the sake of one of them is done one by one.
    for (const one of records) {
      const those = plan.returning.filter(({ kind, id }) => one.stream === `${kind}-${id}`)
      keep(those, await bringBack([one]))
    }
  }
  const revert = async (one: UndoneRecord & { readonly revision: number }, to: Restorable | null) => {
    await giveWay()
    const { kind, id } = one
    const row = await ledger.readModel.get(kinds[kind].table, id)
    // What was in a folder has gone with it.
    if (!row && to === null) return null
    const revision = row && (await isByUs(ledger, row, requestId)) ? row.revision : one.revision
    return refusalOf(ledger.run({ type: 'RevertRecords', reverts: [{ kind, id, revision, to }] }, origin))
  }
  // What would lie inside itself waits until the others are where they were: it may be one of them that is in its way.
  for (let waiting = plan.reverting; waiting.length > 0; ) {
    const inside: { readonly one: (typeof waiting)[number]; readonly refusal: HubError }[] = []
    for (const one of waiting) {
      const to = await asIs(ledger, one.before)
      // What is erased meanwhile is not to be taken for what had not been there.
      const refusal = to && (await revert(one, to))
      if (refusal && INSIDE_ITSELF.includes(refusal.code)) inside.push({ one, refusal })
      else keep([one], refusal)
    }
    const isStuck = inside.length === waiting.length
    if (isStuck) for (const { one, refusal } of inside) keep([one], refusal)
    waiting = isStuck ? [] : inside.map(({ one }) => one)
  }
  for (const one of plan.removing) keep([one], await revert(one, null))
  return kept
}

/** Refusals of whoever asks, and not for the sake of a record. */
const OF_CALLER = [401, 403]

/** Why a command was refused for the sake of what it is about; null where it was not. Throws anything else: the undo can be sent again. */
async function refusalOf(done: Promise<unknown>): Promise<HubError | null> {
  try {
    await done
    return null
  } catch (error) {
    if (!(error instanceof HubError) || error.status >= 500 || OF_CALLER.includes(error.status)) throw error
    return error
  }
}

/** The record as it was before, to be brought back behind all that has happened to it since. */
async function returning({ readModel, storage }: Ledger, before: RecordPast, now: RecordPast): Promise<Returning> {
  const deletion = await deletionOf(readModel, before.kind, before.id)
  const deletionPositions = deletion ? [deletion.position] : []
  return { ...before, deletionPositions, follows: await versionOf(storage, now) }
}

/** True when it was the taking back of something else that changed the row last. */
async function isByUs({ storage }: Ledger, { revision }: Row, requestId: string): Promise<boolean> {
  const [event] = await storage.readHeaders(revision - 1, 1)
  return event?.requestId === requestId
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] }

/** What of the plan can be removed, by stream: what holds nothing in the end, as far as others do not go or move out of it. */
async function emptied({ readModel }: Ledger, plan: UndoPlan): Promise<ReadonlySet<string>> {
  const going = new Set(plan.removing.map(({ stream }) => stream))
  const placed = [...plan.returning.map(({ record }) => record), ...plan.reverting.map(({ before }) => before)]
  const leaving = new Set(placed.map(({ stream }) => stream))
  const held = new Map<string, string[]>([...going].map((stream) => [stream, []]))
  for (const { kind, stream, outline } of placed) {
    if (kind === 'environment' && outline) held.get(`environment-${kinds[kind].parentOf(outline)}`)?.push(stream)
    if (!outline || !isMember(kind)) continue
    const { collectionId, inside } = itemPositionOf(outline)
    for (const container of [`collection-${collectionId}`, `folder-${inside}`]) held.get(container)?.push(stream)
  }
  if (plan.removing.some(({ kind }) => kind === 'environment')) {
    for (const { id, parentUuid } of await columnsOf(readModel, environmentsTable, 'byName', []))
      if (!leaving.has(`environment-${id}`)) held.get(`environment-${parentUuid}`)?.push(`environment-${id}`)
  }
  for (const { kind, id, stream } of plan.removing) {
    if (kind !== 'collection' && kind !== 'folder') continue
    const index = kind === 'collection' ? 'byCollection' : 'byContainer'
    for (const member of MEMBERS) {
      const rows = await columnsOf<Columns>(readModel, kinds[member].table, index, [id])
      const inside = rows.map((row) => `${member}-${row.id}`)
      held.set(stream, [...(held.get(stream) ?? []), ...inside.filter((one) => !leaving.has(one))])
    }
    await giveWay()
  }
  // What holds one that stays stays, too.
  for (let before = -1; going.size !== before; ) {
    before = going.size
    for (const [container, streams] of held) if (streams.some((stream) => !going.has(stream))) going.delete(container)
  }
  return going
}

async function asIs({ storage }: Ledger, past: RecordPast): Promise<Restorable | null> {
  for await (const { row } of rowsOf(storage, [past]))
    return kinds[past.kind].restorable(row, { follows: row.version, deletionPositions: [] })
  return null
}

/** What records said and where they stood, in short, by stream; of what was not there, nothing. */
async function statesOf({ storage }: Ledger, pasts: readonly RecordPast[]): Promise<ReadonlyMap<string, string>> {
  const states = new Map<string, string>()
  const there = pasts.filter(({ gone }) => !gone)
  for await (const { past, row } of rowsOf(storage, there)) {
    const { data } = kinds[past.kind].restorable(row, { follows: 0, deletionPositions: [] })
    states.set(past.stream, sha256(JSON.stringify({ ...data, origin: null })))
    await giveWay()
  }
  return states
}

/** The names that records had before, or where they were not there, have. */
async function namesOf({ storage }: Ledger, befores: readonly Past[], nows: readonly Past[]) {
  const named = befores.map((before, i) => (before.outline && !before.gone ? before : (nows[i] ?? before)))
  const names = new Map<string, string>()
  for await (const { past, row } of rowsOf(storage, named)) {
    names.set(past.stream, nameOf(row))
    await giveWay()
  }
  return names
}
