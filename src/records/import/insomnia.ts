import { grouped } from '../../lib/grouped.js'
import { type FormRow, formBody, rawBody } from '../formats/body.js'
import { writtenJson } from '../formats/json.js'
import { headerOf, type Item, type KeyValue, type Notes, placeIn, type RequestFields } from '../formats/model.js'
import { NO_AUTH, type ReadAuth, readAuth } from './auth.js'
import { fileBody, formField } from './bodies.js'
import { baseVariables, environmentsOf, insomniaVariables, renamed } from './environments/insomnia.js'
import { noteCookies, noteDescriptions, noteSettings, settingsOf } from './insomniaLost.js'
import { type Fields, fields, list, numberOf, objects, text, textOrNull } from './loose.js'
import { type Container, folderItem, methodOf, noSettings, type ReadSource, readme, requestItems } from './parts.js'

/** True for an export of version 4 (or 3), and for a collection of version 5. */
export const isInsomnia = (value: unknown): boolean => {
  const { _type, type, resources } = fields(value)
  return (_type === 'export' && Array.isArray(resources)) || /^(collection|spec)\.insomnia\.rest\/5/.test(text(type))
}

/** Reads an export of Insomnia. */
export function readInsomnia(value: unknown, notes: Notes): ReadSource {
  const whole = fields(value)
  return Array.isArray(whole.resources) ? readExport(whole, notes) : readCollection(whole, notes)
}

const UNIT_TESTS = 'Unit tests are not carried over.'

/** Version 4: a list of resources that name their parents. */
function readExport(whole: Fields, notes: Notes): ReadSource {
  const resources = objects(whole.resources)
  const workspaces = resources.filter(({ _type }) => _type === 'workspace')
  const [workspace = {}] = workspaces
  const children = grouped(resources, ({ parentId }) => text(parentId))
  const known = new Set(resources.map(({ _id }) => text(_id)))
  // An export of single requests names parents that are not in it.
  const roots = resources.filter(({ _type, parentId }) => _type !== 'workspace' && !known.has(text(parentId)))
  const top = [...workspaces.flatMap(({ _id }) => children.get(text(_id)) ?? []), ...roots]
  const placed = new Set<Fields>()
  const opened = new Set([''])
  const shaped = (one: Fields): Fields => {
    const id = text(one._id)
    placed.add(one)
    const isGroup = one._type === 'request_group'
    // Of groups with one id the first has what is in it.
    const inside = isGroup && !opened.has(id) ? (children.get(id) ?? []) : []
    if (isGroup) opened.add(id)
    return {
      ...one,
      meta: { id, sortKey: one.metaSortKey, description: one.description },
      scripts: { preRequest: one.preRequestScript, afterResponse: one.afterResponseScript },
      settings: settingsOf(one),
      ...(isGroup && { children: inside.map(shaped) })
    }
  }
  const items = top.map(shaped)
  for (const one of resources) {
    if (/request/.test(text(one._type)) && !placed.has(one))
      notes.add(text(one.name), 'What is in no folder that the workspace leads to is left out.')
  }
  const environments = top.filter(({ _type }) => _type === 'environment')
  const inner = environments.flatMap(({ _id }) => children.get(text(_id)) ?? [])
  if (workspaces.length > 1) notes.add(placeIn([]), 'Of several workspaces in one file one collection is made.')
  if (top.some(({ _type }) => _type === 'unit_test_suite')) notes.add(placeIn([]), UNIT_TESTS)
  for (const { _type, contents, cookies } of top) {
    if (_type === 'cookie_jar') noteCookies(cookies, notes)
    if (_type === 'api_spec' && text(contents).trim() !== '')
      notes.add(placeIn([]), 'A design document is not carried over.')
  }
  return {
    name: text(workspace.name) || 'Insomnia',
    sourceId: textOrNull(workspace._id),
    settings: { ...noSettings, variables: baseVariables(environments) },
    items: [...readme(text(workspace.description), 'workspace'), ...itemsIn(items, { path: [], auth: null, notes })],
    environments: environmentsOf(inner)
  }
}

/** Version 5: a tree. */
function readCollection(whole: Fields, notes: Notes): ReadSource {
  const environments = fields(whole.environments)
  if (list(whole.testSuites).length > 0) notes.add(placeIn([]), UNIT_TESTS)
  noteCookies(fields(whole.cookieJar).cookies, notes)
  if (fields(whole.spec).contents) notes.add(placeIn([]), 'A design document is not carried over.')
  return {
    name: text(whole.name),
    sourceId: textOrNull(fields(whole.meta).id),
    settings: { ...noSettings, variables: baseVariables([environments]) },
    items: [
      ...readme(text(fields(whole.meta).description), 'workspace'),
      ...itemsIn(objects(whole.collection), { path: [], auth: null, notes })
    ],
    environments: environmentsOf(list(environments.subEnvironments))
  }
}

