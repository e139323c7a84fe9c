import { z } from 'zod'
import { nameOf } from '../../commands/named.js'
import type { Revert } from '../../commands/revert/decide.js'
import type { Restorable } from '../../commands/undelete/decide.js'
import { SYSTEM_ID } from '../../commands/user/system.js'
import type { RestorableKind } from '../../projections/departures.js'
import { documentsTable } from '../../projections/documents.js'
import { foldersTable } from '../../projections/folders.js'
import { requestsTable } from '../../projections/requests.js'
import { deletionOf } from '../../queries/departures.js'
import { KINDS, kinds } from '../../queries/kinds.js'
import { type AuditQuery, pagesOf } from '../audit/search.js'
import { HubError } from '../errors.js'
import { type Ledger, systemAgent } from '../ledger.js'
import { type StoredEvent, subjectOf } from '../log/event.js'
import { eventsAt } from '../log/texts.js'
import type { Row } from '../storage/storage.js'
import { restorable } from './rows.js'
import { type State, type Tracer, tracer } from './trace.js'
import { chunks, containersFirst, lastVersion } from './undelete.js'

/** A record that a token has done something to. */
export interface Touched {
  readonly kind: RestorableKind
  readonly id: string
  readonly name: string
}

/** What taking back comes to. */
export interface UndoPlan {
  /** Deleted records that come back. */
  readonly returning: readonly (Touched & { readonly record: Restorable })[]
  /** Records that get back what they were. */
  readonly reverting: readonly (Touched & { readonly revert: Revert })[]
  /** Records that the token has made, innermost first: they go. */
  readonly removing: readonly (Touched & { readonly revert: Revert })[]
  /** What stays as it is, and why. */
  readonly kept: readonly (Touched & { readonly reason: string })[]
}

const BUILT_ON = 'somebody has changed it since'
const HOLDS_OTHERS = 'it holds what others have put there since'

/** Finds what a token did in a stretch of the log, and how each of it can be taken back. Nothing is changed. */
export async function planUndo(ledger: Ledger, query: AuditQuery & { readonly token: string }): Promise<UndoPlan> {
  const isOurs = new Set<number>()
  const records = new Map<string, { readonly kind: RestorableKind; readonly id: string }>()
  for await (const page of pagesOf(ledger, query)) {
    for (const { position } of page) isOurs.add(position)
    for await (const events of eventsAt(ledger.storage, page)) {
      for (const one of recordsIn(events)) records.set(`${one.kind}-${one.id}`, one)
    }
  }
  const trace = tracer(ledger)
  const plan = { returning: [], reverting: [], removing: [], kept: [] } as Mutable<UndoPlan>
  for (const { kind, id } of records.values()) {
    const states = await trace.states(kind, id)
    const ours = ({ event }: State) => isOurs.has(event.position)
    // What the token did last can be taken back; what it did before somebody else's change cannot.
    const untouched = states.findLastIndex((state) => !ours(state)) + 1
    const [before, last] = [states[untouched - 1]?.row ?? null, states.at(-1)]
    const touched = { kind, id, name: nameIn(before ?? states.findLast(({ row }) => row)?.row ?? null) }
    if (states.slice(0, untouched).some(ours)) plan.kept.push({ ...touched, reason: BUILT_ON })
    if (!last || untouched === states.length) continue
    if (last.row === null) {
      if (before) plan.returning.push({ ...touched, record: await returning(ledger, kind, before, states) })
    } else if (before) {
      plan.reverting.push({ ...touched, revert: { kind, id, revision: last.row.revision, to: asIs(kind, before) } })
    } else if (await holdsOthers(ledger, touched, trace, isOurs)) {
      plan.kept.push({ ...touched, reason: HOLDS_OTHERS })
    } else {
      plan.removing.push({ ...touched, revert: { kind, id, revision: last.row.revision, to: null } })
    }
  }
  const depth = ({ kind }: Touched) => KINDS.indexOf(kind)
  // Containers go after what is in them.
  return { ...plan, removing: plan.removing.toSorted((a, b) => depth(b) - depth(a)) }
}

