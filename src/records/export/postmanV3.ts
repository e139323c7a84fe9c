import { formRows } from '../formats/body.js'
import type { Example } from '../formats/examples.js'
import {
  type Auth,
  type CollectionTree,
  headerOf,
  type Item,
  type Notes,
  placeIn,
  type RequestFields
} from '../formats/model.js'
import { pathRows, sentUrl, urlText } from '../formats/url.js'
import { containerOf, type RequestWithExamples } from './container.js'
import { freeName, takenNames, type WrittenFolder } from './files.js'
import { bodyLanguage, rowOf, STREAM_LOST, writtenVariables, yamlText } from './written.js'

/** Orders are compared only: between two there is room for what is added later. */
const STEP = 1000
/** Where a working copy has its collections. */
const BASE = 'postman/collections/'

/** A collection as the files of a directory of schema 3.0 of Postman, by their paths: one for each request, folder and example. */
export function writePostmanV3(tree: CollectionTree, notes: Notes): ReadonlyMap<string, string> {
  const { name, settings, items } = tree
  const { variables, headers, auth, preRequestScript, postRequestScript } = settings
  if (headers.length > 0) notes.add(placeIn([]), 'Headers of the collection are left out: Postman has none there.')
  const rows = writtenVariables(variables, placeIn([]), notes, { secrets: false })
  const { description } = containerOf(items)
  const base = `${BASE}${freeName(name, takenNames())}/`
  const files = new Map([
    [
      `${base}.resources/definition.yaml`,
      yamlText({
        ...{ $kind: 'collection', name, ...(description !== '' && { description }) },
        ...(rows.length > 0 && { variables: rows.map(rowOf) }),
        ...authOf(auth),
        ...scriptsOf(preRequestScript, postRequestScript, 'http:')
      })
    ]
  ])
  writeFolder({ files, base, path: [], names: takenNames() }, items, notes)
  return files
}

function writeFolder({ files, base, path, names }: WrittenFolder, items: readonly Item[], notes: Notes): void {
  const { folders, requests, documents } = containerOf(items)
  for (const { name } of documents) notes.add(placeIn([...path, name]), 'Documents are left out: Postman has none.')
  let order = 0
  for (const { name, items } of folders) {
    order += STEP
    const within = `${base}${freeName(name, names)}/`
    const { description } = containerOf(items)
    const definition = { $kind: 'collection', name, ...(description !== '' && { description }), order }
    files.set(`${within}.resources/definition.yaml`, yamlText(definition))
    writeFolder({ files, base: within, path: [...path, name], names: takenNames() }, items, notes)
  }
  for (const one of requests) {
    const { content } = one.request
    order += STEP
    if (content.protocol !== 'http') notes.add(placeIn([...path, content.name]), STREAM_LOST)
    writeRequest(files, base, freeName(content.name, names), one, order)
  }
}

function writeRequest(
  files: Map<string, string>,
  base: string,
  stem: string,
  { request, examples }: RequestWithExamples,
  order: number
): void {
  const { content } = request
  const within = `.resources/${stem}.resources/examples`
  const link = examples.length > 0 ? { examples: `./${within}/` } : {}
  files.set(`${base}${stem}.request.yaml`, yamlText({ ...requestOf(content, stem, order), ...link }))
  const taken = takenNames()
  for (const [i, one] of examples.entries()) {
    const file = freeName(one.name, taken)
    files.set(`${base}${within}/${file}.example.yaml`, yamlText(exampleOf(one, content, file, (i + 1) * STEP)))
  }
}

function requestOf(content: RequestFields, stem: string, order: number): object {
  const { name, method, headers, comment, auth } = content
  const sent = sentUrl(content)
  const named = pathRows(sent.base)
  return {
    $kind: 'http-request',
    ...(name !== stem && { name }),
    ...(comment !== '' && { description: comment }),
    ...{ url: urlText(sent), method, order },
    ...(headers.length > 0 && { headers: headers.map(rowOf) }),
    ...(sent.query.length > 0 && { queryParams: sent.query.map(rowOf) }),
    ...(named.length > 0 && { pathVariables: named.map(rowOf) }),
    ...bodyOf(content),
    ...authOf(auth),
    ...scriptsOf(content.preRequestScript, content.postRequestScript, '')
  }
}

function authOf({ type, basic, bearer }: Auth): object {
  if (type === 'none') return {}
  const credentials = Object.entries(type === 'basic' ? basic : bearer).map(([key, value]) => ({ key, value }))
  return { auth: { type, credentials } }
}

/** Scripts of a collection say what they are for, since it may hold requests of several protocols. */
function scriptsOf(before: string, after: string, prefix: '' | 'http:'): object {
  const script = (type: string, code: string) =>
    code === '' ? [] : [{ type: `${prefix}${type}`, code, language: 'text/javascript' }]
  const scripts = [...script('beforeRequest', before), ...script('afterResponse', after)]
  return scripts.length > 0 ? { scripts } : {}
}

function bodyOf(content: RequestFields): object {
  const { bodyType, body } = content
  switch (bodyType) {
    case 'none':
      return {}
    case 'multipart':
    case 'urlencoded': {
      const rows = formRows(content)
      if (!rows) return { body: { type: 'text', content: body } }
      const isForm = bodyType === 'multipart'
      const list = rows.map(({ type, ...row }) =>
        type === 'file'
          ? { ...rowOf({ ...row, value: '' }), type, src: '' }
          : { ...rowOf(row), ...(isForm && { type }) }
      )
      return { body: { type: isForm ? 'formdata' : 'urlencoded', content: list } }
    }
    case 'json':
      return { body: { type: 'json', content: body } }
    case 'text':
      return { body: { type: bodyLanguage(content), content: body } }
  }
}

function exampleOf(
  { name, status, reason, headers, body }: Example,
  { url, method }: RequestFields,
  file: string,
  order: number
): object {
  const type = headerOf(headers, 'content-type') ?? ''
  return {
    $kind: 'http-example',
    ...(name !== file && { name }),
    request: { url, method },
    response: {
      ...{ statusCode: status, statusText: reason, headers: headers.map(({ key, value }) => ({ key, value })) },
      body: { type: /[/+]json\b/i.test(type) ? 'json' : 'text', content: body }
    },
    order
  }
}
