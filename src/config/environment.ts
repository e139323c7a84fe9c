import { resolve } from 'node:path'
import type { z } from 'zod'
import { closestName } from '../lib/didYouMean.js'
import { isMapping } from './fields.js'
import type { Env } from './interpolate.js'
import { knownKeys } from './knownKeys.js'
import { type ConfigProblem, keyOf } from './problems.js'
import { readSmallFile } from './smallFile.js'

type Mapping = Readonly<Record<string, unknown>>

const START = 'HUB_'
const FILE = '_FILE'
/** Of the hub's own tests, the name of the file, and what its first steps have people put into their shell. */
const OTHERS = /^HUB_(?:(?:TEST|LIMITS|BENCH)_|(?:CONFIG|HEAP_MB|URL|ADMIN|USER)$)/
/** What Kubernetes and Docker set for a service that is called hub-something: no value of ours looks like it. */
const SERVICE_LINK = /^(?:tcp|udp):\/\/[^/]*$/
const SERVICE_NAME = /_SERVICE_(?:HOST|PORT(?:_\w+)?)$|_PORT_\d+_(?:TCP|UDP)(?:_\w+)?$/

/** What the environment makes of a configuration. */
export interface Overlaid {
  readonly root: Mapping
  /** The variable that a key has its value from, by the key as `db.password`. */
  readonly variables: ReadonlyMap<string, string>
  readonly problems: readonly ConfigProblem[]
  readonly warnings: readonly ConfigProblem[]
}

/** The variable of a key: `HUB_DB_PASSWORD` of `db.password`, `HUB_SERVER_PUBLIC_URL` of `server.publicUrl`. */
export function variableOf(path: readonly string[]): string {
  return START + path.map((key) => key.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()).join('_')
}

/**
 * `root` with the values that the environment gives: `HUB_<PATH>`, or the content of the file that `HUB_<PATH>_FILE` names,
 * for every key with a single value. They win over the file, and an empty variable counts as unset. Relative paths of files
 * start at `baseDir`. Of names that no key of `schema` has there is a warning, unless the file itself refers to them.
 */
export function withEnvironment(
  root: Mapping,
  env: Env,
  {
    schema,
    baseDir,
    referred
  }: { readonly schema: z.core.$ZodType; readonly baseDir: string; readonly referred: ReadonlySet<string> }
): Overlaid {
  const given = Object.keys(env).filter((name) => isOurs(name, env[name]))
  if (given.length === 0) return { root, variables: new Map(), problems: [], warnings: [] }
  const known = knownKeys(schema)
  const scalars = new Map(known.flatMap(({ path, isScalar }) => (isScalar ? [[variableOf(path), path] as const] : [])))
  const variables = new Map<string, string>()
  const problems: ConfigProblem[] = []
  const warnings: ConfigProblem[] = []
  let overlaid = root
  for (const variable of given.toSorted()) {
    const told = (key: string, message: string): ConfigProblem => ({ line: 0, key, message, variable })
    const isFile = !scalars.has(variable) && variable.endsWith(FILE)
    const name = isFile ? variable.slice(0, -FILE.length) : variable
    const path = scalars.get(name)
    if (path === undefined) {
      const other = known.find((key) => variableOf(key.path) === name)
      if (!referred.has(variable)) warnings.push(told('', unknown(variable, scalars, other?.path)))
      continue
    }
    const key = keyOf(path)
    variables.set(key, variable)
    if (isFile && given.includes(name)) {
      problems.push(told(key, `${name} is set too: keep one of the two.`))
      continue
    }
    const value = isFile ? readSmallFile(resolve(baseDir, env[variable] ?? '')) : { text: env[variable] ?? '' }
    if ('why' in value) {
      problems.push(told(key, value.why))
      continue
    }
    const next = withValue(overlaid, path, isFile ? value.text.replace(/\r?\n$/, '') : value.text)
    if (next === null) problems.push(told(key, 'What this key stands in is no mapping: make it one, or unset this.'))
    overlaid = next ?? overlaid
  }
  return { root: overlaid, variables, problems, warnings }
}

function isOurs(name: string, value = ''): boolean {
  const isServiceLink = SERVICE_NAME.test(name) || (name.endsWith('_PORT') && SERVICE_LINK.test(value))
  return name.startsWith(START) && value !== '' && !OTHERS.test(name) && !isServiceLink
}

function unknown(variable: string, scalars: ReadonlyMap<string, unknown>, path?: readonly string[]): string {
  if (path !== undefined) return `${keyOf(path)} is a list or a mapping: it can only stand in the file.`
  const meant = closestName(
    variable,
    [...scalars.keys()].flatMap((name) => [name, name + FILE])
  )
  return `No key has this name.${meant === undefined ? '' : ` Did you mean ${meant}?`}`
}

/** The mapping with another value at `path`; null where something on the way is no mapping. */
function withValue(root: Mapping, [key = '', ...below]: readonly string[], value: string): Mapping | null {
  if (below.length === 0) return { ...root, [key]: value }
  const inside = root[key] ?? {}
  const next = isMapping(inside) ? withValue(inside, below, value) : null
  return next && { ...root, [key]: next }
}