function itemsIn(items: readonly Fields[], container: Container): readonly Item[] {
  const order = (one: Fields) => numberOf(fields(one.meta).sortKey) || 0
  return items.toSorted((a, b) => order(a) - order(b)).flatMap((one) => itemOf(one, container))
}

function itemOf(one: Fields, container: Container): readonly Item[] {
  if (Array.isArray(one.children)) return folderOf(one, container)
  if (one._type === undefined ? 'url' in one && 'method' in one : one._type === 'request')
    return requestOf(one, container)
  const { path, notes } = container
  const isRequest = /grpc|websocket|socketio|mcp/.test(text(one._type)) || 'url' in one
  if (isRequest) notes.add(placeIn([...path, text(one.name)]), 'Only HTTP requests are carried over.')
  return []
}

function folderOf(folder: Fields, container: Container): readonly Item[] {
  const { id, description } = fields(folder.meta)
  const scripts = fields(folder.scripts)
  return folderItem(container, {
    name: text(folder.name),
    sourceId: textOrNull(id),
    description: text(description),
    ownAuth: (place) => authOf(folder.authentication, place, container.notes),
    settings(place) {
      noteDescriptions([folder.headers], place, container.notes)
      return {
        before: text(scripts.preRequest),
        after: text(scripts.afterResponse),
        headers: rowsOf(folder.headers),
        variables: insomniaVariables(folder.environment)
      }
    },
    items: (inside) => itemsIn(objects(folder.children), inside)
  })
}

const FILTER = /\{\{\s*[\w.-]+\s*\|[^{}]*\}\}/

function requestOf(request: Fields, { path, auth, notes }: Container): readonly Item[] {
  const name = text(request.name)
  const place = placeIn([...path, name])
  const method = methodOf(text(request.method) || 'GET', place, notes)
  if (!method) return []
  const whole = writtenJson(request)
  if (FILTER.test(whole))
    notes.add(place, 'Filters of variables ({{ … | … }}) stay as they are: nothing here applies them.')
  if (/\{%/.test(whole)) notes.add(place, 'Template tags ({% … %}) stay as they are: nothing here fills them in.')
  noteSettings(fields(request.settings), place, notes)
  const { headers: sentHeaders, parameters, pathParameters } = request
  noteDescriptions([sentHeaders, parameters, pathParameters, fields(request.body).params], place, notes)
  const meta = fields(request.meta)
  const scripts = fields(request.scripts)
  const headers = rowsOf(request.headers)
  const query = rowsOf(request.parameters)
  const own = authOf(request.authentication, place, notes) ?? auth ?? NO_AUTH
  const parts = {
    ...{ name, method, headers },
    url: renamed(text(request.url)),
    params: query.filter(({ enabled }) => !enabled),
    pathValues: rowsOf(request.pathParameters),
    ...bodyOf(fields(request.body), headers, place, notes),
    preRequestScript: text(scripts.preRequest),
    postRequestScript: text(scripts.afterResponse),
    comment: text(meta.description)
  }
  // What Insomnia adds to a URL it encodes first.
  const sent = query.filter(({ enabled, key }) => enabled && key !== '')
  return requestItems(parts, { ...own, query: [...sent, ...own.query] }, textOrNull(meta.id))
}

function authOf(value: unknown, place: string, notes: Notes): ReadAuth | null {
  const auth = fields(value)
  const type = text(auth.type)
  if (type === '' || auth.disabled === true) return null
  const shown = Object.fromEntries(
    Object.entries(auth).map(([key, one]) => [key, typeof one === 'string' ? renamed(one) : one])
  )
  return readAuth(type, shown, place, notes)
}

const rowsOf = (value: unknown): readonly KeyValue[] =>
  objects(value).map(({ name, value, disabled }) => ({
    key: text(name),
    value: renamed(text(value)),
    enabled: disabled !== true
  }))

function bodyOf(
  body: Fields,
  headers: readonly KeyValue[],
  place: string,
  notes: Notes
): Pick<RequestFields, 'body' | 'bodyType'> {
  const type = text(body.mimeType)
  if (type === 'multipart/form-data' || type === 'application/x-www-form-urlencoded') {
    const isForm = type === 'multipart/form-data'
    return formBody(
      isForm ? 'multipart' : 'urlencoded',
      list(body.params).map((row) => formRow(fields(row), isForm, place, notes))
    )
  }
  if (type === 'application/graphql') return { bodyType: 'json', body: renamed(text(body.text)) }
  if (textOrNull(body.fileName) !== null) return fileBody(place, notes)
  return rawBody(renamed(text(body.text)), type || headerOf(headers, 'content-type'))
}

function formRow({ name, value, disabled, type }: Fields, isForm: boolean, place: string, notes: Notes): FormRow {
  const row = { key: name, value: renamed(text(value)), enabled: disabled !== true }
  return formField(row, isForm && type === 'file', place, notes)
}
