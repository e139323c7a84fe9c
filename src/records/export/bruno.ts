import { type FormRow, formRows } from '../formats/body.js'
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
import { pathRows, sentUrl, urlText } from '../formats/url.js'
import {
  type Block,
  bruFile,
  ENDS_EARLY,
  endsEarly,
  fieldsBlock,
  hasCrLf,
  LINE_ENDS,
  rowsBlock,
  textBlock
} from './bru.js'
import { containerOf } from './container.js'
import { freeName, takenNames, writeDocuments } from './files.js'
import { STREAM_LOST, writtenVariables } from './written.js'

/** The files of a Bruno collection, by their paths: a `.bru` file for each request, and documents as they are. */
export function writeBruno(tree: CollectionTree, notes: Notes): ReadonlyMap<string, string> {
  const { name, settings, items } = tree
  const { variables, headers, auth, preRequestScript, postRequestScript } = settings
  const files = new Map<string, string>()
  files.set('bruno.json', `${JSON.stringify({ version: '1', name, type: 'collection' }, null, 2)}\n`)
  const rows = writtenVariables(variables, placeIn([]), notes, { secrets: false })
  const { description } = containerOf(items)
  const texts = [description, preRequestScript, postRequestScript]
  if (texts.some((one) => one.includes('\r')) || hasCrLf([...rows, ...headers])) notes.add(placeIn([]), LINE_ENDS)
  if (endsEarly([...rows, ...headers])) notes.add(placeIn([]), ENDS_EARLY)
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

const TEXTS = ['body', 'comment', 'preRequestScript', 'postRequestScript'] as const

const oneLine = (text: string) => text.replace(/[\r\n]+/g, ' ')

function writeItems(
  files: Map<string, string>,
  items: readonly Item[],
  base: string,
  path: readonly string[],
  notes: Notes
): void {
  const { folders, requests, readme } = containerOf(items)
  const names = takenNames('collection', 'folder', 'environments', 'node_modules', 'bruno')
  let seq = 0
  for (const { name, items } of folders) {
    const within = `${base}${freeName(name, names)}/`
    const { description } = containerOf(items)
    if (description.includes('\r')) notes.add(placeIn([...path, name]), LINE_ENDS)
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
    const rows = [...sentUrl(content).query, ...content.headers, ...(formRows(content) ?? [])]
    if (TEXTS.some((key) => content[key].includes('\r')) || hasCrLf(rows)) notes.add(place, LINE_ENDS)
    if (endsEarly(rows)) notes.add(place, ENDS_EARLY)
    if (content.bodyType === 'multipart' && formRows(content)?.some(isReadOtherwise)) notes.add(place, READ_OTHERWISE)
    if (content.protocol !== 'http') notes.add(place, STREAM_LOST)
    files.set(`${base}${freeName(content.name, names)}.bru`, requestFile(content, ++seq))
  }
  const documents = items.filter((item) => item.kind === 'document').filter((one) => one !== readme)
  writeDocuments({ files, base, path, names }, documents, items, notes)
}

/** True for a text that has the form in which Bruno writes a file, or the type of a field. */
const isReadOtherwise = ({ type, value }: FormRow): boolean =>
  type === 'text' && value.trimEnd().endsWith(')') && (value.startsWith('@file(') || value.includes('@contentType('))

const READ_OTHERWISE = 'A text in a form that is @file(…), or ends in @contentType(…), is a file or a type to Bruno.'

function requestFile(content: RequestFields, seq: number): string {
  const sent = sentUrl(content)
  const [mode, ...body] = bodyBlocks(content)
  const { auth } = content
  const main = { url: urlText(sent), body: mode, auth: auth.type === 'none' ? 'inherit' : auth.type }
  return bruFile(
    fieldsBlock('meta', { name: oneLine(content.name), type: 'http', seq: String(seq) }),
    fieldsBlock(content.method.toLowerCase(), main),
    rowsBlock('params:query', sent.query),
    rowsBlock('params:path', pathRows(sent.base)),
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
