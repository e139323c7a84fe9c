import { BODY_TYPES } from '../../../commands/records/request/fields.js'
import { rawBody } from '../formats/body.js'
import {
  type EnvironmentOfFile,
  type Item,
  type KeyValue,
  type Notes,
  placeIn,
  type Variable
} from '../formats/model.js'
import { inEachRequest, isNoAuth, NO_AUTH, type ReadAuth, readAuth } from './auth.js'
import { type Fields, fields, list, objects, text, textOrNull } from './loose.js'
import { type Container, document, folderItem, methodOf, type ReadSource, requestItems } from './parts.js'

/** What a file of the desktop says that it is. */
const kindOf = (value: unknown): string => text(fields(value).harborclientExport)

/** True for a collection that HarborClient has exported, or a single request. */
export const isHarborClient = (value: unknown): boolean => ['collection', 'request'].includes(kindOf(value))

/** True for an environment of HarborClient, exported or of a repository. */
export const isHarborClientEnvironment = (value: unknown): boolean => kindOf(value) === 'environment'

/** Reads a collection of HarborClient: its settings, and what is in it by the folders that it names. */
export function readHarborClient(value: unknown, notes: Notes): ReadSource {
  const whole = fields(value)
  if (kindOf(whole) === 'request') return readHarborClient({ name: whole.name, requests: [whole] }, notes)
  const place = placeIn([])
  if (list(whole.requests).some((one) => typeof one === 'string') || whole.requests === undefined)
    notes.add(place, 'Requests that are files of their own are not in it: import the folder as a zip archive.')
  noteLost(whole, place, notes)
  const { before, after } = scriptsOf(whole, place, notes)
  const used = authOf(whole.auth, place, notes) ?? NO_AUTH
  return {
    name: text(whole.name),
    sourceId: textOrNull(whole.uuid),
    settings: {
      variables: [...variablesOf(whole.variables)],
      headers: [...headersOf(whole), ...used.headers],
      auth: used.auth,
      ...{ preRequestScript: before, postRequestScript: after }
    },
    items: itemsOf(whole, { path: [], auth: inEachRequest(used), notes })
  }
}

/** Reads an environment of HarborClient. */
export function readHarborClientEnvironment(value: unknown, notes: Notes): EnvironmentOfFile {
  const { name, uuid, variables, parentUuid, ...rest } = fields(value)
  noteLost(rest, text(name), notes)
  return {
    ...{ sourceId: textOrNull(uuid), name: text(name), parent: textOrNull(parentUuid) },
    variables: variablesOf(variables)
  }
}

/** What is in a container, with where it stands among its siblings. */
interface Held {
  readonly kind: 'folder' | 'request' | 'document'
  readonly one: Fields
  readonly order: number
}
const ROOT = ''

/** Everything in its folder: by the id of that, or in files without ids by its name. What names none that is there is at the root. */
function itemsOf(whole: Fields, root: Container): readonly Item[] {
  const held = new Map<string, Held[]>()
  const folders = objects(whole.folders)
  const known = new Set(folders.map(idOf))
  const put = (kind: Held['kind'], one: Fields, index: number, into: readonly unknown[]) => {
    const container = into.map(text).find((id) => known.has(id)) ?? ROOT
    const order = typeof one.sort_order === 'number' ? one.sort_order : index
    const siblings = held.get(container)
    if (siblings) siblings.push({ kind, one, order })
    else held.set(container, [{ kind, one, order }])
  }
  const take = (container: string): readonly Held[] => {
    const inside = held.get(container) ?? []
    held.delete(container)
    return inside
  }
  for (const [i, one] of folders.entries()) put('folder', one, i, [one.parent_folder_uuid, one.parent_uuid])
  const ofFile = ({ folder_uuid, folder_name }: Fields) => [folder_uuid, folder_name]
  for (const [i, one] of objects(whole.requests).entries()) put('request', one, i, ofFile(one))
  for (const [i, one] of objects(whole.documents).entries()) put('document', one, i, ofFile(one))
  const itemsIn = (container: string, around: Container): readonly Item[] => {
    const sorted = take(container).toSorted((a, b) => a.order - b.order)
    return sorted.flatMap((one) => itemOf(one, around, itemsIn))
  }
  const items = [...itemsIn(ROOT, root)]
  // Folders that are in each other are reached from nowhere.
  for (const container of held.keys()) items.push(...itemsIn(container, root))
  return items
}

const idOf = (folder: Fields): string => text(folder.uuid) || text(folder.name)

