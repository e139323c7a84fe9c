import { z } from 'zod'
import { isReference, isSecretName } from '../../lib/secretNames.js'
import { type Changes, type FieldChange, shortened, withSides } from '../../records/history/fieldChanges.js'

/** Stands for a secret. */
export const MASK = '[masked]'

/** Where secrets are, in a record or in an event about one: values of variables, and hashes of secrets. */
const SECRETS = [/(^|\/)variables\/\d+\/(value|defaultValue)$/, /(^|\/)runCommandEnv\/\d+\/value$/, /(^|\/)hash$/]

/** A header in a list of them. */
const HEADER = /(^|\/)headers\/\d+$/
/** An entry of a list, which may have a name and a value. */
const ENTRY = /\/\d+$/
const OF_HEADER = /(?:^|\/)headers\/([^/]*)$/
/** Where a change of the value of a header alone does not tell its name. */
const OF_ANY_HEADER = /(^|\/)headers\/\d+\/value$/

const IN_AUTH = /(?:^|\/)auth\/(.*)$/s
const SECRET_IN_AUTH = /secret|password|token|key/i
const ADDRESS = /ur[il]s?$/i
/** What says how a secret is sent. */
const HOW = /^(type|in|name|addTo|prefix)$/

/**
 * True where an auth block holds a secret. Those of live pages are of any shape, so what a name in them says decides, in every auth
 * block: it counts for all that is below it. Where a change does not tell the name, any value may be one.
 */
function isSecretInAuth(path: string): boolean {
  const [, inside] = IN_AUTH.exec(path) ?? []
  if (inside === undefined) return false
  const names = inside.split('/')
  const last = names.at(-1) ?? ''
  if (ADDRESS.test(last) || HOW.test(last)) return false
  const isUnnamed = last === 'value' && /^\d+$/.test(names.at(-2) ?? '')
  return isUnnamed || names.some((name) => SECRET_IN_AUTH.test(name) && !ADDRESS.test(name))
}

/** What may be shown of a value: how, by its path, and by the kind of thing that it is of. */
export type Show = (text: string, path: string, kind: string) => string

/** Secrets are masked; empty ones hide nothing and stay. */
export const masked: Show = (text, path, kind) => {
  if (kind === 'webhook' && /(^|\/)url$/.test(path)) return maskedTarget(text)
  if (text === '') return text
  // Not by one expression, which would look through a long name once more for each such word in it.
  const isOfSecret = OF_ANY_HEADER.test(path) || isSecretName(OF_HEADER.exec(path)?.[1] ?? '')
  if (isOfSecret) return isReference(text) ? text : MASK
  return isSecretInAuth(path) || SECRETS.some((secret) => secret.test(path)) ? MASK : text
}

/** The URL that a webhook leads to: its path and its query may be all that keeps others from calling it. */
export function maskedTarget(url: string): string {
  if (!URL.canParse(url)) return MASK
  const { origin, pathname, search } = new URL(url)
  return pathname === '/' && search === '' ? url : `${origin}/${MASK}`
}

/** Long texts are cut short: a list is no place for whole documents. */
export const short: Show = shortened

/** The change with every text in it as these let it be shown. */
export function shown(change: FieldChange, how: readonly Show[], kind: string): FieldChange {
  return withSides(change, (value) => how.reduce((value, show) => deep(value, change.path, kind, show), value))
}

/** A record, or several, with the secrets in them masked. */
export function maskedIn(value: unknown): unknown {
  return deep(value, '', '', masked)
}

/** The same for agents: of variables those are shown that are shared and not called as secrets are. */
export function maskedForAgents(value: unknown): unknown {
  return deep(value, '', '', masked, isOpenVariable)
}

const VARIABLE = /(^|\/)variables\/\d+$/
/** In the names of variables these words say so too. */
const ALSO_SECRET = /key|pwd|pin\b/i
const sharedVariable = z.object({ key: z.string(), share: z.literal(true) })

function isOpenVariable(value: object, path: string): boolean {
  if (!VARIABLE.test(path)) return false
  const { success, data } = sharedVariable.safeParse(value)
  return success && !isSecretName(data.key) && !ALSO_SECRET.test(data.key)
}

const NONE_OPEN = () => false

/** `isOpen` tells what is shown as a whole. */
function deep(
  value: unknown,
  path: string,
  kind: string,
  show: Show,
  isOpen: (value: object, path: string) => boolean = NONE_OPEN
): unknown {
  if (typeof value === 'string') return show(value, path, kind)
  // A secret may be a number, in what has the format of the desktop.
  if (typeof value === 'number') return show(String(value), path, kind) === MASK ? MASK : value
  if (Array.isArray(value)) return value.map((one, i) => deep(one, `${path}/${i}`, kind, show, isOpen))
  if (typeof value !== 'object' || value === null || isOpen(value, path)) return value
  const of = HEADER.test(path) || (ENTRY.test(path) && IN_AUTH.test(path)) ? pathByName(value, path) : null
  const under = (key: string) => (of !== null && key === 'value' ? of : `${path}/${key}`)
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, deep(one, under(key), kind, show, isOpen)]))
}

/** Where the value of an entry would stand if those were named and not numbered; null where it has no name. */
function pathByName(entry: object, path: string): string | null {
  const name = 'key' in entry ? entry.key : 'name' in entry ? entry.name : undefined
  return typeof name === 'string' ? `${path.slice(0, path.lastIndexOf('/') + 1)}${name.replaceAll('/', '~1')}` : null
}

/** The changes with at most `max` items of every list in them, and as many changes; what is left out is counted. */
export function limited({ changes, more }: Changes, max: number): Changes {
  let left = more + Math.max(0, changes.length - max)
  const side = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      left += Math.max(0, value.length - max)
      return value.slice(0, max).map(side)
    }
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, side(one)]))
  }
  const shown = changes.slice(0, max).map((change) => withSides(change, side))
  return { changes: shown, more: left }
}
