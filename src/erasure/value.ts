import { randomUUID } from 'node:crypto'
import type { RestorableKind } from '../../projections/departures.js'
import { errors } from '../errors.js'
import { historyOf, things } from '../history/history.js'
import { tracer } from '../history/trace.js'
import { type Ledger, systemAgent } from '../ledger.js'
import { canonicalJson } from '../log/canonical.js'
import { sha256 } from '../log/chain.js'

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
  const history = await historyOf(ledger, kind, id)
  const state = (await tracer(ledger).states(kind, id))[version - 1]
  if (!state) throw errors.versionUnknown(history.versions.length)
  const { event } = state
  const data: unknown = JSON.parse(event.payload.text ?? 'null')
  const value = at(data, path) ?? at(data, `/content${path}`)
  if (event.stream !== `${kind}-${id}` || typeof value !== 'string' || value === '')
    throw errors.invalid(
      `Version ${version} has no text at ${path}: name a version that set it, as hub diff prints it.`
    )
  const rewritten = history.versions
    .slice(version)
    .some(({ changed, deleted }) => deleted || changed.includes(fieldOf(path)))
  if (!rewritten)
    throw errors.invalid(`The ${things[kind].toLowerCase()} has this value now. Change it first, then erase it.`)
  const same = history.versions
    .map(({ version: other }) => other)
    .filter((other) => other !== version && at(parsed(history.row(other)?.body), path) === value)
  const left = canonicalJson(without(without(data, path), `/content${path}`))
  const told = { kind, id, position: event.position, path, left: sha256(left) }
  await ledger.run({ type: 'EraseValue', id: randomUUID(), data: told }, systemAgent)
  await ledger.storage.erase([{ event, part: 'payload', text: left }])
  return same
}

function fieldOf(path: string): string {
  return path.split('/')[1] ?? ''
}

function parsed(body: string | undefined): unknown {
  return body === undefined ? undefined : JSON.parse(body)
}

function at(value: unknown, path: string): unknown {
  return keysOf(path).reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    value
  )
}

/** The value with an empty text at the path, where there is one. */
function without(value: unknown, path: string): unknown {
  if (typeof at(value, path) !== 'string') return value
  const [key, ...rest] = keysOf(path)
  if (key === undefined) return ''
  const below = `/${rest.join('/')}`
  if (Array.isArray(value)) return value.map((one, i) => (String(i) === key ? inner(one, rest, below) : one))
  return { ...(value as object), [key]: inner(Reflect.get(value as object, key), rest, below) }
}

function inner(value: unknown, rest: readonly string[], below: string): unknown {
  return rest.length === 0 ? '' : without(value, below)
}

function keysOf(path: string): readonly string[] {
  return path
    .split('/')
    .slice(1)
    .map((key) => key.replace(/~1/g, '/').replace(/~0/g, '~'))
}
