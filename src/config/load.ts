import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { z } from 'zod'
import { closestName } from '../lib/didYouMean.js'
import { LIMITS } from '../limits.js'
import { type ConfigDocument, readDocument } from './document.js'
import { withEnvironment } from './environment.js'
import { isMapping } from './fields.js'
import { type Env, interpolateDocument, referencesIn } from './interpolate.js'
import { keysAt, OWN_KEY } from './jsonSchema.js'
import { withoutOlder } from './older.js'
import { ConfigError, type ConfigProblem, configError, explain, keyOf, type Path, problemText } from './problems.js'
import { type HubConfig, hubSchema } from './schema.js'

export { ConfigError, type ConfigProblem } from './problems.js'

/**
 * The sections as the file and the environment give them, after interpolation: equal before and after a reload means nothing
 * changed.
 */
export type RawSections = { readonly [Section in keyof HubConfig]?: unknown }

export interface LoadedConfig {
  readonly config: HubConfig
  readonly raw: RawSections
  /** What is no error and still not as somebody may think, a line each. */
  readonly warnings: readonly string[]
}

/** A configuration that was read just now. */
export interface ReadConfig extends LoadedConfig {
  /** The variables that set keys without that the file refers to them, by the key as `db.password`. */
  readonly overlaid: ReadonlyMap<string, string>
}

/**
 * Reads and validates the configuration file at `path` with what the environment says; relative paths in it start at its
 * directory. `keys` are the variables that may set keys, and `env` those that the file may refer to. Throws a `ConfigError`: the file
 * is missing or unreadable, or it has problems, which are then told all at once.
 */
export function loadConfig(path: string, env: Env, keys: Env = env): ReadConfig {
  return parseConfig(readText(path), path, dirname(resolve(path)), env, keys)
}

/** What `loadConfig` does once the text is read. `fileName` is only for the messages. */
export function parseConfig(text: string, fileName: string, baseDir: string, env: Env, keys = env): ReadConfig {
  const document = readDocument(text)
  if (document.broken) throw configError(fileName, document.problems)
  const missing = interpolateDocument(document, env)
  const whole = plain(document, fileName)
  if (!isMapping(whole)) {
    throw configError(fileName, [{ line: 1, key: '', message: 'Config must be a YAML mapping.' }])
  }
  const ours = Object.fromEntries(Object.entries(whole).filter(([key]) => !OWN_KEY.test(key)))
  const older = withoutOlder(ours, document.lineOf)
  const referred = referencesIn(text)
  const schema = hubSchema(baseDir)
  const { root, variables, ...environment } = withEnvironment(older.root, keys, { schema, baseDir, referred })
  const warnings = [...older.warnings, ...environment.warnings].map((warning) => problemText(fileName, warning))

  const result = schema.safeParse(root, { error: explain })
  const unset = missing.filter(({ key }) => !variables.has(key))
  const isUnset = new Set(unset.map(({ key }) => key))
  const invalid = (result.error?.issues ?? [])
    .flatMap((issue) => problemsOf(issue, root))
    .map(({ path, message }): ConfigProblem => {
      const key = keyOf(path)
      const variable = variables.get(key)
      return { line: document.lineOf(path), key, message, ...(variable !== undefined && { line: 0, variable }) }
    })
    // An unset variable is the whole truth about its key: what the unreplaced reference is not, helps nobody.
    .filter(({ key }) => !isUnset.has(key))
  const problems = [
    ...document.problems,
    ...environment.problems,
    ...unset.map(({ line, key, message }) => ({ line, key, message })),
    ...invalid
  ]
  if (problems.length > 0 || !result.success) throw configError(fileName, problems, warnings)
  const overlaid = new Map([...variables].filter(([, variable]) => !referred.has(variable)))
  return { config: result.data, raw: root, warnings, overlaid }
}

/** Where a problem is and what it is: one for each key that nobody knows, and those inside what a value was meant to be. */
function problemsOf(
  issue: z.core.$ZodIssue,
  root: unknown
): readonly { readonly path: Path; readonly message: string }[] {
  const { path } = issue
  if (issue.code === 'invalid_union') {
    const meant = issue.errors.find((issues) => issues.length > 0 && !issues.some(isOfAnotherKind))
    if (meant !== undefined)
      return meant.flatMap((inner) => problemsOf({ ...inner, path: [...path, ...inner.path] }, root))
  }
  if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }]
  const known = keysAt(path, root)
  return issue.keys.map((key) => {
    const meant = closestName(key, known)
    const help = meant === undefined ? `Known here: ${known.join(', ')}.` : `Did you mean ${meant}?`
    return { path: [...path, key], message: `Unknown key. ${help}` }
  })
}

/** True where a value is not even of the kind that was expected. */
function isOfAnotherKind({ code, path }: z.core.$ZodIssue): boolean {
  return path.length === 0 && ['invalid_type', 'invalid_value', 'invalid_format', 'invalid_union'].includes(code)
}

function plain({ tree }: ConfigDocument, fileName: string): unknown {
  try {
    return tree.toJS()
  } catch {
    const message = 'Failed to parse config file: its aliases multiply beyond measure.'
    throw configError(fileName, [{ line: 1, key: '', message }])
  }
}

function readText(path: string): string {
  try {
    const found = statSync(path)
    // A pipe or a device may never end.
    if (!found.isFile() && !found.isDirectory()) throw new ConfigError(`Config file cannot be read: ${path} is no file`)
    const { max } = LIMITS.configFile
    if (found.size > max) throw new ConfigError(`Config file cannot be read: ${path} is longer than ${max} bytes`)
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof ConfigError) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new ConfigError(
      code === 'ENOENT' ? `Config file not found: ${path}` : `Config file cannot be read: ${path} (${code})`
    )
  }
}
