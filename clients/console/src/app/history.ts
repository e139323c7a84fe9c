import { HubRequestError, type Schemas } from '@collections-hub/client'
import { needsSides, type Sides } from '../model/diffFields.js'
import { changesBetween, type FieldChange, stepsOf } from '../model/diffLeaves.js'
import { KINDS, type RecordRef } from '../model/records.js'
import { isPutBack, type Version, versionAt } from '../model/versions.js'
import { loadRecord } from './records.js'
import { ask, hub, identity, isAdmin } from './session.js'

/** A part of the versions of a record, the newest first. */
export interface VersionPage {
  readonly versions: readonly Version[]
  readonly hasOlder: boolean
}

const PAGE = 30

/** The newest versions of a record, or those before one. Administrators read them from the log. */
export function loadVersions(ref: RecordRef, signal: AbortSignal, before?: Version): Promise<VersionPage> {
  return isAdmin.value ? fromLog(ref, signal, before) : fromHistory(ref, signal, before)
}

async function fromHistory(ref: RecordRef, signal: AbortSignal, before?: Version): Promise<VersionPage> {
  const { versions } = await versionsBefore(ref, before?.version ?? undefined, PAGE, signal)
  return { versions, hasOlder: (versions.at(-1)?.version ?? 1) > 1 }
}

async function fromLog({ kind, id }: RecordRef, signal: AbortSignal, before?: Version): Promise<VersionPage> {
  const query = { kind, id, order: 'newest', limit: PAGE, cursor: before?.position } as const
  const { entries, next } = await ask('GET', '/admin/audit', { query, signal })
  return { versions: entries.map(versionOfEntry), hasOlder: next !== null }
}

/** Some versions, and how many there are in all. */
async function versionsBefore({ kind, id }: RecordRef, before: number | undefined, limit: number, signal: AbortSignal) {
  const path = `/${KINDS[kind].plural}/{id}/history` as const
  const body = await ask('GET', path, { path: { id }, query: { limit, before }, signal })
  const versions = body.versions.map(({ deleted = false, erased = false, causation = null, ...rest }) => {
    return { ...rest, isDeleted: deleted, isErased: erased, causation }
  })
  return { versions, count: body.count }
}

function versionOfEntry(entry: Schemas['AuditEntry']): Version {
  const { position, at, type, actor, changes, causation, erased = false } = entry
  const changed = [...new Set(changes.map(({ path }) => stepsOf(path)[0] ?? ''))]
  return {
    version: null,
    position,
    at,
    type,
    by: actor,
    changed,
    isDeleted: type.endsWith('Deleted'),
    isErased: erased,
    causation
  }
}

/** At most so many pages are gone through for the version of a moment. */
const PAGES_MOST = 20

/** The version that a record had at a moment, and its newest; neither where it is not found. */
export async function loadVersionAt(ref: RecordRef, at: string, signal: AbortSignal) {
  let newest: Version | undefined
  let last: Version | undefined
  for (let pages = 0; pages < PAGES_MOST; pages++) {
    const { versions, hasOlder } = await loadVersions(ref, signal, last)
    newest ??= versions[0]
    const version = versionAt(versions, at)
    if (version || !hasOlder) return { version, newest }
    last = versions.at(-1) ?? last
  }
  return { version: undefined, newest }
}

/** Two versions of a record, and what differs between them. */
export interface Comparison {
  readonly from: Version
  readonly to: Version
  readonly changes: readonly FieldChange[]
  /** How many changes more there are than are listed. */
  readonly more: number
  readonly sides: Sides | undefined
  /** How many versions there are; null where nobody counts them. */
  readonly count: number | null
}

/** Compares two versions of a record by what addresses call them. */
export async function loadComparison(
  ref: RecordRef,
  numbers: { readonly from: number; readonly to: number },
  signal: AbortSignal
): Promise<Comparison> {
  if (isAdmin.value) {
    const [from, to] = await Promise.all([loadEntry(numbers.from, signal), loadEntry(numbers.to, signal)])
    const sides = await sidesOf(ref, from, to, signal)
    return { from, to, sides, changes: changesBetween(sides.from, sides.to), more: 0, count: null }
  }
  const [{ version: from }, { version: to, count }] = await Promise.all([
    loadVersion(ref, numbers.from, signal),
    loadVersion(ref, numbers.to, signal)
  ])
  const path = `/${KINDS[ref.kind].plural}/{id}/diff` as const
  const { changes, more = 0 } = await ask('GET', path, { path: { id: ref.id }, query: numbers, signal })
  const sides = changes.some(needsSides) ? await sidesOf(ref, from, to, signal) : undefined
  return { from, to, changes, more, sides, count }
}

async function loadEntry(position: number, signal: AbortSignal): Promise<Version> {
  return versionOfEntry(await ask('GET', '/admin/audit/{position}', { path: { position }, signal }))
}

async function loadVersion(ref: RecordRef, number: number, signal: AbortSignal) {
  const { versions, count } = await versionsBefore(ref, number + 1, 1, signal)
  const [version] = versions
  if (!version) throw new Error('A record that is there has a version.')
  return { version, count }
}

async function sidesOf(ref: RecordRef, from: Version, to: Version, signal: AbortSignal): Promise<Sides> {
  const side = async ({ position }: Version) => {
    try {
      return (await loadRecord(ref, signal, String(position))).content
    } catch (error) {
      if (error instanceof HubRequestError && error.status === 404) return null
      throw error
    }
  }
  const [before, after] = await Promise.all([side(from), side(to)])
  return { from: before, to: after }
}

/** What a restore would change, and the entity tag that it would change it by. */
export async function loadPreview(ref: RecordRef, version: number, signal: AbortSignal) {
  // The tag comes first: whatever happens after it is refused, and shown before the next try.
  const { etag } = await loadRecord(ref, signal)
  const { count } = await versionsBefore(ref, undefined, 1, signal)
  const comparison = await loadComparison(ref, { from: count, to: version }, signal)
  return { ...comparison, etag, changes: comparison.changes.filter(({ path }) => isPutBack(ref.kind, path)) }
}

/** Gives a record the content of one of its versions, if it still is what was read. Returns its new entity tag. */
export async function restoreVersion(ref: RecordRef, version: number, etag: string | null): Promise<string | null> {
  const path = `/${KINDS[ref.kind].plural}/{id}/restore` as const
  const options = { path: { id: ref.id }, body: { version }, ...(etag !== null && { ifMatch: etag }) }
  return (await hub().request('POST', path, options)).etag
}

/** Who has changed a record since a time, the last one first, as they are called in the middle of a sentence. */
export async function changedBy(ref: RecordRef, since: string, signal: AbortSignal): Promise<readonly string[]> {
  const own = identity().user.id
  const { versions } = await loadVersions(ref, signal)
  const names = versions
    .filter(({ at }) => at > since)
    .map(({ by }) => (by.id === own ? 'another session of yours' : (by.name ?? 'somebody')))
  return [...new Set(names)]
}
