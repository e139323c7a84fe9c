import { kinds, type RestorableKind } from '../../../commands/records/kinds.js'
import { errors } from '../../errors.js'
import { type Ledger, systemOrigin } from '../../ledger/ledger.js'
import { canonicalJson } from '../../log/canonical.js'
import { sha256 } from '../../log/chain.js'
import { versionAt } from '../../records/history/history.js'
import { isEnd, statesOf, type VersionRef, versionsOf } from '../../records/history/versions.js'
import type { Erasing } from './erase.js'
import { finishErasuresLocked, whileNobodyErases } from './finish.js'
import { at, fieldOf, withoutValue } from './pointer.js'

/**
 * Takes one text out of one version of a record for ever, a secret that should never have been there. `path` is a JSON
 * Pointer into the record, as `hub diff` prints it. Returns the other versions that have the same text in that place.
 * The log tells of it under the record's id. 400 for the version that the record has now (change the record first), and where the version has no such text.
 */
export function eraseValue(
  ledger: Erasing,
  kind: RestorableKind,
  id: string,
  version: number,
  path: string
): Promise<readonly number[]> {
  return whileNobodyErases(ledger, () => erased(ledger, kind, id, version, path))
}

async function erased(ledger: Erasing, kind: RestorableKind, id: string, version: number, path: string) {
  // What an erasure of another value in the same version has left to do would otherwise not be what it has told.
  await finishErasuresLocked(ledger)
  const { header, isTaken } = await versionAt(ledger, kind, id, version)
  const [event] = isTaken ? [] : await ledger.storage.readAt([header.position])
  // As it was written, in the schema version that the event goes on to name: what is left of it is read like the rest.
  const data: unknown = JSON.parse(event?.payload.text ?? 'null')
  const value = at(data, path) ?? at(data, `/content${path}`)
  // What a deletion tells beside the name is no text of the record: it says what went with it.
  const isTold = !kinds[kind].steps.ends.includes(header.type) || path === '/name'
  if (!event || typeof value !== 'string' || value === '' || !isTold) throw errors.noTextAt(version, path)
  const { same, isReplaced } = await others(ledger, kind, id, version, path, value)
  if (!isReplaced) throw errors.valueInUse(kinds[kind].title)
  const left = canonicalJson(withoutValue(data, path))
  const told = { kind, id, position: event.position, path, remainingHash: sha256(left) }
  await ledger.run({ type: 'EraseValue', id, data: told }, systemOrigin)
  await finishErasuresLocked(ledger)
  await ledger.indexer.bringForward()
  return same
}

/** Where else a record has the same text, and whether a later version has put something else in its field, or has none. */
async function others(ledger: Ledger, kind: RestorableKind, id: string, version: number, path: string, value: string) {
  const refs: VersionRef[] = []
  for await (const ref of (await versionsOf(ledger, kind, id)).refs()) refs.push(ref)
  const same: number[] = []
  let isReplaced = false
  let chosen: string | undefined
  for await (const { ref, row } of statesOf(ledger, kind, { start: null, refs: refs.reverse() })) {
    const body: unknown = row === null ? null : JSON.parse(row.body)
    if (ref.version !== version && at(body, path) === value) same.push(ref.version)
    const field = JSON.stringify(at(body, `/${fieldOf(path)}`))
    if (ref.version === version) chosen = field
    if (ref.version > version) isReplaced ||= isEnd(kind, ref) || field !== chosen
  }
  return { same, isReplaced }
}
