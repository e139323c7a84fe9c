import { errors } from '../../errors.js'
import type { EnvironmentOfFile, Notes } from '../formats/model.js'
import { type BruBlocks, bruBlocks, bruObject, bruRows, bruText, CUT_OFF } from './bru.js'
import { readBruEnvironment } from './environments/bruno.js'
import { folderAt } from './folders.js'
import { type Fields, fields, text } from './loose.js'

/** The files of a Bruno collection become what its export as JSON is, for one reader of both. */

const METHODS = ['get', 'post', 'put', 'delete', 'patch', 'options', 'head', 'connect', 'trace']

/** True for the text of a `.bru` file of a request. */
export const isBruRequest = (text: string): boolean => /^meta[ \t]*\{[ \t]*\r?$/m.test(text) && REQUEST.test(text)

const REQUEST = new RegExp(`^(?:${[...METHODS, 'http'].join('|')})[ \\t]*\\{[ \\t]*\\r?$`, 'm')

/**
 * The files of a folder with a Bruno collection, by their paths below it, as its export as JSON would be. `name` is what it is
 * called where no file says so.
 */
export function brunoOfFiles(files: ReadonlyMap<string, string>, name: string, notes: Notes): Fields {
  const settings = fields(parsed(files.get('bruno.json') ?? '{}'))
  const root = rootOf(blocksOf('collection.bru', files.get('collection.bru') ?? '', notes))
  const environments = [...files].flatMap(([path, file]) => {
    const [, name] = /^environments\/(?:.*\/)?([^/]+)\.bru$/.exec(path) ?? []
    return name === undefined ? [] : [exportedEnvironment(readBruEnvironment(name, file, notes))]
  })
  return {
    name: text(settings.name) || text(fields(root.meta).name) || name,
    root,
    environments,
    items: itemsIn(files, notes)
  }
}

/** An environment as exports have it. */
const exportedEnvironment = ({ name, variables }: EnvironmentOfFile): Fields => ({
  name,
  variables: variables.map(({ key, value, enabled, share }) => ({ name: key, value, enabled, secret: !share }))
})

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw errors.importUnreadable('bruno.json in it is no JSON. Mend it, or leave it out.')
  }
}

const blocksOf = (path: string, file: string, notes: Notes) => bruBlocks(file, () => notes.add(path, CUT_OFF))

interface Folder {
  readonly items: (Fields & { readonly seq: number })[]
  readonly folders: Map<string, Folder>
  root: Fields
}

const newFolder = (): Folder => ({ items: [], folders: new Map(), root: {} })

function itemsIn(files: ReadonlyMap<string, string>, notes: Notes): readonly Fields[] {
  const top = newFolder()
  for (const [path, file] of files) {
    const [name = '', ...above] = path.split('/').toReversed()
    if (
      above.at(-1) === 'environments' ||
      above.includes('node_modules') ||
      ['collection.bru', 'bruno.json'].includes(path)
    )
      continue
    const isDocument = /\.(md|markdown)$/i.test(name)
    if (!isDocument && !name.endsWith('.bru')) {
      if (/\.(ya?ml|js|json|har)$/i.test(name))
        notes.add(path, 'Files of a collection that are neither .bru nor .md are not carried over.')
      continue
    }
    const folder = folderAt(top, above.toReversed(), newFolder)
    if (isDocument) folder.items.push({ type: 'document', name, content: file, seq: Number.MAX_SAFE_INTEGER })
    else if (name === 'folder.bru') folder.root = rootOf(blocksOf(path, file, notes))
    else folder.items.push(requestOf(name.slice(0, -'.bru'.length), blocksOf(path, file, notes)))
  }
  return sorted(top)
}

function sorted({ items, folders }: Folder): readonly Fields[] {
  const inside = [...folders].map(([name, folder]) => {
    const meta = fields(folder.root.meta)
    return {
      type: 'folder',
      name: text(meta.name) || name,
      seq: seqOf(meta.seq),
      root: folder.root,
      items: sorted(folder)
    }
  })
  return [...inside, ...items].toSorted((a, b) => a.seq - b.seq)
}