/** Takes back what a plan says. Returns what it could not, and why. */
export async function carryOutUndo(ledger: Ledger, plan: UndoPlan, causation: number): Promise<UndoPlan['kept']> {
  const kept: (Touched & { readonly reason: string })[] = []
  const agent = { ...systemAgent, causation }
  const attempt = async (all: readonly Touched[], work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof HubError)) throw error
      kept.push(...all.map(({ kind, id, name }) => ({ kind, id, name, reason: error.message })))
    }
  }
  for (const records of chunks(containersFirst(plan.returning.map(({ record }) => record)))) {
    const those = plan.returning.filter(({ record }) => records.includes(record))
    await attempt(those, () => ledger.run({ type: 'RestoreRecords', records, isExact: true }, agent))
  }
  for (const { revert, ...one } of [...plan.reverting, ...plan.removing]) {
    const row = await ledger.view.get(kinds[one.kind].table, one.id)
    // What was in a folder has gone with it.
    if (!row && revert.to === null) continue
    const revision = row && (await isByUs(ledger, row, causation)) ? row.revision : revert.revision
    await attempt([one], () => ledger.run({ type: 'RevertRecords', reverts: [{ ...revert, revision }] }, agent))
  }
  return kept
}

/** The event that brings a deleted record back as it was before the token came. */
async function returning({ view }: Ledger, kind: RestorableKind, before: Row, states: readonly State[]) {
  const deletion = await deletionOf(view, kind, before.id)
  return restorable(kind, before, {
    follows: lastVersion(kind, before.id, states),
    undoes: deletion ? [deletion.position] : []
  })
}

/** True when it was the taking back of something else that changed the row last. */
async function isByUs({ storage }: Ledger, { revision }: Row, causation: number): Promise<boolean> {
  const [event] = await storage.readLog(revision - 1, 1)
  return event?.causation === causation && event.actorId === SYSTEM_ID
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] }

// Reorders name what they move as objects, deletions what they take with them as ids.
const members = z.array(z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])).default([])
const others = z.object({ folders: members, requests: members, documents: members })

/** The records that these events are about, each once: those of their streams, and those that they reorder or take with them. */
function recordsIn(events: readonly StoredEvent[]): readonly { kind: RestorableKind; id: string }[] {
  const found = new Map<string, { kind: RestorableKind; id: string }>()
  const add = (kind: RestorableKind, id: string) => found.set(`${kind}-${id}`, { kind, id })
  for (const { stream, type, payload } of events) {
    const kind = KINDS.find((one) => stream.startsWith(`${one}-`))
    if (kind) add(kind, subjectOf(stream))
    if (!/(Reordered|Deleted)$/.test(type) || payload.text === null) continue
    const { folders, requests, documents } = others.parse(JSON.parse(payload.text))
    for (const one of folders) add('folder', one)
    for (const one of requests) add('request', one)
    for (const one of documents) add('document', one)
  }
  return [...found.values()]
}

/** True when a collection or a folder holds something that will stay there. */
async function holdsOthers({ view }: Ledger, { kind, id }: Touched, trace: Tracer, isOurs: ReadonlySet<number>) {
  if (kind !== 'collection' && kind !== 'folder') return false
  const index = kind === 'collection' ? 'byCollection' : 'byContainer'
  for (const [member, table] of [
    ['folder', foldersTable],
    ['request', requestsTable],
    ['document', documentsTable]
  ] as const) {
    for (const row of await view.list(table, index, [id], { body: false })) {
      const last = (await trace.states(member, row.id)).at(-1)
      // What the token alone has put there goes or moves out first.
      if (!last || !isOurs.has(last.event.position)) return true
    }
  }
  return false
}

function asIs(kind: RestorableKind, row: Row) {
  return restorable(kind, row, { follows: row.version, undoes: [] })
}

function nameIn(row: Row | null): string {
  return row ? nameOf(row) : ''
}
