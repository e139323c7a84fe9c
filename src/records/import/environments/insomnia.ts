import type { EnvironmentOfFile, Variable } from '../../formats/model.js'
import { type Fields, fields, list, objects, text, textOrNull } from '../loose.js'
import { variable } from '../parts.js'

/** What else an export of environments alone may hold. */
const BESIDE = new Set(['environment', 'workspace', 'cookie_jar'])

/** True for an export of Insomnia that holds environments alone: of version 4 (or 3), or a global environment of version 5. */
export function isInsomniaEnvironments(value: unknown): boolean {
  const { _type, type, resources } = fields(value)
  if (/^environment\.insomnia\.rest\/5/.test(text(type))) return true
  const kinds = list(resources).map((one) => text(fields(one)._type))
  return _type === 'export' && kinds.includes('environment') && kinds.every((kind) => BESIDE.has(kind))
}

/** Reads the environments of such a file: the base one, and those that add to it. */
export function readInsomniaEnvironments(value: unknown): readonly EnvironmentOfFile[] {
  const whole = fields(value)
  if (!Array.isArray(whole.resources)) return nested(fields(whole.environments), text(whole.name))
  const all = objects(whole.resources).filter(({ _type }) => _type === 'environment')
  const known = new Set(all.map(({ _id }) => text(_id)))
  const bases = all.filter(({ parentId }) => !known.has(text(parentId)))
  return bases.flatMap((base) => {
    const subs = all.filter(({ parentId }) => text(parentId) === text(base._id))
    return family(resourceOf(base), subs.map(resourceOf))
  })
}

/** These environments, each by itself. */
export const environmentsOf = (all: readonly unknown[]): readonly EnvironmentOfFile[] =>
  all.map((value) => {
    const one = fields(value)
    return '_id' in one ? resourceOf(one) : treeOf(one)
  })

/** The variables of a collection, which are those of its base environment. */
export const baseVariables = (bases: readonly unknown[]): Variable[] =>
  environmentsOf(bases).flatMap(({ variables }) => variables)

function nested(base: Fields, name: string): readonly EnvironmentOfFile[] {
  const own = treeOf(base)
  return family({ ...own, name: name || own.name }, objects(base.subEnvironments).map(treeOf))
}

/** A base without variables of its own is left out where others are there. */
function family(base: EnvironmentOfFile, subs: readonly EnvironmentOfFile[]): readonly EnvironmentOfFile[] {
  if (base.variables.length === 0 && subs.length > 0) return subs
  const parent = base.sourceId ?? base.name
  return [base, ...subs.map((one) => ({ ...one, parent }))]
}

const resourceOf = ({ _id, name, data, isPrivate, kvPairData }: Fields): EnvironmentOfFile =>
  environmentOf({ sourceId: textOrNull(_id), name: text(name), data, isPrivate, kvPairData })

const treeOf = ({ name, meta, data, kvPairData }: Fields): EnvironmentOfFile => {
  const { id, isPrivate } = fields(meta)
  return environmentOf({ sourceId: textOrNull(id), name: text(name), data, isPrivate, kvPairData })
}

interface Parts extends Pick<EnvironmentOfFile, 'sourceId' | 'name'> {
  readonly data: unknown
  readonly isPrivate: unknown
  readonly kvPairData: unknown
}

/** What is private to somebody there, or a secret, is kept from others here too. */
function environmentOf({ sourceId, name, data, isPrivate, kvPairData }: Parts): EnvironmentOfFile {
  const pairs = objects(kvPairData)
  const secrets = new Set(pairs.filter(({ type }) => type === 'secret').map(({ name }) => text(name)))
  const variables = insomniaVariables(data).map((one) =>
    isPrivate === true || secrets.has(one.key) ? { ...one, share: false } : one
  )
  return { sourceId, name, variables, parent: null }
}

/** The data of an environment as variables: what is nested is reached by paths. */
export function insomniaVariables(data: unknown, before = ''): readonly Variable[] {
  return Object.entries(fields(data)).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? insomniaVariables(value, `${before}${key}.`)
      : [variable(`${before}${key}`, renamed(text(value)))]
  )
}

/** Variables are `{{ _.name }}` there, or `{{ name }}`, or `{{ _['the-name'] }}`. */
export function renamed(value: string): string {
  return value.replace(VARIABLE, (_, name?: string, quoted?: string) => `{{${name ?? quoted}}}`)
}

const VARIABLE = /\{\{\s*(?:(?:_\.)?([\w.-]+)|_\[["']([^"'{}]+)["']\])\s*\}\}/g