const seqOf = (value: unknown): number => {
  const seq = Number(value)
  return value === undefined || Number.isNaN(seq) ? Number.MAX_SAFE_INTEGER - 1 : seq
}

/** What holds for all requests of a collection or a folder. */
function rootOf(blocks: BruBlocks): Fields {
  return {
    meta: bruObject(blocks, 'meta'),
    request: {
      headers: bruRows(blocks, 'headers'),
      auth: authOf(blocks, bruObject(blocks, 'auth').mode ?? 'none'),
      script: { req: bruText(blocks, 'script:pre-request'), res: bruText(blocks, 'script:post-response') },
      vars: { req: bruRows(blocks, 'vars:pre-request'), res: bruRows(blocks, 'vars:post-response') },
      tests: bruText(blocks, 'tests')
    },
    docs: bruText(blocks, 'docs')
  }
}

function authOf(blocks: BruBlocks, mode: string): Fields {
  const keys = [...blocks.keys()].filter((name) => name.startsWith('auth:'))
  return { mode, ...Object.fromEntries(keys.map((name) => [name.slice('auth:'.length), bruObject(blocks, name)])) }
}

function requestOf(fileName: string, blocks: BruBlocks): Fields & { readonly seq: number } {
  const meta = bruObject(blocks, 'meta')
  const kind = METHODS.find((one) => blocks.has(one)) ?? 'http'
  const http = bruObject(blocks, kind)
  const rows = (kind: string) => bruRows(blocks, `params:${kind}`).map((row) => ({ ...row, type: kind }))
  const query = blocks.has('params:query')
    ? rows('query')
    : bruRows(blocks, 'query').map((row) => ({ ...row, type: 'query' }))
  return {
    type: meta.type ?? 'http',
    name: meta.name ?? fileName,
    seq: seqOf(meta.seq),
    hasExamples: blocks.has('example'),
    assertions: bruRows(blocks, 'assert'),
    request: {
      url: http.url ?? '',
      method: kind === 'http' ? http.method : kind,
      params: [...query, ...rows('path')],
      headers: bruRows(blocks, 'headers'),
      auth: authOf(blocks, http.auth ?? 'none'),
      body: bodyOf(blocks, http.body ?? 'none'),
      script: { req: bruText(blocks, 'script:pre-request'), res: bruText(blocks, 'script:post-response') },
      vars: { req: bruRows(blocks, 'vars:pre-request'), res: bruRows(blocks, 'vars:post-response') },
      tests: bruText(blocks, 'tests'),
      docs: bruText(blocks, 'docs')
    }
  }
}

function bodyOf(blocks: BruBlocks, mode: string): Fields {
  const multipart = bruRows(blocks, 'body:multipart-form').map((row) => {
    const [type = '', contentType] = /@contentType\(([^()]*)\)$/.exec(row.value) ?? []
    const value = type === '' ? row.value : row.value.slice(0, -type.length).trimEnd()
    const isFile = value.startsWith('@file(') && value.endsWith(')')
    return { ...row, ...(isFile ? { value: '', type: 'file' } : { value, type: 'text', contentType }) }
  })
  return {
    mode: MODES.get(mode) ?? mode,
    json: bruText(blocks, blocks.has('body:json') ? 'body:json' : 'body'),
    text: bruText(blocks, 'body:text'),
    xml: bruText(blocks, 'body:xml'),
    sparql: bruText(blocks, 'body:sparql'),
    graphql: { query: bruText(blocks, 'body:graphql'), variables: bruText(blocks, 'body:graphql:vars') },
    formUrlEncoded: bruRows(blocks, 'body:form-urlencoded'),
    multipartForm: multipart
  }
}

/** What bodies are called in files, and in exports. */
const MODES = new Map([
  ['form-urlencoded', 'formUrlEncoded'],
  ['multipart-form', 'multipartForm']
])