function itemOf(
  { kind, one }: Held,
  around: Container,
  itemsIn: (container: string, around: Container) => readonly Item[]
): readonly Item[] {
  const place = placeIn([...around.path, text(one.name)])
  if (Object.keys(one).length === 0) return []
  noteLost(one, place, around.notes)
  if (kind === 'document') return [document(text(one.name), text(one.content), textOrNull(one.uuid))]
  if (kind === 'request') return requestOf(one, place, around)
  return folderItem(around, {
    name: text(one.name),
    sourceId: textOrNull(one.uuid),
    description: '',
    ownAuth: (place) => {
      const own = authOf(one.auth, place, around.notes)
      return own && isNoAuth(own) ? null : own
    },
    settings: (place) => ({
      ...scriptsOf(one, place, around.notes),
      headers: headersOf(one),
      variables: variablesOf(one.variables).map(({ key, value, defaultValue, share }) => ({
        ...{ key, share },
        value: value || defaultValue
      }))
    }),
    items: (inside) => itemsIn(idOf(one), inside)
  })
}

function requestOf(one: Fields, place: string, { auth, notes }: Container): readonly Item[] {
  const method = methodOf(text(one.method) || 'GET', place, notes)
  if (!method) return []
  const { before, after } = scriptsOf(one, place, notes)
  const bodyType = BODY_TYPES.find((type) => type === one.body_type)
  const body = text(one.body)
  const own = authOf(one.auth, place, notes)
  const parts = {
    ...{ name: text(one.name), method, url: text(one.url), headers: headersOf(one), params: rowsOf(one.params) },
    ...(bodyType ? { body, bodyType } : rawBody(body, undefined)),
    ...{ preRequestScript: before, postRequestScript: after, comment: text(one.comment) },
    protocol: one.protocol === 'sse' ? ('sse' as const) : ('http' as const)
  }
  const sent = own && !isNoAuth(own) ? own : (auth ?? own ?? NO_AUTH)
  return requestItems(parts, sent, textOrNull(one.uuid))
}

/** Names what a record has that has no place here. */
function noteLost(one: Fields, place: string, notes: Notes): void {
  if (textOrNull(one.marker ?? one.color) !== null) notes.add(place, 'Colours are not carried over.')
  if (textOrNull(one.tags) !== null) notes.add(place, 'Tags of requests are not carried over.')
  if (textOrNull(one.body_raw) !== null)
    notes.add(place, 'A body that is written by hand in place of the fields of a form is not carried over.')
}

const rowsOf = (value: unknown): readonly KeyValue[] =>
  objects(value).map(({ key, value, enabled }) => ({ key: text(key), value: text(value), enabled: enabled !== false }))

/** The headers of a record, with what it calls the program that sends it. */
function headersOf({ headers, userAgent }: Fields): readonly KeyValue[] {
  const rows = rowsOf(headers)
  const value = text(userAgent)
  const isThere = rows.some(({ key, enabled }) => enabled && key.toLowerCase() === 'user-agent')
  return value === '' || isThere ? rows : [...rows, { key: 'User-Agent', value, enabled: true }]
}

const variablesOf = (value: unknown): readonly Variable[] =>
  objects(value).map(({ key, value, defaultValue, share, enabled }) => ({
    ...{ key: text(key), value: text(value), defaultValue: text(defaultValue) },
    ...{ share: share === true, enabled: enabled !== false }
  }))

/** An auth block as it is, with what is filled in for the types that are not chosen; null where there is none. */
function authOf(value: unknown, place: string, notes: Notes): ReadAuth | null {
  const { type, basic, bearer, ...others } = fields(value)
  if (typeof type !== 'string') return null
  if (type !== 'none' && type !== 'basic' && type !== 'bearer')
    return readAuth(type, fields(others[type]), place, notes)
  const { username, password } = fields(basic)
  return {
    ...NO_AUTH,
    auth: {
      type,
      basic: { username: text(username), password: text(password) },
      bearer: { token: text(fields(bearer).token) }
    }
  }
}

/** The scripts before and after: of newer files a list of them, which counts where it is there. */
function scriptsOf(one: Fields, place: string, notes: Notes) {
  const joined = (scripts: unknown, script: unknown): string => {
    const all = objects(scripts)
    const run = all.filter(({ enabled, kind }) => enabled !== false && kind !== 'snippet')
    if (run.length < all.length) notes.add(place, 'Scripts that are switched off or are snippets are not carried over.')
    if (run.some(({ stage }) => stage !== undefined && stage !== 'main' && stage !== 'run'))
      notes.add(place, 'When scripts run beside every request is not carried over: they are one script here.')
    return all.length === 0 ? text(script) : run.map(({ code }) => text(code)).join('\n\n')
  }
  return {
    before: joined(one.pre_request_scripts, one.pre_request_script),
    after: joined(one.post_request_scripts, one.post_request_script)
  }
}
