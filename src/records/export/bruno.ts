import { formRows } from '../formats/body.js'
import {
  type Auth,
  type CollectionTree,
  type Item,
  type KeyValue,
  type Notes,
  placeIn,
  type RequestFields
} from '../formats/model.js'
import { splitScripts } from '../formats/tests.js'
import { sentQuery, urlParts, urlText } from '../formats/url.js'
import { type Block, bruFile, fieldsBlock, rowsBlock, textBlock } from './bru.js'
import { containerOf } from './container.js'

/** The files of a Bruno collection, by their paths: a `.bru` file for each request, and documents as they are. */
export function writeBruno(tree: CollectionTree, notes: Notes): ReadonlyMap<string, string> {
  const { name, settings, items } = tree
  const { variables, headers, auth, preRequestScript, postRequestScript } = settings
  const files = new Map<string, string>()
  files.set('bruno.json', `${JSON.stringify({ version: '1', name, type: 'collection' }, null, 2)}\n`)
  if (variables.some(({ value, defaultValue }) => value !== '' && defaultValue !== ''))
    notes.add(placeIn([]), 'Default values of variables are left out where there is a value.')
  const rows = variables.map(({ key, value, defaultValue, enabled }) => ({
    key,
    value: value || defaultValue,
    enabled
  }))
  const { description } = containerOf(items)
  const root = bruFile(
    fieldsBlock('meta', { name: oneLine(name) }),
    rowsBlock('headers', headers),
    ...authBlocks(auth, 'auth'),
    rowsBlock('vars:pre-request', rows),
    ...scriptBlocks(preRequestScript, postRequestScript),
    textBlock('docs', description)
  )
  files.set('collection.bru', root)
  writeItems(files, items, '', [], notes)
  return files
}

const oneLine = (text: string) => text.replace(/[\r\n]+/g, ' ')

function writeItems(
  files: Map<string, string>,
  items: readonly Item[],
  base: string,
  path: readonly string[],
  notes: Notes
): void {
  const { folders, requests, readme } = containerOf(items)
  const names = new Set(['collection', 'folder', 'environments', 'node_modules', 'bruno'])
  let seq = 0
  for (const { name, items } of folders) {
    const within = `${base}${freeName(name, names)}/`
    const { description } = containerOf(items)
    files.set(
      `${within}folder.bru`,
      bruFile(fieldsBlock('meta', { name: oneLine(name), seq: String(++seq) }), textBlock('docs', description))
    )
    writeItems(files, items, within, [...path, name], notes)
  }
  for (const { request } of requests) {
    const { content } = request
    const place = placeIn([...path, content.name])
    if (oneLine(content.name) !== content.name) notes.add(place, 'A name of several lines stands on one.')
    if (content.protocol !== 'http') notes.add(place, 'That a request takes a stream of events is left out.')
    files.set(`${base}${freeName(content.name, names)}.bru`, requestFile(content, ++seq))
  }
  const documents = items.filter((item) => item.kind === 'document').filter((one) => one !== readme)
  const lastRequest = items.findLastIndex(({ kind }) => kind === 'request')
  if (items.some((one, i) => one.kind === 'document' && one !== readme && i < lastRequest))
    notes.add(placeIn(path), 'Documents stand behind requests.')
  for (const { name, content } of documents) {
    const [stem = '', ending = '.md'] = /\.(md|markdown)$/i.test(name) ? splitEnding(name) : [name]
    const file = `${freeName(stem, names)}${ending}`
    if (file !== name) notes.add(placeIn([...path, name]), `A document is named as files can be: ${file}`)
    files.set(`${base}${file}`, content)
  }
}

function splitEnding(name: string): readonly [string, string] {
  const at = name.lastIndexOf('.')
  return [name.slice(0, at), name.slice(at)]
}

/** A name that files may have everywhere, and none of its siblings has. */
function freeName(name: string, taken: Set<string>): string {
  const plain = [...name].map((char) => (FORBIDDEN.test(char) ? '-' : char)).join('')
  const safe =
    plain
      .trim()
      .replace(/^\.+|[. ]+$/g, '')
      .slice(0, 100)
      .toWellFormed() || 'untitled'
  for (let count = 1; ; count++) {
    const free = count === 1 ? safe : `${safe} ${count}`
    if (taken.has(free.toLowerCase())) continue
    taken.add(free.toLowerCase())
    return free
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const FORBIDDEN = /[<>:"/\\|?*\u0000-\u001f]/

function requestFile(content: RequestFields, seq: number): string {
  const { base, hash } = urlParts(content.url)
  const query = sentQuery(content)
  const named = base.split('/').filter((part) => /^:\w+$/.test(part))
  const [mode, ...body] = bodyBlocks(content)
  const { auth } = content
  const main = { url: urlText({ base, query, hash }), body: mode, auth: auth.type === 'none' ? 'inherit' : auth.type }
  return bruFile(
    fieldsBlock('meta', { name: oneLine(content.name), type: 'http', seq: String(seq) }),
    fieldsBlock(content.method.toLowerCase(), main),
    rowsBlock('params:query', query),
    rowsBlock(
      'params:path',
      named.map((part) => ({ key: part.slice(1), value: '', enabled: true }))
    ),
    rowsBlock('headers', content.headers),
    ...authBlocks(auth, null),
    ...body,
    ...scriptBlocks(content.preRequestScript, content.postRequestScript),
    textBlock('docs', content.comment)
  )
}

function authBlocks({ type, basic, bearer }: Auth, container: string | null): readonly Block[] {
  if (type === 'none') return []
  return [
    container === null ? [] : fieldsBlock(container, { mode: type }),
    fieldsBlock(`auth:${type}`, type === 'basic' ? basic : bearer)
  ]
}

function scriptBlocks(before: string, after: string): readonly Block[] {
  const { script, tests } = splitScripts(after)
  return [textBlock('script:pre-request', before), textBlock('script:post-response', script), textBlock('tests', tests)]
}

/** What the body is called where the request is described, and its block. */
function bodyBlocks(content: RequestFields): readonly [string, ...Block[]] {
  const { bodyType, body } = content
  const rows = formRows(content)
  switch (bodyType) {
    case 'none':
      return ['none']
    case 'json':
      return ['json', textBlock('body:json', body)]
    case 'text':
      return ['text', textBlock('body:text', body)]
    case 'urlencoded':
      return rows ? ['formUrlEncoded', rowsBlock('body:form-urlencoded', rows)] : ['text', textBlock('body:text', body)]
    case 'multipart': {
      const named = rows?.map((row): KeyValue => ({ ...row, value: row.type === 'file' ? '@file()' : row.value }))
      return named ? ['multipartForm', rowsBlock('body:multipart-form', named)] : ['text', textBlock('body:text', body)]
    }
  }
}
