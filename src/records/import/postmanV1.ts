import type { Notes } from '../formats/model.js'
import { type Fields, fields, list, objects, text, textOrNull } from './loose.js'
import type { ReadSource } from './parts.js'
import { readPostman } from './postman.js'

/** True for a collection of version 1, as data dumps had them until 2020: a list of requests, whose order folders name. */
export const isPostmanV1 = (value: unknown): boolean => {
  const { requests, order, folders, item } = fields(value)
  if (!Array.isArray(requests) || item !== undefined) return false
  // Other tools have lists of these names, of requests that are called otherwise.
  const isPostmans = requests.map(fields).some((one) => one.id !== undefined && one.url !== undefined)
  return (isPostmans && Array.isArray(folders)) || (Array.isArray(order) && (isPostmans || requests.length === 0))
}

/** Reads a Postman collection of version 1: it becomes what version 2.1 has. */
export function readPostmanV1(value: unknown, notes: Notes): ReadSource {
  const collection = fields(value)
  const requests = new Map(list(collection.requests).map((one) => [text(fields(one).id), fields(one)]))
  const folders = new Map(list(collection.folders).map((one) => [text(fields(one).id), fields(one)]))
  const placed = new Set<string>()
  const itemsIn = (container: Fields): readonly object[] => [
    ...list(container.folders_order).flatMap((id) => {
      const folder = folders.get(text(id))
      if (!folder || placed.has(text(id))) return []
      placed.add(text(id))
      return [folderOf(folder, itemsIn(folder))]
    }),
    ...list(container.order).flatMap((id) => {
      const request = requests.get(text(id))
      if (!request || placed.has(text(id))) return []
      placed.add(text(id))
      return [requestOf(request)]
    })
  ]
  const inOrder = itemsIn(collection)
  // Old files name the folders in no order, and requests that nothing names are there all the same.
  const all = objects(collection.folders)
  const inner = new Set(all.flatMap((one) => list(one.folders_order).map(text)))
  const isInner = ({ id }: Fields) => inner.has(text(id))
  const isLeft = ({ id }: Fields) => !placed.has(text(id))
  const others = [...all.filter((one) => !isInner(one)), ...all.filter(isInner)].flatMap((one) => {
    if (!isLeft(one)) return []
    if (text(one.id) !== '') placed.add(text(one.id))
    return [folderOf(one, itemsIn(one))]
  })
  const requestsLeft = objects(collection.requests).filter(isLeft).map(requestOf)
  const { id, name, description, variables, auth, events } = collection
  const info = { _postman_id: id, name, description }
  return readPostman(
    { info, variable: variables, auth, event: events, item: [...inOrder, ...others, ...requestsLeft] },
    notes
  )
}

const folderOf = ({ id, name, description, auth, events }: Fields, item: readonly object[]) => ({
  ...{ id, name, description, auth, item },
  event: events
})

function requestOf(request: Fields): object {
  const { id, name, url, method, description, auth, currentHelper, helperAttributes } = request
  return {
    ...{ id, name, event: eventsOf(request) },
    request: {
      ...{ url: urlOf(url, request), method, description },
      header: rowsOf(request.headerData, request.headers),
      body: bodyOf(request),
      auth: auth ?? helperAuth(text(currentHelper), fields(helperAttributes))
    },
    response: list(request.responses).map(responseOf)
  }
}

/** Enabled rows are in a list that says so, or in a text of lines. */
function rowsOf(rows: unknown, lines: unknown): unknown {
  const all = objects(rows)
  return all.length === 0 ? text(lines) : all.map(rowOf)
}

const rowOf = ({ enabled, ...row }: Fields): Fields => ({ ...row, disabled: enabled === false })

function urlOf(url: unknown, { queryParams, pathVariableData, pathVariables }: Fields): object {
  const named = Object.entries(fields(pathVariables)).map(([key, value]) => ({ key, value }))
  const variable = list(pathVariableData).length > 0 ? pathVariableData : named
  return { raw: text(url), query: list(queryParams).map((one) => rowOf(fields(one))), variable }
}

function eventsOf({ events, preRequestScript, tests }: Fields): unknown {
  if (Array.isArray(events)) return events
  const event = (listen: string, script: unknown) => (text(script) === '' ? [] : [{ listen, script: { exec: script } }])
  return [...event('prerequest', preRequestScript), ...event('test', tests)]
}

function bodyOf({ dataMode, data, rawModeData, dataOptions, graphqlModeData }: Fields): object | undefined {
  const rows = list(data).map((one) => rowOf(fields(one)))
  switch (dataMode) {
    case 'raw':
      return { mode: 'raw', raw: text(rawModeData) || (Array.isArray(data) ? '' : text(data)), options: dataOptions }
    case 'params':
      return rows.length === 0
        ? undefined
        : { mode: 'formdata', formdata: rows.map((row) => ({ ...row, src: row.value })) }
    case 'urlencoded':
      return { mode: 'urlencoded', urlencoded: rows }
    case 'graphql':
      return { mode: 'graphql', graphql: graphqlModeData }
    case 'binary':
      return { mode: 'file' }
    default:
      return undefined
  }
}

/** How a request authenticated before there were auth blocks. */
function helperAuth(helper: string, attributes: Fields): object | undefined {
  const type = helper.replace(/Auth$/, '').toLowerCase()
  if (type === '' || type === 'normal' || type === 'null') return undefined
  return { type, [type]: attributes }
}

function responseOf(value: unknown): object {
  const { id, name, status, responseCode, headers, text: body } = fields(value)
  const { code, name: reason } = fields(responseCode)
  return {
    ...{ id, name, code, body: text(body), status: textOrNull(reason) ?? text(status) },
    header: list(headers).map((one) => ({ key: fields(one).key ?? fields(one).name, value: fields(one).value }))
  }
}
