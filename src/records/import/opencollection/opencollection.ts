import { type EnvironmentOfFile, type Notes, placeIn } from '../../formats/model.js'
import { readBruno } from '../bruno.js'
import { type Fields, fields, list, objects, text, textOrNull } from '../loose.js'
import { type ReadSource, variable } from '../parts.js'
import { itemOf, proseOf, rootOf, variableText } from './items.js'

const KINDS = new Set(['http', 'graphql', 'grpc', 'websocket', 'folder'])

/** True for a collection of OpenCollection in one file, for the file at the root of its directory, and for a single request. */
export function isOpenCollection(value: unknown): boolean {
  const { opencollection, items } = fields(value)
  return (
    typeof opencollection === 'string' ||
    typeof opencollection === 'number' ||
    isItem(value) ||
    list(items).some(isItem)
  )
}

/** True for a request or a folder, as it stands in a file of its own. */
export function isItem(value: unknown): boolean {
  const item = fields(value)
  const kind = text(fields(item.info).type)
  return KINDS.has(kind) && (kind === 'folder' || kind in item)
}

/** Reads a collection of OpenCollection in one file. */
export function readOpenCollection(value: unknown, notes: Notes): ReadSource {
  const whole = fields(value)
  const isAlone = isItem(value) && text(fields(whole.info).type) !== 'folder'
  const items = isAlone ? [itemOf(value, [], notes)] : list(whole.items).map((one) => itemOf(one, [], notes))
  return openCollection(isAlone ? { info: { name: fields(whole.info).name } } : whole, items, [], notes)
}

/** A collection of the file at its root, with what is beside it in a directory. */
export function openCollection(
  root: Fields,
  items: readonly Fields[],
  environments: readonly EnvironmentOfFile[],
  notes: Notes
): ReadSource {
  const info = fields(root.info)
  const config = fields(root.config)
  if (textOrNull(info.summary) !== null || list(info.authors).length > 0)
    notes.add(placeIn([]), 'Summary and authors of the collection are not carried over.')
  if ([config.proxy, config.protobuf, config.clientCertificates].some((one) => one !== undefined))
    notes.add(placeIn([]), 'Proxies, certificates and descriptions of gRPC are not carried over.')
  const source = readBruno({ name: info.name, root: rootOf(root, placeIn([]), notes), items }, notes)
  const own = list(config.environments).map((one) => readOpenEnvironment(one, '', notes))
  return { ...source, environments: [...own, ...environments] }
}

/** True for an environment of OpenCollection in a file of its own. */
export function isOpenEnvironment(value: unknown): boolean {
  const { name, variables } = fields(value)
  const isVariable = (one: unknown) => typeof fields(one).name === 'string'
  return (
    typeof name === 'string' && Array.isArray(variables) && variables.every(isVariable) && !('items' in fields(value))
  )
}

/** Reads an environment; `otherwise` is its name where it says none. Secrets have no values there. */
export function readOpenEnvironment(value: unknown, otherwise: string, notes: Notes): EnvironmentOfFile {
  const whole = fields(value)
  const name = text(whole.name) || otherwise
  if (
    whole.externalSecrets !== undefined ||
    whole.dotEnvFilePath !== undefined ||
    whole.clientCertificates !== undefined
  )
    notes.add(name, 'Secrets of another service, .env files and certificates of an environment are not carried over.')
  return {
    sourceId: null,
    name,
    variables: objects(whole.variables).map((row) => {
      if (proseOf(row.description) !== '') notes.add(name, 'Descriptions of single variables are not carried over.')
      return variable(row.name, variableText(row.value), row.disabled !== true, row.secret === true)
    }),
    parent: textOrNull(whole.extends)
  }
}
