import { randomUUID } from 'node:crypto'
import { kinds, type RestorableKind } from '../../commands/kinds.js'
import { errors } from '../errors.js'
import { versionAt } from '../history/history.js'
import { statesOf } from '../history/states.js'
import { type Turn, versionsOf } from '../history/versions.js'
import { type Ledger, systemAgent } from '../ledger.js'
import { canonicalJson } from '../log/canonical.js'
import { sha256 } from '../log/chain.js'
import { at, fieldOf, without } from './pointer.js'

/**
 * Takes one text out of one version of a record for ever, a secret that should never have been there. `path` is a JSON
 * Pointer into the record, as `hub diff` prints it. Returns the other versions that have the same text in that place.
 * 400 for the version that the record has now (change the record first), and where the version has no such text.
 */
export async function eraseValue(
  ledger: Ledger,
  kind: RestorableKind,
  id: string,
  version: number,
  path: string
): Promise<readonly number[]> {
  const { header, isTaken } = await versionAt(ledger, kind, id, version)
  const [event] = isTaken ? [] : await ledger.storage.readAt([header.position])
  // As it was written, in the schema version that the event goes on to name: what is left of it is read like the rest.
  const data: unknown = JSON.parse(event?.payload.text ?? 'null')
  const value = at(data, path) ?? at(data, `/content${path}`)
  if (!event || typeof value !== 'string' || value === '')
    throw errors.invalid(
      `Version ${version} has no text at ${path}: name a version that set it, as hub diff prints it.`
    )
  const { same, isReplaced } = await others(ledger, kind, id, version, path, value)
  if (!isReplaced)
    throw errors.invalid(`The ${kinds[kind].label.toLowerCase()} has this value now. Change it first, then erase it.`)
  const left = canonicalJson(without(without(data, path), `/content${path}`))
  const told = { kind, id, position: event.position, path, remainingHash: sha256(left) }
  await ledger.run({ type: 'EraseValue', id: randomUUID(), data: told }, systemAgent)
  await ledger.storage.erase([{ event, part: 'payload', text: left }])
  return same
}

/** Where else a record has the same text, and whether a later version has put something else in its field, or has none. */
async function others(ledger: Ledger, kind: RestorableKind, id: string, version: number, path: string, value: string) {
  const turns: Turn[] = []
  for await (const turn of (await versionsOf(ledger, kind, id)).turns()) turns.push(turn)
  const same: number[] = []
  let isReplaced = false
  let chosen: string | undefined
  for await (const { turn, row } of statesOf(ledger, kind, { start: null, turns: turns.reverse() })) {
    const body: unknown = row === null ? null : JSON.parse(row.body)
    if (turn.version !== version && at(body, path) === value) same.push(turn.version)
    const field = JSON.stringify(at(body, `/${fieldOf(path)}`))
    if (turn.version === version) chosen = field
    const isGone = turn.isTaken || kinds[kind].steps.ends.includes(turn.header.type)
    if (turn.version > version) isReplaced ||= isGone || field !== chosen
  }
  return { same, isReplaced }
}
