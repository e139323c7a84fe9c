import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type ConfigDocument, readDocument } from './document.js'
import { isMapping } from './fields.js'
import { type Env, interpolateDocument } from './interpolate.js'
import { ConfigError, type ConfigProblem, configError, explain, keyOf } from './problems.js'
import { type HubConfig, hubSchema } from './schema.js'

export { ConfigError, type ConfigProblem } from './problems.js'

/** The sections as the file gives them, after interpolation: equal before and after a reload means nothing changed. */
export type RawSections = { readonly [Section in keyof HubConfig]?: unknown }

export interface LoadedConfig {
  readonly config: HubConfig
  readonly raw: RawSections
}

/**
 * Reads and validates the configuration file at `path`; relative paths in it start at its directory.
 * Throws a `ConfigError`: the file is missing or unreadable, or it has problems, which are then told all at once.
 */
export function loadConfig(path: string, env: Env): LoadedConfig {
  return parseConfig(readText(path), path, dirname(resolve(path)), env)
}

/** What `loadConfig` does once the text is read. `fileName` is only for the messages. */
export function parseConfig(text: string, fileName: string, baseDir: string, env: Env): LoadedConfig {
  const document = readDocument(text)
  if (document.broken) throw configError(fileName, document.problems)
  const missing = interpolateDocument(document, env)
  const root = plain(document, fileName)
  if (!isMapping(root)) {
    throw configError(fileName, [{ line: 1, key: '', message: 'Config must be a YAML mapping.' }])
  }

  const result = hubSchema(baseDir).safeParse(root, { error: explain })
  const unset = new Set(missing.map(({ key }) => key))
  const invalid = (result.error?.issues ?? [])
    .map(({ path, message }): ConfigProblem => ({ line: document.lineOf(path), key: keyOf(path), message }))
    // An unset variable is the whole truth about its key: what the unreplaced reference is not, helps nobody.
    .filter(({ key }) => !unset.has(key))
  const problems = [
    ...document.problems,
    ...missing.map(({ line, key, message }) => ({ line, key, message })),
    ...invalid
  ]
  if (problems.length > 0 || !result.success) throw configError(fileName, problems)
  return { config: result.data, raw: sections(root) }
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
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new ConfigError(
      code === 'ENOENT' ? `Config file not found: ${path}` : `Config file cannot be read: ${path} (${code})`
    )
  }
}

function sections({
  server,
  db,
  redis,
  logging,
  llm,
  plugins,
  docs,
  invitations,
  client,
  audit
}: Readonly<Record<string, unknown>>): RawSections {
  return { server, db, redis, logging, llm, plugins, docs, invitations, client, audit }
}
