import { fields, list } from './loose.js'

/** Everything of an account of Postman in one file, as data dumps were until 2020. */
export interface PostmanDump {
  readonly collections: readonly unknown[]
  readonly environments: readonly unknown[]
}

/** The parts of such a file; null for another one. Globals are an environment of that name. */
export function postmanDumpIn(value: unknown): PostmanDump | null {
  const { version, collections, environments, globals, info, item } = fields(value)
  if (!Array.isArray(collections) || info !== undefined || item !== undefined) return null
  if (typeof version !== 'number' && !Array.isArray(environments) && !Array.isArray(globals)) return null
  const rest = list(globals).length === 0 ? [] : [{ name: 'Globals', values: globals }]
  return { collections, environments: [...list(environments), ...rest] }
}
